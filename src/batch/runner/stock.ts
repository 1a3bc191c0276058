// Worktrees whose files are written while other agents work, so that a task that is claimed starts at once. A task is claimed only when one
// is at hand; one that cannot be made counts as made, and its attempt tells why when it tries again itself.

/** In the making at once: more only make the first one late, and a person's own requests to git wait. */
const AT_ONCE = 2;

export class Stock {
  readonly #makeOne: () => Promise<string>;
  readonly #making = new Set<Promise<void>>();
  #ready: (string | null)[] = [];
  #wanted = 0;

  /** `make` resolves with the path of a new one. */
  constructor(make: () => Promise<string>) {
    this.#makeOne = make;
  }

  /** How many can be taken now. */
  get ready(): number {
    return this.#ready.length;
  }

  /** Those in the making included. */
  get size(): number {
    return this.#ready.length + this.#making.size;
  }

  /** So many shall be at hand. */
  want(count: number): void {
    this.#wanted = count;
    while (this.#making.size < AT_ONCE && this.size < this.#wanted) this.#make();
  }

  #make(): void {
    const making: Promise<void> = this.#makeOne()
      .catch(() => null)
      .then((path) => {
        this.#making.delete(making);
        this.#ready.push(path);
        this.want(this.#wanted);
      });
    this.#making.add(making);
  }

  /** Path of a worktree that is the taker's now; null: the taker makes one. */
  take(): string | null {
    this.#wanted -= 1;
    return this.#ready.shift() ?? null;
  }

  /** Nothing more is made or taken; resolves when what was in the making is there, for the owner to remove. */
  async close(): Promise<void> {
    this.#wanted = 0;
    await Promise.all(this.#making);
    this.#ready = [];
  }
}
