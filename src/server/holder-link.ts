// The server's link to the holder: requests by name, frames by terminal. Knows the protocol, keeps no state of terminals.
import { Connection, type Json } from '../wire/connection.ts';
import { DirectSocket } from '../wire/direct-socket.ts';
import {
  decodeStretch,
  encodeOffset,
  HOLDER_PROTOCOL,
  type HolderEvent,
  HolderFrame,
  type HolderReply,
  type HolderRequest,
} from '../wire/holder-protocol.ts';
import type { WireError } from '../wire/requests.ts';

/** A request's fields without its id, for each kind of request. */
type Asked<R> = R extends { id: number } ? Omit<R, 'id'> : never;
type Answered = Exclude<HolderReply, { error: string }>;

/** The holder refused; the message is for people. */
export class HolderRefusal extends Error {}

export interface HolderLinkOptions {
  /** Path of the session's `holder.sock`. */
  socket: string;
  token: string;
  version: string;
  /** 'server', or 'control' for a command that needs no server. */
  role: 'server' | 'control';
  onOutput?(terminal: number, offset: number, bytes: Uint8Array): void;
  onEvent?(event: HolderEvent): void;
  onClose?(why: WireError): void;
}

export class HolderLink {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get holder(): { pid: number; version: string; protocol: number } {
    return this.#connection.theirs!;
  }

  /** Rejects with HolderRefusal, or ConnectionError when the link ended first. */
  async ask(request: Asked<HolderRequest>): Promise<Answered> {
    const reply = (await this.#connection.request(request as Json)) as HolderReply;
    if (reply.error !== undefined) throw new HolderRefusal(String(reply.error));
    return reply;
  }

  processed(terminal: number, offset: number, reply: Uint8Array): void {
    this.#connection.send(HolderFrame.processed, terminal, encodeOffset(offset), reply);
  }

  input(terminal: number, bytes: Uint8Array): void {
    this.#connection.send(HolderFrame.input, terminal, bytes);
  }

  /** What `send` sends goes in one write. */
  together(send: () => void): void {
    this.#connection.together(send);
  }

  close(): void {
    this.#connection.close();
  }
}

/** Connects to a running holder. Rejects with ConnectionError: 'connection-failed', 'server-running', 'wrong-token', 'silent'. */
export async function openHolderLink(o: HolderLinkOptions): Promise<HolderLink> {
  const socket = new DirectSocket();
  socket.connect(o.socket);
  const connection = new Connection(socket, {
    hello: { protocol: HOLDER_PROTOCOL, version: o.version, pid: process.pid, token: o.token, role: o.role },
    // Its protocol only grows: whatever version it is, what it knows is enough to keep its terminals.
    admit: () => null,
    onEvent: (event) => o.onEvent?.(event as unknown as HolderEvent),
    onFrame: (frame) => {
      const stretch = frame.type === HolderFrame.output ? decodeStretch(frame.payload) : null;
      if (stretch) o.onOutput?.(frame.channel, stretch.offset, stretch.bytes);
    },
    onClose: o.onClose,
  });
  await connection.ready;
  return new HolderLink(connection);
}
