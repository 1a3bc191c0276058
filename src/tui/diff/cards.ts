// What stands in the cards of comments and of the draft, as rows of text: measured once per comment or draft and width.
import { scrollRow } from '../editor.ts';
import type { ShownComment } from '../store/begun-comments.ts';
import { wrapStarts, wrapWords } from './glyphs.ts';
import type { CardRow, DraftRow } from './rows.ts';
import { type DiffView, type DraftText, paneCols, streamRows } from './view.ts';

/** Columns inside a card's frame. */
export function cardWidth(view: DiffView): number {
  return Math.max(8, Math.min(100, paneCols(view) - 6));
}

/** Lines of old code shown in the card of a comment whose code is gone or changed. */
const OLD_LINES = 6;

/** The text rows of a comment's card. */
export function cardRows(view: DiffView, comment: ShownComment): readonly CardRow[] {
  const width = cardWidth(view);
  const known = view.memo.cards.get(comment);
  if (known?.width === width) return known.rows;
  const rows = layCard(comment, width);
  view.memo.cards.set(comment, { width, rows });
  return rows;
}

function layCard(comment: ShownComment, width: number): CardRow[] {
  const rows: CardRow[] = [];
  const push = (text: string, look: CardRow['look']) => {
    for (const line of wrapWords(text, width)) rows.push({ text: line, look });
  };
  if (comment.place.placement !== 'exact' && comment.place.placement !== 'moved') {
    for (const line of comment.anchor.lines.slice(0, OLD_LINES)) rows.push({ text: `│ ${line}`, look: 'old' });
  }
  if (comment.body) push(comment.body, 'body');
  if (comment.suggestion !== undefined)
    for (const line of comment.suggestion.split('\n')) rows.push({ text: `+ ${line}`, look: 'suggestion' });
  for (const reply of comment.replies) push(`${reply.author === 'agent' ? 'agent' : 'you'}: ${reply.body}`, reply.author);
  return rows;
}

/** Rows of the pane that a draft's card leaves to others: its frame, the file's header and the line it is about. */
const DRAFT_LEAVES = 4;

/** The rows of a draft that its card has room for, the caret's among them, and how many there are above and below. At least one. */
export function draftWindow(view: DiffView): { rows: readonly DraftRow[]; top: number; caret: number; below: number } {
  const { draft } = view;
  const all = draft ? draftRows(view, draft) : [{ text: '', index: 0 }];
  const at = draft ? all.findLastIndex(({ index }) => index <= draft.caret) : 0;
  const height = Math.min(all.length, Math.max(1, streamRows(view) - DRAFT_LEAVES));
  const top = scrollRow(draft?.top ?? 0, at, height, all.length);
  return { rows: all.slice(top, top + height), top, caret: at - top, below: all.length - top - height };
}

function draftRows(view: DiffView, draft: DraftText): readonly DraftRow[] {
  const width = cardWidth(view);
  const known = view.memo.draft;
  if (known?.text === draft.text && known.width === width) return known.rows;
  const rows = layDraft(draft.text, width);
  view.memo.draft = { text: draft.text, width, rows };
  return rows;
}

function layDraft(text: string, width: number): DraftRow[] {
  const rows: DraftRow[] = [];
  let index = 0;
  for (const line of text.split('\n')) {
    let rest = line;
    do {
      const at = breakAt(rest, width);
      rows.push({ text: rest.slice(0, at), index: index + line.length - rest.length });
      rest = rest.slice(at);
    } while (rest !== '');
    index += line.length + 1;
  }
  return rows;
}

function breakAt(text: string, width: number): number {
  const cut = wrapStarts(text, width, 4)[1];
  if (cut === undefined) return text.length;
  const blank = text.lastIndexOf(' ', cut - 1);
  return blank > cut / 2 ? blank + 1 : cut;
}
