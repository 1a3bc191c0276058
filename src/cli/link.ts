// The verbs' link to a session's server: connects, starts the session when there is none, and turns refusals into failures.
import type { SessionPaths } from '../config/paths.ts';
import type { Client } from '../wire/client.ts';
import { ConnectionError } from '../wire/connection.ts';
import type { Method, Params, ServerEvent } from '../wire/requests.ts';
import { Failure } from './failure.ts';
import { connectRunning, connectStarting, ownProgram } from './start.ts';
import type { Link } from './verb.ts';
import { VERSION } from './version.ts';

/** A link to the server of the session; null when none answers and `start` is false. Throws Failure. */
export async function connectLink(paths: SessionPaths, start: boolean): Promise<Link | null> {
  const listeners: ((event: ServerEvent) => void)[] = [];
  const { promise: closed, resolve: onClose } = Promise.withResolvers<void>();
  const options = {
    version: VERSION,
    onEvent(event: ServerEvent) {
      for (const listener of listeners) listener(event);
    },
    onClose: () => onClose(),
  };
  try {
    const client = start ? await connectStarting(paths, options, ownProgram(), process.env) : await connectRunning(paths, options);
    return client && asLink(client, listeners, closed);
  } catch (error) {
    throw asFailure(error);
  }
}

function asLink(client: Client, listeners: ((event: ServerEvent) => void)[], closed: Promise<void>): Link {
  return {
    async request<M extends Method>(method: M, params: Params<M>) {
      try {
        return await client.request(method, params);
      } catch (error) {
        throw asFailure(error);
      }
    },
    listen: (listener) => void listeners.push(listener),
    closed,
    close: () => client.close(),
  };
}

/** A refusal or a lost link as a failure; anything else stays the bug it is. */
export function asFailure(error: unknown): unknown {
  if (!(error instanceof ConnectionError)) return error;
  const exit = error.code === 'timed-out' ? 3 : error.code === 'usage' ? 2 : 1;
  return new Failure(error.code, error.message, { hint: error.hint, exit, detail: error.detail });
}
