// Two small orders of waiting: a cap on how many run at once, and a line per key. Neither ever drops a waiter.

/** At most `cap` holders at a time, first come first served. `enter` resolves to the function that leaves. */
export class Gate {
  readonly #cap: number;
  #inside = 0;
  #waiting: (() => void)[] = [];

  constructor(cap: number) {
    this.#cap = Math.max(1, cap);
  }

  async enter(): Promise<() => void> {
    if (this.#inside >= this.#cap) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inside += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#inside -= 1;
    };
  }
}

/** Runs jobs with the same key one after the other; a failed job does not stop the line. */
export class Lines {
  readonly #tails = new Map<string, Promise<unknown>>();

  run<T>(key: string, job: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const mine = before.then(job, job);
    const tail = mine.then(
      () => {},
      () => {},
    );
    this.#tails.set(key, tail);
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    return mine;
  }
}
