// Reads what an agent prints while it prints it, to know what it has spent so far. Never more at once than a look may cost.
import { open } from 'node:fs/promises';
import { OutputReader, type Reading, type Told } from './headless.ts';

/** Bytes read at one look: a look every few seconds keeps up with 500 KB/s, and what is left is read at the next. */
const AT_ONCE = 1024 * 1024;
/** A longer line is no message of an agent, bytes. */
const LINE_MAX = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

export class OutputFollower {
  readonly #file: string;
  readonly #reader: OutputReader;
  #offset = 0;
  /** The beginning of a line that is not whole yet; null while a line that is too long goes by. */
  #begun: Buffer | null = Buffer.alloc(0);

  constructor(file: string, readings: readonly Reading[]) {
    this.#file = file;
    this.#reader = new OutputReader(readings);
  }

  /** Reads on; resolves with everything told so far. */
  async read(): Promise<Told> {
    const fresh = await this.#next();
    for (let from = 0; from < fresh.length; ) {
      const end = fresh.indexOf(NEWLINE, from);
      const part = fresh.subarray(from, end < 0 ? fresh.length : end);
      if (this.#begun && this.#begun.length + part.length <= LINE_MAX) this.#begun = Buffer.concat([this.#begun, part]);
      else this.#begun = null;
      if (end < 0) break;
      if (this.#begun) this.#reader.line(this.#begun.toString());
      this.#begun = Buffer.alloc(0);
      from = end + 1;
    }
    return this.#reader.told;
  }

  async #next(): Promise<Buffer> {
    try {
      await using handle = await open(this.#file);
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(AT_ONCE), 0, AT_ONCE, this.#offset);
      this.#offset += bytesRead;
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
      throw error;
    }
  }
}
