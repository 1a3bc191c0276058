// Plain lines that a skim has been through, as cells: written straight into the rows, ten times as fast as the parser does it. Leaves
// rows, cursor, pen and what scrolls away as the parser leaves them, by the same scrolling; knows only what a skim lets through.
import { step } from '../model/width.ts';
import { MAX_SGR, type Pen, type Pens } from './pens.ts';
import { X_EMPTY, X_EXTENDED, X_WIDTH_SHIFT, X_WORDS, type XAttributes, type XCore, type XExtended, type XLine } from './xterm.ts';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const ESC = 0x1b;
const SGR = 0x6d;

/** Whole lines, bytes [from, to), of which a skim has said that they are plain; the cursor is at the start of a blank row. */
export interface PlainLines {
  bytes: Uint8Array;
  from: number;
  to: number;
  /** Next tab stop from each column. */
  stops: Uint16Array;
}

/** Puts lines below those that are there; `pen` is that before them, and afterwards that behind them. */
export function putLines(core: XCore, { bytes, from, to, stops }: PlainLines, pen: Pen, pens: Pens): void {
  const rows = new Rows(core);
  for (let at = from; at < to; ) {
    const byte = bytes[at]!;
    if (byte >= 0x80) {
      const size = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
      rows.print(codeAt(bytes, at, size), pen);
      at += size;
    } else if (byte >= 0x20) at = rows.printAscii(bytes, at, pen);
    else if (byte === ESC) at = applySequence(bytes, at, pen, pens);
    else {
      if (byte === LF) rows.next(false);
      else if (byte === CR) rows.x = 0;
      else if (byte === TAB && rows.x < core.cols) rows.x = stops[rows.x]!;
      at++;
    }
  }
  core.buffers.normal.x = rows.x;
}

/** The rows at the bottom, as printing goes through them. */
class Rows {
  x = 0;
  readonly #core: XCore;
  readonly #blank: XAttributes;
  readonly #extended = new Map<number, XExtended>();
  #row: XLine;

  constructor(core: XCore) {
    this.#core = core;
    // A pen at the start of a line that was skimmed has no background.
    this.#blank = core._inputHandler._eraseAttrData();
    this.#row = this.#current();
  }

  /** Text up to the next byte that is not printable ASCII; returns where that is. */
  printAscii(bytes: Uint8Array, from: number, pen: Pen): number {
    const { cols } = this.#core;
    if (this.x === cols) this.#wrap(pen);
    const { fg, bg } = pen;
    const extended = this.#extendedOf(pen);
    const { _data, _extendedAttrs } = this.#row;
    let at = from;
    let x = this.x;
    let word = x * X_WORDS;
    for (let byte = bytes[at]!; x < cols && byte >= 0x20 && byte < 0x7f; byte = bytes[++at]!, x++) {
      _data[word] = byte | X_EMPTY;
      _data[word + 1] = fg;
      _data[word + 2] = bg;
      if (extended) _extendedAttrs[x] = extended;
      word += X_WORDS;
    }
    this.x = x;
    return at;
  }

  print(code: number, pen: Pen): void {
    const width = (step(code, 0) >> 1) & 3;
    if (this.x + width > this.#core.cols) this.#wrap(pen);
    this.#put(code | (width << X_WIDTH_SHIFT), pen);
    if (width === 2) this.#put(0, pen);
  }

  /** To the start of the next row; `wrapped`: it goes on with the line. */
  next(wrapped: boolean): void {
    const buffer = this.#core.buffers.normal;
    this.x = 0;
    if (buffer.y === buffer.scrollBottom) this.#core._bufferService.scroll(this.#blank, wrapped);
    else {
      buffer.y++;
      this.#current().isWrapped = wrapped;
    }
    this.#row = this.#current();
  }

  /** A cell that a wide character leaves free is cleared in the colours of that character. */
  #wrap(pen: Pen): void {
    while (this.x < this.#core.cols) this.#put(X_EMPTY, pen);
    this.next(true);
  }

  #put(content: number, pen: Pen): void {
    const { _data, _extendedAttrs } = this.#row;
    const word = this.x * X_WORDS;
    _data[word] = content;
    _data[word + 1] = pen.fg;
    _data[word + 2] = pen.bg;
    const extended = this.#extendedOf(pen);
    if (extended) _extendedAttrs[this.x] = extended;
    this.x++;
  }

  #extendedOf({ bg, ext }: Pen): XExtended | null {
    if ((bg & X_EXTENDED) === 0) return null;
    let extended = this.#extended.get(ext);
    if (!extended) {
      extended = this.#core._inputHandler._curAttrData.extended.clone();
      extended._ext = ext;
      this.#extended.set(ext, extended);
    }
    return extended;
  }

  #current(): XLine {
    const buffer = this.#core.buffers.normal;
    return buffer.lines.get(buffer.ybase + buffer.y)!;
  }
}

function codeAt(bytes: Uint8Array, at: number, size: number): number {
  let code = bytes[at]! & (0xff >> (size + 1));
  for (let i = at + 1; i < at + size; i++) code = (code << 6) | (bytes[i]! & 0x3f);
  return code;
}

/** SGR changes the pen; the other sequence that a skim lets through erases nothing. Returns the end of the sequence. */
function applySequence(bytes: Uint8Array, at: number, pen: Pen, pens: Pens): number {
  let hash = 0;
  let end = at + 2;
  for (let byte = bytes[end]!; byte >= 0x30 && byte <= 0x3b && end < at + MAX_SGR - 1; byte = bytes[++end]!) {
    hash = Math.imul(hash, 31) + byte;
  }
  if (bytes[end++] === SGR) pens.change(pen, bytes, at, end, hash);
  return end;
}
