// Reports to the holder that nobody waits for, on an echo or a redraw: each costs both sides a write and a wake-up, so they go a little
// later and together, those of all terminals at once.

/** ms that a report waits: longer than an echo's way to the screen, and what the next key brings goes with it. */
const PAUSE = 10;

export class Reports {
  readonly #due = new Set<() => void>();
  #timer: NodeJS.Timeout | null = null;
  readonly #together: (send: () => void) => void;

  /** `together` runs what it is given, and sends what that writes in one piece. */
  constructor(together: (send: () => void) => void) {
    this.#together = together;
  }

  /** Calls `report` soon, unless it is withdrawn. */
  add(report: () => void): void {
    this.#due.add(report);
    this.#timer ??= setTimeout(() => this.#send(), PAUSE);
  }

  withdraw(report: () => void): void {
    this.#due.delete(report);
  }

  #send(): void {
    this.#timer = null;
    const due = [...this.#due];
    this.#due.clear();
    this.#together(() => {
      for (const report of due) report();
    });
  }
}
