// Rows of the parser's buffers as grid cells. Reads the rows' typed arrays: the layouts differ only in where some flags stand.
import {
  BLANK,
  CELL_WORDS,
  CLUSTER,
  CODE_MASK,
  COLOR_MASK,
  COLOR_PALETTE,
  type Grid,
  internCluster,
  internLink,
  LINK_SHIFT,
  UNDERLINE_SHIFT,
} from '../model/cell.ts';
import type { LinkTable } from './links.ts';
import { X_EMPTY, X_EXTENDED, X_MODE, X_WIDTH_SHIFT, X_WORDS, type XExtended, type XLine } from './xterm.ts';

// Bits of the parser's words.
const WIDTH_BITS = 3 << X_WIDTH_SHIFT;
const X_FLAGS = 0x0c000000;
const FG_KEPT = 0x0fffffff;
const FG_UNDERLINE = 1 << 28;
const FG_HIGH = 0xe0000000;
const BG_KEPT = 0x0fffffff;
const BG_OVERLINE = 1 << 30;
const OVERLINE_MOVE = 2;
const EXT_STYLE = 0x1c000000;
const EXT_COLOR = 0x3ffffff;

/** Longest cluster shown in a cell, code points: more is an attack on the screen, not text. */
export const MAX_CLUSTER = 32;

/** Writes cells [from, to) of a row, as many as fit, into grid row `y` from column `at` on; the rest of it becomes blanks. */
export function drawLine(line: XLine, grid: Grid, y: number, links: LinkTable, from = 0, to = line.length, at = 0): void {
  const data = line._data;
  const { cells, cols } = grid;
  const end = Math.min(cols - at + from, to, line.length);
  let out = (y * cols + at) * CELL_WORDS;
  for (let x = from, i = from * X_WORDS; x < end; x++, i += X_WORDS, out += CELL_WORDS) {
    const content = data[i]!;
    const fg = data[i + 1]!;
    const bg = data[i + 2]!;
    let word = content;
    if ((content & CLUSTER) !== 0) word = (content & WIDTH_BITS) | clusterWord(line._combined[x] ?? '', grid);
    else if (content === X_EMPTY) word = BLANK;
    let underline = 0;
    if ((bg & X_EXTENDED) !== 0 || (fg & FG_UNDERLINE) !== 0) {
      const extended = (bg & X_EXTENDED) !== 0 ? line._extendedAttrs[x] : undefined;
      if ((fg & FG_UNDERLINE) !== 0) underline = underlineWord(extended);
      if (extended && extended._urlId !== 0) word = (word | (internLink(grid.tables, links.uri(extended._urlId)) << LINK_SHIFT)) >>> 0;
    }
    cells[out] = word;
    cells[out + 1] = oneMode(fg & FG_KEPT) | ((fg & FG_HIGH) >>> 1);
    cells[out + 2] = oneMode(bg & BG_KEPT) | ((bg & BG_OVERLINE) >>> OVERLINE_MOVE);
    cells[out + 3] = underline;
  }
  blankFrom(grid, y, at + Math.max(0, end - from));
}

/** Blanks in grid row `y` from column `x` on. */
export function blankFrom(grid: Grid, y: number, x: number): void {
  const end = (y + 1) * grid.cols * CELL_WORDS;
  for (let out = (y * grid.cols + x) * CELL_WORDS; out < end; out += CELL_WORDS) {
    grid.cells[out] = BLANK;
    grid.cells[out + 1] = 0;
    grid.cells[out + 2] = 0;
    grid.cells[out + 3] = 0;
  }
}

/** The parser tells 16 from 256 colours and leaves old bits above a palette index; a grid has one palette and no leftovers. */
function oneMode(word: number): number {
  const mode = word & X_MODE;
  if (mode === X_MODE) return word;
  return mode === 0 ? word & X_FLAGS : (word & X_FLAGS) | COLOR_PALETTE | (word & 0xff);
}

function clusterWord(text: string, grid: Grid): number {
  const capped = text.length > MAX_CLUSTER ? Array.from(text).slice(0, MAX_CLUSTER).join('') : text;
  return CLUSTER | (internCluster(grid.tables, capped) & CODE_MASK);
}

/** Style and colour of an underlined cell. SGR 59 leaves all bits of the colour set: no colour of its own. */
export function underlineWord(extended: XExtended | undefined): number {
  const ext = extended?._ext ?? 0;
  const style = (ext & EXT_STYLE) >>> UNDERLINE_SHIFT || 1;
  const color = ext & EXT_COLOR;
  return (style << UNDERLINE_SHIFT) | (color === EXT_COLOR ? 0 : oneMode(color & COLOR_MASK));
}
