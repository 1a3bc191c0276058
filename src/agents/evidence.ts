// The verdict drawn from what the tracker holds of an agent. Pure: the same evidence and time give the same verdict.
import type { Evidence, EvidenceSource } from '../model/agent.ts';
import type { AgentEvidence, Bearing } from './agent-evidence.ts';
import type { Hit } from './hits.ts';
import { hasPrompt } from './look.ts';
import { isMoving, SETTLE } from './motion.ts';
import { quietEnd, restOf, SIGN_GONE } from './rest.ts';

export interface Verdict {
  bearing: Bearing;
  source: EvidenceSource;
  rule: string;
  why: string;
  text?: string;
  at: number;
  /** When to judge again though nothing happens; null: never. */
  next: number | null;
  /** Nothing spoke: the bearing is the last one. */
  held?: true;
}

/** ms a report of working must stand while nothing was submitted yet: codex flips for 0.1-0.4 s at its start. */
const START_DEBOUNCE = 500;
/** ms after the start in which motion is the agent's own drawing of itself, unless something was submitted. */
const START_MOTION = 30_000;
/** ms a dialog must stand before start-up is over (agents draw and drop some by themselves), and for kinds whose input box is not known. */
const START_DIALOG = 2600;
const STRANGE_DIALOG = 700;
/** ms a screen must stand still for a pointer without numbers or key hints to count as a dialog. */
const WEAK_DIALOG = 4000;
/** ms after a prompt left the composer in which its turn is taken to have begun (a loaded opencode took 5 s to show it). */
const SENT = 6000;
/** Name of that rule: a turn that nothing else confirmed is none. */
export const PROMPT_SENT = 'prompt sent';
/** ms without any change after which a screen at rest beats a report of working (longest gap measured while working: 2.6 s). */
const REPORT_STALE = 20_000;
/** The same for titles that no longer turn either, which some agents leave behind. */
const TITLE_STALE = 6000;
/** ms a title may run ahead of the screen: a dialog is drawn up to 0.2 s after the title has stopped turning. */
const TITLE_LEAD = 360;
/** ms a title may contradict a spinner that turns. */
const TITLE_DOUBT = 3000;
/** ms an agent's screen may show neither box nor dialog before its state counts as unknown. */
const LOST = 15_000;

/** The state of the agent at `now`, from the most trusted evidence that speaks. */
export function classify(e: AgentEvidence, now: number): Verdict {
  for (const voice of VOICES) {
    const verdict = voice(e, now);
    if (verdict) return verdict;
  }
  return fromScreen(e, now);
}

/** Most trusted first. */
const VOICES: ((e: AgentEvidence, now: number) => Verdict | null)[] = [
  fromExit,
  fromForeground,
  fromDialog,
  fromSent,
  fromReport,
  fromHook,
  fromTitle,
];

function fromExit(e: AgentEvidence): Verdict | null {
  if (!e.exit) return null;
  const how = e.exit.signal ? `ended by ${e.exit.signal}` : `ended with code ${e.exit.code ?? 'unknown'}`;
  return { bearing: 'exited', source: 'exit', rule: 'process exit', why: `its process ${how}`, at: e.exit.at, next: null };
}

function fromForeground(e: AgentEvidence, now: number): Verdict | null {
  const { foreground, kind } = e;
  if (kind.kind.id === 'shell' && foreground) {
    if (foreground.ours)
      return e.look?.question ? null : verdict('rest', 'process', 'shell in front', 'the shell is at its prompt', foreground.at);
    return e.look?.question
      ? fromDialog(e, now)
      : verdict('working', 'process', 'program in front', `${foreground.name} runs`, foreground.at);
  }
  if (!foreground || foreground.ours) return null;
  return verdict('unknown', 'process', 'other program in front', `${foreground.name} is in front of the agent`, foreground.at);
}

/** A dialog in place of the composer beats every report. */
function fromDialog(e: AgentEvidence, now: number): Verdict | null {
  const { look } = e;
  if (!look?.question || look.composer) return null;
  const wait = look.weak ? WEAK_DIALOG : e.kind.composer ? (e.ready || e.submitted > e.started ? 0 : START_DIALOG) : STRANGE_DIALOG;
  const stands = (look.weak ? e.motion.changed : e.dialogSince) + wait;
  if (now < stands && e.bearing !== 'blocked') return hold(e, 'screen', 'a dialog comes up', stands);
  const rule = look.question.options.length > 0 ? `dialog: ${look.question.kind}` : 'dialog: form';
  return {
    ...verdict('blocked', 'screen', rule, 'its dialog is on the screen in place of its input box', e.dialogSince),
    text: look.question.text,
  };
}

