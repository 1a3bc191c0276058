// Puts text into the cells of one rectangle of a grid. Never writes outside it; a wide character that would cross its edge becomes a
// blank.
import {
  BLANK,
  BOLD,
  CELL_WORDS,
  type CellTables,
  CLUSTER,
  DIM,
  type Grid,
  ITALIC,
  STRIKE,
  UNDERLINE_SHIFT,
  WIDTH_SHIFT,
} from '../../model/cell.ts';
import { clusters } from '../../model/width.ts';
import type { Rect } from '../layout.ts';
import { type Glyph, glyphsOf, isPlain } from './glyphs.ts';

/** Colours and flags of a cell, as its words 1-3. */
export interface Look {
  fg: number;
  bg: number;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  strike?: boolean;
  underline?: boolean;
}

export interface Painter {
  grid: Grid;
  rect: Rect;
  slots: Map<string, number>;
}

/** Slots of the clusters in a grid's table. */
export function slotsOf(tables: CellTables): Map<string, number> {
  return new Map(tables.clusters.map((text, slot) => [text, slot]));
}

/** Fills columns [from, to) of row `y` with blanks. */
export function fill({ grid, rect }: Painter, y: number, from: number, to: number, look: Look): void {
  const [fg, bg, line] = words(look);
  for (let x = Math.max(0, from); x < Math.min(to, rect.cols); x++) set(grid, rect, x, y, BLANK, fg, bg, line);
}

/** Writes text at (x, y), cut at column `end`; returns the column behind it. */
export function put(painter: Painter, x: number, y: number, end: number, text: string, look: Look): number {
  const [fg, bg, line] = words(look);
  const edge = Math.min(end, painter.rect.cols);
  if (isPlain(text)) {
    const count = Math.max(0, Math.min(text.length, edge - x));
    for (let i = 0; i < count; i++) set(painter.grid, painter.rect, x + i, y, text.charCodeAt(i) | (1 << WIDTH_SHIFT), fg, bg, line);
    return x + count;
  }
  let at = x;
  for (const glyph of glyphsOf(text, 4)) {
    if (at + glyph.width > edge) break;
    at = putGlyph(painter, at, y, edge, glyph, fg, bg, line);
  }
  return at;
}

/** Writes one glyph's cells up to column `edge`; returns the column behind it. */
export function putGlyph(painter: Painter, x: number, y: number, edge: number, glyph: Glyph, fg: number, bg: number, line: number): number {
  const { grid, rect } = painter;
  if (glyph.symbol && !isPlain(glyph.text)) return putParts(painter, x, y, edge, glyph, fg, bg, line);
  if (glyph.symbol || (glyph.width > 2 && isPlain(glyph.text)) || /^ +$/.test(glyph.text)) {
    for (let i = 0; i < glyph.text.length && x + i < edge; i++) {
      set(grid, rect, x + i, y, glyph.text.charCodeAt(i) | (1 << WIDTH_SHIFT), fg, bg, line);
    }
    return Math.min(edge, x + glyph.width);
  }
  if (x + glyph.width > edge) {
    set(grid, rect, x, y, BLANK, fg, bg, line);
    return x + 1;
  }
  set(grid, rect, x, y, wordOf(painter, glyph), fg, bg, line);
  if (glyph.width === 2) set(grid, rect, x + 1, y, 0, fg, bg, line);
  return x + glyph.width;
}

/** A character and the symbols of what hides in it. */
function putParts(painter: Painter, x: number, y: number, edge: number, glyph: Glyph, fg: number, bg: number, line: number): number {
  let at = x;
  for (const { text, width } of clusters(glyph.text)) {
    if (at >= edge) break;
    at = putGlyph(painter, at, y, edge, { ...glyph, text, width, symbol: false }, fg, bg, line);
  }
  return at;
}

function wordOf({ grid, slots }: Painter, { text, width }: Glyph): number {
  const code = text.codePointAt(0)!;
  const single = text.length === (code > 0xffff ? 2 : 1);
  if (single) return code | (width << WIDTH_SHIFT);
  const known = slots.get(text);
  const slot = known ?? grid.tables.clusters.push(text) - 1;
  if (known === undefined) slots.set(text, slot);
  return slot | CLUSTER | (width << WIDTH_SHIFT);
}

/** Words 1-3 of a look. */
export function words(look: Look): [fg: number, bg: number, line: number] {
  const fg = look.fg | (look.bold ? BOLD : 0) | (look.strike ? STRIKE : 0);
  const bg = look.bg | (look.italic ? ITALIC : 0) | (look.dim ? DIM : 0);
  return [fg, bg, look.underline ? 1 << UNDERLINE_SHIFT : 0];
}

function set(grid: Grid, rect: Rect, x: number, y: number, word: number, fg: number, bg: number, line: number): void {
  if (x < 0 || y < 0 || x >= rect.cols || y >= rect.rows) return;
  const at = ((rect.y + y) * grid.cols + rect.x + x) * CELL_WORDS;
  grid.cells[at] = word;
  grid.cells[at + 1] = fg;
  grid.cells[at + 2] = bg;
  grid.cells[at + 3] = line;
}
