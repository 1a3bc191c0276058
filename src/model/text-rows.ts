// Rows of a view as text: which place of the terminal's text stands in which cell. Rows that only continue a line are listed, all
// others begin one: from a view's first place and that list every cell's place follows.
import type { TextPoint } from './cell.ts';

/**
 * Lines from here on are no lines of the normal screen and its history but of the screens that alternate-screen programs showed, oldest
 * first, the one that is shown now last.
 */
export const EARLIER_SCREENS = 2 ** 40;

/** A row that continues the line of the row above: its number in the view, and the cell of the line it starts at. */
export interface RowWrap {
  y: number;
  col: number;
}

export interface TextRows {
  /** Text at the first cell of the first row. */
  top: TextPoint;
  /** By `y`, ascending, from 1 on. */
  wraps: readonly RowWrap[];
  /** Cells of each row that are left out at its start (a view narrower than the terminal). */
  left: number;
}

/** The place that the first cell of row `y` of the text has; `left` not counted. */
function rowStart({ top, wraps }: TextRows, y: number): TextPoint {
  let line = top.line + y;
  let col = y === 0 ? top.col : 0;
  for (const wrap of wraps) {
    if (wrap.y > y) break;
    line--;
    if (wrap.y === y) col = wrap.col;
  }
  return { line, col };
}

/** The place in the text of the cell at column `x` of row `y`. */
export function pointAt(rows: TextRows, x: number, y: number): TextPoint {
  const { line, col } = rowStart(rows, y);
  return { line, col: col + rows.left + x };
}

/** The row of the `height` rows in view that holds a place, and its column there (may lie beside the view); null when none does. */
export function cellOf(rows: TextRows, point: TextPoint, height: number): { x: number; y: number } | null {
  let found: { x: number; y: number } | null = null;
  for (let y = 0; y < height; y++) {
    const start = rowStart(rows, y);
    if (start.line > point.line) break;
    if (start.line === point.line && start.col <= point.col) found = { x: point.col - start.col - rows.left, y };
  }
  return found;
}
