// The agent of one terminal: feeds its tracker with facts and looks at the screen, judges when something happened or a stated time has
// come, and tells of every change. A screen that did not change costs nothing.
import type { AgentFact } from '../../agents/facts.ts';
import type { Kind } from '../../agents/kinds/kind.ts';
import { remember, resumeTracker } from '../../agents/memory.ts';
import { isInFront, observe } from '../../agents/observe.ts';
import { createTracker, explain, isAsked, judge, lookDue, stoodFor, type Tracker } from '../../agents/tracker.ts';
import type { AgentState, AgentStatus, Evidence, Question } from '../../model/agent.ts';
import type { ScreenText } from '../../model/screen-text.ts';
import type { TerminalFact } from '../../model/terminal-facts.ts';
import type { WakeUps } from './wake-ups.ts';
import type { StateChange, WatchMemory } from './watch-memory.ts';

/** What is looked at; `Screen` fits. */
export interface Watched {
  readonly changes: number;
  readonly synchronized: boolean;
  /** The same object as the last time while nothing is to be seen of what changed. */
  text(): ScreenText;
}

/** State changes kept for those who wait; a wait asks for changes since the last delivery, which are few. */
const CHANGES_KEPT = 200;
/** ms after a key until it is judged: its echo comes first. */
const TYPED_PAUSE = 25;
/** ms for which an open synchronized frame holds a look off. */
const FRAME_OPEN = 300;

export interface AgentWatchOptions {
  kind: Kind;
  screen: Watched;
  started: number;
  headless: boolean;
  stallAfter: number;
  /** What an earlier server knew of it; for a new agent in the place of an old one, only where that one's changes end. */
  known: WatchMemory | { seq: number } | null;
  /** What its screen has as said by it before this began, the newest of each kind. */
  said: readonly TerminalFact[];
  now(): number;
  /** Shared by the agents of a server. */
  wakeUps: WakeUps;
  /** Status is another object; `before` is the state before. */
  onStatus(status: AgentStatus, before: AgentState): void;
}

export class AgentWatch {
  readonly kind: Kind;
  readonly changes: StateChange[] = [];
  readonly #o: AgentWatchOptions;
  readonly #tracker: Tracker;
  #seen = -1;
  #text: ScreenText | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #changedAt = 0;
  readonly #lookDue = () => this.#lookAndJudge();
  readonly #judgeDue = () => this.#lookNow();
  readonly #typedDue = () => this.#judge(this.#o.now());
  #seq = 0;
  #closed = false;
  readonly #listeners = new Set<() => void>();

