// The bytes of a terminal since its last checkpoint, by stream offset. Bounded by who uses it; never interprets a byte but to find a
// place where a reader can start.

/** Bytes of a block: small for a quiet terminal, large enough that a flood makes few of them. */
const BLOCK_MIN = 4 * 1024;
const BLOCK_MAX = 64 * 1024;
/** How far a cut looks for a place to start, bytes: by so much it may leave less than it was told to. */
export const CUT_SEARCH = 64 * 1024;
const NOTHING = Buffer.alloc(0);
const LF = 0x0a;
const ESC = 0x1b;

interface Block {
  start: number;
  used: number;
  bytes: Buffer;
}

export class Ring {
  #blocks: Block[] = [];
  #kept = 0;
  #end = 0;

  /** Offset of the oldest byte. */
  get kept(): number {
    return this.#kept;
  }

  /** Offset after the newest byte. */
  get end(): number {
    return this.#end;
  }

  get size(): number {
    return this.#end - this.#kept;
  }

  /** Copies `bytes` to the end. */
  append(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      let block = this.#blocks.at(-1);
      if (!block || block.used === block.bytes.length) {
        const size = Math.min(BLOCK_MAX, Math.max(BLOCK_MIN, this.size));
        block = { start: this.#end, used: 0, bytes: Buffer.allocUnsafeSlow(size) };
        this.#blocks.push(block);
      }
      const n = Math.min(bytes.length - done, block.bytes.length - block.used);
      block.bytes.set(bytes.subarray(done, done + n), block.used);
      block.used += n;
      this.#end += n;
      done += n;
    }
  }

  /** A view of at most `max` bytes from `offset` (kept ≤ offset ≤ end), perhaps fewer; empty only at the end. */
  read(offset: number, max: number): Buffer {
    // From the end: readers are mostly there.
    const block = this.#blocks.findLast((b) => b.start <= offset);
    if (!block || offset >= this.#end) return NOTHING;
    const from = offset - block.start;
    return block.bytes.subarray(from, Math.min(block.used, from + max));
  }

  /** Forgets what lies below `offset`. */
  trim(offset: number): void {
    this.#kept = Math.min(Math.max(this.#kept, offset), this.#end);
    const first = this.#blocks.findIndex((b) => b.start + b.used > this.#kept);
    this.#blocks = first < 0 ? [] : this.#blocks.slice(first);
  }

  /** Forgets all but the last `keep` bytes, or fewer: it starts after a line feed or at an ESC where one is near. */
  cut(keep: number): void {
    if (this.size <= keep) return;
    const from = this.#end - keep;
    this.trim(this.#boundary(from, Math.min(this.#end, from + CUT_SEARCH)));
  }

  #boundary(from: number, to: number): number {
    for (let at = from; at < to; ) {
      const view = this.read(at, to - at);
      const found = view.findIndex((byte) => byte === LF || byte === ESC);
      if (found >= 0) return at + found + (view[found] === LF ? 1 : 0);
      at += view.length;
    }
    return from;
  }
}
