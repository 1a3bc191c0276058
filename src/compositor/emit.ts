// Two grids of the same size to the shortest ANSI that turns one into the other. Never trusts where the outer terminal's cursor went
// after text that terminals measure differently; writes only SGR, OSC 8, erasures, moves and printable text.
import {
  BLANK,
  BLINK,
  BOLD,
  CELL_WORDS,
  CLUSTER,
  CODE_MASK,
  COLOR_MASK,
  DIM,
  INVERSE,
  INVISIBLE,
  ITALIC,
  LINK_SHIFT,
  OVERLINE,
  STRIKE,
  UNDERLINE_SHIFT,
  WIDTH_SHIFT,
} from '../model/cell.ts';
import { isMark, joinsBefore, withoutLeadingJoiners } from '../model/width.ts';
import { type ColorDepth, colorSgr, mapColor } from './colors.ts';
import type { Interned } from './layers.ts';

/** What the outer terminal can do, as far as drawing asks. */
export interface DrawAbilities {
  colors: ColorDepth;
  /** Underline styles (4:n) and colours (58). */
  underlines: boolean;
  links: boolean;
  /** Clusters are measured as one (mode 2027 is on there): no repair of their neighbours is needed. */
  graphemes: boolean;
}

/** Blanks of one look in a row's middle worth an ECH and a move (4-5 bytes each). */
const ERASE_MIN = 10;
/** Unchanged cells of the present look that are cheaper printed again than jumped over (a jump takes 3-6 bytes). */
const GAP_MAX = 4;
/** First code point that joins what stands before it (combining marks). */
const FIRST_JOINING = 0x300;
/** No row, and no row is below it. */
const UNKNOWN_ROW = -2;
/** Printable ASCII by its code; what is not printable is a blank. */
const ASCII = Array.from({ length: 127 }, (_, code) => (code < 32 ? ' ' : String.fromCharCode(code)));
const FLAGS_FG = INVERSE | BOLD | BLINK | INVISIBLE | STRIKE;
const FLAGS_BG = ITALIC | DIM | OVERLINE;
/** Looks in which a blank is not plain background: an erasure would lose them. */
const SEEN_ON_BLANK = INVERSE | STRIKE;

/** Writes differences row by row; made for one frame. */
export class Emitter {
  out = '';
  readonly #cols: number;
  readonly #next: Uint32Array;
  readonly #shown: Uint32Array;
  readonly #interned: Interned;
  readonly #can: DrawAbilities;
  /** Cursor of the outer terminal; x is -1 when it is not known. */
  #x = -1;
  #y = UNKNOWN_ROW;
  #fg = 0;
  #bg = 0;
  #ul = 0;
  #link = 0;

  constructor(cols: number, next: Uint32Array, shown: Uint32Array, interned: Interned, can: DrawAbilities) {
    this.#cols = cols;
    this.#next = next;
    this.#shown = shown;
    this.#interned = interned;
    this.#can = can;
  }

