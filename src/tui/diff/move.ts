// Moving through the stream: by line, page, hunk, file, comment, and to a named place. Each step walks only what it passes.
import type { Side } from '../../model/review/comment.ts';
import { commentsIn } from './comment-places.ts';
import { stepSpot } from './geometry.ts';
import { dragCursor, placeCursor, screenRow, showCursor } from './place.ts';
import type { Row } from './rows.ts';
import { openLineGap } from './show.ts';
import { type DiffView, filesOf, isFolded, isUnread, rowsOf, type Spot, streamRows, type Wanted } from './view.ts';

/** Where a jump puts its target when it was not on the screen: a third down, with something above it to read. */
const JUMP_ROWS = 3;

/** `by` rows down (negative: up). */
export function moveLines(view: DiffView, by: number): DiffView {
  let { file, row } = view.cursor;
  for (let i = 0; i < Math.abs(by); i++) {
    const next = by > 0 ? nextRow(view, file, row) : previousRow(view, file, row);
    if (!next) break;
    if (view.select && next.file !== file) break;
    ({ file, row } = next);
  }
  return showCursor(waiting({ ...view, cursor: { file, row } }, by < 0 ? { at: 'last' } : null));
}

function nextRow(view: DiffView, file: number, row: number): { file: number; row: number } | null {
  if (row + 1 < rowsOf(view, file).length) return { file, row: row + 1 };
  return file + 1 < filesOf(view).length ? { file: file + 1, row: 0 } : null;
}

function previousRow(view: DiffView, file: number, row: number): { file: number; row: number } | null {
  if (row > 0) return { file, row: row - 1 };
  return file > 0 ? { file: file - 1, row: rowsOf(view, file - 1).length - 1 } : null;
}

/** Remembers where to stand once the cursor's file has come. */
function waiting(view: DiffView, wanted: Wanted | null): DiffView {
  const unread = rowsOf(view, view.cursor.file)[view.cursor.row]?.kind === 'wait' && isUnread(view, view.cursor.file);
  return { ...view, wanted: unread ? wanted : null };
}

/** Moves window and cursor by rows of the screen; the cursor keeps its row of the screen. */
export function movePages(view: DiffView, by: number): DiffView {
  const y = screenRow(view) ?? 1;
  const end = scrolledTop(view, by);
  if (end.file === view.top.file && end.row === view.top.row && end.sub === view.top.sub) {
    return by > 0 ? moveToEnd(view) : moveToStart(view);
  }
  const moved = { ...view, top: end };
  const spot = stepSpot(moved, end, Math.max(0, y - (end.row === 0 ? 0 : 1)));
  if (view.select && spot.file !== view.select.file) return by > 0 ? moveToEnd(view) : moveToStart(view);
  return dragCursor({ ...moved, cursor: { file: spot.file, row: spot.row }, wanted: null });
}

/** Moves the window only (wheel); the cursor is dragged along at its edge. */
export function scrollBy(view: DiffView, by: number): DiffView {
  return dragCursor({ ...view, top: scrolledTop(view, by) });
}

/** The window's top moved by rows of the screen, not past the end of the stream. */
function scrolledTop(view: DiffView, by: number): Spot {
  const top = stepSpot(view, view.top, by);
  if (by <= 0) return top;
  const last = stepSpot(view, top, streamRows(view) - 2);
  const end = stepSpot(view, last, -(streamRows(view) - 2));
  return isAfter(view.top, end) ? view.top : end;
}

function isAfter(a: Spot, b: Spot): boolean {
  return a.file !== b.file ? a.file > b.file : a.row !== b.row ? a.row > b.row : a.sub > b.sub;
}

/** To the first row of all, or of the file in which a selection is. */
export function moveToStart(view: DiffView): DiffView {
  const file = view.select?.file ?? 0;
  return showCursor({ ...view, cursor: { file, row: 0 }, top: { file, row: 0, sub: 0 }, wanted: null });
}

/** To the last row of all, or of the file in which a selection is. */
export function moveToEnd(view: DiffView): DiffView {
  const file = view.select?.file ?? Math.max(0, filesOf(view).length - 1);
  const row = Math.max(0, rowsOf(view, file).length - 1);
  return showCursor(waiting({ ...view, cursor: { file, row } }, { at: 'last' }));
}

/** To the next or previous file's header, which then stands at the top. */
export function moveFiles(view: DiffView, by: 1 | -1): DiffView {
  const back = by < 0 && view.cursor.row > 0;
  const file = Math.max(0, Math.min(filesOf(view).length - 1, view.cursor.file + (back ? 0 : by)));
  return { ...view, cursor: { file, row: 0 }, top: { file, row: 0, sub: 0 }, wanted: null, select: null };
}

