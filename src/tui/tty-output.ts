// Bytes to the tty that never block: a terminal or link that does not read costs a queue of one frame, not the client's life.
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { WriteStream } from 'node:tty';
import { writeNow } from '../wire/direct-socket.ts';

/** The part of libuv's stream handle that Node keeps to itself. */
interface StreamHandle {
  setBlocking?(blocking: boolean): number;
}

export class TtyOutput {
  readonly #stream: WriteStream;

  /** Takes the tty behind `fd`. libuv opens it anew, so whoever shares `fd` does not get our non-blocking mode. */
  constructor(fd: number, onGone: () => void) {
    this.#stream = new WriteStream(fd);
    // Node sets tty streams to blocking writes (nodejs/node#1771, for short-lived programs); a client that draws needs the opposite.
    const { _handle: handle } = this.#stream as unknown as { _handle?: StreamHandle };
    handle?.setBlocking?.(false);
    this.#stream.on('error', onGone);
  }

  /** Rejoins nothing and drops nothing: in order, whole. `done` when the last byte has left this process. */
  write(bytes: string, done: () => void): void {
    const all = Buffer.from(bytes);
    const written = writeNow(this.#stream, all);
    if (written === all.length) done();
    else this.#stream.write(all.subarray(written), done);
  }

  /** Bytes still waiting. */
  get queued(): number {
    return this.#stream.writableLength;
  }

  /** Bytes in cells of the tty as the kernel says now. */
  size(): { cols: number; rows: number } {
    (this.#stream as unknown as { _refreshSize?(): void })._refreshSize?.();
    return { cols: this.#stream.columns, rows: this.#stream.rows };
  }

  close(): void {
    this.#stream.destroy();
  }
}

/** Writes what the controlling terminal takes right now, for a process that is about to end. Never blocks, never throws. */
export function writeLastWords(bytes: string): void {
  try {
    const fd = openSync('/dev/tty', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      writeSync(fd, bytes);
    } finally {
      closeSync(fd);
    }
  } catch {
    // No terminal, or one that takes nothing: `herd reset` is there for it.
  }
}
