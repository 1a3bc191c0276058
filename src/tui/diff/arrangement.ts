// A view as the person left it and back: what is compared and shown at once, the place as soon as its file has come.
import type { Side } from '../../model/review/comment.ts';
import { type DiffArrangement, type DiffSpot, KNOWN_BY, MAX_FOLDS } from '../../model/review/diff-arrangement.ts';
import { windowSpots } from './geometry.ts';
import { lineNumber, rowOfLine } from './move.ts';
import { placeCursor, screenRow } from './place.ts';
import type { LineRow, Row } from './rows.ts';
import { openLineGap } from './show.ts';
import { createDiffView, type DiffView, fileIndex, filesOf, isUnread, rowsOf } from './view.ts';

/** How the view is left; null while it does not stand where the person wants it. */
export function arrangementOf(view: DiffView): DiffArrangement | null {
  if (!view.changeset || view.comingBack) return null;
  const { scope, layout, wrap, ignoreWhitespace, flat } = view;
  const paths = new Set(filesOf(view).map(({ path }) => path));
  const folds = Object.fromEntries(
    Object.entries(view.folds)
      .filter(([path]) => paths.has(path))
      .slice(-MAX_FOLDS),
  );
  return { scope, layout, wrap, ignoreWhitespace, list: view.list && { at: view.list.at }, flat, folds, at: spotOf(view) };
}

/** Where the person is; null at the very beginning, where one stays. */
export function spotOf(view: DiffView): DiffSpot | null {
  const { cursor, top } = view;
  const file = filesOf(view)[cursor.file];
  if (!file || (cursor.file === 0 && cursor.row === 0 && top.file === 0 && top.row === 0)) return null;
  const rows = rowsOf(view, cursor.file);
  const place = { path: file.path, row: screenRow(view) ?? 0 };
  // What has no number, a hunk's head or a card, is known by the line next to it.
  const isLine = (row: Row) => row.kind === 'line';
  const next = rows.findIndex((row, i) => i >= cursor.row && isLine(row));
  const at = next >= 0 ? next : rows.findLastIndex(isLine);
  const line = rows[at];
  if (cursor.row === 0 || line?.kind !== 'line') return { ...place, side: view.side, line: null };
  const side = line.right ? 'new' : 'old';
  return { ...place, side, line: { number: lineNumber(line, side) ?? 1, text: textOf(line, side), off: cursor.row - at } };
}

/** A view of `cols` x `rows` cells as it was left. */
export function arrangedView(cols: number, rows: number, { list, at, ...looks }: DiffArrangement): DiffView {
  return { ...createDiffView(cols, rows), ...looks, list: list && { ...list, filter: '' }, comingBack: at };
}

/** Puts the cursor where the person left it, as far as that has come; again whenever something comes, until the window is whole. */
export function comeBack(view: DiffView): DiffView {
  const { comingBack } = view;
  if (!comingBack || filesOf(view).length === 0) return view;
  const { path, side, line, row } = comingBack;
  const file = fileIndex(filesOf(view), path);
  if (file < 0) return { ...view, comingBack: null };
  const shown = line && !isUnread(view, file) ? openLineGap(view, file, side, line.number) : view;
  const rows = rowsOf(shown, file);
  const cursor = { file, row: line ? Math.max(0, Math.min(rowOf(rows, side, line) + line.off, rows.length - 1)) : 0 };
  const there = placeCursor({ ...shown, cursor, side }, row);
  return windowSpots(there).some((spot) => isUnread(there, spot.file)) ? there : { ...there, comingBack: null };
}

/** The line with this text that is nearest to its number, else the line at the number, or before it. */
function rowOf(rows: readonly Row[], side: Side, { number, text }: { number: number; text: string }): number {
  let best = -1;
  let far = Number.POSITIVE_INFINITY;
  rows.forEach((row, i) => {
    if (row.kind !== 'line' || textOf(row, side) !== text) return;
    const away = Math.abs((lineNumber(row, side) ?? Number.POSITIVE_INFINITY) - number);
    if (away >= far) return;
    far = away;
    best = i;
  });
  return best >= 0 && text.trim() !== '' ? best : rowOfLine(rows, side, number);
}

function textOf({ left, right }: LineRow, side: Side): string {
  return ((side === 'old' ? left : right)?.text ?? '').slice(0, KNOWN_BY);
}
