// Draws a diff pane into a rectangle of a grid: the rows of the window and nothing else. The work is bounded by the rectangle.
import type { Grid } from '../../model/cell.ts';
import { counted } from '../../model/counted.ts';
import type { Rect } from '../layout.ts';
import { cellColor, type Theme } from '../theme.ts';
import { drawCard, drawDraft } from './draw-card.ts';
import { drawFileHeader, drawPlainRow } from './draw-header.ts';
import { type ColorsOf, drawLine } from './draw-line.ts';
import { drawList } from './draw-list.ts';
import { windowSpots } from './geometry.ts';
import { wrapWords } from './glyphs.ts';
import { fill, type Painter, put, slotsOf } from './painter.ts';
import type { Row } from './rows.ts';
import { searchCounts } from './search.ts';
import { type DiffView, filesOf, type ListLine, listCols, rowsOf, type Spot } from './view.ts';

/** What was drawn where, for the mouse and the caret. Coordinates are cells of the rectangle. */
export interface DiffDrawn {
  /** Caret of the draft; null when there is none to show. */
  caret: { x: number; y: number } | null;
  /** Spot of each row of the stream. */
  spots: readonly (Spot | null)[];
  /** Lines of the file list by row, when it is open. */
  list: readonly (ListLine | null)[] | null;
  /** First column of the stream. */
  streamX: number;
}

/** Draws `view` (made for this rectangle's size) into `rect` of `grid`. */
export function drawDiff(view: DiffView, grid: Grid, rect: Rect, theme: Theme, colors: ColorsOf = () => null): DiffDrawn {
  if (view.memo.slots?.tables !== grid.tables) view.memo.slots = { tables: grid.tables, map: slotsOf(grid.tables) };
  const slots = view.memo.slots.map;
  const width = listCols(view);
  const overStream = view.list !== null && width === 0;
  const list = view.list ? drawList({ grid, rect: { ...rect, cols: overStream ? rect.cols : width }, slots }, view, theme) : null;
  if (overStream) return { caret: null, spots: [], list, streamX: rect.cols };
  const painter: Painter = { grid, rect: { ...rect, x: rect.x + width, cols: rect.cols - width }, slots };
  const { spots, caret } = drawStream(painter, view, theme, colors);
  return { caret: caret && { x: caret.x + width, y: caret.y }, spots, list, streamX: width };
}

function drawStream(
  painter: Painter,
  view: DiffView,
  theme: Theme,
  colors: ColorsOf,
): { spots: (Spot | null)[]; caret: { x: number; y: number } | null } {
  const { cols, rows } = painter.rect;
  const spots = windowSpots(view);
  let caret: { x: number; y: number } | null = null;
  spots.forEach((spot, y) => {
    const row = rowsOf(view, spot.file)[spot.row];
    const x = row ? drawRow(painter, view, spot, row, y, theme, colors) : null;
    if (x !== null) caret = { x, y };
  });
  for (let y = spots.length; y < rows; y++) fill(painter, y, 0, cols, { fg: 0, bg: 0 });
  if (filesOf(view).length === 0) drawEmpty(painter, view, theme);
  drawSearchLine(painter, view, rows - 1, theme);
  return { spots: Array.from({ length: rows }, (_, y) => spots[y] ?? null), caret };
}

/** Returns the column of the draft's caret when it stands on this row. */
function drawRow(painter: Painter, view: DiffView, spot: Spot, row: Row, y: number, theme: Theme, colors: ColorsOf): number | null {
  const { cols } = painter.rect;
  const current = spot.file === view.cursor.file && spot.row === view.cursor.row;
  switch (row.kind) {
    case 'file':
      drawFileHeader(painter, view, spot.file, y, cols, current, theme);
      return null;
    case 'line':
      drawLine(
        painter,
        view,
        { file: spot.file, sub: spot.sub, y, cols },
        row,
        { current, selected: isSelected(view, spot) },
        theme,
        colors,
      );
      return null;
    case 'card':
      drawCard(painter, view, row.comment, spot.sub, y, current, theme);
      return null;
    case 'draft':
      return drawDraft(painter, view, spot.sub, y, current, theme);
    default:
      drawPlainRow(painter, row, y, cols, current, theme);
      return null;
  }
}

function isSelected({ select, cursor }: DiffView, spot: Spot): boolean {
  if (!select || select.file !== spot.file) return false;
  return spot.row >= Math.min(select.row, cursor.row) && spot.row <= Math.max(select.row, cursor.row);
}

function drawEmpty(painter: Painter, view: DiffView, theme: Theme): void {
  const text = view.trouble ?? (view.changeset ? emptyText(view) : 'reading the changes…');
  const { cols, rows } = painter.rect;
  const from = Math.min(1, rows - 1);
  for (const [i, row] of wrapWords(text, Math.max(1, cols - 2))
    .slice(0, rows - from)
    .entries())
    put(painter, 1, from + i, cols, row, { fg: cellColor(theme, 'muted'), bg: 0 });
}

function emptyText({ changeset }: DiffView): string {
  if (changeset?.error) return changeset.error;
  const since = {
    uncommitted: 'nothing uncommitted',
    staged: 'nothing staged',
    turn: 'no changes in the last turn',
    look: 'no changes since your last look',
  };
  const scope = changeset?.scope;
  if (typeof scope === 'string' && scope !== 'base') return `${since[scope]} · m other scope`;
  return changeset?.base ? `no changes since ${changeset.base.name}` : 'no changes';
}

function drawSearchLine(painter: Painter, view: DiffView, y: number, theme: Theme): void {
  const { search } = view;
  if (!search || y < 0) return;
  const { hits, unread } = searchCounts(view);
  const { cols } = painter.rect;
  fill(painter, y, 0, cols, { fg: 0, bg: cellColor(theme, 'bar') });
  const look = { fg: cellColor(theme, 'barText'), bg: cellColor(theme, 'bar') };
  const rest = unread > 0 ? ` · ${counted(unread, 'file')} not read yet` : '';
  const count = `${counted(hits, 'hit')}${rest}`;
  const x = put(painter, 1, y, cols, `/${search.text}`, { ...look, bold: true });
  put(painter, Math.max(x + 2, cols - count.length - 1), y, cols, count, look);
}

/** What stands at a cell of the rectangle: a row of the stream and its side, or a line of the list. */
export type DiffHit = { at: 'row'; spot: Spot; side: 'old' | 'new' } | { at: 'list'; line: ListLine } | null;

/** Finds what a click at (x, y) is on. */
export function hitTest(view: DiffView, drawn: DiffDrawn, x: number, y: number): DiffHit {
  const line = x < drawn.streamX ? drawn.list?.[y] : null;
  if (line) return { at: 'list', line };
  const spot = drawn.spots[y];
  if (!spot || x < drawn.streamX) return null;
  const half = Math.floor((view.cols - drawn.streamX - 1) / 2);
  return { at: 'row', spot, side: x - drawn.streamX <= half ? 'old' : 'new' };
}
