// Where a person types. While they do, what floods elsewhere goes at a pace that leaves their keys the machine: each key's way and back
// wakes six processes, and on a few cores that a flood keeps busy each of them waits its turn.

/** ms after a key in which the next is near. */
const NEAR = 1000;

export class Typing {
  readonly #now: () => number;
  #at = Number.NEGATIVE_INFINITY;
  #terminal = 0;

  /** `now`: ms on a clock that never jumps. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** A person typed into `terminal`. */
  note(terminal: number): void {
    this.#terminal = terminal;
    this.#at = this.#now();
  }

  /** A person types, and not into `terminal`. */
  elsewhere(terminal: number): boolean {
    return this.#terminal !== terminal && this.#now() - this.#at < NEAR;
  }
}
