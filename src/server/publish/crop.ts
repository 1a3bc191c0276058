// A view smaller than its terminal shows the part around the cursor, or where that is hidden what the person's keys change. Pure.
import { CELL_WORDS, type Cursor, type Grid } from '../../model/cell.ts';

export interface Corner {
  x: number;
  y: number;
}

/** Cells [x, x + cols) of rows [y, y + rows). */
export interface Part extends Corner {
  cols: number;
  rows: number;
}

/** Cells kept between the cursor and the edge of the view while there is more to show. */
const MARGIN = 2;

/**
 * Top left of the part that a view of `cols` × `rows` shows: as before where the cursor stays inside, else moved just so far. With a hidden
 * cursor first the bottom left, where agents draw their dialogs and prompts, then wherever `changed` is, what the person's keys changed.
 */
export function cropCorner(
  full: { cols: number; rows: number },
  view: { cols: number; rows: number },
  cursor: Cursor,
  before: Corner | null,
  changed: Part | null = null,
): Corner {
  const start = before ?? { x: 0, y: full.rows - view.rows };
  const shown = cursor.visible ? { x: cursor.x, y: cursor.y, cols: 1, rows: 1 } : changed;
  const { x, y } = shown
    ? { x: follow(start.x, view.cols, shown.x, shown.cols), y: follow(start.y, view.rows, shown.y, shown.rows) }
    : start;
  return { x: clamp(x, full.cols - view.cols), y: clamp(y, full.rows - view.rows) };
}

/** The smallest part that holds all cells in which two grids of the same size differ; null when none do. */
export function changedPart(before: Uint32Array, after: Uint32Array, cols: number): Part | null {
  let [left, right, top, bottom] = [cols, -1, -1, -1];
  for (let i = 0; i < after.length; i++) {
    if (before[i] === after[i]) continue;
    const cell = Math.floor(i / CELL_WORDS);
    const x = cell % cols;
    bottom = Math.floor(cell / cols);
    if (top < 0) top = bottom;
    left = Math.min(left, x);
    right = Math.max(right, x);
  }
  return top < 0 ? null : { x: left, y: top, cols: right - left + 1, rows: bottom - top + 1 };
}

/** Copies the part of `full` at `corner` into `view`; both share their tables. */
export function cropInto(full: Grid, view: Grid, corner: Corner): void {
  view.tables = full.tables;
  const width = Math.min(view.cols, full.cols - corner.x) * CELL_WORDS;
  for (let y = 0; y < view.rows && y + corner.y < full.rows; y++) {
    const from = ((y + corner.y) * full.cols + corner.x) * CELL_WORDS;
    view.cells.set(full.cells.subarray(from, from + width), y * view.cols * CELL_WORDS);
  }
}

/** Where a view of `size` cells from `start` on goes to show `count` cells from `at` on; what is larger than the view moves nothing. */
function follow(start: number, size: number, at: number, count: number): number {
  if (count > size) return start;
  const margin = size > 4 * MARGIN + count - 1 ? MARGIN : 0;
  if (at < start + margin) return at - margin;
  if (at + count > start + size - margin) return at + count - size + margin;
  return start;
}

function clamp(value: number, max: number): number {
  return Math.max(0, Math.min(value, Math.max(0, max)));
}
