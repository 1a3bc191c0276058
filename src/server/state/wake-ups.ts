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
  /** The beat at which each is due, counted from 0. */
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
    const beat = Math.ceil((this.#now() + Math.max(0, ms)) / BEAT);
    this.#due.set(wake, beat);
    this.#wait(beat);
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
    const beat = Math.max(due, this.#last + 1);
    if (beat >= this.#beat) return;
    this.#stop();
    this.#beat = beat;
    this.#timer = setTimeout(() => this.#turn(), Math.min(WAIT_MAX, Math.max(1, beat * BEAT - this.#now()))).unref();
  }

  #stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#beat = Number.POSITIVE_INFINITY;
  }

  #turn(): void {
    const beat = Math.floor((this.#now() + EARLY) / BEAT);
    this.#last = beat;
    this.#stop();
    const ripe: (() => void)[] = [];
    // Without an iterator: hundreds wait, and forty times a second an object for each was a quarter of all that was collected.
    this.#due.forEach((due, wake) => {
      if (due <= beat) ripe.push(wake);
    });
    try {
      for (const wake of ripe) {
        // One that ran before it may have moved or taken it back.
        if (!(this.#due.get(wake)! <= beat)) continue;
        this.#due.delete(wake);
        wake();
      }
    } finally {
      // One that throws takes no other with it: those behind it are called at the next beat.
      this.#waitForNext();
    }
  }

  #waitForNext(): void {
    let next = Number.POSITIVE_INFINITY;
    this.#due.forEach((due) => {
      if (due < next) next = due;
    });
    if (this.#due.size > 0) this.#wait(next);
  }
}
