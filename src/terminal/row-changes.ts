// Which rows of a screen may look different since a step: a draw touches these and no others. Says more rather than fewer.

/** Rows [from, to) from the top of the screen. */
export interface RowSpan {
  from: number;
  to: number;
}

export class RowChanges {
  /** Per row, the step at which it may have changed last; rows that are not in it have not since `#all`. */
  #steps: number[] = [];
  #all = 0;

  /** Rows `from` to `to` (both included) may have changed in `step`; steps never go down. */
  mark(from: number, to: number, step: number): void {
    for (let y = from; y <= to; y++) this.#steps[y] = step;
  }

  markAll(step: number): void {
    this.#all = step;
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
