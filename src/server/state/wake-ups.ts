// One timer for many who wait: those due within a beat are called in one turn. To wake the process costs as much as a look at a screen,
// and two hundred agents that move would each wake it ten times a second.

/** ms between two turns: forty a second however many wait, and half of it added to a wait on average. */
export const BEAT = 25;
/** ms by which a timer may run out before its beat by the other clock. */
const EARLY = 1;
/** Longest single wait, ms: node's timers end at 2^31. */
const WAIT_MAX = 2 ** 30;

export class WakeUps {
  readonly #now: () => number;
  /** When each is due. */
  readonly #due = new Map<() => void, number>();
  #timer: NodeJS.Timeout | null = null;
  /** The beat at which the timer runs out. */
  #beat = Number.POSITIVE_INFINITY;
  /** The beat of the last turn: there is no second one in it. */
  #last = 0;

  /** `now`: ms on a clock that never jumps. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Calls `wake` once, at the first beat after `ms` from now, instead of when it was to be called before; never in this turn. */
  in(ms: number, wake: () => void): void {
    const now = this.#now();
    const due = now + Math.max(0, ms);
    this.#due.set(wake, due);
    this.#wait(due);
  }

  has(wake: () => void): boolean {
    return this.#due.has(wake);
  }

  forget(wake: () => void): void {
    this.#due.delete(wake);
    if (this.#due.size === 0) this.#stop();
  }

  /** Sees to it that there is a turn at the first beat from `due` on. */
  #wait(due: number): void {
    const beat = Math.max(Math.ceil(due / BEAT) * BEAT, this.#last + BEAT);
    if (beat >= this.#beat) return;
    this.#stop();
    this.#beat = beat;
    this.#timer = setTimeout(() => this.#turn(), Math.min(WAIT_MAX, Math.max(1, beat - this.#now()))).unref();
  }

  #stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#beat = Number.POSITIVE_INFINITY;
  }

  #turn(): void {
    const now = this.#now();
    this.#last = Math.floor((now + EARLY) / BEAT) * BEAT;
    this.#stop();
    const ripe = [...this.#due].filter(([, due]) => due <= Math.max(now, this.#last));
    try {
      for (const [wake, due] of ripe) {
        // One that ran before it may have moved or taken it back.
        if (this.#due.get(wake) !== due) continue;
        this.#due.delete(wake);
        wake();
      }
    } finally {
      // One that throws takes no other with it: those behind it are called at the next beat.
      if (this.#due.size > 0) this.#wait(Math.min(...this.#due.values()));
    }
  }
}
