// Bytes of binary payloads: unsigned numbers of any size in seven-bit groups, fixed words, text. Reading is checked; it never returns past the end.
import { FrameError } from './frame.ts';

/** Initial room, bytes: a keystroke's diff fits, a screen's doubles a few times. */
const ROOM = 1024;
/** Above every code unit: a text of several. */
const SEVERAL = 0x10000;

/** Grows as it is written to. */
export class ByteWriter {
  #buffer = Buffer.allocUnsafe(ROOM);
  #size = 0;

  byte(n: number): void {
    this.#need(1);
    this.#buffer[this.#size++] = n;
  }

  u16(n: number): void {
    this.#need(2);
    this.#buffer[this.#size++] = n;
    this.#buffer[this.#size++] = n >>> 8;
  }

  u32(n: number): void {
    this.u16(n);
    this.u16(n >>> 16);
  }

  /** 0 to 2^53-1. */
  varint(n: number): void {
    let rest = n;
    while (rest >= 0x80) {
      this.byte((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.byte(rest);
  }

  text(s: string): void {
    // Most texts are one key or one character.
    const code = s.length === 1 ? s.charCodeAt(0) : SEVERAL;
    if (code < 0x80) {
      this.byte(1);
      this.byte(code);
    } else if (code < 0x800) {
      this.byte(2);
      this.byte(0xc0 | (code >> 6));
      this.byte(0x80 | (code & 0x3f));
    } else this.#longText(s);
  }

  #longText(s: string): void {
    const length = Buffer.byteLength(s);
    this.varint(length);
    this.#need(length);
    this.#size += this.#buffer.write(s, this.#size);
  }

  /** What was written; the writer must not be used afterwards. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }

  /** What was written so far, in bytes of its own. */
  copy(): Buffer {
    const copy = Buffer.allocUnsafe(this.#size);
    this.#buffer.copy(copy, 0, 0, this.#size);
    return copy;
  }

  #need(n: number): void {
    if (this.#size + n <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#size + n));
    this.#buffer.copy(grown, 0, 0, this.#size);
    this.#buffer = grown;
  }
}

/** Reads what ByteWriter wrote; every method throws FrameError at the end of the bytes. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    if (this.#at >= this.#bytes.length) throw new FrameError('a payload that ends too early');
    return this.#bytes[this.#at++]!;
  }

  u16(): number {
    return this.byte() | (this.byte() << 8);
  }

  u32(): number {
    return (this.u16() | (this.u16() << 16)) >>> 0;
  }

  varint(): number {
    let n = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.byte();
      n += (byte & 0x7f) * scale;
      if (n > Number.MAX_SAFE_INTEGER) throw new FrameError('a payload with a number out of bounds');
      if (byte < 0x80) return n;
    }
  }

  /** At most `limit` UTF-16 units; broken UTF-8 becomes U+FFFD. */
  text(limit: number): string {
    const length = this.varint();
    if (length > limit * 3 || this.#at + length > this.#bytes.length) throw new FrameError('a payload with a text out of bounds');
    const from = this.#at;
    this.#at += length;
    const first = this.#bytes[from]!;
    return length === 1 && first < 0x80 ? String.fromCharCode(first) : this.#bytes.toString('utf8', from, this.#at);
  }
}
