// What clients may still ask of a server that is about to end: nothing that would be done twice if it were asked again, while what was
// begun is finished and answered. Who is turned away knows that nothing was done, and asks the next server.
import { isRepeatable } from '../wire/repeatable.ts';
import { Refusal } from './refusal.ts';

/** ms that begun requests get: most take a few, many a delivery a second. The holder kills a server that takes three to go. */
const LAST_WORD = 1000;

/** What ends with the link it came by, and what is typed, which reaches its program as long as there is a server. */
const OF_ITS_LINK = /^(?:client|view)\.|^terminal\.input$/;

export class Intake {
  readonly #begun = new Set<Promise<unknown>>();
  #closed = false;
  /** Stops listening, so that whoever is turned away finds the next server and not this one. */
  onClose: () => unknown = () => {};

  get closed(): boolean {
    return this.#closed;
  }

  /** Carries a request out. Throws Refusal 'ending' where it is too late for that. */
  async take<T>(method: string, carryOut: () => T | Promise<T>): Promise<T> {
    // What may be asked again is not waited for: a wait for an agent's state may go on for hours.
    if (isRepeatable(method) || OF_ITS_LINK.test(method)) return carryOut();
    if (this.#closed) throw new Refusal('ending', 'The server is just ending; nothing was done.');
    const work = (async () => carryOut())();
    this.#begun.add(work);
    try {
      return await work;
    } finally {
      this.#begun.delete(work);
    }
  }

  /** From now on nothing is begun that could not be asked again. Resolves when what was begun has been answered, within LAST_WORD. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.onClose();
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LAST_WORD);
    await Promise.race([Promise.allSettled([...this.#begun]), late]);
    clearTimeout(timer);
  }
}
