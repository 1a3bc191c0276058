// Draws the file list in the left columns of the pane, or over the whole of a narrow one.
import { cellColor, type Theme } from '../theme.ts';
import { STATUS_LETTERS } from './draw-header.ts';
import { listAt, listLines } from './file-list.ts';
import { fitText, textWidth } from './glyphs.ts';
import { fill, type Painter, put } from './painter.ts';
import { type DiffView, filesOf, isViewed, type ListLine } from './view.ts';

/** Draws the list into the painter's rectangle; returns the line shown at each row. */
export function drawList(painter: Painter, view: DiffView, theme: Theme): (ListLine | null)[] {
  const { cols, rows } = painter.rect;
  const lines = listLines(view);
  const at = listAt(view, lines);
  const head = view.list?.filter ? 1 : 0;
  const room = rows - head;
  const first = Math.max(0, Math.min(at - Math.floor(room / 2), lines.length - room));
  if (head) {
    fill(painter, 0, 0, cols, { fg: 0, bg: 0 });
    const count = `${lines.filter(({ file }) => file !== null).length} of ${filesOf(view).length}`;
    const right = cols - 2 - count.length;
    put(painter, 1, 0, right - 1, fitText(`/ ${view.list!.filter}`, right - 2), { fg: cellColor(theme, 'key'), bg: 0 });
    put(painter, right, 0, cols, count, { fg: cellColor(theme, lines.length === 0 ? 'warning' : 'muted'), bg: 0 });
  }
  const shown: (ListLine | null)[] = head ? [null] : [];
  for (let y = head; y < rows; y++) {
    const line = lines[first + y - head] ?? null;
    shown.push(line);
    fill(painter, y, 0, cols, { fg: 0, bg: 0 });
    if (line) drawListLine(painter, view, line, y, first + y - head === at, theme);
  }
  return shown;
}

function drawListLine(painter: Painter, view: DiffView, line: ListLine, y: number, current: boolean, theme: Theme): void {
  const { cols } = painter.rect;
  const bg = current ? cellColor(theme, 'selected') : 0;
  fill(painter, y, 0, cols - 1, { fg: 0, bg });
  if (current) put(painter, 0, y, 1, '▌', { fg: cellColor(theme, 'currentBar'), bg, bold: true });
  const x = 1 + 2 * line.depth;
  if (line.file === null) {
    put(painter, x, y, cols - 1, fitText(line.name, cols - 2 - x), { fg: cellColor(theme, 'muted'), bg });
    return;
  }
  const file = filesOf(view)[line.file]!;
  const counts = !file.added && !file.removed ? '' : `+${file.added ?? 0} −${file.removed ?? 0}`;
  const right = cols - 2 - textWidth(counts, 4);
  const viewed = isViewed(view, file);
  const mark = viewed ? '✓' : STATUS_LETTERS[file.status];
  put(painter, x, y, cols - 1, mark, { fg: cellColor(theme, viewed ? 'success' : 'unstaged'), bg, bold: true });
  put(painter, x + 2, y, right - 1, fitText(line.name, right - 3 - x, 'front'), { fg: viewed ? cellColor(theme, 'muted') : 0, bg });
  put(painter, right, y, cols - 1, counts, { fg: cellColor(theme, 'muted'), bg });
}
