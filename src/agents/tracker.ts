// Follows one agent: from its evidence says its state with done, idle, turns and marks. No clock of its own:
// every call brings its time (ms, any epoch, never backwards).
import type { AgentMarks, AgentState, AgentStatus, Evidence } from '../model/agent.ts';
import type { ProgramStatus } from '../model/terminal-facts.ts';
import type { AgentEvidence, Bearing } from './agent-evidence.ts';
import { classify, listEvidence, PROMPT_SENT, type Verdict } from './evidence.ts';
import { createFooterSign } from './footer.ts';
import { compileKind } from './kinds/compile.ts';
import type { Kind } from './kinds/kind.ts';
import { hasPrompt, Looker } from './look.ts';
import { createMotion, forgetMoves, SETTLE } from './motion.ts';

export interface Tracker {
  readonly evidence: AgentEvidence;
  /** Child records of OSC 7501 by id: sub-agents and jobs. */
  readonly children: Map<string, ProgramStatus>;
  progress: number | null;
  /** ms of work without a sign of life until `stalled` is set. */
  readonly stallAfter: number;
  watching: boolean;
  /** Last time a person was seen to look. */
  lookedAt: number;
  /** A turn ended while jobs ran on: done is said once they are over. */
  owed: boolean;
  turn: number;
  /** Something but the sent prompt has shown that the present turn is one. */
  confirmed: boolean;
  status: AgentStatus;
}

/** ms until `stalled`: longer than any silent tool call seen, shorter than a coffee. */
const STALL = 180_000;
/** ms within which an agent that says it is blocked draws its dialog (measured: 0.36 s; a loaded machine takes three times that). */
const DRAWN = 1200;
/** A key this soon before a turn's end (an interrupt, a rejection) means that a person saw it. ms. */
const ATTENDED = 2000;
/** ms between looks at a screen of an agent that does not work, or was just sent a prompt: what begins or asks is to be seen at once. */
const LOOK_SOON = 150;
/** The same while its dialog stands: some turn their spinner on behind it, and what answers it is a key, after which it is looked at. */
const LOOK_BLOCKED = 250;
/** ms without output after which a working agent's screen is looked at: spinners turn every 30-120 ms, so it has stopped. */
const LOOK_QUIET = 120;
/** ms between looks at one that is quiet again and again, as between the steps of a slow spinner. */
const LOOK_STEPS = 220;
/** ms between looks while it moves on; longer when it reports by itself. */
const LOOK_WORKING = 1200;
const LOOK_REPORTED = 2000;

/** A tracker for an agent started at `start`. Facts from before its start must not be given to it. */
export function createTracker(kind: Kind, start: number, options: { stallAfter?: number; headless?: boolean } = {}): Tracker {
  const compiled = compileKind(kind);
  const evidence: AgentEvidence = {
    kind: compiled,
    looker: new Looker(compiled),
    started: start,
    headless: options.headless ?? false,
    look: null,
    dialogSince: start,
    composerSince: start,
    dialogId: null,
    composerStood: false,
    hits: new Map(),
    motion: createMotion(start),
    report: null,
    title: null,
    hook: null,
    foreground: null,
    exit: null,
    submitted: Number.NEGATIVE_INFINITY,
    sent: null,
    drafted: start,
    input: Number.NEGATIVE_INFINITY,
    resized: Number.NEGATIVE_INFINITY,
    ready: false,
    readySince: start,
    proven: false,
    signed: false,
    footer: createFooterSign(),
    bearing: 'unknown',
    bearingSince: start,
    asksInTurn: false,
  };
  return {
    evidence,
    children: new Map(),
    progress: null,
    stallAfter: options.stallAfter ?? STALL,
    watching: false,
    lookedAt: Number.NEGATIVE_INFINITY,
    owed: false,
    turn: 0,
    confirmed: false,
    status: {
      kind: kind.id,
      state: 'unknown',
      since: start,
      why: 'it has just been started',
      evidence: [{ source: 'start', rule: 'started', says: 'unknown', at: start }],
      marks: {},
      question: null,
      turn: 0,
    },
  };
}

/** ms for which the agent has been ready to be spoken to; 0 before. For `DeliverySight.stood`. */
export function stoodFor(tracker: Tracker, now: number): number {
  return tracker.evidence.ready ? now - tracker.evidence.readySince : 0;
}

/**
 * When a changed screen is to be looked at (ms): as soon as it is quiet for a moment, and now and then while it is not. `looked` is the
 * last look, `changed` the last output. A look at a working agent costs as much as a thousand of its spinner's steps are worth.
 */
