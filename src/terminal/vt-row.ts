// A row of the parser's cells as VT text that brings the same cells about again: used for checkpoints and for the history. Each row
// starts and ends with default looks and no link, so rows can be read alone.
import { step } from '../model/width.ts';
import type { Link } from './links.ts';
import { X_CODE, X_COMBINED, X_EXTENDED, X_MODE, X_WIDTH_SHIFT, X_WORDS, type XExtended, type XLine } from './xterm.ts';

// Bits of the parser's words (common/buffer/Constants.ts of xterm.js).
const NULL_CELL = 1 << X_WIDTH_SHIFT;
const P16 = 1 << 24;
const P256 = 2 << 24;
const RGB_BITS = 0xffffff;
const COLOUR = X_MODE | RGB_BITS;
const UNDERLINE = 1 << 28;
const PROTECTED = 1 << 29;
const EXT_STYLE = 0x1c000000;
/** What SGR 59 leaves of an underline colour: no colour of its own. */
const NO_COLOUR = 0x3ffffff;

const FG_FLAGS: [number, number][] = [
  [1 << 27, 1],
  [1 << 29, 5],
  [1 << 26, 7],
  [1 << 30, 8],
  [1 << 31, 9],
];
const BG_FLAGS: [number, number][] = [
  [1 << 27, 2],
  [1 << 26, 3],
  [1 << 30, 53],
];

/** A cell that text cannot bring about: column, the three words, the row's extras for it. */
export interface OddCell {
  x: number;
  content: number;
  fg: number;
  bg: number;
  text?: string;
  ext?: number;
  link?: Link;
}

export interface RowWriter {
  /** Looks up a link a cell refers to. */
  link(number: number): Link | undefined;
  /** Told of cells that need more than text; without it they are written as near as text comes. */
  odd?: (cell: OddCell) => void;
  /** Write trailing cells that only carry a background, and gaps as cursor moves (true), or as spaces (false: for readers of lines). */
  exact: boolean;
}

/** The text of cells [0, end) of a row. */
export function writeRow(line: XLine, end: number, writer: RowWriter): string {
  return new RowState(line, end, writer).write();
}

class RowState {
  #out = '';
  #x = 0;
  /** Column the cursor is in once what is written has been parsed. */
  #cursor = 0;
  /** Looks and link in force. */
  #looks = '';
  #link = '';
  /** Words of the cell whose looks are in force, where they say all of them; -1 else. */
  #fgNow = -1;
  #bgNow = -1;
  /** Join state of the last character written, 0 after a control. */
  #before = 0;
  readonly #line: XLine;
  readonly #end: number;
  readonly #writer: RowWriter;

  constructor(line: XLine, end: number, writer: RowWriter) {
    this.#line = line;
    this.#end = Math.min(end, line.length);
    this.#writer = writer;
  }

