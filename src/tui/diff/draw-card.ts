// Draws the card of a comment or of the draft being written, one row of the screen at a time.
import { placeText } from '../rows/review-rows.ts';
import { plain } from '../spans.ts';
import type { ShownComment } from '../store/begun-comments.ts';
import { type ColorName, cellColor, type Theme } from '../theme.ts';
import { cardRows, cardWidth, draftWindow } from './cards.ts';
import { isElsewhere } from './comment-places.ts';
import { fitText, textWidth } from './glyphs.ts';
import { fill, type Look, type Painter, put } from './painter.ts';
import type { CardRow } from './rows.ts';
import type { DiffView } from './view.ts';

interface Frame {
  title: string;
  foot: string;
  color: ColorName;
  rows: readonly CardRow[];
}

/** Draws row `sub` of a comment's card at `y`. */
export function drawCard(
  painter: Painter,
  view: DiffView,
  comment: ShownComment,
  sub: number,
  y: number,
  current: boolean,
  theme: Theme,
): void {
  const frame = {
    title: titleOf(comment, isElsewhere(view, comment)),
    foot: comment.begun ? 'enter goes on' : '',
    color: colorOf(comment),
    rows: cardRows(view, comment),
  };
  drawFrame(painter, view, frame, sub, y, current, theme);
}

/** Draws row `sub` of the draft; returns the caret's column when it stands on this row. */
export function drawDraft(painter: Painter, view: DiffView, sub: number, y: number, current: boolean, theme: Theme): number | null {
  const { draft } = view;
  if (!draft) return null;
  const { rows, top, caret, below } = draftWindow(view);
  const hidden = [...(top > 0 ? [`↑ ${top}`] : []), ...(below > 0 ? [`↓ ${below}`] : [])].join(' ');
  const frame = {
    title: hidden ? `${draft.title} · ${hidden}` : draft.title,
    foot: draft.keys,
    color: 'commentUser' as const,
    rows: rows.map(({ text }) => ({ text, look: 'body' as const })),
  };
  drawFrame(painter, view, frame, sub, y, current, theme);
  const row = rows[caret];
  return row && sub - 1 === caret ? INDENT + 2 + textWidth(row.text.slice(0, draft.caret - row.index), 4) : null;
}

/** Columns in front of a card. */
const INDENT = 1;

function drawFrame(painter: Painter, view: DiffView, frame: Frame, sub: number, y: number, current: boolean, theme: Theme): void {
  const width = cardWidth(view);
  const edge: Look = { fg: cellColor(theme, frame.color), bg: 0 };
  fill(painter, y, 0, painter.rect.cols, { fg: 0, bg: 0 });
  if (current) put(painter, 0, y, 1, '▌', { fg: cellColor(theme, 'currentBar'), bg: 0, bold: true });
  const end = INDENT + width + 4;
  if (sub === 0 || sub === frame.rows.length + 1) {
    const [left, right] = sub === 0 ? '╭╮' : '╰╯';
    const text = sub === 0 ? frame.title : frame.foot;
    const shown = text ? ` ${fitText(text, width - 1)} ` : '';
    const x = put(painter, INDENT, y, end, `${left}${shown}`, { ...edge, bold: sub === 0 });
    put(painter, x, y, end, '─'.repeat(Math.max(0, end - 1 - x)), edge);
    put(painter, end - 1, y, end, right!, edge);
    return;
  }
  const row = frame.rows[sub - 1];
  put(painter, INDENT, y, end, '│', edge);
  put(painter, end - 1, y, end, '│', edge);
  if (row) put(painter, INDENT + 2, y, end - 1, fitText(row.text, width), lookOf(row, theme));
}

function lookOf({ look }: CardRow, theme: Theme): Look {
  switch (look) {
    case 'old':
      return { fg: cellColor(theme, 'muted'), bg: 0, strike: true };
    case 'agent':
      return { fg: cellColor(theme, 'commentAgent'), bg: 0 };
    case 'suggestion':
      return { fg: cellColor(theme, 'added'), bg: 0 };
    default:
      return { fg: 0, bg: 0 };
  }
}

function colorOf(comment: ShownComment): ColorName {
  if (comment.author === 'agent') return 'commentAgent';
  if (comment.state === 'resolved') return 'muted';
  return comment.state === 'addressed' ? 'commentDone' : 'commentUser';
}

/** "you · #12 · 7-9 · sent · round 2 · 14:03 · code changed since". Where a card stands tells a single line, not a range. */
export function titleOf(comment: ShownComment, elsewhere = false): string {
  const where = elsewhere ? [plain(placeText(comment))] : [];
  if (comment.begun) return ['you', ...where, 'not saved yet'].join(' · ');
  const parts = [comment.author === 'agent' ? 'agent · note' : 'you', `#${comment.id}`];
  const { path, range } = comment.place;
  if (elsewhere) parts.push(...where);
  else if (path === null && comment.anchor.path === null) parts.push('the whole change');
  else if (range && range.end > range.start) parts.push(`${range.start}-${range.end}`);
  if (comment.anchor.commit) parts.push(`commit ${comment.anchor.commit.slice(0, 7)}`);
  if (comment.author === 'user' || comment.state === 'resolved') parts.push(comment.state);
  const round = comment.rounds.at(-1);
  if (round !== undefined && comment.state !== 'draft') parts.push(`round ${round}`);
  parts.push(clock(comment.updated));
  const { placement } = comment.place;
  if (placement === 'changed') parts.push('code changed since');
  if (placement === 'moved') parts.push('moved');
  if (placement === 'gone') parts.push('code is gone');
  return parts.join(' · ');
}

/** Local time of day, HH:MM. */
function clock(at: number): string {
  return new Date(at).toTimeString().slice(0, 5);
}
