// How many may run, and when a task is tried again. Cut once for all rate limits of a moment, grown by one for each success: cutting for
// every single one took nearly twice as long for the same batch. Pure; clock and chance are handed in.

/** ms within which rate limits count as one, and during which nothing new is claimed. */
export const WINDOW = 500;
/** First wait after a rate limit, ms; doubles each time: 1, 2, 4, 8, 16 s. */
const FIRST_WAIT = 1000;
/** Share by which waits vary, so that all do not come back at once. */
const JITTER = 0.2;
/** ms that an account is left alone when it did not say when its allowance comes back. */
export const UNKNOWN_RESET = 15 * 60_000;

export class Pace {
  readonly max: number;
  #limit: number;
  #closed = 0;

  constructor(max: number) {
    this.max = max;
    this.#limit = max;
  }

  get limit(): number {
    return this.#limit;
  }

  /** Whether something may be claimed now. */
  open(now: number): boolean {
    return now >= this.#closed;
  }

  limited(now: number): void {
    if (!this.open(now)) return;
    this.#closed = now + WINDOW;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
  }

  succeeded(): void {
    this.#limit = Math.min(this.max, this.#limit + 1);
  }
}

/** ms until the next try after `hits` earlier rate limits; never less than what the service asked for. `chance` is 0-1. */
export function rateWait(hits: number, asked: number | null, chance: number): number {
  const own = FIRST_WAIT * 2 ** hits * (1 - JITTER + 2 * JITTER * chance);
  return Math.round(asked === null ? own : Math.max(own, asked * (1 + JITTER * chance)));
}
