// What has scrolled out of one terminal's live rows, append-only, as logical lines of SGR text: wrapped rows are joined, so readers wrap
// at their own width. Lines are numbered from the terminal's start and keep their numbers. A row is in the live buffer or here, never
// in both and never in neither. Bytes wait in memory until there is a chunk of them; a checkpoint has them written first.
import { existsSync, readFileSync, truncateSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { BLOCK_BYTES, type Block, type HistoryFolder } from './history-blocks.ts';
import type { LinkTable } from './links.ts';
import type { Looks } from './looks.ts';
import { CHUNK, joinedCells, RowPacker, trimmedCells } from './pack-row.ts';
import type { XLine } from './xterm.ts';

/** Cells after which a line is cut in two: what is laid out or searched at once stays small. */
export const LINE_CELLS = 4096;
/** First byte of a line that is the rest of the line before it, which was cut. */
export const CUT = '\v';
/** Bytes not yet on disk at which no more may come: a few writes' worth. */
const WAITING_MAX = 1024 * 1024;
/** Erased histories kept for a reader who is in one, besides the present one. */
const EPOCHS_KEPT = 3;
/** Blocks kept ready for the next read of a stream. */
const CACHED = 2;
const NEWLINE = 10;

/** How far the history had come at a moment: kept in a checkpoint, so that the next server goes on from there. */
export interface HistoryMark {
  epoch: number;
  /** First line of the epoch. */
  since: number;
  /** Lines begun since the terminal's start. */
  lines: number;
  /** Cells of the last line when it goes on in the live rows; 0 when it has ended. */
  open: number;
  /** First line of the newest block, and bytes in it; null when there is none. */
  block: { first: number; bytes: number } | null;
}

/** Lines of one block as bytes, and where each starts; the last start is the end. */
interface BlockLines {
  block: Block;
  size: number;
  bytes: Buffer;
  starts: number[];
}

interface Job {
  block: Block;
  bytes: Buffer;
}

/** Whole lines of a stretch, the first of them numbered; `text` ends with the last one's line end or with what stands behind it. */
export interface HistoryBlock {
  first: number;
  text: string;
}

/** Numbered lines that have left the live rows. */
export type Lines = Pick<History, 'first' | 'since' | 'lines' | 'open' | 'read' | 'scan'>;

export class History {
  readonly #folder: HistoryFolder | null;
  readonly #stream: string;
  readonly #packer: RowPacker;
  readonly #limit: number;
  #epoch = 0;
  #since = 0;
  #lines = 0;
  #open = 0;
  /** Being written; the newest of the stream. */
  #block: Block | null = null;
  #queue: Job[] = [];
  #waiting = 0;
  #writing: Promise<void> | null = null;
  #drained: (() => void)[] = [];
  #cache: BlockLines[] = [];

  /**
   * `folder` null: lines are counted and forgotten. `stream`: what its files' names begin with. At most `blocks` blocks are kept, the
   * newest.
   */
  constructor(folder: HistoryFolder | null, stream: string, links: LinkTable, looks: Looks, blocks = Number.POSITIVE_INFINITY) {
    this.#folder = folder;
    this.#stream = stream;
    this.#limit = blocks;
    this.#packer = new RowPacker((number) => links.get(number), looks);
  }

  /** False when lines are only counted. */
  get keeps(): boolean {
    return this.#folder !== null;
  }

  /** Lines begun since the terminal's start. */
  get lines(): number {
    return this.#lines;
  }

  /** Cells of the last line when the next row may go on with it, else 0. */
  get open(): number {
    return this.#open;
  }

  /** Oldest line there is; `lines` when there is none. */
  get first(): number {
    return this.#blocks[0]?.first ?? this.#lines;
  }

  /** First line since the program last erased its history; older ones stay readable for a while. */
  get since(): number {
    return Math.max(this.#since, this.first);
  }

  /** Bytes wait to be written: stop feeding until `drained`. */
  get full(): boolean {
    return this.#waiting > WAITING_MAX;
  }

  drained(): Promise<void> {
    return this.full ? new Promise((done) => this.#drained.push(done)) : Promise.resolve();
  }

  /** Takes a row that leaves the live rows; `next` is the row below it. */
  row(row: XLine, next: XLine | undefined, cols: number): void {
    const joins = row.isWrapped && this.#open > 0 && this.#open < LINE_CELLS;
    const goesOn = next?.isWrapped === true;
    const cells = goesOn ? joinedCells(row, next, cols) : trimmedCells(row, cols);
    if (!joins) this.#beginLine(row.isWrapped && this.#open >= LINE_CELLS);
    if (this.#folder) this.#packer.row(row, cells, !goesOn);
    this.#open = goesOn ? (joins ? this.#open : 0) + cells : 0;
    if (!goesOn) this.#endLine();
  }

  /** Takes whole lines that were packed elsewhere as `row` would have; `ends` says where each ends in `packed`. */
  take(packed: Uint8Array, ends: Uint32Array): void {
    if (this.#open > 0) this.#endLine();
    for (let line = 0, from = 0; line < ends.length; ) {
      this.#openBlock();
      const room = BLOCK_BYTES - (this.#block?.bytes ?? 0) - this.#packer.size;
      let to = line + 1;
      while (to < ends.length && ends[to - 1]! - from < Math.min(CHUNK, room)) to++;
      if (this.#folder) this.#packer.append(packed.subarray(from, ends[to - 1]));
      this.#lines += to - line;
      from = ends[to - 1]!;
      line = to;
      if (this.#packer.size >= CHUNK) this.#handOver();
    }
  }

  /** A line of plain text, for what is no row of the screen. */
  note(text: string): void {
    this.#beginLine(false);
    if (this.#folder) for (const byte of Buffer.from(text)) this.#packer.byte(byte);
    this.#endLine();
  }

  /** The program erased what had scrolled off: what it prints next begins a history of its own. */
  endEpoch(): void {
    if (this.#open > 0) this.#endLine();
    this.#open = 0;
    if (this.#lines === this.#since) return;
    this.#handOver();
    this.#epoch++;
    this.#since = this.#lines;
    this.#block = null;
    for (const block of [...this.#blocks]) if (block.epoch < this.#epoch - EPOCHS_KEPT) this.#folder?.drop(block);
  }

  /** Resolves when all lines taken so far are in their files. */
  async flush(): Promise<void> {
    this.#handOver();
    while (this.#writing) await this.#writing;
  }

  mark(): HistoryMark {
    const { first, bytes } = this.#block ?? { first: 0, bytes: 0 };
    const block = this.#block && { first, bytes: bytes + this.#packer.size };
    return { epoch: this.#epoch, since: this.#since, lines: this.#lines, open: this.#open, block };
  }

  /** Goes back to a mark (null: to nothing), before anything has been taken: what came after it will come again. */
  rewind(mark: HistoryMark | null): void {
    const { epoch, since, lines, open, block } = mark ?? { epoch: 0, since: 0, lines: 0, open: 0, block: null };
    for (const known of [...this.#blocks]) {
      if (known.epoch > epoch || !mark || (known.epoch === epoch && (!block || known.first > block.first))) this.#folder?.drop(known);
    }
    const last = this.#blocks.at(-1);
    this.#block = block && last?.epoch === epoch && last.first === block.first ? last : null;
    if (this.#block && this.#block.bytes > block!.bytes) this.#cut(this.#block, block!.bytes);
    this.#epoch = epoch;
    this.#since = since;
    this.#lines = lines;
    this.#open = this.#block ? open : 0;
    this.#cache = [];
  }

  /** Goes on behind whatever the files hold. */
  resume(): void {
    const last = this.#blocks.at(-1);
    if (!last) return;
    this.#epoch = last.epoch;
    this.#block = last;
    this.#lines = last.first + this.#linesOf(last).starts.length - 1;
  }

  /** Lines [from, from + count) as SGR text without line ends, as many as there are; '' for one that was lost. */
  read(from: number, count: number): string[] {
    const lines: string[] = [];
    const to = Math.min(from + count, this.#lines);
    for (const [i, block] of this.#blocks.entries()) {
      const end = this.#blocks[i + 1]?.first ?? this.#lines;
      if (end <= from + lines.length || block.first >= to) continue;
      const { bytes, starts } = this.#linesOf(block);
      for (let line = Math.max(from + lines.length, block.first); line < Math.min(to, end); line++) {
        const [start, stop] = [starts[line - block.first], starts[line - block.first + 1]];
        lines.push(start === undefined || stop === undefined ? '' : lineAt(bytes, start, stop));
      }
    }
    return lines;
  }

  /** All blocks from the one with line `from` on, oldest first, read one by one while others work. */
  async *scan(from: number): AsyncGenerator<HistoryBlock> {
    for (let at = from; at < this.#lines; ) {
      const index = this.#blocks.findLastIndex((block) => block.first <= at);
      const block = this.#blocks[index] ?? this.#blocks[0];
      if (!block) return;
      const next = this.#blocks[this.#blocks.indexOf(block) + 1]?.first ?? this.#lines;
      const waiting = this.#waitingFor(block);
      const onDisk = block.bytes - waiting.reduce((sum, bytes) => sum + bytes.length, 0) + (block === this.#block ? this.#packer.size : 0);
      const file = onDisk > 0 ? await readFile(block.path).catch(() => Buffer.alloc(0)) : Buffer.alloc(0);
      yield { first: block.first, text: Buffer.concat([file.subarray(0, onDisk), ...waiting]).toString() };
      at = Math.max(next, block.first + 1);
    }
  }

  /** Removes the files; resolves when they are gone from the session's books. */
  async remove(): Promise<void> {
    this.#packer.clear();
    this.#queue = [];
    while (this.#writing) await this.#writing;
    this.#folder?.remove(this.#stream);
    this.#block = null;
  }

  get #blocks(): readonly Block[] {
    return this.#folder?.blocks(this.#stream) ?? [];
  }

  /** A new block when the last has its size. */
  #openBlock(): void {
    if (!this.#folder || (this.#block && !this.#block.broken && this.#block.bytes + this.#packer.size < BLOCK_BYTES)) return;
    this.#handOver();
    this.#block = this.#folder.begin(this.#stream, this.#epoch, this.#lines);
    if (this.#blocks.length > this.#limit) this.#folder.drop(this.#blocks[0]!);
  }

  #beginLine(rest: boolean): void {
    if (this.#open > 0) this.#endLine();
    this.#openBlock();
    this.#lines++;
    if (rest && this.#folder) this.#packer.byte(CUT.charCodeAt(0));
  }

  #endLine(): void {
    this.#open = 0;
    if (!this.#folder) return;
    this.#packer.byte(NEWLINE);
    if (this.#packer.size >= CHUNK) this.#handOver();
  }

  /** What has been packed goes to the writer. */
  #handOver(): void {
    if (!this.#folder || !this.#block || this.#packer.size === 0) return;
    const bytes = this.#packer.take();
    this.#queue.push({ block: this.#block, bytes });
    this.#waiting += bytes.length;
    this.#folder.grew(this.#block, bytes.length);
    this.#writing ??= this.#write();
  }

  /** What waits for the same block is written at once: a flood brings many chunks while one is being written. */
  async #write(): Promise<void> {
    for (let first = this.#queue[0]; first; first = this.#queue[0]) {
      const { block } = first;
      const other = this.#queue.findIndex((job) => job.block !== block);
      const jobs = this.#queue.slice(0, other === -1 ? undefined : other);
      const bytes = jobs.length === 1 ? first.bytes : Buffer.concat(jobs.map((job) => job.bytes));
      await this.#append({ block, bytes });
      if (this.#queue[0] === first) this.#queue.splice(0, jobs.length);
      this.#waiting -= bytes.length;
      if (!this.full) for (const done of this.#drained.splice(0)) done();
    }
    this.#writing = null;
  }

  /** One that fails costs its lines, not the terminal. */
  async #append({ block, bytes }: Job): Promise<void> {
    if (block.broken || !this.#blocks.includes(block)) return;
    try {
      await appendFile(block.path, bytes, { mode: 0o600 });
    } catch (error) {
      block.broken = true;
      this.#folder?.fault(`History could not be written: ${(error as Error).message}`);
    }
  }

  #cut(block: Block, bytes: number): void {
    try {
      truncateSync(block.path, bytes);
      this.#folder?.cut(block, bytes);
    } catch (error) {
      block.broken = true;
      this.#folder?.fault(`History could not be cut: ${(error as Error).message}`);
    }
  }

  /** Parts of a block that are not on disk for certain. */
  #waitingFor(block: Block): Buffer[] {
    const queued = this.#queue.filter((job) => job.block === block).map((job) => job.bytes);
    return block === this.#block ? [...queued, this.#packer.pending] : queued;
  }

  #linesOf(block: Block): BlockLines {
    const size = block.bytes + (block === this.#block ? this.#packer.size : 0);
    const known = this.#cache.find((lines) => lines.block === block && lines.size === size);
    if (known) return known;
    const waiting = this.#waitingFor(block);
    const onDisk = size - waiting.reduce((sum, bytes) => sum + bytes.length, 0);
    const file = onDisk > 0 && existsSync(block.path) ? readFileSync(block.path) : Buffer.alloc(0);
    const bytes = Buffer.concat([file.subarray(0, onDisk), ...waiting]);
    const read = { block, size, bytes, starts: lineStarts(bytes) };
    this.#cache = [read, ...this.#cache.filter((lines) => lines.block !== block)].slice(0, CACHED);
    return read;
  }
}

/** Starts of all lines, and the end of the last; a line without an end counts. */
function lineStarts(bytes: Buffer): number[] {
  const starts = [0];
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) starts.push(at + 1);
  if (starts.at(-1)! < bytes.length) starts.push(bytes.length);
  return starts;
}

function lineAt(bytes: Buffer, start: number, stop: number): string {
  return bytes.toString('utf8', start, bytes[stop - 1] === NEWLINE ? stop - 1 : stop);
}
