// How much of the server's time checkpoints may take, all terminals together: writing one blocks everything else for some milliseconds,
// and a flood would otherwise ask for dozens a second.

/** A checkpoint that took t ms makes the next wait 20 t: they take at most one twentieth of a core. */
const SHARE = 20;
/** ms between two at least: each is a file that is written through to the disk. */
const PAUSE = 100;

export class CheckpointBudget {
  readonly #now: () => number;
  #free = 0;

  /** `now` in ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** ms until the next checkpoint may be taken; 0 when it may be now. */
  get wait(): number {
    return Math.max(0, this.#free - this.#now());
  }

  /** Takes one and counts its time. */
  spend<T>(take: () => T): T {
    const start = this.#now();
    const result = take();
    const end = this.#now();
    this.#free = end + Math.max(PAUSE, SHARE * (end - start));
    return result;
  }
}