/** A prompt that just left the composer begins a turn, though an agent may take seconds to draw that it works. */
function fromSent(e: AgentEvidence, now: number): Verdict | null {
  const { sent, look } = e;
  if (!sent || now >= sent.at + SENT || look?.question) return null;
  const answered = [e.report?.at, e.title?.at, e.hook?.at].some((at) => at !== undefined && at > sent.at);
  if (answered || e.input > sent.at || (!sent.behind && look?.composer && look.composer.draft !== '' && now >= sent.at + SETTLE))
    return null;
  return { ...verdict('working', 'screen', PROMPT_SENT, 'a prompt was just sent to it', sent.at, sent.at + SENT), text: sent.draft };
}

function fromReport(e: AgentEvidence, now: number): Verdict | null {
  if (!e.report) return null;
  const { status, at } = e.report;
  const rule = `reports ${status.state}${status.kind ? ` (${status.kind})` : ''}`;
  const text = status.message ?? status.title;
  const say = (bearing: Bearing, why: string, next: number | null = null): Verdict => ({
    ...verdict(bearing, '7501', rule, why, at, next),
    ...(text ? { text } : {}),
  });
  switch (status.state) {
    case 'blocked':
      return say('blocked', 'it reports that it waits for you');
    case 'working': {
      if (e.submitted < e.started && now - at < START_DEBOUNCE) return hold(e, '7501', 'start-up', at + START_DEBOUNCE);
      const stale = Math.max(e.motion.changed, at) + REPORT_STALE;
      if (now >= stale && atPrompt(e))
        return verdict('rest', 'time', 'report outlived', 'it reported work, but its prompt has stood still', e.motion.changed);
      return say('working', 'it reports that it works', atPrompt(e) ? stale : null);
    }
    case 'idle':
    case 'done':
      return say('rest', status.state === 'done' ? 'it reports that its turn ended' : 'it reports that it is idle');
    case 'error':
      return say('rest', 'it reports that its turn ended on an error');
    case 'clear':
      return null;
  }
}

/** Hooks rank below the program's own reports, and newer evidence on the screen corrects them. */
function fromHook(e: AgentEvidence, now: number): Verdict | null {
  if (!e.hook) return null;
  const { state, at } = e.hook;
  const rule = `hook: ${state}`;
  if (state === 'blocked') {
    if (e.look?.composer && e.composerSince > at) return null;
    return verdict('blocked', 'hook', rule, 'its hook says that it waits for you', at);
  }
  if (state === 'working') {
    const stale = Math.max(e.motion.changed, at) + TITLE_STALE;
    if (now >= stale && atPrompt(e)) return null;
    return verdict('working', 'hook', rule, 'its hook says that it works', at, stale);
  }
  const spinning = working(e, now);
  if (spinning && e.hits.get(spinning.id)!.at > at + TITLE_DOUBT) return null;
  return verdict('rest', 'hook', rule, 'its hook says that its turn ended', at);
}

function fromTitle(e: AgentEvidence, now: number): Verdict | null {
  const { title } = e;
  if (!title) return null;
  const say = (bearing: Bearing, why: string, next: number | null = null): Verdict => ({
    ...verdict(bearing, 'title', `title: ${title.says}`, why, title.at, next),
    text: title.text,
  });
  if (title.says === 'blocked') {
    if (e.look?.composer && now - Math.max(title.at, e.composerSince) > TITLE_DOUBT) return null;
    return say('blocked', 'its title asks for action');
  }
  if (title.says === 'working') {
    const stale = Math.max(e.motion.changed, title.moved) + TITLE_STALE;
    if (now >= stale && atPrompt(e)) return null;
    return e.ready || now - title.at >= START_DEBOUNCE
      ? say('working', 'its title shows work', stale)
      : hold(e, 'title', 'start-up', title.at + START_DEBOUNCE);
  }
  if (!e.ready || !e.look?.composer) return null;
  const spinning = working(e, now);
  if (spinning && (title.at < e.submitted || (now - title.at > TITLE_DOUBT && isMoving(e.motion, now)))) return null;
  // Just after a dialog or a submitted prompt the title still says what it said before.
  const turned = title.at >= e.bearingSince && e.bearing !== 'blocked';
  const quiet = turned ? title.at + (spinning ? TITLE_LEAD : TITLE_LEAD / 3) : quietEnd(e);
  if (e.bearing !== 'rest' && now < quiet) return settling(e, 'title', now, quiet);
  return say('rest', 'its title shows no work');
}

