// Draws the rows that are not code: file headers with counts and marks, hunk heads, gaps, notes, waiting.

import { counted } from '../../model/counted.ts';
import { ownOf } from '../../model/own.ts';
import type { ChangedFile } from '../../model/review/changeset.ts';
import { type ColorName, cellColor, type Theme } from '../theme.ts';
import { commentsIn, isElsewhere } from './comment-places.ts';
import { fitText, textWidth } from './glyphs.ts';
import { fill, type Look, type Painter, put } from './painter.ts';
import type { Row } from './rows.ts';
import { type DiffView, filesOf, isFolded, isViewed } from './view.ts';

interface Piece {
  text: string;
  color: ColorName | null;
  bold?: boolean;
}

/** One letter for a file's state, as git prints it. */
export const STATUS_LETTERS = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
  copied: 'C',
  'type-changed': 'T',
  unmerged: 'U',
  untracked: '?',
} as const satisfies Record<ChangedFile['status'], string>;

const STATUS_COLORS = {
  added: 'added',
  modified: 'unstaged',
  deleted: 'removed',
  renamed: 'done',
  copied: 'done',
  'type-changed': 'unstaged',
  unmerged: 'conflict',
  untracked: 'untracked',
} as const satisfies Record<ChangedFile['status'], ColorName>;

/** Columns from which the stages are written out. */
const WORDY_COLS = 84;

/** Draws the header of the file at `index`. */
export function drawFileHeader(
  painter: Painter,
  view: DiffView,
  index: number,
  y: number,
  cols: number,
  current: boolean,
  theme: Theme,
): void {
  const file = filesOf(view)[index]!;
  const ground = cellColor(theme, current ? 'current' : 'fileGround');
  fill(painter, y, 0, cols, { fg: 0, bg: ground });
  if (current) put(painter, 0, y, cols, '▌', { fg: cellColor(theme, 'currentBar'), bg: ground, bold: true });
  const folded = isFolded(view, file);
  const right = piecesOf(view, index, cols);
  const width = right.reduce((sum, piece) => sum + textWidth(piece.text, 4), 0);
  let x = Math.max(4, cols - width - 1);
  const room = x - 4;
  const look: Look = { fg: 0, bg: ground, bold: true };
  const at = put(painter, 1, y, cols, folded ? '▸ ' : '▾ ', { ...look, fg: cellColor(theme, 'muted') });
  put(painter, at, y, x, fitText(nameOf(file), room, 'front'), look);
  for (const piece of right)
    x = put(painter, x, y, cols, piece.text, { fg: cellColor(theme, piece.color), bg: ground, bold: piece.bold ?? false });
}

function nameOf(file: ChangedFile): string {
  if (!file.oldPath || file.oldPath === file.path) return file.path;
  return `${file.oldPath} → ${file.path}${file.similarity === undefined ? '' : ` ${file.similarity}%`}`;
}

/** Counts, status, stages, comments, viewed. */
function piecesOf(view: DiffView, index: number, cols: number): Piece[] {
  const file = filesOf(view)[index]!;
  const pieces: Piece[] = [];
  if (isFolded(view, file) && file.generated) pieces.push({ text: 'generated ', color: 'muted' });
  if (file.added !== null && (file.added > 0 || file.removed)) {
    pieces.push({ text: `+${file.added}`, color: 'added' }, { text: ` −${file.removed ?? 0}`, color: 'removed' });
  }
  // What was decoded for reading has lines all the same.
  if (file.binary && !ownOf(view.files, file.path)?.diff?.hunks.length) pieces.push({ text: 'binary', color: 'muted' });
  pieces.push({ text: `  ${STATUS_LETTERS[file.status]}`, color: STATUS_COLORS[file.status], bold: true });
  // Since a turn, a look or a round the stages say nothing: the comparison is with a picture.
  const { scope } = view;
  const stages = scope === 'base' || scope === 'uncommitted' ? stagesOf(file, cols >= WORDY_COLS) : '';
  if (stages) pieces.push({ text: ` ${stages}`, color: 'muted' });
  const comments = commentsIn(view, index).filter((comment) => comment.state !== 'resolved' && !isElsewhere(view, comment)).length;
  if (comments > 0) pieces.push({ text: `  ● ${comments}`, color: 'commentUser' });
  if (isViewed(view, file)) pieces.push({ text: '  ✓', color: 'success' });
  return pieces;
}

/** "committed · staged", or its first letters. */
function stagesOf(file: ChangedFile, wordy: boolean): string {
  if (file.status === 'untracked') return wordy ? 'untracked' : '';
  if (file.status === 'unmerged') return wordy ? 'conflict' : '!';
  const stages = (['committed', 'staged', 'unstaged'] as const).filter((stage) => file[stage]);
  return wordy ? stages.join(' · ') : stages.map((stage) => stage[0]).join('');
}

/** Draws a hunk head, gap, note or waiting row. */
export function drawPlainRow(painter: Painter, row: Row, y: number, cols: number, current: boolean, theme: Theme): void {
  const ground = current ? cellColor(theme, 'current') : 0;
  fill(painter, y, 0, cols, { fg: 0, bg: ground });
  if (current) put(painter, 0, y, cols, '▌', { fg: cellColor(theme, 'currentBar'), bg: ground, bold: true });
  const { text, color, italic } = plainText(row);
  put(painter, 1, y, cols, fitText(text, cols - 2), { fg: cellColor(theme, color), bg: ground, italic: italic ?? false });
}

function plainText(row: Row): { text: string; color: ColorName; italic?: boolean } {
  switch (row.kind) {
    case 'hunk': {
      const { newStart, newLines, oldStart, oldLines, section } = row.hunk;
      const place = newLines === 0 ? `-${oldStart},${oldLines}` : `${newStart},${newLines}`;
      const folded = row.shut ? ` · ${row.hunk.lines.length} lines folded · H` : '';
      return { text: `${row.shut ? '▸ ' : ''}@@ ${place}${section ? ` · ${section.trim()}` : ''}${folded}`, color: 'hunk' };
    }
    case 'gap':
      return {
        text: row.hidden === null ? '⋯ more unchanged lines · z' : `⋯ ${counted(row.hidden, 'unchanged line')} · z`,
        color: 'gap',
      };
    case 'note':
      return { text: row.note.text, color: row.note.kind === 'conflict' ? 'conflict' : 'note', italic: true };
    case 'wait':
      return { text: row.text, color: 'muted', italic: true };
    default:
      return { text: '', color: 'muted' };
  }
}
