// The verbs' link to a session's server: connects, starts the session when there is none, and turns refusals into failures.
import { readFileSync } from 'node:fs';
import type { SessionPaths } from '../config/paths.ts';
import { type Client, connectClient } from '../wire/client.ts';
import { ConnectionError } from '../wire/connection.ts';
import type { Method, Params, ServerEvent } from '../wire/requests.ts';
import { Failure } from './failure.ts';
import type { Link } from './verb.ts';
import { VERSION } from './version.ts';

/** A link to the server of the session; null when none answers and `start` is false. Throws Failure. */
export async function connectLink(paths: SessionPaths, start: boolean): Promise<Link | null> {
  return (await tryConnect(paths)) ?? absent(paths, start);
}

/** Null when nobody listens. */
async function tryConnect(paths: SessionPaths): Promise<Link | null> {
  let token: string;
  try {
    token = readFileSync(paths.token, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Failure('no-token', `Cannot read ${paths.token}.`, { hint: 'Is this session another user’s?', cause: error });
  }
  const listeners: ((event: ServerEvent) => void)[] = [];
  const { promise: closed, resolve: onClose } = Promise.withResolvers<void>();
  try {
    const client = await connectClient({
      socket: paths.socket,
      token,
      version: VERSION,
      onEvent: (event) => {
        for (const listener of listeners) listener(event);
      },
      onClose: () => onClose(),
    });
    return asLink(client, listeners, closed);
  } catch (error) {
    if (error instanceof ConnectionError && error.code === 'connection-failed' && isAbsent(error)) return null;
    throw asFailure(error);
  }
}

function absent(paths: SessionPaths, needed: boolean): null {
  if (needed) throw new Failure('no-server', `No server runs for session ${paths.session}.`);
  return null;
}

function isAbsent(error: ConnectionError): boolean {
  return error.detail?.errno === 'ENOENT' || error.detail?.errno === 'ECONNREFUSED';
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
function asFailure(error: unknown): unknown {
  if (!(error instanceof ConnectionError)) return error;
  const exit = error.code === 'timed-out' ? 3 : error.code === 'usage' ? 2 : 1;
  return new Failure(error.code, error.message, { hint: error.hint, exit, detail: error.detail });
}
