// When the events of a worktree are told: a lone write almost at once, a burst a few times while it lasts. Knows no files and no git.

export interface SettlingTimes {
  /** ms without an event before what began after a calm is told: an editor writes, renames and removes within a few. */
  lone: number;
  /** ms without an event before what goes on is told; as long without one is a calm. */
  quiet: number;
  /** ms after the first untold event at which it is told anyway. */
  longest: number;
}

/** Calls `tell` once for the events noted since the last time. */
export class Settling {
  readonly #times: SettlingTimes;
  readonly #tell: () => void;
  /** When the run of events began, with no calm in it; null once some of it was told. */
  #begun: number | null = null;
  /** When the last event came. */
  #last = Number.NEGATIVE_INFINITY;
  /** When the first untold event came. */
  #first = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(times: SettlingTimes, tell: () => void) {
    this.#times = times;
    this.#tell = tell;
  }

  note(): void {
    const { lone, quiet, longest } = this.#times;
    const now = performance.now();
    if (now - this.#last >= quiet) this.#begun = now;
    this.#last = now;
    if (this.#timer === null) this.#first = now;
    else clearTimeout(this.#timer);
    const wait = this.#begun !== null && now - this.#begun < quiet ? lone : quiet;
    this.#timer = setTimeout(() => this.#settled(), Math.max(0, Math.min(wait, this.#first + longest - now)));
  }

  #settled(): void {
    this.#timer = null;
    this.#begun = null;
    this.#tell();
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }
}
