// A row of cells as UTF-8 with SGR, fast enough for every row of a flood: rows of plain characters, colours and underlines are written
// here, rows with clusters or links by the general writer. Reading the bytes alone gives the row's text and looks; of a row written
// exactly, the very cells.
import { step } from '../model/width.ts';
import type { Link } from './links.ts';
import { type Looks, PLAIN } from './looks.ts';
import { type OddCell, writeRow } from './vt-row.ts';
import { X_CONTENT, X_EMPTY, X_EXTENDED, X_MODE, X_WIDTH_SHIFT, X_WORDS, type XLine } from './xterm.ts';

/** Bytes that one cell and a change of looks before it can take. */
const CELL_ROOM = 96;
/** Bytes to start with, and how far the room grows before it is handed over: one write to disk. */
const SMALL = 4 * 1024;
export const CHUNK = 64 * 1024;

/** Columns up to the last character of a row. */
export function trimmedCells(row: XLine, cols: number): number {
  const data = row._data;
  const end = Math.min(cols, row.length);
  for (let i = (end - 1) * X_WORDS; i >= 0; i -= X_WORDS) {
    const content = data[i]!;
    if ((content & X_CONTENT) !== 0) return Math.min(end, i / X_WORDS + Math.max(1, content >>> X_WIDTH_SHIFT));
  }
  return 0;
}

/** The background word of an erased cell; 0 for the default. */
function groundOf(row: XLine, x: number): number {
  const bg = row._data[x * X_WORDS + 2]!;
  return (bg & X_MODE) === 0 || (bg & X_EXTENDED) !== 0 ? 0 : bg;
}

/** Cells of its line that a row holds, which the row below continues: all but one that was left free for a wide character. */
export function joinedCells(row: XLine, next: XLine, cols: number): number {
  const last = row._data[(cols - 1) * X_WORDS]!;
  const free = (last & X_CONTENT) === 0 && last >>> X_WIDTH_SHIFT === 1;
  return free && next._data[0]! >>> X_WIDTH_SHIFT === 2 ? cols - 1 : cols;
}

export class RowPacker {
  readonly #link: (number: number) => Link | undefined;
  #bytes = Buffer.allocUnsafe(SMALL);
  #size = 0;
  readonly #looks: Looks;

  constructor(link: (number: number) => Link | undefined, looks: Looks) {
    this.#link = link;
    this.#looks = looks;
  }

  get size(): number {
    return this.#size;
  }

  /** What has been written since the last `take`, without taking it. */
  get pending(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  /** What has been written; it is the caller's now. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#size);
    this.#bytes = Buffer.allocUnsafe(this.#size >= CHUNK ? CHUNK + SMALL : SMALL);
    this.#size = 0;
    return taken;
  }

  clear(): void {
    this.#size = 0;
  }

  /** Takes rows that were packed elsewhere. */
  append(packed: Uint8Array): void {
    this.#need(packed.length);
    this.#bytes.set(packed, this.#size);
    this.#size += packed.length;
  }

  byte(value: number): void {
    this.#need(1);
    this.#bytes[this.#size++] = value;
  }

  /** Writes cells [0, cells) of a row; a row that ends its line also the background that runs on behind its text. */
  row(row: XLine, cells: number, endsLine: boolean): void {
    const start = this.#size;
    const text = trimmedCells(row, cells);
    if (!this.#plain(row, text, false)) {
      this.#size = start;
      this.#write(writeRow(row, text, { exact: false, link: this.#link }));
    }
    if (endsLine) this.#background(row, text);
    else this.#spaces(cells - text);
  }

  /** Writes all cells of a row so that parsing it on an empty row brings the same ones about; `odd` is told of those that text cannot. */
  exactRow(row: XLine, cols: number, odd: (cell: OddCell) => void): void {
    const start = this.#size;
    if (this.#plain(row, Math.min(cols, row.length), true)) return;
    this.#size = start;
    this.#write(writeRow(row, cols, { exact: true, link: this.#link, odd }));
  }

  /** False when a cell needs the general writer. `exact`: empty cells are moved over, not written as spaces. */
  #plain(row: XLine, end: number, exact: boolean): boolean {
    const data = row._data;
    this.#need(end * 4 + CELL_ROOM);
    let bytes = this.#bytes;
    let at = this.#size;
    let fg = 0;
    let bg = 0;
    let ext = 0;
    let gap = 0;
    let shown = PLAIN;
    for (let x = 0, i = 0; x < end; x++, i += X_WORDS) {
      const content = data[i]!;
      if (exact && (content & X_CONTENT) === 0) {
        if (content !== X_EMPTY || data[i + 1] !== 0 || data[i + 2] !== 0) return false;
        gap++;
        continue;
      }
      if (gap > 0) {
        at = writeMove(bytes, at, gap);
        gap = 0;
      }
      const extended = (data[i + 2]! & X_EXTENDED) === 0 ? undefined : row._extendedAttrs[x];
      if (extended?._urlId) return false;
      if (data[i + 1] !== fg || data[i + 2] !== bg || (extended?._ext ?? 0) !== ext) {
        fg = data[i + 1]!;
        bg = data[i + 2]!;
        ext = extended?._ext ?? 0;
        const looks = this.#looks.bytes(fg, bg, ext);
        // Words can differ in what has no looks; the same cells must give the same checkpoint.
        if (!exact || !looks.equals(shown)) at = this.#change(looks, at, (end - x) * 4 + CELL_ROOM);
        shown = looks;
        bytes = this.#bytes;
      }
      const code = content & X_CONTENT;
      const width = content >>> X_WIDTH_SHIFT;
      if (width === 1 && code < 0x80) bytes[at++] = code === 0 ? 0x20 : code;
      else if (!standsAlone(code)) return false;
      else {
        if (width === 2) {
          x++;
          i += X_WORDS;
          if (x >= end || data[i] !== 0) return false;
          if (exact && (data[i + 1] !== fg || data[i + 2] !== bg || (row._extendedAttrs[x]?._ext ?? 0) !== ext)) return false;
        } else if (width !== 1) return false;
        if (exact && ((step(code, 0) >> 1) & 3) !== width) return false;
        at = writeCode(bytes, at, code);
      }
    }
    if (exact ? !shown.equals(PLAIN) : fg !== 0 || bg !== 0) at = this.#change(PLAIN, at, 0);
    this.#size = at;
    return true;
  }

  /** Writes looks at `from`; there is `room` behind them. Returns their end. */
  #change(looks: Buffer, from: number, room: number): number {
    this.#size = from;
    this.#need(looks.length + room);
    const bytes = this.#bytes;
    let at = from;
    for (let i = 0; i < looks.length; i++) bytes[at++] = looks[i]!;
    return at;
  }

