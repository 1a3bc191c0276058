// The plain lines of a flood, packed for the history straight from their bytes: those that will have left the live rows before the flood
// is over never become cells. Writes exactly what the packer writes for the parser's rows; what it does not know for certain ends the
// skim before the line it is in. Works on its own memory only: a skim that comes to nothing has changed nothing.
import { step } from '../model/width.ts';
import { LINE_CELLS } from './history.ts';
import type { Looks } from './looks.ts';
import { standsAlone } from './pack-row.ts';
import { MAX_SGR, type Pen, type Pens } from './pens.ts';
import type { PlainLines } from './put-lines.ts';
import { X_EXTENDED } from './xterm.ts';

/** Bytes skimmed in one go, about 1 ms. */
const SLICE = 64 * 1024;
/** Bytes that one change of looks can take. */
const LOOKS_ROOM = 128;
/** Longest line skimmed, bytes: one of many looks per cell; longer ones would keep others from their turn. */
const MAX_LINE = 32 * 1024;
/** Packed bytes at which a skim ends: what is held beside the batch stays in proportion to it. */
const MAX_PACKED = 4 * 1024 * 1024;
/** Room for packed bytes to begin with, and the largest that is kept for the next skim. */
const PACKED_FIRST = 256 * 1024;
const PACKED_KEPT = 2 * 1024 * 1024;
/** Lines that there is room for to begin with. */
const ENDS_FIRST = 16 * 1024;
/** Attributes that an erased cell, and so a new row, takes over from the pen: background colour and its mode. */
const ERASED = 0x3ffffff;

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const ESC = 0x1b;
const BRACKET = 0x5b;
const ERASE_LINE = 0x4b;
const SGR = 0x6d;

/** Where a skim begins: at the start of a line, the cursor in the first cell of an empty row at the bottom of the screen. */
export interface SkimStart {
  bytes: Uint8Array;
  at: number;
  cols: number;
  /** Lines at the end that become rows: as many as there are live ones. */
  keep: number;
  /** The parser's pen. */
  pen: Pen;
  /** Next tab stop from each column. */
  stops: Uint16Array;
}

/** Plain lines: those to be taken over by the history, and behind them those to become rows. */
export interface Skimmed {
  packed: Uint8Array;
  /** Where each line ends in `packed`. */
  ends: Uint32Array;
  rows: PlainLines;
  /** The pen at the first of `rows`. */
  pen: Pen;
}

/** What a skim writes into. Memory made anew for each would have the collector stop everything several times a second. */
export interface SkimRoom {
  packed: Buffer;
  ends: Uint32Array;
}

/** The room of the last skim for the next one. */
export class SkimRooms {
  #spare: SkimRoom | null = null;

  take(): SkimRoom {
    const room = this.#spare ?? { packed: Buffer.allocUnsafeSlow(PACKED_FIRST), ends: new Uint32Array(ENDS_FIRST) };
    this.#spare = null;
    return room;
  }

  /** Nothing of it is in use any more. */
  give(room: SkimRoom): void {
    if (room.packed.length <= PACKED_KEPT) this.#spare = room;
  }
}

export class Skim {
  readonly #pens: Pens;
  readonly #looks: Looks;
  readonly #start: SkimStart;
  readonly #pen: Pen;
  #at: number;
  #packed: Buffer;
  #size = 0;
  #ends: Uint32Array;
  #count = 0;
  /** Of the last `keep` + 1 lines: where each starts, and the pen there. */
  readonly #starts: Uint32Array;
  readonly #startPens: Int32Array;
  /** Looks that the packed bytes of the row at hand have come to. */
  #shown: Pen = { fg: 0, bg: 0, ext: 0 };