function fromScreen(e: AgentEvidence, now: number): Verdict {
  const { look, motion, kind } = e;
  const rest = restOf(e);
  if (e.headless) return verdict('working', 'process', 'no screen of its own', 'it was started to work until it ends', e.started);
  if (!look || (look.blank && !e.ready)) return verdict('unknown', 'start', 'nothing drawn', 'nothing is on its screen yet', e.started);
  if (look.hits.some((hit) => hit.says === 'view')) return hold(e, 'screen', 'a view covers the screen', null);
  if (look.notice && e.bearing !== 'working') {
    const up = e.composerSince + SETTLE;
    if (!e.ready && now < up) return settling(e, 'screen', now, up);
    return verdict('rest', 'screen', 'notice over the prompt', 'a notice that any key closes covers its prompt', e.composerSince);
  }
  const rule = working(e, now);
  if (rule)
    return {
      ...verdict('working', 'screen', rule.id, 'its screen shows work', e.hits.get(rule.id)!.at, freshEnd(e, rule)),
      text: rule.text,
    };
  const ended = look.hits.find((hit) => hit.says === 'rest');
  if (ended && (look.composer ? e.ready && e.submitted < motion.changed - 300 : true))
    return { ...verdict('rest', 'screen', ended.id, 'its screen shows the end of a turn', motion.changed), text: ended.text };
  const begun = e.submitted > e.readySince || now - e.started > START_MOTION;
  const counts = kind.kind.motion.counts && (kind.composer ? e.ready && begun : true);
  if (counts && isMoving(motion, now) && now < motion.last + rest)
    return verdict('working', 'motion', 'steady motion', 'its screen moves by itself', motion.last, motion.last + rest);
  if (!kind.composer) return strange(e, now);
  const quiet = quietEnd(e);
  if (hasPrompt(look)) {
    // Not before it is ready to be spoken to: idle is a promise.
    const up = e.composerSince + Math.max(rest, SETTLE);
    // A dialog from before any turn leaves nothing running, whatever else still moves.
    const closed = e.bearing === 'blocked' && e.ready && !e.asksInTurn && now >= e.composerSince + SIGN_GONE;
    if (e.bearing === 'rest' || closed || (e.ready ? now >= quiet : now >= up))
      return verdict('rest', 'screen', 'composer at rest', 'its prompt waits and nothing moves', e.composerSince, null);
    return settling(e, 'screen', now, e.ready ? quiet : up);
  }
  const lost = motion.changed + LOST;
  if (now < lost)
    return e.bearing === 'blocked' && e.input > e.bearingSince ? answered(e, now, lost) : hold(e, 'screen', 'no composer', lost);
  return verdict('unknown', 'screen', 'no composer', 'its screen shows neither its prompt nor a dialog it is known by', motion.changed);
}

/**
 * Until `quiet` it is not seen whether a turn goes on. Where a dialog has gone and the prompt is back, nobody is waited for any more: it
 * was answered, and counts as work until then.
 */
function settling(e: AgentEvidence, source: EvidenceSource, now: number, quiet: number): Verdict {
  const answered = e.composerSince + SIGN_GONE;
  if (e.bearing !== 'blocked' || !e.ready || !e.look?.composer) return hold(e, source, 'settling', quiet);
  if (now < answered) return hold(e, source, 'settling', answered);
  return { ...verdict('working', source, 'dialog gone', 'its dialog was answered a moment ago', e.composerSince, quiet), held: true };
}