  constructor(o: AgentWatchOptions) {
    this.#o = o;
    this.kind = o.kind;
    this.#tracker = createTracker(o.kind, o.started, { stallAfter: o.stallAfter, headless: o.headless });
    this.#seq = o.known?.seq ?? 0;
    if (o.known && 'tracker' in o.known) {
      resumeTracker(this.#tracker, o.known.tracker, o.now());
      this.changes.push(...o.known.changes);
    }
    for (const report of o.said) observe(this.#tracker, { fact: 'terminal', report }, o.now());
  }

  memory(): WatchMemory {
    return { tracker: remember(this.#tracker), seq: this.#seq, changes: [...this.changes] };
  }

  get status(): AgentStatus {
    return this.#tracker.status;
  }

  /** Its composer was seen, or it reported: it takes part. */
  get ready(): boolean {
    return this.#tracker.evidence.ready;
  }

  /** ms for which it has been ready to be spoken to. */
  stood(now: number): number {
    return stoodFor(this.#tracker, now);
  }

  /** Another program was in front of it when that was last looked at. */
  get shadowed(): boolean {
    return this.#tracker.evidence.foreground?.ours === false;
  }

  get lastSeq(): number {
    return this.#seq;
  }

  /** Blocked, and the dialog is on its way to the screen: a judgement follows when it is there or late. */
  get drawing(): boolean {
    return !isAsked(this.#tracker, this.#o.now());
  }

  /** The dialog that stands on its screen now. */
  asks(): Question | null {
    this.#lookNow();
    const { look } = this.#tracker.evidence;
    return look && !look.composer ? look.question : null;
  }

  /** Keys that finish the answer just given, where the agent asks for more words. */
  finish(): string[] {
    return this.#tracker.evidence.look?.hits.flatMap((hit) => hit.finish) ?? [];
  }

  /** All evidence as it stands now, the verdict's first. */
  evidence(): Evidence[] {
    this.#lookNow();
    return explain(this.#tracker, this.#o.now());
  }

  /** A fact that is not the screen: taken at once, and the screen with it. What the program says ten times a second is news but once. */
  fact(fact: AgentFact): void {
    if (this.#closed || this.#isKnown(fact)) return;
    const now = this.#o.now();
    const said = fact.fact === 'terminal';
    if (!said && (fact.fact !== 'exit' || this.#seen < 0)) this.#look(now);
    const news = observe(this.#tracker, fact, now);
    if (!news) return;
    if (said) {
      this.#look(now);
      // Said in the middle of a parse, whose rest changes the screen without being counted again.
      this.#seen = -1;
    }
    this.#judge(now);
  }

  /** Who is in front is looked at again and again, and mostly nobody else is: the screen is not read for that. */
  #isKnown(fact: AgentFact): boolean {
    return fact.fact === 'foreground' && isInFront(this.#tracker.evidence, fact.ours, fact.name);
  }

  /** A person typed. Only sending needs a look at what stood there; other keys are judged a little later, after their echo. */
  typed(submit: boolean): void {
    if (submit) return this.fact({ fact: 'input', by: 'person', submit });
    if (this.#closed) return;
    observe(this.#tracker, { fact: 'input', by: 'person', submit }, this.#o.now());
    if (!this.#o.wakeUps.has(this.#typedDue)) this.#o.wakeUps.in(TYPED_PAUSE, this.#typedDue);
  }

  /** Output was parsed: the screen is looked at once it is quiet, or has not been looked at for long. */
  screenChanged(): void {
    if (this.#closed) return;
    this.#changedAt = this.#o.now();
    observe(this.#tracker, { fact: 'output' }, this.#changedAt);
    // Never in the parse itself: a burst of output is one look.
    if (!this.#o.wakeUps.has(this.#lookDue)) this.#lookLater(this.#changedAt);
  }

  /** Called after every judgement; returns the way to end that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#closed = true;
    for (const wake of [this.#lookDue, this.#judgeDue, this.#typedDue]) this.#o.wakeUps.forget(wake);
    for (const listener of [...this.#listeners]) listener();
    this.#listeners.clear();
  }

  #lookLater(now: number, atLeast = 0): void {
    const due = lookDue(this.#tracker, this.#lookedAt, this.#changedAt);
    this.#o.wakeUps.in(Math.max(atLeast, due - now), this.#lookDue);
  }

  #lookAndJudge(): void {
    const now = this.#o.now();
    if (lookDue(this.#tracker, this.#lookedAt, this.#changedAt) > now) return this.#lookLater(now);
    // An open frame is not meant to be seen yet; one that stays open is looked at all the same.
    if (this.#o.screen.synchronized && now - this.#changedAt < FRAME_OPEN) return this.#lookLater(now, FRAME_OPEN / 10);
    this.#look(now);
    this.#judge(now);
  }

  #look(now: number): void {
    const { screen } = this.#o;
    if (screen.changes === this.#seen) return;
    this.#seen = screen.changes;
    this.#lookedAt = now;
    const text = screen.text();
    // Parsed, and yet nothing to be seen of it: no rule is tried.
    if (text === this.#text && !this.#tracker.evidence.sent) return;
    this.#text = text;
    observe(this.#tracker, { fact: 'screen', screen: text }, now);
  }

  #judge(now: number): void {
    const before = this.#tracker.status;
    const { status, next } = judge(this.#tracker, now);
    if (next === null) this.#o.wakeUps.forget(this.#judgeDue);
    else this.#o.wakeUps.in(next - now, this.#judgeDue);
    if (status !== before) {
      if (status.state !== before.state || status.turn !== before.turn) this.#record(status, now);
      this.#o.onStatus(status, before.state);
    }
    for (const listener of [...this.#listeners]) listener();
  }

  /** Judged as every look is: one that is not puts off the next that would be. */
  #lookNow(): void {
    const now = this.#o.now();
    this.#look(now);
    this.#judge(now);
  }

  #record(status: AgentStatus, at: number): void {
    this.changes.push({ seq: ++this.#seq, state: status.state, at, turn: status.turn });
    if (this.changes.length > CHANGES_KEPT) this.changes.shift();
  }
}