  /**
   * Erased cells keep their background; as erasures they never wrap, however narrow the reader. Each begins behind the text, so the one
   * that reaches furthest comes first.
   */
  #background(row: XLine, from: number): void {
    // Most rows have none, and every row that leaves comes by here.
    const data = row._data;
    let any = 0;
    for (let i = from * X_WORDS + 2; i < row.length * X_WORDS; i += X_WORDS) any |= data[i]!;
    if (any === 0) return;
    let to = row.length;
    while (to > from && groundOf(row, to - 1) === 0) to--;
    if (to === from) return;
    while (to > from) {
      const bg = groundOf(row, to - 1);
      this.append(bg === 0 ? PLAIN : this.#looks.bytes(0, bg, 0));
      this.#write(`\x1b[${to - from}X`);
      while (to > from && groundOf(row, to - 1) === bg) to--;
    }
    this.append(PLAIN);
  }

  #spaces(count: number): void {
    this.#need(count);
    this.#bytes.fill(0x20, this.#size, this.#size + count);
    this.#size += count;
  }

  #write(text: string): void {
    this.#need(text.length * 3);
    this.#size += this.#bytes.write(text, this.#size);
  }

  #need(room: number): void {
    if (this.#size + room <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#size + room));
    this.#bytes.copy(grown, 0, 0, this.#size);
    this.#bytes = grown;
  }
}

/**
 * Characters that form no cluster with a neighbour of their sort: Latin, punctuation, symbols and box drawing, CJK, syllables, emoji
 * without skin tones. What is not listed goes to the general writer, which knows the rules.
 */
export function standsAlone(code: number): boolean {
  if (code < 0x300) return code >= 0x20 && code !== 0xad;
  if (code < 0x2010) return false;
  if (code < 0x3000)
    return code < 0x2028 || (code >= 0x2030 && code < 0x205f) || (code >= 0x2070 && code < 0x20d0) || (code >= 0x2100 && code < 0x2c00);
  if (code < 0xa000) return code < 0x302a || (code >= 0x3030 && code !== 0x3099 && code !== 0x309a && code !== 0x3164);
  if (code < 0x1f300) return (code >= 0xac00 && code < 0xd7a4) || (code >= 0xff01 && code < 0xff9e);
  return code < 0x1fb00 && (code < 0x1f3fb || code > 0x1f3ff);
}

/** CSI C: the cursor goes so many cells to the right. */
function writeMove(bytes: Buffer, from: number, cells: number): number {
  return from + bytes.write(`\x1b[${cells}C`, from, 'latin1');
}

function writeCode(bytes: Buffer, from: number, code: number): number {
  let at = from;
  if (code < 0x800) bytes[at++] = 0xc0 | (code >> 6);
  else {
    if (code < 0x10000) bytes[at++] = 0xe0 | (code >> 12);
    else {
      bytes[at++] = 0xf0 | (code >> 18);
      bytes[at++] = 0x80 | ((code >> 12) & 63);
    }
    bytes[at++] = 0x80 | ((code >> 6) & 63);
  }
  bytes[at++] = 0x80 | (code & 63);
  return at;
}
