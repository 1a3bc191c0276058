// A client's side of the link to a session's server: typed requests, events, and news about a server that does not answer. Draws
// nothing and starts nothing.
import { Connection, ConnectionError, type Json, socketFailure } from './connection.ts';
import { DirectSocket } from './direct-socket.ts';
import type { Frame } from './frame.ts';
import { clientHello, type Hello, refuseClientProtocol } from './hello.ts';
import type { Method, Params, Result, ServerEvent, WireError } from './requests.ts';

/** Pause between signs of life, ms: a server that hangs shows as unreachable after two of them, and is never given up for it. */
const KEEP_ALIVE = 2000;

export interface ClientOptions {
  /** Path of the session's `herd.sock`. */
  socket: string;
  /** Content of the session's token file. */
  token: string;
  version: string;
  onEvent?(event: ServerEvent): void;
  onFrame?(frame: Frame): void;
  onClose?(why: WireError): void;
  onDrain?(): void;
  /** Unreachable since (ms since the epoch); null when it answers again. */
  onSilence?(since: number | null): void;
}

/** A request that the server refused or could not fulfil. */
export class RequestError extends ConnectionError {}

export class Client {
  readonly connection: Connection;
  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** The server's hello. */
  get server(): Hello {
    return this.connection.theirs!;
  }

  /** Asks; rejects with RequestError when refused, ConnectionError when the link ended first, or is about to ('ending': nothing was done). */
  async request<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
    const reply = await this.connection.request({ method, params });
    const why = reply.error as WireError | undefined;
    if (why) throw why.code === 'ending' ? new ConnectionError(why) : new RequestError(why);
    return reply.result as Result<M>;
  }

  /** A request of which no reply is wanted, not even a refusal. */
  tell<M extends Method>(method: M, params: Params<M>): void {
    this.connection.tell({ method, params });
  }

  /** Sends a binary frame of the client link. */
  send(type: number, channel: number, payload: Uint8Array): boolean {
    return this.connection.send(type, channel, payload);
  }

  close(): void {
    this.connection.close();
  }
}

/**
 * Connects to a running server. Rejects with ConnectionError: `connection-failed` when nobody listens (detail.errno says ENOENT or
 * ECONNREFUSED), `disconnected` when the server ends before it takes us, `version-mismatch`, `wrong-token`, `silent`.
 */
export async function connectClient(o: ClientOptions): Promise<Client> {
  const socket = new DirectSocket();
  socket.connect(o.socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', (error: NodeJS.ErrnoException) => reject(new ConnectionError(socketFailure(error, 'No server answers.'))));
  });
  return clientOn(socket, o, false);
}

/** A client on a socket over which our hello was sent; all that has come since is still to be taken. Rejects as `connectClient` does. */
export function continueClient(socket: DirectSocket, o: ClientOptions): Promise<Client> {
  if (socket.destroyed) return Promise.reject(new ConnectionError({ code: 'disconnected', message: 'The server has gone.' }));
  return clientOn(socket, o, true);
}

async function clientOn(socket: DirectSocket, o: ClientOptions, greeted: boolean): Promise<Client> {
  const hello = clientHello(o.version, o.token);
  const connection = new Connection(socket, {
    hello,
    greeted,
    admit: (server) => refuseClientProtocol(hello, server),
    onEvent: (event: Json) => o.onEvent?.(event as unknown as ServerEvent),
    onFrame: o.onFrame,
    onClose: o.onClose,
    onDrain: o.onDrain,
    keepAlive: KEEP_ALIVE,
    onSilence: o.onSilence,
  });
  await connection.ready;
  return new Client(connection);
}