/** To the next or previous hunk, over files and folds; a file that is not read yet is waited for. */
export function moveHunks(view: DiffView, by: 1 | -1): DiffView {
  return seek(view, by, (row) => row.kind === 'hunk', { at: 'hunk', last: by < 0 });
}

/** To the next or previous comment. */
export function moveComments(view: DiffView, by: 1 | -1): DiffView {
  return seek(
    view,
    by,
    (row) => row.kind === 'card',
    null,
    (index) => commentsIn(view, index).length > 0,
  );
}

/** The next row in a direction that passes `test`, in files that may have one; stops at a file that is not read when `wanted` is set. */
export function seek(
  view: DiffView,
  by: 1 | -1,
  test: (row: Row, file: number) => boolean,
  wanted: Wanted | null,
  mayHave: (index: number) => boolean = () => true,
): DiffView {
  const count = filesOf(view).length;
  for (let file = view.cursor.file; file >= 0 && file < count; file += by) {
    if (!mayHave(file)) continue;
    const rows = rowsOf(view, file);
    const from = file === view.cursor.file ? view.cursor.row + by : by > 0 ? 0 : rows.length - 1;
    for (let row = from; row >= 0 && row < rows.length; row += by) if (test(rows[row]!, file)) return jump(view, file, row);
    if (wanted && file !== view.cursor.file && isUnread(view, file)) return { ...jump(view, file, Math.min(1, rows.length - 1)), wanted };
  }
  return view;
}

/** Puts the cursor on a row and shows it with some rows above it. */
export function jump(view: DiffView, file: number, row: number): DiffView {
  const there = { ...view, cursor: { file, row }, wanted: null, select: null };
  return screenRow(there) === null ? placeCursor(there, JUMP_ROWS) : there;
}

/**
 * To a line of a file, or to the card of a comment there; unfolds it. Unchanged view when the file is not in the changeset, and no file has
 * the card.
 */
export function goTo(view: DiffView, path: string | null, line: number | null, side: Side, card: number | null = null): DiffView {
  const file = filesOf(view).findIndex((candidate, index) => candidate.path === path || (card !== null && hasCard(view, index, card)));
  if (file < 0) return view;
  const there = goToLine(view, file, line, side);
  const row = rowsOf(there, file).findIndex((candidate) => candidate.kind === 'card' && candidate.comment.id === card);
  return row < 0 ? there : jump(there, file, row);
}

function hasCard(view: DiffView, index: number, card: number): boolean {
  return commentsIn(view, index).some(({ id }) => id === card);
}

function goToLine(view: DiffView, file: number, line: number | null, side: Side): DiffView {
  const { path } = filesOf(view)[file]!;
  const open = isFolded(view, filesOf(view)[file]!) ? { ...view, folds: { ...view.folds, [path]: false } } : view;
  if (line === null) return { ...open, cursor: { file, row: 0 }, top: { file, row: 0, sub: 0 }, wanted: null, select: null };
  if (isUnread(open, file)) {
    const there = jump(open, file, Math.min(1, rowsOf(open, file).length - 1));
    return { ...there, wanted: { at: 'line', side, line } };
  }
  const shown = openLineGap(open, file, side, line);
  return { ...jump(shown, file, rowOfLine(rowsOf(shown, file), side, line)), side };
}

/** The row of a line, or of the gap that hides it, or the nearest line before it. */
export function rowOfLine(rows: readonly Row[], side: Side, line: number): number {
  let best = 0;
  rows.forEach((row, i) => {
    const number = row.kind === 'line' ? lineNumber(row, side) : row.kind === 'gap' ? (side === 'old' ? row.oldFrom : row.newFrom) : null;
    if (number !== null && number <= line) best = i;
  });
  return best;
}

/** The line number that a row has on a side. */
export function lineNumber(row: Extract<Row, { kind: 'line' }>, side: Side): number | null {
  return side === 'old' ? (row.left?.old ?? null) : (row.right?.new ?? null);
}

/** Where the cursor goes now that its file has come. */
export function settleWanted(view: DiffView, y: number): DiffView {
  const { wanted, cursor } = view;
  if (!wanted || isUnread(view, cursor.file)) return view;
  const shown = wanted.at === 'line' ? openLineGap(view, cursor.file, wanted.side, wanted.line) : view;
  const rows = rowsOf(shown, cursor.file);
  const row =
    wanted.at === 'last' ? rows.length - 1 : wanted.at === 'line' ? rowOfLine(rows, wanted.side, wanted.line) : hunkRow(rows, wanted.last);
  return placeCursor({ ...shown, cursor: { file: cursor.file, row }, wanted: null }, y);
}

function hunkRow(rows: readonly Row[], last: boolean): number {
  const isHunk = (row: Row) => row.kind === 'hunk';
  return Math.max(0, last ? rows.findLastIndex(isHunk) : rows.findIndex(isHunk));
}
