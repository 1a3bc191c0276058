// A view smaller than its terminal shows the part around the cursor. Pure.
import { CELL_WORDS, type Cursor, type Grid } from '../../model/cell.ts';

export interface Corner {
  x: number;
  y: number;
}

/** Cells kept between the cursor and the edge of the view while there is more to show. */
const MARGIN = 2;

/**
 * Top left of the part that a view of `cols` × `rows` shows: as before where the cursor stays inside, else moved just so far. With a hidden
 * cursor the bottom left: that is where agents draw their dialogs and prompts.
 */
export function cropCorner(
  full: { cols: number; rows: number },
  view: { cols: number; rows: number },
  cursor: Cursor,
  before: Corner | null,
): Corner {
  const start = before ?? { x: 0, y: full.rows - view.rows };
  if (!cursor.visible) return { x: clamp(start.x, full.cols - view.cols), y: clamp(full.rows - view.rows, full.rows - view.rows) };
  return {
    x: clamp(follow(start.x, view.cols, cursor.x), full.cols - view.cols),
    y: clamp(follow(start.y, view.rows, cursor.y), full.rows - view.rows),
  };
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

function follow(start: number, size: number, at: number): number {
  const margin = size > 4 * MARGIN ? MARGIN : 0;
  if (at < start + margin) return at - margin;
  if (at >= start + size - margin) return at - size + 1 + margin;
  return start;
}

function clamp(value: number, max: number): number {
  return Math.max(0, Math.min(value, Math.max(0, max)));
}
