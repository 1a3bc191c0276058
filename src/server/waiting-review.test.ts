import { expect, test } from 'vitest';
import type { Comment } from '../model/review/comment.ts';
import { addComment } from '../model/review/comment-life.ts';
import { composePrompt } from '../model/review/prompt.ts';
import type { Prompts } from './state/prompts.ts';
import { followComment } from './waiting-review.ts';

const comment = (id: number, body: string): Comment => {
  const anchor = {
    path: 'a.ts',
    side: 'new' as const,
    range: { start: id, end: id },
    lines: ['x'],
    before: [],
    after: [],
    baseCommit: null,
  };
  const made = addComment({ id, workspace: 1, author: 'user', anchor, body }, 0);
  return (made as { comment: Comment }).comment;
};
const finish = (text: string) => `Be brief.\n\n${text}`;
const composed = (...comments: Comment[]) => finish(composePrompt(comments, { round: 2 }).text);

/** A queue with one review of comments 1 and 2; what became of it after `change`. */
async function after(text: string, change: (first: Comment) => Comment | null) {
  const [first, second] = [comment(1, 'use a map'), comment(2, 'and a test')];
  const queue = { id: 9, text, comments: [1, 2], round: 2, dropped: false };
  const prompts = {
    waitingWith: (id: number) => (queue.comments.includes(id) ? [queue] : []),
    rewrite: async (_id: number, next: string, comments: number[]) => void Object.assign(queue, { text: next, comments }),
    drop: async () => void Object.assign(queue, { dropped: true }),
  } as unknown as Prompts;
  const now = change(first);
  const all = new Map([
    [1, now ?? undefined],
    [2, second],
  ]);
  await followComment({ prompts, comment: (id) => all.get(id), finish }, first, now);
  return { queue, first, second };
}

const both = composed(comment(1, 'use a map'), comment(2, 'and a test'));

test('a comment edited while its review waits: the review says the new words', async () => {
  const { queue, second } = await after(both, (first) => ({ ...first, body: 'use a set' }));
  expect(queue.text).toBe(composed(comment(1, 'use a set'), second));
  expect(queue.text).toContain('use a set');
});

test('one that has moved is told by its new place', async () => {
  const { queue } = await after(both, (first) => ({ ...first, place: { ...first.place, range: { start: 41, end: 41 } } }));
  expect(queue.text).toMatch(/a\.ts:41/);
});

test.each<[string, (first: Comment) => Comment | null]>([
  ['resolved', (first) => ({ ...first, state: 'resolved' })],
  ['removed', () => null],
])('one that is %s is in it no more', async (_name, change) => {
  const { queue, second } = await after(both, change);
  expect([queue.text, queue.comments, queue.dropped]).toEqual([composed(second), [2], false]);
});

test('the last one removed takes the review with it', async () => {
  const only = comment(1, 'use a map');
  const dropped: number[] = [];
  const prompts = {
    waitingWith: () => [{ id: 9, text: composed(only), comments: [1], round: 2 }],
    drop: async (id: number) => void dropped.push(id),
  } as unknown as Prompts;
  await followComment({ prompts, comment: () => undefined, finish }, only, null);
  expect(dropped).toEqual([9]);
});

test('words that a person put into the waiting prompt stay', async () => {
  const { queue } = await after(`${both}\n\nToday, please.`, (first) => ({ ...first, body: 'use a set' }));
  expect(queue.text).toBe(`${both}\n\nToday, please.`);
});
