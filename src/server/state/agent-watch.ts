// The agent of one terminal: feeds its tracker with facts and looks at the screen, judges when something happened or a stated time has
// come, and tells of every change. A screen that did not change costs nothing.
import type { AgentFact } from '../../agents/facts.ts';
import type { Kind } from '../../agents/kinds/kind.ts';
import { createTracker, judge, lookEvery, observe, type Tracker } from '../../agents/tracker.ts';
import type { AgentState, AgentStatus, Evidence } from '../../model/agent.ts';
import type { ScreenText } from '../../model/screen-text.ts';

/** What is looked at; `Screen` fits. */
export interface Watched {
  readonly changes: number;
  readonly synchronized: boolean;
  text(): ScreenText;
}

/** A state entered. `seq` counts up within the agent's life. */
export interface StateChange {
  seq: number;
  state: AgentState;
  at: number;
  turn: number;
}

/** State changes kept for those who wait; a wait asks for changes since the last delivery, which are few. */
const CHANGES_KEPT = 200;
/** Longest single timer, ms: node's timers end at 2^31. */
const TIMER_MAX = 2 ** 30;

export interface AgentWatchOptions {
  kind: Kind;
  screen: Watched;
  started: number;
  stallAfter: number;
  now(): number;
  /** Status is another object; `before` is the state before. */
  onStatus(status: AgentStatus, before: AgentState): void;
}

export class AgentWatch {
  readonly kind: Kind;
  readonly changes: StateChange[] = [];
  readonly #o: AgentWatchOptions;
  readonly #tracker: Tracker;
  #seen = -1;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #lookTimer: NodeJS.Timeout | null = null;
  #judgeTimer: NodeJS.Timeout | null = null;
  #seq = 0;
  #closed = false;
  readonly #listeners = new Set<() => void>();

  constructor(o: AgentWatchOptions) {
    this.#o = o;
    this.kind = o.kind;
    this.#tracker = createTracker(o.kind, o.started, { stallAfter: o.stallAfter });
  }

  get status(): AgentStatus {
    return this.#tracker.status;
  }

  /** Its composer was seen, or it reported: it takes part. */
  get ready(): boolean {
    return this.#tracker.evidence.ready;
  }

  get lastSeq(): number {
    return this.#seq;
  }

  evidence(): Evidence[] {
    return this.#tracker.status.evidence;
  }

  /** A fact that is not the screen: taken at once, and the screen with it. */
  fact(fact: AgentFact): void {
    if (this.#closed) return;
    const now = this.#o.now();
    if (fact.fact !== 'exit') this.#look(now);
    observe(this.#tracker, fact, now);
    this.#judge(now);
  }

  /** Output was parsed: looks now, or as soon as the last look is old enough. */
  screenChanged(): void {
    if (this.#closed || this.#lookTimer) return;
    const wait = this.#lookedAt + lookEvery(this.#tracker) - this.#o.now();
    // Never in the parse itself: a burst of output is one look.
    this.#lookTimer = setTimeout(() => this.#lookAndJudge(), Math.max(1, wait));
  }

  /** Called after every judgement; returns the way to end that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#closed = true;
    if (this.#lookTimer) clearTimeout(this.#lookTimer);
    if (this.#judgeTimer) clearTimeout(this.#judgeTimer);
    for (const listener of [...this.#listeners]) listener();
    this.#listeners.clear();
  }

  #lookAndJudge(): void {
    this.#lookTimer = null;
    const now = this.#o.now();
    if (this.#o.screen.synchronized) {
      this.#lookTimer = setTimeout(() => this.#lookAndJudge(), lookEvery(this.#tracker));
      if (now - this.#lookedAt < 2 * lookEvery(this.#tracker)) return;
    }
    this.#look(now);
    this.#judge(now);
  }

  #look(now: number): void {
    const { screen } = this.#o;
    if (screen.changes === this.#seen) return;
    this.#seen = screen.changes;
    this.#lookedAt = now;
    observe(this.#tracker, { fact: 'screen', screen: screen.text() }, now);
  }

  #judge(now: number): void {
    const before = this.#tracker.status;
    const { status, next } = judge(this.#tracker, now);
    if (this.#judgeTimer) clearTimeout(this.#judgeTimer);
    this.#judgeTimer = next === null ? null : setTimeout(() => this.#timeCame(), Math.min(TIMER_MAX, Math.max(1, next - now)));
    if (status !== before) {
      if (status.state !== before.state || status.turn !== before.turn) this.#record(status, now);
      this.#o.onStatus(status, before.state);
    }
    for (const listener of [...this.#listeners]) listener();
  }

  #timeCame(): void {
    const now = this.#o.now();
    this.#look(now);
    this.#judge(now);
  }

  #record(status: AgentStatus, at: number): void {
    this.changes.push({ seq: ++this.#seq, state: status.state, at, turn: status.turn });
    if (this.changes.length > CHANGES_KEPT) this.changes.shift();
  }
}