export function lookDue(tracker: Tracker, looked: number, changed: number): number {
  const { bearing, report, sent } = tracker.evidence;
  // Of a short turn the signs that it runs stand for a moment only.
  if (bearing !== 'working' || sent) return Math.max(changed, looked + (bearing === 'blocked' ? LOOK_BLOCKED : LOOK_SOON));
  const every = report?.status.state === 'working' ? LOOK_REPORTED : LOOK_WORKING;
  return Math.min(Math.max(changed + LOOK_QUIET, looked + LOOK_STEPS), looked + every);
}

/**
 * The agent's status at `now`, and when to ask again though no fact arrives (null: not needed). The same object while nothing changed.
 * `done` is returned at least once at each turn's end, also while a person watches.
 */
export function judge(tracker: Tracker, now: number): { status: AgentStatus; next: number | null } {
  const e = tracker.evidence;
  const verdict = classify(e, now);
  let before = e.bearing;
  if (!e.ready && startedUp(e, now)) {
    e.ready = true;
    e.readySince = now;
  }
  if (verdict.bearing !== before) {
    e.bearing = verdict.bearing;
    if (verdict.bearing === 'blocked') e.asksInTurn = before === 'working' || asksUnasked(tracker, before);
    e.bearingSince = now;
    if (verdict.bearing === 'working' && e.ready && (before !== 'blocked' || tracker.turn === 0)) tracker.turn++;
    if (verdict.bearing === 'rest' && before === 'working' && !tracker.confirmed) before = takeBack(tracker);
    tracker.confirmed = false;
    // Motion that led to this counts no more: only what moves from here on does.
    forgetMoves(e.motion);
    if (verdict.bearing === 'rest') {
      e.proven = false;
      e.signed = false;
    }
  }
  if (!verdict.held && verdict.rule !== PROMPT_SENT) tracker.confirmed = true;
  if (verdict.bearing === 'working' && !verdict.held && verdict.source !== 'motion' && verdict.rule !== PROMPT_SENT) e.proven = true;
  const marks = marksOf(tracker, verdict, now);
  const state = stateOf(tracker, before, verdict.bearing, marks, now);
  tracker.status = renew(tracker, state, verdict, marks, now);
  const soon = state === 'done' && seen(tracker, now) ? now : null;
  const readyAt = !e.ready && e.look && hasPrompt(e.look) ? e.composerSince + SETTLE : null;
  const undrawn = state === 'blocked' && !tracker.status.question ? undrawnAt(e) : null;
  return { status: tracker.status, next: earliest(now, soon, verdict.next, stallTime(tracker, verdict), readyAt, undrawn) };
}

/** It had seemed at rest and asks without a key of a person's: its turn was not over. */
function asksUnasked({ evidence: e, turn }: Tracker, before: Bearing): boolean {
  return before === 'rest' && turn > 0 && e.input <= e.bearingSince;
}

/** Nothing ever showed the turn that a sent prompt seemed to begin: it was none, and none has ended. */
function takeBack(tracker: Tracker): Bearing {
  tracker.turn--;
  return 'rest';
}

/** Start-up is over: it reported or drew its composer and this stood for a moment. A stranger takes pastes and has come to rest. */
function startedUp(e: AgentEvidence, now: number): boolean {
  if (!e.kind.composer || e.headless) return true;
  if (e.report && e.report.status.state !== 'working') return true;
  return e.look !== null && hasPrompt(e.look) && now - e.composerSince >= SETTLE;
}

function stateOf(tracker: Tracker, before: Bearing, bearing: Bearing, marks: AgentMarks, now: number): AgentState {
  if (bearing !== 'rest') {
    tracker.owed = false;
    return bearing;
  }
  const ended = (before === 'working' || before === 'blocked') && tracker.turn > 0;
  if (ended) tracker.owed = true;
  if (tracker.owed && !marks.background) {
    tracker.owed = false;
    return 'done';
  }
  return tracker.status.state === 'done' && !seen(tracker, now) ? 'done' : 'idle';
}

/** A person watches, or has looked since the state was entered (or just before, with a key). */
function seen(tracker: Tracker, now: number): boolean {
  const { status } = tracker;
  const since = status.state === 'done' ? status.since : now;
  return tracker.watching || tracker.lookedAt > since - (tracker.evidence.input === tracker.lookedAt ? ATTENDED : 0);
}

