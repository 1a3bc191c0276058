// Columns of a pane's rows and heights of its rows, measured one row at a time where the window is: nothing here walks a whole file.
import { ownOf } from '../../model/own.ts';
import type { DiffLine } from '../../model/review/changeset.ts';
import { cardRows, draftWindow } from './cards.ts';
import { isPlain, wrapStarts } from './glyphs.ts';
import type { Row } from './rows.ts';
import { type DiffView, filesOf, isSplit, paneCols, rowsOf, type Spot, streamRows } from './view.ts';

/** Columns of a line row. In a split there are two halves with a divider column between them. */
export interface Columns {
  split: boolean;
  /** Digits of a line number. */
  digits: number;
  /** Width of one half, of the whole row in a stack. */
  half: number;
  /** First column of the right half. */
  right: number;
  /** First column of the code within a half. */
  code: number;
  /** Columns of code in a half. */
  room: number;
}

/** Least columns of code: a narrower pane loses line numbers first. */
const LEAST_CODE = 16;

/** Columns for the file at `index`. */
export function columnsOf(view: DiffView, index: number): Columns {
  const split = isSplit(view, index);
  const cols = paneCols(view);
  const digits = digitsOf(view, index);
  const half = split ? Math.floor((cols - 1) / 2) : cols;
  // Mark of the cursor, number(s), a blank, sign, a blank.
  const numbers = split ? digits : 2 * digits + 1;
  const full = 1 + numbers + 3;
  const code = half - full >= LEAST_CODE ? full : 3;
  return { split, digits: code === 3 ? 0 : digits, half, right: split ? half + 1 : 0, code, room: Math.max(1, half - code) };
}

function digitsOf(view: DiffView, index: number): number {
  const file = filesOf(view)[index];
  const last = file && ownOf(view.files, file.path)?.diff?.hunks.at(-1);
  const most = last ? Math.max(last.oldStart + last.oldLines, last.newStart + last.newLines) : 0;
  const total = (file && ownOf(view.files, file.path)?.total) ?? 0;
  return Math.max(3, String(Math.max(most, total)).length);
}

/** Rows of the screen that a row takes, at least 1. */
export function heightOf(view: DiffView, index: number, row: Row): number {
  switch (row.kind) {
    case 'line': {
      if (!view.wrap) return 1;
      const { room } = columnsOf(view, index);
      const left = row.left ? wrapOf(view, row.left, room).height : 1;
      return row.right && row.right !== row.left ? Math.max(left, wrapOf(view, row.right, room).height) : left;
    }
    case 'card':
      return cardRows(view, row.comment).length + 2;
    case 'draft':
      return draftWindow(view).rows.length + 2;
    default:
      return 1;
  }
}

/** How a line breaks at `room` columns: measured once per line object. `starts` is null where every row holds `room` characters. */
export function wrapOf(view: DiffView, line: DiffLine, room: number): { height: number; starts: number[] | null } {
  const kept = view.memo.wraps.get(line);
  if (kept?.room === room && kept.tab === view.tab) return kept;
  const starts = isPlain(line.text) ? null : wrapStarts(line.text, room, view.tab);
  const height = starts?.length ?? Math.max(1, Math.ceil(line.text.length / room));
  const wrap = { room, tab: view.tab, height, starts };
  view.memo.wraps.set(line, wrap);
  return wrap;
}

/** The spot one row of the screen below or above; null at the ends. */
export function below(view: DiffView, spot: Spot): Spot | null {
  const rows = rowsOf(view, spot.file);
  const row = rows[spot.row];
  if (row && spot.sub + 1 < heightOf(view, spot.file, row)) return { ...spot, sub: spot.sub + 1 };
  if (spot.row + 1 < rows.length) return { file: spot.file, row: spot.row + 1, sub: 0 };
  return spot.file + 1 < filesOf(view).length ? { file: spot.file + 1, row: 0, sub: 0 } : null;
}

/** The screen row above a spot, in the file before where need be; null at the very top. */
export function above(view: DiffView, spot: Spot): Spot | null {
  if (spot.sub > 0) return { ...spot, sub: spot.sub - 1 };
  const file = spot.row > 0 ? spot.file : spot.file - 1;
  if (file < 0) return null;
  const rows = rowsOf(view, file);
  const row = spot.row > 0 ? spot.row - 1 : rows.length - 1;
  return { file, row, sub: heightOf(view, file, rows[row]!) - 1 };
}

/** The spots in the window, top to bottom: first the header of the top's file, pinned, then what fits below it. */
export function windowSpots(view: DiffView): Spot[] {
  if (filesOf(view).length === 0 || streamRows(view) < 1) return [];
  const spots: Spot[] = [{ file: view.top.file, row: 0, sub: 0 }];
  let spot: Spot | null = view.top.row === 0 ? below(view, { ...view.top, sub: 0 }) : view.top;
  while (spot && spots.length < streamRows(view)) {
    spots.push(spot);
    spot = below(view, spot);
  }
  return spots;
}

/** `spot` moved by rows of the screen, as far as there are any. */
export function stepSpot(view: DiffView, spot: Spot, by: number): Spot {
  let at = spot;
  for (let i = 0; i < Math.abs(by); i++) {
    const next = by > 0 ? below(view, at) : above(view, at);
    if (!next) break;
    at = next;
  }
  return at;
}