/** A key has been pressed and the dialog has gone: what stands there now, herd cannot tell, but nobody is waited for. */
function answered(e: AgentEvidence, now: number, lost: number): Verdict {
  const gone = e.dialogSince + SIGN_GONE;
  if (now < gone) return hold(e, 'screen', 'no composer', gone);
  return { ...verdict('working', 'screen', 'dialog gone', 'its dialog was answered', e.dialogSince, lost), held: true };
}

/** A kind without rules: motion is all there is, and its end says nothing. */
function strange(e: AgentEvidence, now: number): Verdict {
  const last = e.bearing === 'working' ? Math.max(e.motion.last, e.bearingSince) : e.motion.last;
  const rest = last + e.kind.kind.motion.rest;
  if (e.bearing === 'working' && now < rest)
    return verdict('working', 'motion', 'recent motion', 'its screen moved a moment ago', last, rest);
  return verdict(
    'unknown',
    'time',
    'no motion',
    'nothing moves, and herd does not know how this command shows that it waits',
    e.motion.changed,
  );
}

/** What the screen shows at `now` proves that a turn runs. */
export function showsWork(e: AgentEvidence, now: number): boolean {
  return working(e, now) !== null || isMoving(e.motion, now);
}

/** The first rule that says working and is not a standing picture: a quotation never moves; a hung agent's spinner did. */
function working(e: AgentEvidence, now: number): Hit | null {
  return e.look?.hits.find((hit) => hit.says === 'working' && (hit.fresh === null || alive(e, hit, now))) ?? null;
}

function alive(e: AgentEvidence, hit: Hit, now: number): boolean {
  const { moves, at } = e.hits.get(hit.id)!;
  return moves >= 2 || now - at < hit.fresh!;
}

function freshEnd(e: AgentEvidence, hit: Hit): number | null {
  const { moves, at } = e.hits.get(hit.id)!;
  return hit.fresh === null || moves >= 2 ? null : at + hit.fresh;
}

function atPrompt(e: AgentEvidence): boolean {
  return e.look?.composer != null && !e.look.hits.some((hit) => hit.says === 'working');
}

/** Nothing speaks clearly: the last bearing stands. */
function hold(e: AgentEvidence, source: EvidenceSource, rule: string, next: number | null): Verdict {
  return { ...verdict(e.bearing, source, rule, 'nothing new can be told from its screen', e.bearingSince, next), held: true };
}

function verdict(bearing: Bearing, source: EvidenceSource, rule: string, why: string, at: number, next: number | null = null): Verdict {
  return { bearing, source, rule, why, at, next };
}

/** Every piece that would have a say, most trusted first; for `explain`. */
export function listEvidence(e: AgentEvidence): Evidence[] {
  const out: Evidence[] = [];
  const add = (source: EvidenceSource, rule: string, says: Evidence['says'], at: number, text?: string) =>
    out.push({ source, rule, says, at, ...(text ? { text: text.slice(0, 200) } : {}) });
  if (e.exit) add('exit', 'process exit', 'exited', e.exit.at);
  if (e.foreground && !e.foreground.ours) add('process', 'other program in front', 'unknown', e.foreground.at, e.foreground.name);
  if (e.look?.question) add('screen', `dialog: ${e.look.question.kind}`, 'blocked', e.dialogSince, e.look.question.text);
  if (e.report) {
    const { state, message } = e.report.status;
    add('7501', `reports ${state}`, state === 'clear' ? 'unknown' : state, e.report.at, message);
  }
  if (e.hook) add('hook', `hook: ${e.hook.state}`, e.hook.state, e.hook.at, e.hook.message);
  if (e.title) add('title', `title: ${e.title.says}`, e.title.says === 'rest' ? 'idle' : e.title.says, e.title.at, e.title.text);
  for (const hit of e.look?.hits ?? []) add('screen', hit.id, SAYS[hit.says], e.hits.get(hit.id)!.at, hit.text);
  if (e.look?.composer) add('screen', 'composer', 'idle', e.composerSince, e.look.composer.draft);
  add('motion', 'last own move', 'working', Math.max(e.motion.last, e.started));
  return out;
}

const SAYS: Record<Hit['says'], Evidence['says']> = {
  working: 'working',
  rest: 'idle',
  background: 'background',
  'rate-limit': 'limited',
  'usage-limit': 'limited',
  error: 'error',
  view: 'unknown',
};
