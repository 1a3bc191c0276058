// A comment as a block of lines: where, state, code, text, replies.
import type { Comment } from '../model/review/comment.ts';
import { plain } from './output.ts';

export type { Comment };

/** `excerpt` is the code shown, already cut. */
export function commentBlock(comment: Comment, excerpt: string[]): string {
  const { anchor, place } = comment;
  const range = place.range ?? anchor.range;
  const path = place.path ?? anchor.path ?? 'the whole change';
  const where = range ? `${path}:${range.start}${range.end > range.start ? `-${range.end}` : ''}` : path;
  const marks = [comment.state, anchor.side === 'old' ? 'old side' : '', place.placement === 'exact' ? '' : place.placement].filter(
    Boolean,
  );
  return plain(
    [
      `#${comment.id}  ${where}  ${marks.join(', ')}${comment.author === 'agent' ? '  (note of the agent)' : ''}`,
      ...excerpt.map((line) => `  > ${line}`),
      ...(comment.body ? indent(comment.body, '  ') : []),
      ...(comment.suggestion === undefined ? [] : ['  suggested:', ...indent(comment.suggestion, '  + ')]),
      ...comment.replies.flatMap((reply) => indent(`${reply.author}: ${reply.body}`, '    ')),
    ].join('\n'),
  );
}

function indent(text: string, by: string): string[] {
  return text.split('\n').map((line) => by + line);
}
