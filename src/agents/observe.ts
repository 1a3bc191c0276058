// Takes facts into a tracker's evidence: screens, what the program says of itself, keys, looks, the foreground. Draws no verdict.
import type { ScreenText } from '../model/screen-text.ts';
import type { ProgramStatus, TerminalFact } from '../model/terminal-facts.ts';
import type { AgentEvidence } from './agent-evidence.ts';
import { showsWork } from './evidence.ts';
import type { AgentFact } from './facts.ts';
import { learnFooter, noteFooter } from './footer.ts';
import type { Hit } from './hits.ts';
import { hasPrompt, type Look } from './look.ts';
import { noteEcho, noteOutput, noteRows, SETTLE } from './motion.ts';
import type { Tracker } from './tracker.ts';

/** Child records kept of one program; more are an accident or an attack. */
const CHILDREN_MAX = 64;

/** Takes in one fact that became true at `at`; false when it can not change the verdict (the same said again). */
export function observe(tracker: Tracker, fact: AgentFact, at: number): boolean {
  const e = tracker.evidence;
  switch (fact.fact) {
    case 'screen':
      observeScreen(e, fact.screen, at);
      return true;
    case 'terminal':
      return observeTerminal(tracker, fact.report, at);
    case 'output':
      noteOutput(e.motion, at);
      return false;
    case 'input':
      if (e.bearing === 'rest') learnFooter(e.footer, e.look);
      if (fact.submit) observeSubmit(e, at);
      e.input = at;
      if (fact.by === 'person') tracker.lookedAt = at;
      noteEcho(e.motion, at);
      return true;
    case 'resize':
      e.resized = at;
      noteEcho(e.motion, at);
      return true;
    case 'look':
      tracker.lookedAt = at;
      return true;
    case 'watch':
      tracker.watching = fact.on;
      if (fact.on) tracker.lookedAt = at;
      return true;
    case 'foreground':
      return observeForeground(e, fact.ours, fact.name, at);
    case 'hook':
      if (e.hook && fact.sequence <= e.hook.sequence) return false;
      e.hook = { state: fact.state, sequence: fact.sequence, at, ...(fact.message ? { message: fact.message } : {}) };
      return true;
    case 'exit':
      e.exit = { code: fact.code, signal: fact.signal, at };
      return true;
  }
}

function observeScreen(e: AgentEvidence, screen: ScreenText, at: number): void {
  const look = e.looker.look(screen);
  const dialog = look.composer ? null : (look.question?.id ?? null);
  if (dialog !== e.dialogId) e.dialogSince = at;
  if (hasPrompt(look) && !e.composerStood) e.composerSince = at;
  e.dialogId = dialog;
  e.composerStood = hasPrompt(look);
  noteDraft(e, look.composer?.draft ?? '', at);
  noteHits(e, look, at);
  if (look.hits.some((hit) => hit.says === 'working' && (hit.fresh === null || (hit.stands && isOwn(e, hit))))) e.signed = true;
  if (e.bearing === 'working') noteFooter(e.footer, look, at);
  noteRows(e.motion, look.still, at);
  e.look = look;
  if (e.sent && (beganWork(e, e.sent.at) || (at > e.sent.at + SETTLE / 2 && showsWork(e, at)))) e.sent = null;
}

/** What the box holds. Text that still comes after the carriage return was typed before it. */
function noteDraft(e: AgentEvidence, draft: string, at: number): void {
  if (draft === (e.look?.composer?.draft ?? '')) return;
  e.drafted = at;
  if (e.sent && draft.length > e.sent.draft.length && draft.startsWith(e.sent.draft)) e.sent.behind = true;
}

/** A carriage return: with a draft in the composer it sends it. Commands for the agent itself begin no turn. */
function observeSubmit(e: AgentEvidence, at: number): void {
  e.submitted = at;
  const draft = e.look?.composer?.draft ?? '';
  e.sent = draft !== '' && !/^[/!#?]/u.test(draft) && e.bearing === 'rest' ? { at, draft, behind: e.input > e.drafted } : null;
}

/** Keeps how a rule's text has moved. Only its glyph and numbers may differ: other words are another row. */
function noteHits(e: AgentEvidence, look: Look, at: number): void {
  const old = e.hits;
  e.hits = new Map();
  for (const hit of look.hits) {
    const before = old.get(hit.id);
    if (before?.text === hit.text) e.hits.set(hit.id, before);
    else e.hits.set(hit.id, { text: hit.text, at, moves: before && wordsOf(before.text) === wordsOf(hit.text) ? before.moves + 1 : 0 });
  }
}

/** No quotation: it has moved, or came up with the prompt. Some turn their colours only. */
function isOwn(e: AgentEvidence, hit: Hit): boolean {
  const { moves, at } = e.hits.get(hit.id)!;
  return moves > 0 || (at >= e.submitted && at - e.submitted < SETTLE);
}

/** A sign of work has come up since `sent`, when the agent rested: however soon it goes, it was a turn's. */
function beganWork(e: AgentEvidence, sent: number): boolean {
  return e.look!.hits.some((hit) => hit.says === 'working' && e.hits.get(hit.id)!.at > sent);
}

function wordsOf(text: string): string {
  return text
    .replace(/[^\p{L} ]|\b\p{L}\b/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

function observeTerminal(tracker: Tracker, report: TerminalFact, at: number): boolean {
  const e = tracker.evidence;
  // What a program in front of the agent prints is not the agent's word.
  if (e.foreground && !e.foreground.ours) return false;
  if (report.fact === 'title') return observeTitle(e, report.title, at);
  if (report.fact === 'status') return observeStatus(tracker, report.report, at);
  if (report.fact === 'progress') tracker.progress = report.state === 1 && report.value !== null ? report.value : null;
  return false;
}

function observeTitle(e: AgentEvidence, text: string, at: number): boolean {
  const says = e.kind.titles.find((title) => title.match.test(text))?.rule.says;
  const before = e.title?.says;
  if (!says) e.title = null;
  else if (before !== says) e.title = { text, says, at, moved: at };
  else if (e.title!.text !== text) Object.assign(e.title!, { text, moved: at });
  return before !== says;
}

function observeStatus(tracker: Tracker, status: ProgramStatus, at: number): boolean {
  const { children, evidence } = tracker;
  const before = evidence.report;
  if (status.id !== '') {
    if (status.state === 'clear') children.delete(status.id);
    else if (children.has(status.id) || children.size < CHILDREN_MAX) children.set(status.id, status);
  } else if (status.state === 'clear') evidence.report = null;
  else if (before?.status.state === status.state && before.status.kind === status.kind) evidence.report = { status, at: before.at };
  else evidence.report = { status, at };
  return true;
}

/** That program is known to be in front already. */
export function isInFront({ foreground }: AgentEvidence, ours: boolean, name: string): boolean {
  return foreground?.ours === ours && foreground.name === name;
}

/** Another program in front: what the agent had reported no longer counts when it comes back. */
function observeForeground(e: AgentEvidence, ours: boolean, name: string, at: number): boolean {
  if (isInFront(e, ours, name)) return false;
  e.foreground = { ours, name, at };
  if (!ours) {
    e.report = null;
    e.title = null;
    e.hook = null;
  }
  return true;
}
