// The size of each PTY: that of the last active client that wants to size it; without one what it was, but at least 80x24, so that a
// phone that has left leaves no narrow transcript behind. At most one change per 50 ms and terminal, the last one always made.

export interface Size {
  cols: number;
  rows: number;
}

/** ms between two sizes of a terminal: a window being dragged sends dozens. */
const PACE = 50;
const FLOOR: Size = { cols: 80, rows: 24 };
/** Bounds of what a PTY can be: xterm needs 2 columns, nothing real has 1,000. */
const MIN: Size = { cols: 2, rows: 1 };
const MAX: Size = { cols: 1000, rows: 1000 };

export interface SizingOptions {
  wish(terminal: number): Size | null;
  size(terminal: number): Size | null;
  resize(terminal: number, size: Size): void;
  now(): number;
}

export class Sizing {
  readonly #o: SizingOptions;
  readonly #last = new Map<number, number>();
  readonly #timers = new Map<number, NodeJS.Timeout>();

  constructor(o: SizingOptions) {
    this.#o = o;
  }

  /** Somebody's wish may have changed. */
  consider(terminal: number): void {
    if (this.#timers.has(terminal)) return;
    const wait = (this.#last.get(terminal) ?? Number.NEGATIVE_INFINITY) + PACE - this.#o.now();
    if (wait <= 0) return this.#settle(terminal);
    const timer = setTimeout(() => {
      this.#timers.delete(terminal);
      this.#settle(terminal);
    }, wait);
    this.#timers.set(terminal, timer);
  }

  forget(terminal: number): void {
    clearTimeout(this.#timers.get(terminal));
    this.#timers.delete(terminal);
    this.#last.delete(terminal);
  }

  #settle(terminal: number): void {
    const now = this.#o.size(terminal);
    if (!now) return;
    const wanted = targetSize(now, this.#o.wish(terminal));
    if (wanted.cols === now.cols && wanted.rows === now.rows) return;
    this.#last.set(terminal, this.#o.now());
    this.#o.resize(terminal, wanted);
  }
}

/** What a PTY of size `now` should become. */
export function targetSize(now: Size, wish: Size | null): Size {
  if (wish) return bounded(wish);
  return { cols: Math.max(now.cols, FLOOR.cols), rows: Math.max(now.rows, FLOOR.rows) };
}

function bounded({ cols, rows }: Size): Size {
  return { cols: Math.min(MAX.cols, Math.max(MIN.cols, cols)), rows: Math.min(MAX.rows, Math.max(MIN.rows, rows)) };
}
