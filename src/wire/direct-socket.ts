// Sockets that hand their bytes over as they are read, and write at once what the kernel takes, past Node's streams: those cost some 60 µs
// a read and 40 a write where code and caches are cold, as at every key a person types, which crosses four of them and the tty.
import { writeSync } from 'node:fs';
import { Socket, type SocketConstructorOpts } from 'node:net';
import type { Writable } from 'node:stream';

/** Bytes read at once: what a Unix socket holds for a reader that is behind. */
export const READ = 64 * 1024;

/** What Node keeps to itself: the open handle, and the server that counts its connections. */
interface Inner {
  _handle: { readonly fd?: number } | null;
  _server: unknown;
}

/** Emits everything that a socket does but `data`. */
export class DirectSocket extends Socket {
  #onBytes: ((bytes: Buffer) => void) | null = null;
  #early: Buffer[] = [];

  /**
   * `lent`: memory of READ bytes that is read into, and that the taker of the bytes has until it returns; many sockets may share it. Without
   * it the bytes are the taker's.
   */
  constructor(options: SocketConstructorOpts = {}, lent?: Buffer) {
    const onread = {
      buffer: lent ?? Buffer.allocUnsafeSlow(READ),
      callback: (size: number, buffer: Uint8Array): boolean => {
        this.#deliver(lent && this.#onBytes ? (buffer as Buffer).subarray(0, size) : copyOf(buffer as Buffer, size));
        return true;
      },
    };
    super({ ...options, onread });
  }

  /** Who gets all bytes from now on, and those that came before. */
  deliverTo(onBytes: (bytes: Buffer) => void): void {
    this.#onBytes = onBytes;
    for (const bytes of this.#early.splice(0)) onBytes(bytes);
  }

  /** Nobody gets bytes until `deliverTo` is called again; whoever calls it gets these first. */
  putBack(bytes: Buffer[]): void {
    this.#onBytes = null;
    this.#early.unshift(...bytes);
  }

  override connect(...to: unknown[]): this {
    super.connect(...(to as [string]));
    // There Node puts its own `write` on the object.
    Reflect.deleteProperty(this, 'write');
    return this;
  }

  override write(bytes: Uint8Array | string, encoding?: unknown, done?: unknown): boolean {
    if (typeof bytes === 'string' || encoding !== undefined || done !== undefined)
      return super.write(bytes, encoding as never, done as never);
    const written = writeNow(this, bytes);
    return written === bytes.length || super.write(written === 0 ? bytes : bytes.subarray(written));
  }

  #deliver(bytes: Buffer): void {
    if (this.#onBytes) this.#onBytes(bytes);
    else this.#early.push(bytes);
  }
}

/**
 * Writes what the kernel takes right now of the bytes, when nothing waits in the stream before them; returns how many that were. The rest
 * is to be given to the stream, and so is an error, which it meets itself.
 */
export function writeNow(stream: Writable, bytes: Uint8Array): number {
  // One that is closed has no handle; one that has ended meets the error by itself.
  const fd = (stream as unknown as Inner)._handle?.fd ?? -1;
  if (fd < 0 || stream.writableLength > 0 || stream.writableCorked > 0) return 0;
  try {
    return writeSync(fd, bytes);
  } catch {
    return 0;
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

/** What another socket or tty stream has open, which it has no more after this: it is to be forgotten, not closed. `lent` as of a DirectSocket. */
export function takeOver(other: Socket, lent?: Buffer): DirectSocket {
  const inner = other as unknown as Inner;
  const socket = new DirectSocket({ handle: inner._handle } as unknown as SocketConstructorOpts, lent);
  inner._handle = null;
  return socket;
}

/** The first `size` bytes, in memory of their own. */
function copyOf(buffer: Buffer, size: number): Buffer {
  const copy = Buffer.allocUnsafe(size);
  buffer.copy(copy, 0, 0, size);
  return copy;
}
