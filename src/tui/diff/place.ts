// Keeps a person's place: the cursor inside the window, and both on the same text when the rows around them change.
import { heightOf, stepSpot, windowSpots } from './geometry.ts';
import { findRow } from './rows.ts';
import { type DiffView, fileIndex, filesOf, rowsOf, type Spot, streamRows } from './view.ts';

/** Moves the window so that the cursor's row is in it, as little as needed. */
export function showCursor(view: DiffView): DiffView {
  const { cursor } = view;
  if (isBefore(cursor, view.top)) return { ...view, top: { ...cursor, sub: 0 } };
  if (screenRow(view) !== null) return view;
  return { ...view, top: topFor(view, streamRows(view) - 1) };
}

/** Puts the cursor's row at row `y` of the window, as far as the stream reaches. */
export function placeCursor(view: DiffView, y: number): DiffView {
  return showCursor({ ...view, top: topFor(view, Math.max(0, Math.min(y, streamRows(view) - 1))) });
}

function topFor(view: DiffView, y: number): Spot {
  const { file, row } = view.cursor;
  const shown = rowsOf(view, file)[row];
  const whole = y === streamRows(view) - 1 && shown ? Math.min(heightOf(view, file, shown), Math.max(1, streamRows(view) - 2)) - 1 : 0;
  if (y === 0) return { file, row, sub: 0 };
  const top = stepSpot(view, { file, row, sub: whole }, -(y - 1));
  // A header at the top is not pinned above itself: there is room for one row more.
  const more = top.row === 0 ? stepSpot(view, top, -1) : top;
  return more.row === 0 ? more : top;
}

/** Row of the window that the cursor's row begins at; null when it is outside. */
export function screenRow(view: DiffView): number | null {
  const { file, row } = view.cursor;
  const y = windowSpots(view).findIndex((spot) => spot.file === file && spot.row === row);
  return y < 0 ? null : y;
}

function isBefore(cursor: { file: number; row: number }, top: Spot): boolean {
  if (cursor.file !== top.file) return cursor.file < top.file;
  return cursor.row < top.row && cursor.row > 0;
}

/** Moves the cursor into the window after the window was moved. */
export function dragCursor(view: DiffView): DiffView {
  if (screenRow(view) !== null) return view;
  const spots = windowSpots(view);
  const below = isBefore(view.cursor, view.top) || view.cursor.file < view.top.file;
  const spot = below ? (spots[1] ?? spots[0]) : spots.at(-1);
  return spot ? { ...view, cursor: { file: spot.file, row: spot.row } } : view;
}

/** `after` with cursor, selection and window on what they showed in `before`. `hold`: which of them keeps its row of the screen. */
export function keepPlace(before: DiffView, after: DiffView, hold: 'top' | 'cursor'): DiffView {
  if (filesOf(after).length === 0) return { ...after, cursor: { file: 0, row: 0 }, top: { file: 0, row: 0, sub: 0 }, select: null };
  // At the very beginning one stays there: new files above are what one wants to see, not what pushes the first one down.
  if (isAtStart(before)) return showCursor({ ...after, cursor: { file: 0, row: 0 }, top: { file: 0, row: 0, sub: 0 }, select: null });
  const cursor = follow(before, after, before.cursor);
  const select = before.select && { ...before.select, ...follow(before, after, before.select) };
  const moved = { ...after, cursor, select: select && select.file === cursor.file ? select : null };
  if (hold === 'cursor') return placeCursor(moved, screenRow(before) ?? Math.floor(after.rows / 3));
  const top = follow(before, after, before.top);
  const same = top.row === before.top.row && top.file === before.top.file;
  return showCursor({ ...moved, top: { ...top, sub: same ? before.top.sub : 0 } });
}

function isAtStart({ cursor, top, select }: DiffView): boolean {
  return cursor.file === 0 && cursor.row === 0 && top.file === 0 && top.row === 0 && !select;
}

function follow(before: DiffView, after: DiffView, at: { file: number; row: number }): { file: number; row: number } {
  const file = followFile(before, after, at.file);
  if (file.gone) return { file: file.index, row: 0 };
  const [old, now] = [rowsOf(before, at.file), rowsOf(after, file.index)];
  return { file: file.index, row: old === now ? at.row : findRow(old, at.row, now) };
}

/** The same file, the one it was renamed to, or the next that is still there. */
function followFile(before: DiffView, after: DiffView, index: number): { index: number; gone: boolean } {
  const [old, now] = [filesOf(before), filesOf(after)];
  const path = old[index]?.path;
  if (now[index]?.path === path && path !== undefined) return { index, gone: false };
  const same = path === undefined ? -1 : fileIndex(now, path);
  if (same >= 0) return { index: same, gone: false };
  for (let i = index + 1; i < old.length; i++) {
    const next = now.findIndex((file) => file.path === old[i]!.path);
    if (next >= 0) return { index: next, gone: true };
  }
  return { index: Math.max(0, Math.min(index, now.length - 1)), gone: true };
}
