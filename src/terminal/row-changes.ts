// Which rows of a screen may look different since a step: a draw touches these and no others. Says more rather than fewer.
import type { XRowTracker } from './xterm.ts';

/** Rows [from, to) from the top of the screen. */
export interface RowSpan {
  from: number;
  to: number;
}

/** What the emulator tells of rows goes straight into it: that is on the way of every piece of output, and of two hundred terminals each is cold. */
export class RowChanges implements XRowTracker {
  readonly start = 0;
  readonly end = 0;
  #step = 0;
  /** Per row, the step at which it may have changed last; rows that are not in it have not since `#all`. */
  #steps: number[] = [];
  #all = 0;

  /** Grows with each step. */
  get step(): number {
    return this.#step;
  }

  /** From here on rows change in a new step. */
  next(): void {
    this.#step++;
  }

  clearRange(): void {}

  markDirty(y: number): void {
    this.#steps[y] = this.#step;
  }

  markRangeDirty(a: number, b: number): void {
    for (let y = Math.min(a, b); y <= Math.max(a, b); y++) this.#steps[y] = this.#step;
  }

  markAllDirty(): void {
    this.#all = this.#step;
  }

  /** The stretch of rows that may have changed after `step`, of a screen of so many rows; empty when none have. */
  since(step: number, rows: number): RowSpan {
    let from = 0;
    while (from < rows && !this.may(from, step)) from++;
    let to = rows;
    while (to > from && !this.may(to - 1, step)) to--;
    return { from, to };
  }

  /** Whether row `y` may have changed after `step`. */
  may(y: number, step: number): boolean {
    return this.#all > step || (this.#steps[y] ?? 0) > step;
  }
}
