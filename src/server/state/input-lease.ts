// Who may type into a terminal: everybody, but while herd delivers a prompt only herd. Others wait in order, two seconds at most: then
// the delivery is told to give up and they go on.

/** ms that a person's keys wait for a delivery. */
const PATIENCE = 2000;

export class InputLease {
  #holder: AbortController | null = null;
  #freed: Promise<void> = Promise.resolve();
  #free: () => void = () => {};

  /** Takes the lease; null when it is taken. `signal` aborts when somebody has waited too long. Call `release` in any case. */
  take(): { signal: AbortSignal; release(): void } | null {
    if (this.#holder) return null;
    const holder = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#holder = holder;
    this.#freed = promise;
    this.#free = resolve;
    return {
      signal: holder.signal,
      release: () => {
        if (this.#holder !== holder) return;
        this.#holder = null;
        this.#free();
      },
    };
  }

  get taken(): boolean {
    return this.#holder !== null;
  }

  /** Resolves when a person may type; in the order of the calls. */
  async wait(): Promise<void> {
    const holder = this.#holder;
    if (!holder) return;
    const timer = setTimeout(() => holder.abort(), PATIENCE);
    await this.#freed;
    clearTimeout(timer);
  }
}
