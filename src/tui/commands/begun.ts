// Goes on with a comment that was begun and left unsaved, at the lines where its card stands.

import type { CommentTarget } from '../../wire/requests.ts';
import { lineNumber } from '../diff/move.ts';
import { type DiffView, rowsOf } from '../diff/view.ts';
import { withSeen } from '../diff/yank.ts';
import { createEditor } from '../editor.ts';
import type { ShownComment } from '../store/begun-comments.ts';
import { draftKey } from '../store/overlay.ts';
import { openWriting, withDraft } from '../store/overlay-stack.ts';
import { type CommandContext, change } from './context.ts';

/** The card of `comment` is at the cursor of `view`. */
export function goOnWith(context: CommandContext, workspace: number, view: DiffView, comment: ShownComment): void {
  const { begun, body } = comment;
  if (!begun) return;
  const target = { ...targetOfCard(view, comment), ...(view.scope === 'base' ? {} : { scope: view.scope }) };
  const excerpt = target.seen?.lines.slice(0, 4) ?? [];
  const overlay = {
    kind: 'comment' as const,
    workspace,
    target,
    comment: null,
    reply: false,
    excerpt,
    editor: createEditor(body),
    busy: false,
  };
  change(context, (state) =>
    openWriting({ ...state, drafts: withDraft(withDraft(state.drafts, begun.key, null), draftKey(overlay)!, body) }, overlay),
  );
}

/** What it is about now: the lines above its card; its file where they are not there any more. */
function targetOfCard(view: DiffView, { anchor: { path, side, range } }: ShownComment): CommentTarget {
  if (path === null || range === null) return { path, side, range };
  const rows = rowsOf(view, view.cursor.file);
  const above = rows.findLast(({ kind }, i) => i < view.cursor.row && kind !== 'card');
  if (above?.kind === 'gap') return { path, side, range };
  const end = above?.kind === 'line' ? lineNumber(above, side) : null;
  return end === null ? { path, side, range: null } : withSeen(view, { path, side, range: { start: end - range.end + range.start, end } });
}
