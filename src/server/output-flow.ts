// A program's output as it comes, by the clock: whether it goes on or has paused. A program that draws and then waits for its time pauses; one
// that draws as fast as it is read never does.

/** ms without output that are a pause: a program that draws 60 screens a second rests for longer, the next piece of a flood is there sooner. */
const PAUSE = 5;

export class OutputFlow {
  /** Bytes that the screen has taken. */
  taken = 0;
  #came = 0;
  #last = Number.NEGATIVE_INFINITY;

  /** So many bytes have come; `now` in ms. */
  come(bytes: number, now: number): void {
    this.#last = now;
    this.#came += bytes;
  }

  /** The screen has taken so many bytes of what has come: until now its program may have been made to wait. */
  take(bytes: number, now: number): void {
    this.#last = now;
    this.taken += bytes;
  }

  /** From `from` to `now` nothing was read: what went on then has not paused since. */
  unread(from: number, now: number): void {
    if (this.pauseIn(from) > 0) this.#last = now;
  }

  /** ms until it has paused unless more comes; 0 in a pause, Infinity while the screen has some of it to take. */
  pauseIn(now: number): number {
    return this.#came > this.taken ? Number.POSITIVE_INFINITY : Math.max(0, this.#last + PAUSE - now);
  }
}
