import { expect, test } from 'vitest';
import { commentOn } from '../../../test/support/diff-samples.ts';
import { CLOSED_WORKSPACE, type Prompt } from '../../model/review/comment.ts';
import type { CommentFilter } from '../store/overlay.ts';
import { commentRows, listedComments, queueRows } from './review-rows.ts';

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
  expect(commentRows(listedComments({ comments, drafts: {}, overlays: [] }, 1), filter).map(({ id }) => id)).toEqual(ids);
});

test('prompts that wait or failed stand first, then the delivered ones, the newest first; dropped ones are gone', () => {
  const states: Prompt['state'][] = ['accepted', 'queued', 'accepted', 'dropped', 'undelivered', 'delivering', 'refused'];
  const prompts = states.map((state, id) => ({ id, state }) as unknown as Prompt);
  expect(queueRows(prompts).map(({ id }) => id)).toEqual([1, 4, 5, 6, 2, 0]);
  const many = Array.from({ length: 30 }, (_, id) => ({ id, state: 'accepted' }) as unknown as Prompt);
  expect(queueRows(many).map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, i) => 29 - i));
});