  constructor(pens: Pens, looks: Looks, start: SkimStart, { packed, ends }: SkimRoom) {
    this.#pens = pens;
    this.#looks = looks;
    this.#start = start;
    this.#pen = { ...start.pen };
    this.#at = start.at;
    this.#packed = packed;
    this.#ends = ends;
    this.#starts = new Uint32Array(start.keep + 1);
    this.#startPens = new Int32Array((start.keep + 1) * 3);
    this.#noteStart();
  }

  /** What it was given, perhaps larger now. */
  get room(): SkimRoom {
    return { packed: this.#packed, ends: this.#ends };
  }

  /** The line at which it has ended or stands. */
  get at(): number {
    return this.#at;
  }

  /** Goes on for a slice; true when it has ended. */
  go(): boolean {
    const until = Math.min(this.#at + SLICE, this.#start.bytes.length);
    while (this.#at < until) {
      const size = this.#size;
      const { fg, bg, ext } = this.#pen;
      if (size > MAX_PACKED || !this.#line()) {
        this.#size = size;
        Object.assign(this.#pen, { fg, bg, ext });
        return true;
      }
      this.#endLine();
    }
    return this.#at >= this.#start.bytes.length;
  }

  /** What it has come to; null when there are too few lines for it to be worth while. */
  result(): Skimmed | null {
    const { bytes, keep, stops } = this.#start;
    const count = this.#count - keep;
    if (count < keep >> 2) return null;
    const start = count % (keep + 1);
    const [fg, bg, ext] = this.#startPens.subarray(start * 3) as unknown as [number, number, number];
    return {
      packed: this.#packed.subarray(0, this.#ends[count - 1]),
      ends: this.#ends.subarray(0, count),
      rows: { bytes, from: this.#starts[start]!, to: this.#at, stops },
      pen: { fg: fg >>> 0, bg: bg >>> 0, ext },
    };
  }

  #endLine(): void {
    if (this.#count === this.#ends.length) {
      const ends = new Uint32Array(this.#count * 2);
      ends.set(this.#ends);
      this.#ends = ends;
    }
    this.#ends[this.#count++] = this.#size;
    this.#noteStart();
  }

  #noteStart(): void {
    const slot = this.#count % this.#starts.length;
    this.#starts[slot] = this.#at;
    this.#startPens[slot * 3] = this.#pen.fg;
    this.#startPens[slot * 3 + 1] = this.#pen.bg;
    this.#startPens[slot * 3 + 2] = this.#pen.ext;
  }

  /** One line with its end; false when it is not there whole, or not plain. */
  #line(): boolean {
    const { bytes, cols, stops } = this.#start;
    const pen = this.#pen;
    let at = this.#at;
    let x = 0;
    /** Empty cells since the last character. */
    let gap = 0;
    /** Cells of the rows before this one of the same line. */
    let open = 0;
    /** A carriage return stands behind the text. */
    let returned = false;
    /** The looks shown may not be those of the pen. */
    let stale = true;
    this.#shown.fg = this.#shown.bg = this.#shown.ext = 0;
    this.#need(cols * 4 + LOOKS_ROOM);
    for (;;) {
      const byte = bytes[at];
      if (byte === undefined) return false;
      if (byte >= 0x20 && byte !== 0x7f) {
        if (returned && x > 0) return false;
        let size = 1;
        let width = 1;
        if (byte >= 0x80) {
          const code = characterAt(bytes, at);
          if (code < 0) return false;
          size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
          width = (step(code, 0) >> 1) & 3;
        }
        if (x + width > cols) {
          // The next row is blank only if the pen has no background; a line that is cut is the history's affair.
          if ((pen.bg & ERASED) !== 0) return false;
          this.#show(0, 0, 0);
          if (gap > 0) this.#spaces(gap);
          open += x;
          if (open >= LINE_CELLS) return false;
          this.#need(cols * 4 + LOOKS_ROOM);
          x = gap = 0;
          stale = true;
        }
        if (gap > 0) {
          this.#show(0, 0, 0);
          this.#spaces(gap);
          gap = 0;
          stale = true;
        }
        if (stale) {
          this.#show(pen.fg, pen.bg, (pen.bg & X_EXTENDED) === 0 ? 0 : pen.ext);
          this.#need(cols * 4 + LOOKS_ROOM);
          stale = false;
        }
        const packed = this.#packed;
        let to = this.#size;
        if (byte < 0x80) {
          const end = at + cols - x;
          const from = at;
          for (let next = byte; next >= 0x20 && next < 0x7f && at < end; next = bytes[at]!) {
            packed[to++] = next;
            at++;
          }
          x += at - from;
        } else {
          for (const end = at + size; at < end; at++) packed[to++] = bytes[at]!;
          x += width;
        }
        this.#size = to;
      } else if (byte === ESC) {
        const end = this.#sequence(at, returned && x > 0);
        if (end < 0 || end - this.#at > MAX_LINE) return false;
        at = end;
        stale = true;
      } else if (byte === LF) {
        if ((x > 0 && !returned) || (pen.bg & ERASED) !== 0) return false;
        this.#show(0, 0, 0);
        this.#packed[this.#size++] = LF;
        this.#at = at + 1;
        return true;
      } else if (byte === CR) {
        returned = true;
        at++;
      } else if (byte === TAB) {
        if (returned && x > 0) return false;
        if (x < cols) {
          gap += stops[x]! - x;
          x = stops[x]!;
        }
        at++;
      } else return false;
    }
  }

  /** End of the sequence at `at`, which changes looks, or with no text behind it erases nothing; -1 when it does anything else. */
  #sequence(at: number, text: boolean): number {
    const { bytes } = this.#start;
    if (bytes[at + 1] !== BRACKET) return -1;
    let hash = 0;
    let end = at + 2;
    let final = bytes[end];
    for (const limit = at + MAX_SGR - 1; final !== undefined && final >= 0x30 && final <= 0x3b && end < limit; final = bytes[++end]) {
      hash = Math.imul(hash, 31) + final;
    }
    end++;
    if (final === SGR) {
      this.#pens.change(this.#pen, bytes, at, end, hash);
      return end;
    }
    const toEnd = final === ERASE_LINE && (end === at + 3 || (end === at + 4 && bytes[at + 2] === 0x30));
    return toEnd && !text && (this.#pen.bg & ERASED) === 0 ? end : -1;
  }

  /** Changes the looks of what is packed next. */
  #show(fg: number, bg: number, ext: number): void {
    const shown = this.#shown;
    if (shown.fg === fg && shown.bg === bg && shown.ext === ext) return;
    shown.fg = fg;
    shown.bg = bg;
    shown.ext = ext;
    const looks = this.#looks.bytes(fg, bg, ext);
    this.#need(looks.length + LOOKS_ROOM);
    const packed = this.#packed;
    let to = this.#size;
    for (let i = 0; i < looks.length; i++) packed[to++] = looks[i]!;
    this.#size = to;
  }

  #spaces(count: number): void {
    this.#packed.fill(0x20, this.#size, this.#size + count);
    this.#size += count;
  }

  #need(room: number): void {
    if (this.#size + room <= this.#packed.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#packed.length * 2, this.#size + room));
    this.#packed.copy(grown, 0, 0, this.#size);
    this.#packed = grown;
  }
}

/** The character that begins at a byte from 0x80 on; -1 when it is not whole and well-formed, or may join its neighbours. */
function characterAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  const size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (lead < 0xc2 || lead > 0xf4 || at + size > bytes.length) return -1;
  let code = lead & (0xff >> (size + 1));
  for (let i = at + 1; i < at + size; i++) {
    const byte = bytes[i]!;
    if ((byte & 0xc0) !== 0x80) return -1;
    code = (code << 6) | (byte & 0x3f);
  }
  const least = size === 2 ? 0xa0 : size === 3 ? 0x800 : 0x10000;
  return code >= least && standsAlone(code) ? code : -1;
}
