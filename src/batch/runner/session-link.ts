// The runner's link to its session: comes back by itself when the server was killed or replaced, and asks again what got no answer. Only
// requests that may be made twice go through here. A refusal is an answer.
import type { Client } from '../../wire/client.ts';
import { RequestError } from '../../wire/client.ts';
import { ConnectionError } from '../../wire/connection.ts';
import type { Method, Params, Result, ServerEvent } from '../../wire/requests.ts';

/** Pauses between tries to connect, ms: a server is back within a second or two. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 2000;

export interface SessionLinkOptions {
  /** Connects, starting the session if there is none. */
  connect(onEvent: (event: ServerEvent) => void, onClose: () => void): Promise<Client>;
  onEvent(event: ServerEvent): void;
  /** A (new) connection stands. */
  onConnect(): void;
}

export class SessionLink {
  readonly #o: SessionLinkOptions;
  #client: Promise<Client> | null = null;
  #closed = false;

  constructor(options: SessionLinkOptions) {
    this.#o = options;
  }

  /** Rejects with RequestError when refused, with ConnectionError only after `close`. */
  async request<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
    for (;;) {
      if (this.#closed) throw new ConnectionError({ code: 'closed', message: 'The link to the session was closed.' });
      const asked = this.#connected();
      const client = await asked;
      try {
        return await client.request(method, params);
      } catch (error) {
        if (error instanceof RequestError) throw error;
        if (this.#client === asked) this.#client = null;
      }
    }
  }

  /** Sends if there is a connection; what is told only for show is not worth waiting for. */
  async tell<M extends Method>(method: M, params: Params<M>): Promise<void> {
    if (!this.#client) return;
    try {
      await (await this.#client).request(method, params);
    } catch {
      // The server that comes next is told all of it.
    }
  }

  /** For good: nothing that is asked from now on starts the session again. */
  close(): void {
    this.#closed = true;
    this.#client?.then((client) => client.close()).catch(() => {});
  }

  #connected(): Promise<Client> {
    if (!this.#client) {
      // One that ends late must not take the next one along.
      const forget = () => {
        if (this.#client === coming) this.#client = null;
      };
      const coming: Promise<Client> = this.#connect(forget);
      this.#client = coming;
      coming.catch(forget);
    }
    return this.#client;
  }

  async #connect(onClose: () => void): Promise<Client> {
    // Servers that end before they take us are passed by on the way: only the end of the one that did is an end.
    let open = false;
    for (let pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, pause * 2)) {
      try {
        const client = await this.#o.connect(
          (event) => this.#o.onEvent(event),
          () => open && onClose(),
        );
        open = true;
        this.#o.onConnect();
        return client;
      } catch (error) {
        if (this.#closed) throw error;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }
}
