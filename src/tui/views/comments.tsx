// All comments of a workspace, or those of closed ones: where each hangs, what it says, where it stands in its life.
import type { ReactElement } from 'react';
import type { Comment } from '../../model/review/comment.ts';
import type { Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { commentRows, placeText } from '../rows/review-rows.ts';
import { cutText, fitLine, type Line, plain, type Span, spread } from '../spans.ts';
import type { ShownComment } from '../store/begun-comments.ts';
import type { CommentFilter } from '../store/overlay.ts';
import type { ColorName, Theme } from '../theme.ts';
import { Frame } from './frame.tsx';
import { windowTop } from './list-window.ts';

interface Props {
  rect: Rect;
  name: string;
  comments: readonly ShownComment[];
  at: number;
  filter: CommentFilter;
  foot: Line;
  theme: Theme;
}

const COLORS: Record<Comment['state'], ColorName> = {
  draft: 'commentUser',
  queued: 'working',
  sent: 'working',
  addressed: 'commentDone',
  resolved: 'faint',
};

export function Comments({ rect, name, comments, at, filter, foot, theme }: Props): ReactElement {
  const inner = innerRect(rect);
  const rows = commentRows(comments, filter);
  const entries = Math.max(1, Math.floor(inner.rows / 2));
  const top = windowTop(at, entries, rows.length);
  const lines = rows.slice(top, top + entries).flatMap((comment, index) => commentLines(comment, top + index === at, inner.cols));
  const none =
    filter === 'closed'
      ? 'No closed workspace has left comments.'
      : comments.length > 0
        ? 'None of these. Press f for others.'
        : 'No comments yet. Press c on a line of the diff.';
  const empty: Line[] = [[{ text: none, color: 'muted' }]];
  return (
    <Frame
      rect={rect}
      title={`comments · ${name}${filter === 'all' ? '' : ` · ${filter}`}`}
      foot={foot}
      lines={rows.length > 0 ? lines : empty}
      theme={theme}
    />
  );
}

/** What sets it apart: not where it was, or of a workspace that is closed. */
function remarks({ place, left, gone }: ShownComment): Span[] {
  if (left !== undefined) return [{ text: ` ${gone ? 'gone: ' : ''}${plain(left)}`, color: gone ? 'warning' : 'muted' }];
  return place.placement === 'exact' ? [] : [{ text: ` ${place.placement}`, color: 'warning' }];
}

function commentLines(comment: ShownComment, at: boolean, cols: number): Line[] {
  const fill = at ? ({ ground: 'selected' } as const) : {};
  const place: Span = { text: ` ${plain(placeText(comment))}`, bold: at };
  const who: Span[] = comment.author === 'agent' ? [{ text: ' note by the agent', color: 'commentAgent' }] : [];
  const round = comment.rounds.length > 0 ? ` · round ${comment.rounds.at(-1)}` : '';
  const state: Span = comment.begun
    ? { text: ' not saved ', color: 'warning' }
    : { text: ` ${comment.state}${round} `, color: COLORS[comment.state] };
  const right: Line = [state];
  const reply = comment.replies.at(-1);
  const body = reply ? `${plain(comment.body)}  ↳ ${plain(reply.body)}` : plain(comment.body);
  return [
    spread([place, ...remarks(comment), ...who], right, cols, fill),
    fitLine([{ text: `   ${cutText(body, cols - 4)}`, color: 'muted' }], cols, fill),
  ];
}
