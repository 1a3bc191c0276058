// The verbs' link to a session's server: finds it, waits for one that is coming up, starts the session where that is wanted, and turns
// refusals into failures. A server that ends is followed to the next one, and asked there what may be asked twice, or was not begun.
import type { SessionPaths } from '../config/paths.ts';
import { type Client, RequestError } from '../wire/client.ts';
import { ConnectionError } from '../wire/connection.ts';
import { isRepeatable } from '../wire/repeatable.ts';
import type { Method, Params, Result, ServerEvent } from '../wire/requests.ts';
import { Failure } from './failure.ts';
import { connectComing, connectRunning, connectStarting, ownProgram, type SessionClientOptions } from './start.ts';
import type { Finding, Link } from './verb.ts';
import { VERSION } from './version.ts';

/** Servers that end at one and the same request before it is given up: it may be what ends them. */
const ENDS_MAX = 8;
/** The server ended instead of answering, or had not begun what it was asked since it was about to. */
const ENDS = ['disconnected', 'ending'];
/** A server that lived for so long after it was asked did not end for that, ms. */
const LIVED = 10_000;

/** A link to the server of the session; null when there is none and `finding` starts none. Throws Failure. */
export async function connectLink(paths: SessionPaths, finding: Finding): Promise<Link | null> {
  const listeners: ((event: ServerEvent) => void)[] = [];
  const find = async (): Promise<Found | null> => {
    const { promise: closed, resolve: onClose } = Promise.withResolvers<void>();
    const options: SessionClientOptions = {
      version: VERSION,
      onEvent: (event) => {
        for (const listener of listeners) listener(event);
      },
      onClose: () => onClose(),
    };
    const client = await findClient(paths, options, finding).catch((error) => {
      throw asFailure(error);
    });
    return client && { client, closed };
  };
  const found = await find();
  return found && new ServerLink(found, find, listeners);
}

interface Found {
  client: Client;
  closed: Promise<void>;
}

function findClient(paths: SessionPaths, options: SessionClientOptions, finding: Finding): Promise<Client | null> {
  if (finding === 'now') return connectRunning(paths, options);
  if (finding === 'start') return connectStarting(paths, options, ownProgram(), process.env);
  return connectComing(paths, options, finding.within);
}

class ServerLink implements Link {
  #found: Found;
  /** Under way to the next server; one way for all who wait. */
  #next: Promise<Found> | null = null;
  readonly #find: () => Promise<Found | null>;
  readonly #listeners: ((event: ServerEvent) => void)[];

  constructor(found: Found, find: () => Promise<Found | null>, listeners: ((event: ServerEvent) => void)[]) {
    this.#found = found;
    this.#find = find;
    this.#listeners = listeners;
  }

  async request<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
    for (let ends = 0; ; ends++) {
      const { client } = this.#found;
      const asked = performance.now();
      const sent = client.connection.closed === null;
      try {
        return await client.request(method, params);
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error;
        if (!ENDS.includes(error.code) || error instanceof RequestError) throw asFailure(error);
        if (sent && error.code !== 'ending' && !isRepeatable(method)) throw unanswered();
        if (performance.now() - asked > LIVED) ends = 0;
        if (ends === ENDS_MAX) throw givenUp();
        await this.#follow(client);
      }
    }
  }

  listen(listener: (event: ServerEvent) => void): void {
    this.#listeners.push(listener);
  }

  get closed(): Promise<void> {
    return this.#found.closed;
  }

  close(): void {
    this.#found.client.close();
  }

  /** Resolves when there is another server than that of `client`. Throws Failure. */
  async #follow(client: Client): Promise<void> {
    if (this.#found.client !== client) return;
    // The link to the one before stays: what that one has begun it still answers.
    this.#next ??= (async () => {
      const found = await this.#find();
      if (!found) throw new Failure('no-server', 'The session has ended.', { hint: 'Start it with: herd' });
      this.#found = found;
      return found;
    })().finally(() => {
      this.#next = null;
    });
    await this.#next;
  }
}

function unanswered(): Failure {
  return new Failure('unanswered', 'The server ended before it answered: this may have been done, or not.', {
    hint: 'Look before you do it again: herd log, herd queue, herd comment list.',
  });
}

function givenUp(): Failure {
  return new Failure('unanswered', `The server ended ${ENDS_MAX + 1} times while it was asked this.`, {
    hint: 'Why stands in the server.log of the session; herd doctor names its folder.',
  });
}

/** A refusal or a lost link as a failure; anything else stays the bug it is. */
export function asFailure(error: unknown): unknown {
  if (!(error instanceof ConnectionError)) return error;
  const exit = error.code === 'timed-out' ? 3 : error.code === 'usage' ? 2 : 1;
  return new Failure(error.code, error.message, { hint: error.hint, exit, detail: error.detail });
}