  /** Writes what differs in row `y` and takes it as shown. */
  row(y: number): void {
    const next = this.#next;
    const shown = this.#shown;
    const start = y * this.#cols * CELL_WORDS;
    const end = start + this.#cols * CELL_WORDS;
    let tail = -1;
    // Cells below this index are repainted even if equal: a cluster before them may have spilled over.
    let spill = 0;
    for (let i = start; i < end; ) {
      if (
        i >= spill &&
        next[i] === shown[i] &&
        next[i + 1] === shown[i + 1] &&
        next[i + 2] === shown[i + 2] &&
        next[i + 3] === shown[i + 3]
      ) {
        i += CELL_WORDS;
        continue;
      }
      const word = next[i]!;
      if (word >>> WIDTH_SHIFT === 0) {
        // A spacer comes with the character before it; repaint that one if it was not.
        if (i > start && i >= spill) {
          i -= CELL_WORDS;
          spill = i + 2 * CELL_WORDS;
        } else {
          copyCells(shown, next, i, i + CELL_WORDS);
          i += CELL_WORDS;
        }
        continue;
      }
      if (word === BLANK) {
        if (tail < 0) tail = blankTail(next, start, end);
        const stop = i >= tail ? end : blankRun(next, i, end);
        const n = (stop - i) / CELL_WORDS;
        if (this.#erase(i, stop, n, y, stop === end)) {
          i = stop;
          continue;
        }
      }
      const x = (i - start) / CELL_WORDS;
      // A terminal joins such text to what it printed last, unless a move stands between them.
      if (this.#joins(word)) this.#x = -1;
      this.#move(x, y);
      this.#look(i);
      const width = (word >>> WIDTH_SHIFT) & 3;
      const from = i;
      i += width * CELL_WORDS;
      spill = Math.max(spill, this.#print(word, x, width, from, end));
      copyCells(shown, next, from, i);
    }
  }

  /** Default looks again, no link open. */
  settle(): void {
    if (this.#link !== 0) this.out += '\x1b]8;;\x1b\\';
    if (this.#fg !== 0 || this.#bg !== 0 || this.#ul !== 0) this.out += '\x1b[m';
    this.#link = this.#fg = this.#bg = this.#ul = 0;
  }

  /** Scrolls full rows [top, bottom] by `by` (positive: text moves up) and moves what is shown along. */
  scroll(top: number, bottom: number, by: number): void {
    this.settle();
    const whole = top === 0 && (bottom + 1) * this.#cols * CELL_WORDS === this.#next.length;
    const move = by > 0 ? `\x1b[${by === 1 ? '' : by}S` : `\x1b[${by === -1 ? '' : -by}T`;
    this.out += whole ? move : `\x1b[${top + 1};${bottom + 1}r${move}\x1b[r`;
    this.#x = -1;
    this.#y = UNKNOWN_ROW;
    const width = this.#cols * CELL_WORDS;
    const from = (top + Math.max(by, 0)) * width;
    const to = (bottom + 1 + Math.min(by, 0)) * width;
    this.#shown.copyWithin((top + Math.max(-by, 0)) * width, from, to);
    const bare = by > 0 ? (bottom + 1 - by) * width : top * width;
    for (let i = bare; i < bare + Math.abs(by) * width; i++) this.#shown[i] = i % CELL_WORDS === 0 ? BLANK : 0;
  }

  /** Erases blank cells [from, to) if that is shorter than printing them and loses nothing; false: print them. */
  #erase(from: number, to: number, n: number, y: number, toEnd: boolean): boolean {
    const next = this.#next;
    // Only the default background: not every terminal erases with another one.
    if (next[from + 2]! & ~(ITALIC | DIM) || next[from + 1]! & SEEN_ON_BLANK || next[from + 3]! >>> UNDERLINE_SHIFT) return false;
    if (toEnd ? n < 4 : n < ERASE_MIN) return false;
    const x = (from / CELL_WORDS) % this.#cols;
    this.#move(x, y);
    if (this.#link !== 0 || this.#bg & ~(ITALIC | DIM) || this.#fg & SEEN_ON_BLANK || this.#ul !== 0) this.settle();
    this.out += toEnd ? '\x1b[K' : `\x1b[${n}X`;
    this.#shown.set(next.subarray(from, to), from);
    return true;
  }

  #move(x: number, y: number): void {
    if (this.#y === y && this.#x === x) return;
    if (this.#y === y && this.#x >= 0 && x > this.#x) {
      const gap = x - this.#x;
      if (gap <= GAP_MAX && this.#reprint(y, this.#x, x)) {
        this.#x = x;
        return;
      }
      this.out += gap === 1 ? '\x1b[C' : `\x1b[${gap}C`;
    } else if (this.#y === y) this.out += `\x1b[${x + 1}G`;
    else if (x === 0 && this.#y === y - 1) this.out += '\r\n';
    else this.out += x === 0 ? `\x1b[${y + 1}H` : `\x1b[${y + 1};${x + 1}H`;
    this.#x = x;
    this.#y = y;
  }

  /** Prints the unchanged cells [from, to) again if they are ASCII in the present look. */
  #reprint(y: number, from: number, to: number): boolean {
    const shown = this.#shown;
    let text = '';
    for (let x = from; x < to; x++) {
      const i = (y * this.#cols + x) * CELL_WORDS;
      const word = shown[i]!;
      if (word < BLANK || word >= BLANK + 0x5f || this.#link !== 0) return false;
      if (shown[i + 1] !== this.#fg || shown[i + 2] !== this.#bg || shown[i + 3] !== this.#ul) return false;
      text += String.fromCharCode(word & CODE_MASK);
    }
    this.out += text;
    return true;
  }

  #look(i: number): void {
    const fg = this.#next[i + 1]!;
    const bg = this.#next[i + 2]!;
    const ul = this.#next[i + 3]!;
    const seen = fg !== this.#fg && !this.#isUnseen(this.#next[i]!, fg, bg, ul);
    if (seen || bg !== this.#bg || ul !== this.#ul) {
      this.out += lookSgr(this.#fg, this.#bg, this.#ul, fg, bg, ul, this.#can);
      this.#fg = fg;
      this.#bg = bg;
      this.#ul = ul;
    }
    const link = this.#can.links ? this.#next[i]! >>> LINK_SHIFT : 0;
    if (link === this.#link) return;
    const { id, address } = this.#interned.links[link]!;
    this.out += link === 0 ? '\x1b]8;;\x1b\\' : `\x1b]8;id=${id};${address}\x1b\\`;
    this.#link = link;
  }

  /** A blank without lines shows nothing of its foreground: it is written in whatever colour is on. */
  #isUnseen(word: number, fg: number, bg: number, ul: number): boolean {
    return word === BLANK && ((fg | this.#fg) & SEEN_ON_BLANK) === 0 && (bg & OVERLINE) === 0 && ul >>> UNDERLINE_SHIFT === 0;
  }

  /** Prints one character; returns the index below which cells must be painted again. */
  #print(word: number, x: number, width: number, at: number, rowEnd: number): number {
    const after = at + width * CELL_WORDS;
    if ((word & CLUSTER) === 0) {
      const code = word & CODE_MASK;
      this.out += code < 127 ? ASCII[code] : standing(String.fromCodePoint(code), this.#can.graphemes);
      this.#x = isAgreed(code) && x + width < this.#cols ? x + width : -1;
      return 0;
    }
    const text = standing(this.#interned.clusters[word & CODE_MASK]!, this.#can.graphemes);
    this.#x = -1;
    if (this.#can.graphemes) {
      if (x + width < this.#cols - 1 || x === this.#cols - 1) {
        this.out += text;
        return 0;
      }
      // Without autowrap Ghostty joins what follows to the text in the last column, if there is any: there must be none.
      this.out += `\x1b[${this.#cols}G\x1b[X\x1b[${x + 1}G${text}`;
      return rowEnd;
    }
    // A terminal that measures it narrower leaves old cells behind it, one that measures it wider paints over its neighbours.
    if (width === 2) this.out += `  \x1b[${x + 1}G`;
    this.out += text;
    return Math.min(rowEnd, Math.max(after, at + widest(text) * CELL_WORDS));
  }

  /** Whether the text of a cell goes on with what stands before it. */
  #joins(word: number): boolean {
    const code = word & CLUSTER ? this.#interned.clusters[word & CODE_MASK]!.codePointAt(0)! : word & CODE_MASK;
    return code >= FIRST_JOINING && joinsBefore(code);
  }
}

/**
 * Text that can stand in a cell of its own. A program that moves the cursor can put a mark or joiner where no character is; terminals
 * with clusters would give it to the cell before.
 */
function standing(text: string, graphemes: boolean): string {
  if (!graphemes || text < '\u0300' || !isMark(text.codePointAt(0)!)) return text;
  return withoutLeadingJoiners(text) === text ? ` ${text}` : ' ';
}

/** Most columns a terminal without clusters might take for the text: two a code point, marks and joiners none; 16 at most. */
function widest(text: string): number {
  let n = 0;
  for (const char of text) if (!/^(\p{M}|\u200d)$/u.test(char)) n += isAgreed(char.codePointAt(0)!) && char < '\u1100' ? 1 : 2;
  return Math.min(n + 1, 16);
}

/** Code points whose width all terminals agree on; ambiguous, new and symbol characters are not among them. */
export function isAgreed(code: number): boolean {
  if (code < 0x300) return code !== 0xad;
  if (code < 0x2500) return code >= 0x370 && code <= 0x52f && code !== 0x483;
  if (code <= 0x259f) return true;
  if (code >= 0x4e00 && code <= 0x9fff) return true;
  return (code >= 0xac00 && code <= 0xd7a3) || (code >= 0x3041 && code <= 0x3096) || (code >= 0x30a1 && code <= 0x30fa);
}

/** Word by word: faster than a view for the one or two cells of a character. */
function copyCells(to: Uint32Array, from: Uint32Array, start: number, end: number): void {
  for (let i = start; i < end; i++) to[i] = from[i]!;
}

/** First cell index from which on the row holds nothing but blanks of one look. */
function blankTail(cells: Uint32Array, start: number, end: number): number {
  const last = end - CELL_WORDS;
  let i = end;
  while (i > start && cells[i - CELL_WORDS] === BLANK && sameLook(cells, i - CELL_WORDS, last)) i -= CELL_WORDS;
  return i;
}

/** End of the blanks of one look that begin at `i`. */
function blankRun(cells: Uint32Array, i: number, end: number): number {
  let stop = i + CELL_WORDS;
  while (stop < end && cells[stop] === BLANK && sameLook(cells, i, stop)) stop += CELL_WORDS;
  return stop;
}

function sameLook(cells: Uint32Array, a: number, b: number): boolean {
  return cells[a + 1] === cells[b + 1] && cells[a + 2] === cells[b + 2] && cells[a + 3] === cells[b + 3];
}

/** SGR from one look to another. */
function lookSgr(f0: number, b0: number, u0: number, f1: number, b1: number, u1: number, can: DrawAbilities): string {
  const style0 = (u0 >>> UNDERLINE_SHIFT) & 7;
  const style1 = (u1 >>> UNDERLINE_SHIFT) & 7;
  let parts = '';
  let [f, b, u, style] = [f0, b0, u0, style0];
  // A flag that goes away: everything anew is shorter than the many codes that take single flags away, and some share one.
  // xterm.js paints white after SGR 59, so an underline's colour is taken back that way too.
  const plainer = (style0 !== 0 && style1 === 0) || ((u0 & COLOR_MASK) !== 0 && (u1 & COLOR_MASK) === 0);
  const lost = [f0 & FLAGS_FG & ~f1, b0 & FLAGS_BG & ~b1] as const;
  if (
    lost[0] === BOLD &&
    lost[1] === 0 &&
    !plainer &&
    (b1 & DIM) === 0 &&
    (b0 & COLOR_MASK) !== 0 &&
    (b0 & COLOR_MASK) === (b1 & COLOR_MASK)
  ) {
    // On a coloured ground that stays, taking bold alone away is the shorter way.
    parts = ';22';
    f &= ~BOLD;
  } else if (lost[0] || lost[1] || plainer) {
    if ((f1 | b1 | u1) === 0) return '\x1b[m';
    parts = ';0';
    f = b = u = style = 0;
  }
  if (f1 & BOLD & ~f) parts += ';1';
  if (b1 & DIM & ~b) parts += ';2';
  if (b1 & ITALIC & ~b) parts += ';3';
  if (style1 !== style) parts += style1 > 1 && can.underlines ? `;4:${style1}` : ';4';
  if (f1 & BLINK & ~f) parts += ';5';
  if (f1 & INVERSE & ~f) parts += ';7';
  if (f1 & INVISIBLE & ~f) parts += ';8';
  if (f1 & STRIKE & ~f) parts += ';9';
  if (b1 & OVERLINE & ~b) parts += ';53';
  if ((f1 & COLOR_MASK) !== (f & COLOR_MASK)) parts += `;${colorSgr(mapColor(f1, can.colors), 38)}`;
  if ((b1 & COLOR_MASK) !== (b & COLOR_MASK)) parts += `;${colorSgr(mapColor(b1, can.colors), 48)}`;
  if (can.underlines && (u1 & COLOR_MASK) !== (u & COLOR_MASK)) parts += `;${colorSgr(mapColor(u1, can.colors), 58)}`;
  return parts === '' ? '' : `\x1b[${parts.slice(1)}m`;
}
