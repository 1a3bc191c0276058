// Sockets that hand their bytes over as they are read, past Node's streams: those cost some 60 µs a read where code and caches are cold,
// as at every key a person types, which crosses four of them.
import { Socket, type SocketConstructorOpts } from 'node:net';

/** Bytes read at once: what a Unix socket holds for a reader that is behind. */
const READ = 64 * 1024;

/** What Node keeps to itself: the open handle, and the server that counts its connections. */
interface Inner {
  _handle: unknown;
  _server: unknown;
}

/** Emits everything that a socket does but `data`. */
export class DirectSocket extends Socket {
  #onBytes: ((bytes: Buffer) => void) | null = null;
  #early: Buffer[] = [];

  constructor(options: SocketConstructorOpts = {}) {
    const onread = {
      buffer: Buffer.allocUnsafeSlow(READ),
      callback: (size: number, buffer: Uint8Array): boolean => {
        this.#deliver(Buffer.from(buffer.subarray(0, size)));
        return true;
      },
    };
    super({ ...options, onread });
  }

  /** Who gets all bytes from now on, and those that came before. They are the taker's. */
  deliverTo(onBytes: (bytes: Buffer) => void): void {
    this.#onBytes = onBytes;
    for (const bytes of this.#early.splice(0)) onBytes(bytes);
  }

  /** Nobody gets bytes until `deliverTo` is called again; whoever calls it gets these first. */
  putBack(bytes: Buffer[]): void {
    this.#onBytes = null;
    this.#early.unshift(...bytes);
  }

  #deliver(bytes: Buffer): void {
    if (this.#onBytes) this.#onBytes(bytes);
    else this.#early.push(bytes);
  }
}

/** A connection that a server has just accepted, as one whose bytes come directly; what it was before is of no use any more. */
export function direct(accepted: Socket): Socket {
  const inner = accepted as unknown as Inner;
  if (!inner._handle || inner._server === undefined) return accepted;
  const socket = takeOver(accepted);
  Object.assign(socket, { _server: inner._server, server: inner._server });
  inner._server = null;
  return socket;
}

/** What another socket or tty stream has open, which it has no more after this: it is to be forgotten, not closed. */
export function takeOver(other: Socket): DirectSocket {
  const inner = other as unknown as Inner;
  const socket = new DirectSocket({ handle: inner._handle } as SocketConstructorOpts);
  inner._handle = null;
  return socket;
}
