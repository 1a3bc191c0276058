// The history files of a session's terminals. Each stream of lines is a row of block files named by stream, epoch and first line, so the
// directory is the index and a block is all that is ever read at once. Blocks are appended to, cut at a checkpoint, or removed whole:
// the oldest first when the session's quota is used up.
import { readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes after which the next line begins a new block: read in about a millisecond. */
export const BLOCK_BYTES = 512 * 1024;
const NAME = /^(\d+e?)\.(\d+)\.(\d+)\.history$/;

export interface Block {
  stream: string;
  epoch: number;
  /** Number of its first line. */
  first: number;
  /** Written or queued. */
  bytes: number;
  /** Order of making among all blocks of the session. */
  born: number;
  path: string;
  /** A write failed: what should have followed is not there. */
  broken: boolean;
}

export interface HistoryFolderOptions {
  /** Exists and is private. */
  dir: string;
  /** Bytes that all blocks together may take. */
  quota: number;
  /** The quota took the oldest lines of a stream. Told once per stream. */
  onDropped(stream: string): void;
  onFault(text: string): void;
}

export class HistoryFolder {
  readonly #o: HistoryFolderOptions;
  readonly #streams = new Map<string, Block[]>();
  readonly #told = new Set<string>();
  #total = 0;
  #born = 0;

  constructor(options: HistoryFolderOptions) {
    this.#o = options;
    const found: { block: Block; at: number }[] = [];
    for (const name of readdirSync(options.dir)) {
      const [, stream, epoch, first] = NAME.exec(name) ?? [];
      if (stream === undefined) continue;
      const path = join(options.dir, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (!stat?.isFile()) continue;
      found.push({
        at: stat.mtimeMs,
        block: { stream, epoch: Number(epoch), first: Number(first), bytes: stat.size, born: 0, path, broken: false },
      });
    }
    found.sort((a, b) => a.at - b.at || a.block.first - b.block.first);
    for (const { block } of found) this.#add(block);
    for (const blocks of this.#streams.values()) blocks.sort((a, b) => a.first - b.first || a.epoch - b.epoch);
  }

  /** Bytes of all blocks. */
  get total(): number {
    return this.#total;
  }

  /** Streams that there are files of. */
  get streams(): string[] {
    return [...this.#streams.keys()];
  }

  /** Blocks of a stream, oldest first; the array stays the same and up to date. */
  blocks(stream: string): readonly Block[] {
    return this.#of(stream);
  }

  begin(stream: string, epoch: number, first: number): Block {
    const path = join(this.#o.dir, `${stream}.${epoch}.${first}.history`);
    const block = { stream, epoch, first, bytes: 0, born: 0, path, broken: false };
    this.#add(block);
    return block;
  }

  /** Bytes were added to the newest block of a stream. */
  grew(block: Block, bytes: number): void {
    block.bytes += bytes;
    this.#total += bytes;
    while (this.#total > this.#o.quota && this.#dropOldest());
  }

  /** The block is shorter now. */
  cut(block: Block, bytes: number): void {
    this.#total -= block.bytes - bytes;
    block.bytes = bytes;
  }

  drop(block: Block): void {
    const blocks = this.#of(block.stream);
    const at = blocks.indexOf(block);
    if (at === -1) return;
    blocks.splice(at, 1);
    this.#total -= block.bytes;
    rm(block.path, { force: true }).catch((error: Error) => this.#o.onFault(error.message));
  }

  /** Removes all of a stream. */
  remove(stream: string): void {
    for (const block of [...this.#of(stream)]) this.drop(block);
    this.#streams.delete(stream);
  }

  fault(text: string): void {
    this.#o.onFault(text);
  }

  /** The oldest block that is not being written, those of erased histories before all others. */
  #dropOldest(): boolean {
    let oldest: Block | null = null;
    let erased = false;
    for (const blocks of this.#streams.values()) {
      const [block] = blocks;
      if (!block || blocks.length < 2) continue;
      const old = block.epoch < blocks.at(-1)!.epoch;
      if (oldest && (erased !== old ? erased : oldest.born < block.born)) continue;
      oldest = block;
      erased = old;
    }
    if (!oldest) return false;
    this.drop(oldest);
    if (!erased && !this.#told.has(oldest.stream)) {
      this.#told.add(oldest.stream);
      this.#o.onDropped(oldest.stream);
    }
    return true;
  }

  #add(block: Block): void {
    block.born = ++this.#born;
    this.#total += block.bytes;
    this.#of(block.stream).push(block);
  }

  #of(stream: string): Block[] {
    const known = this.#streams.get(stream);
    if (known) return known;
    const blocks: Block[] = [];
    this.#streams.set(stream, blocks);
    return blocks;
  }
}
