// Prompts and comments in the order in which lists show them.
import { CLOSED_WORKSPACE, type Comment, type Prompt, type Side } from '../../model/review/comment.ts';
import { plain } from '../spans.ts';
import { begunComments, type ShownComment } from '../store/begun-comments.ts';
import type { CommentFilter, OverlayOf } from '../store/overlay.ts';
import type { ClientState } from '../store/state.ts';

/** Prompts that are done with and still shown. */
const PAST_SHOWN = 20;

/** Those that wait or failed first, in order; then the last delivered ones, newest first. */
export function queueRows(prompts: readonly Prompt[]): Prompt[] {
  const open = prompts.filter(
    ({ state }) => state === 'queued' || state === 'delivering' || state === 'undelivered' || state === 'refused',
  );
  const past = prompts.filter((prompt) => !open.includes(prompt) && prompt.state !== 'dropped');
  return [...open, ...past.toReversed().slice(0, PAST_SHOWN)];
}

/** Comments of a workspace, those begun and not saved included, and behind them those of all closed ones. */
export function listedComments(state: Pick<ClientState, 'comments' | 'drafts' | 'overlays'>, workspace: number): ShownComment[] {
  return [...(state.comments[workspace] ?? []), ...begunComments(state, workspace), ...(state.comments[CLOSED_WORKSPACE] ?? [])];
}

/** By worktree, file and line as they stand now; those whose code is gone last. */
export function commentRows(comments: readonly ShownComment[], filter: CommentFilter = 'all'): ShownComment[] {
  const rank = ({ place }: Comment) => (place.placement === 'gone' ? 1 : 0);
  return comments
    .filter((comment) => passes(comment, filter))
    .sort(
      (a, b) =>
        (a.left ?? '').localeCompare(b.left ?? '') ||
        rank(a) - rank(b) ||
        (a.place.path ?? '').localeCompare(b.place.path ?? '') ||
        (a.place.range?.start ?? 0) - (b.place.range?.start ?? 0) ||
        a.id - b.id,
    );
}

function passes({ state, author, place, left }: Comment, filter: CommentFilter): boolean {
  if ((left === undefined) === (filter === 'closed')) return false;
  switch (filter) {
    case 'closed':
    case 'all':
      return true;
    case 'open':
      return state !== 'resolved' && author === 'user';
    case 'gone':
      return place.placement === 'gone';
    case 'agent':
      return author === 'agent';
    case 'draft':
      return author === 'user' && (state === 'draft' || state === 'queued');
    default:
      return state === filter;
  }
}

/** 'src/a.ts:12-14', 'src/a.ts:12 (old)', 'src/a.ts', 'the whole change'. */
export function placeText({ place, anchor }: Comment): string {
  const path = place.path ?? anchor.path;
  return path === null ? 'the whole change' : linesText(path, anchor.side, place.range ?? anchor.range);
}

function linesText(path: string, side: Side, range: { start: number; end: number } | null): string {
  if (!range) return path;
  const lines = range.start === range.end ? `${range.start}` : `${range.start}-${range.end}`;
  return `${path}:${lines}${side === 'old' ? ' (old)' : ''}`;
}

/** Heads the box or card in which a comment is written. */
export function commentTitle({ comment, reply, target }: OverlayOf<'comment'>): string {
  if (reply) return 'reply';
  if (comment !== null) return 'edit comment';
  const { path, side, range } = target;
  return path === null ? 'comment · the whole change' : `comment · ${plain(linesText(path, side, range))}`;
}