function marksOf(tracker: Tracker, verdict: Verdict, now: number): AgentMarks {
  const { evidence: e, children } = tracker;
  const { look } = e;
  const marks: AgentMarks = {};
  const hit = (says: string) => look?.hits.find((h) => h.says === says);
  const limit = hit('usage-limit') ?? hit('rate-limit');
  if (limit) marks.limit = { kind: limit.says === 'usage-limit' ? 'usage' : 'rate', ...(limit.part ? { resets: limit.part } : {}) };
  const running = [...children.values()].filter((child) => child.state === 'working').length;
  if (verdict.bearing === 'rest') {
    const jobs = hit('background')?.text ?? (running > 0 ? `${running} of its jobs report work` : null);
    if (jobs) marks.background = jobs;
    const error = e.report?.status.state === 'error' ? (e.report.status.message ?? 'it reports an error') : null;
    const shown = hit('error');
    if (error ?? shown) marks.error = error ?? shown!.part ?? shown!.text;
  }
  if (verdict.bearing === 'working' && now >= (stallTime(tracker, verdict) ?? Number.POSITIVE_INFINITY)) marks.stalled = true;
  const task = e.report?.status.title ?? look?.shows.task;
  if (task) marks.task = task;
  const progress = e.report?.status.progress ?? tracker.progress;
  if (progress !== null && progress !== undefined && verdict.bearing === 'working') marks.progress = progress;
  if (look?.shows.context) marks.context = look.shows.context;
  if (look?.shows.cost) marks.cost = look.shows.cost;
  return marks;
}

function stallTime(tracker: Tracker, verdict: Verdict): number | null {
  if (verdict.bearing !== 'working') return null;
  const { motion, bearingSince, report, input } = tracker.evidence;
  return Math.max(motion.changed, motion.last, bearingSince, report?.at ?? 0, input) + tracker.stallAfter;
}

/** The status object, a new one only when something that people or scripts see has changed. */
function renew(tracker: Tracker, state: AgentState, verdict: Verdict, marks: AgentMarks, now: number): AgentStatus {
  const { status: old, evidence: e } = tracker;
  const question = state === 'blocked' ? questionOf(e, verdict, now) : null;
  const same =
    old.state === state &&
    old.turn === tracker.turn &&
    old.question?.id === question?.id &&
    old.evidence[0]?.source === verdict.source &&
    old.evidence[0].rule === verdict.rule &&
    sameMarks(old.marks, marks);
  if (same) return old;
  const top: Evidence = {
    source: verdict.source,
    rule: verdict.rule,
    says: state,
    at: verdict.at,
    ...(verdict.text ? { text: verdict.text.slice(0, 200) } : {}),
  };
  const others = listEvidence(e).filter((piece) => piece.source !== top.source || piece.rule !== top.rule);
  return {
    kind: e.kind.kind.id,
    state,
    since: old.state === state ? old.since : now,
    why: verdict.why,
    evidence: [top, ...others],
    marks,
    question,
    turn: tracker.turn,
    ...(e.exit ? { exit: { code: e.exit.code, signal: e.exit.signal } } : {}),
  };
}

function sameMarks(a: AgentMarks, b: AgentMarks): boolean {
  const names = Object.keys(a) as (keyof AgentMarks)[];
  const sameLimit = a.limit?.kind === b.limit?.kind && a.limit?.resets === b.limit?.resets;
  return names.length === Object.keys(b).length && sameLimit && names.every((name) => name === 'limit' || a[name] === b[name]);
}

/** The dialog on the screen; where none is drawn, what the report or title says, so that people see at least that. */
function questionOf(e: AgentEvidence, verdict: Verdict, now: number): AgentStatus['question'] {
  const { look } = e;
  if (look?.question && !look.composer) return look.question;
  return verdict.text && now >= undrawnAt(e)
    ? { id: `report:${verdict.text.slice(0, 80)}`, kind: 'question', text: verdict.text.slice(0, 200), options: [] }
    : null;
}

/** Where it is blocked: its question is known, or will not be. Before, its dialog is not drawn yet. */
export function isAsked({ status, evidence }: Tracker, now: number): boolean {
  return status.state !== 'blocked' || status.question !== null || now >= undrawnAt(evidence);
}

/** From when on a dialog that was told of and is not on the screen counts as one that herd cannot read. */
function undrawnAt(e: AgentEvidence): number {
  return Math.max(e.bearingSince, e.dialogSince) + DRAWN;
}

/** Every piece of evidence at `now`, the verdict's own first, then from the most trusted down. For `explain`. */
export function explain(tracker: Tracker, now: number): Evidence[] {
  const verdict = classify(tracker.evidence, now);
  const text = verdict.text?.slice(0, 200);
  const top: Evidence = {
    source: verdict.source,
    rule: verdict.rule,
    says: tracker.status.state,
    at: verdict.at,
    ...(text ? { text } : {}),
  };
  return [top, ...listEvidence(tracker.evidence).filter((piece) => piece.source !== top.source || piece.rule !== top.rule)];
}

/** The soonest of the times still to come; `soon` counts though it is now. */
function earliest(now: number, soon: number | null, ...times: (number | null)[]): number | null {
  const due = times.filter((t): t is number => t !== null && t > now);
  return soon ?? (due.length > 0 ? Math.min(...due) : null);
}
