import { expect, test } from 'vitest';
import { commentOn } from '../../../test/support/diff-samples.ts';
import { CLOSED_WORKSPACE } from '../../model/review/comment.ts';
import type { CommentFilter } from '../store/overlay.ts';
import { commentRows, listedComments } from './review-rows.ts';

const left = (id: number, path: string, worktree: string) => ({
  ...commentOn(id, path, 1, 'left'),
  workspace: CLOSED_WORKSPACE,
  left: worktree,
});
const comments = {
  1: [commentOn(1, 'b.ts', 2, 'mine'), commentOn(2, 'a.ts', 9, 'note', { author: 'agent' })],
  2: [commentOn(3, 'a.ts', 1, 'of another workspace')],
  [CLOSED_WORKSPACE]: [left(5, 'a.ts', '/w/z'), left(4, 'z.ts', '/w/a'), left(6, 'b.ts', '/w/z')],
};

test.each<[CommentFilter, number[]]>([
  ['all', [2, 1]],
  ['open', [1]],
  ['draft', [1]],
  ['agent', [2]],
  ['closed', [4, 5, 6]],
])('%s', (filter, ids) => {
  expect(commentRows(listedComments({ comments }, 1), filter).map(({ id }) => id)).toEqual(ids);
});