  write(): string {
    const data = this.#line._data;
    while (this.#x < this.#end) {
      const content = data[this.#x * X_WORDS]!;
      if (content === NULL_CELL) this.#gap();
      else this.#character(content);
    }
    this.#setLooks('', '');
    return this.#out;
  }

  /** Empty cells with the same looks. */
  #gap(): void {
    const data = this.#line._data;
    const start = this.#x;
    const fg = data[start * X_WORDS + 1]!;
    const bg = data[start * X_WORDS + 2]!;
    while (
      this.#x < this.#end &&
      data[this.#x * X_WORDS] === NULL_CELL &&
      data[this.#x * X_WORDS + 1] === fg &&
      data[this.#x * X_WORDS + 2] === bg
    ) {
      this.#x++;
    }
    const erased = fg === 0 && (bg & ~COLOUR) === 0;
    if (!this.#writer.exact) {
      if (this.#x < this.#end || !erased || bg !== 0) this.#spaces(start);
      return;
    }
    if (!erased) for (let x = start; x < this.#x; x++) this.#odd(x);
    if (!erased || bg === 0) return;
    this.#moveTo(start);
    this.#setLooks(looksOf(0, bg, 0), '');
    this.#control(`\x1b[${this.#x - start}X`);
  }

  #spaces(start: number): void {
    for (let x = start; x < this.#x; x++) {
      const extended = this.#extended(x);
      this.#setLooks(looksOf(this.#fg(x), this.#bg(x), extended?._ext ?? 0), '');
      this.#print(' ', 1);
    }
  }

  #character(content: number): void {
    const x = this.#x;
    const width = content >>> X_WIDTH_SHIFT;
    const text = content & X_COMBINED ? (this.#line._combined[x] ?? '') : String.fromCodePoint(content & X_CODE);
    this.#x += Math.max(width, 1);
    if (width === 0 || !this.#isWhole(text, width) || x + width > this.#end) {
      this.#odd(x);
      for (let i = x + 1; i < Math.min(this.#x, this.#end); i++) this.#odd(i);
      if (!this.#writer.exact && width > 0) this.#plain(x, ' ', 1);
      return;
    }
    this.#plain(x, text, width);
    if (width === 2 && !this.#isSpacerOf(x)) this.#odd(x + 1);
  }

  #plain(x: number, text: string, width: number): void {
    this.#moveTo(x);
    const fg = this.#fg(x);
    const bg = this.#bg(x);
    if (fg === this.#fgNow && bg === this.#bgNow) return this.#print(text, width);
    const extended = this.#extended(x);
    const link = extended?._urlId ? this.#writer.link(extended._urlId) : undefined;
    this.#setLooks(looksOf(fg, bg, extended?._ext ?? 0), link ? linkKey(link) : '');
    if ((bg & X_EXTENDED) === 0) [this.#fgNow, this.#bgNow] = [fg, bg];
    this.#print(text, width);
  }

  /** Parsing the text gives one cell of this width. */
  #isWhole(text: string, width: number): boolean {
    let state = 0;
    for (const character of text) {
      const next = step(character.codePointAt(0)!, state);
      if (state !== 0 && (next & 1) === 0) return false;
      state = next;
    }
    return text !== '' && ((state >> 1) & 3) === width;
  }

  /** The cell behind a wide character at `x` is what printing it leaves there. */
  #isSpacerOf(x: number): boolean {
    const data = this.#line._data;
    const at = (x + 1) * X_WORDS;
    return (
      data[at] === 0 &&
      data[at + 1] === this.#fg(x) &&
      data[at + 2] === this.#bg(x) &&
      sameExtended(this.#extended(x), this.#extended(x + 1))
    );
  }

  #odd(x: number): void {
    if (!this.#writer.odd) return;
    const content = this.#line._data[x * X_WORDS]!;
    const extended = this.#extended(x);
    const cell: OddCell = { x, content, fg: this.#fg(x), bg: this.#bg(x) };
    if (content & X_COMBINED) cell.text = this.#line._combined[x] ?? '';
    if (extended) cell.ext = extended._ext;
    const link = extended?._urlId ? this.#writer.link(extended._urlId) : undefined;
    if (link) cell.link = link;
    this.#writer.odd(cell);
  }

  #moveTo(x: number): void {
    if (x > this.#cursor) this.#control(`\x1b[${x - this.#cursor}C`);
    this.#cursor = x;
  }

  #setLooks(looks: string, link: string): void {
    this.#fgNow = -1;
    if (link !== this.#link) {
      this.#control(`\x1b]8;${link || ';'}\x1b\\`);
      this.#link = link;
    }
    if (looks !== this.#looks) {
      this.#control(looksPrefix(looks));
      this.#looks = looks;
    }
  }

  #print(text: string, width: number): void {
    const first = text.codePointAt(0)!;
    // Neighbours that would join when printed one after the other never did: a control between them keeps them apart.
    if (this.#before !== 0 && (step(first, this.#before) & 1) === 1) this.#control('\0');
    this.#out += text;
    this.#cursor += width;
    for (const character of text) this.#before = step(character.codePointAt(0)!, this.#before);
  }

  #control(sequence: string): void {
    this.#out += sequence;
    this.#before = 0;
  }

  #fg(x: number): number {
    return this.#line._data[x * X_WORDS + 1]!;
  }

  #bg(x: number): number {
    return this.#line._data[x * X_WORDS + 2]!;
  }

  #extended(x: number): XExtended | undefined {
    return this.#bg(x) & X_EXTENDED ? this.#line._extendedAttrs[x] : undefined;
  }
}

function sameExtended(a: XExtended | undefined, b: XExtended | undefined): boolean {
  return (a?._ext ?? 0) === (b?._ext ?? 0) && (a?._urlId ?? 0) === (b?._urlId ?? 0);
}

function linkKey(link: Link): string {
  return `${link.id ? `id=${link.id}` : ''};${link.uri}`;
}

/**
 * A cell's looks as SGR parameters from the default state on, with DECSCA as a `"` at the end; '' for default looks. `ext`: the word of
 * its extended attributes, 0 when it has none.
 */
export function looksOf(fg: number, bg: number, ext: number): string {
  if (fg === 0 && bg === 0) return '';
  const parts: (string | number)[] = [];
  for (const [flag, parameter] of FG_FLAGS) if (fg & flag) parts.push(parameter);
  for (const [flag, parameter] of BG_FLAGS) if (bg & flag) parts.push(parameter);
  if (fg & UNDERLINE) {
    const style = (ext & EXT_STYLE) >>> 26 || 1;
    parts.push(style === 1 ? 4 : `4:${style}`);
    const colour = ext & NO_COLOUR;
    if (colour !== 0) parts.push(colour === NO_COLOUR ? 59 : colourOf(colour, '58'));
  }
  if (fg & X_MODE) parts.push(colourOf(fg, '38'));
  if (bg & X_MODE) parts.push(colourOf(bg, '48'));
  return parts.join(';') + (bg & PROTECTED ? '"' : '');
}

/** `58` goes out with colons, the form that cannot be mistaken for others by terminals without it. */
function colourOf(word: number, base: '38' | '48' | '58'): string {
  const index = word & 0xff;
  if ((word & X_MODE) === P16 && base !== '58') return String((base === '38' ? 30 : 40) + (index < 8 ? index : 52 + index));
  const mark = base === '58' ? ':' : ';';
  if ((word & X_MODE) === P16 || (word & X_MODE) === P256) return [base, 5, index].join(mark);
  const rgb = [(word >>> 16) & 255, (word >>> 8) & 255, index];
  return [base, 2, ...(base === '58' ? [''] : []), ...rgb].join(mark);
}

/** The sequences that lead from any looks to these. SGR 0 ends protection too, here as in the parser. */
export function looksPrefix(looks: string): string {
  const sgr = looks.replace('"', '');
  return `\x1b[${sgr === '' ? '' : `0;${sgr}`}m${looks.endsWith('"') ? '\x1b[1"q' : ''}`;
}
