import { expect, test } from 'vitest';
import type { Comment } from '../model/review/comment.ts';
import { addComment } from '../model/review/comment-life.ts';
import { composePrompt } from '../model/review/prompt.ts';
import type { Prompts } from './state/prompts.ts';
import { followComment } from './waiting-review.ts';

const comment = (id: number, body: string, path = 'a.ts'): Comment => {
  const anchor = {
    path,
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

const pointer = (comments: readonly number[]) => `Read the file: ${comments.join()}`;

/** A queue with one review of comments 1 and 2; what became of it after `change`. `filed`: what lies in its file. */
async function after(
  text: string,
  change: (first: Comment) => Comment | null,
  [first, second] = [comment(1, 'use a map'), comment(2, 'and a test')],
  filed: string | null = null,
) {
  const lies = { text: filed };
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
  await followComment(
    {
      ...{ prompts, comment: (id) => all.get(id), finish },
      filed: async (_, comments) => (lies.text === null ? null : { text: lies.text, prompt: pointer(comments) }),
      file: async (_, whole, comments) => {
        lies.text = whole;
        return pointer(comments);
      },
    },
    first,
    now,
  );
  return { queue, first, second, lies };
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
  const none = { filed: async () => null, file: async () => '' };
  await followComment({ prompts, comment: () => undefined, finish, ...none }, only, null);
  expect(dropped).toEqual([9]);
});

test('words that a person put into the waiting prompt stay', async () => {
  const { queue } = await after(`${both}\n\nToday, please.`, (first) => ({ ...first, body: 'use a set' }));
  expect(queue.text).toBe(`${both}\n\nToday, please.`);
});

test('the first of a review of several files: the files stay in their order', async () => {
  const pair: [Comment, Comment] = [comment(1, 'use a map', 'b.ts'), comment(2, 'and a test', 'a.ts')];
  const { queue, second } = await after(composed(...pair), (first) => ({ ...first, body: 'use a set' }), pair);
  expect(queue.text).toBe(composed(comment(1, 'use a set', 'b.ts'), second));
});

const long = 'long '.repeat(8_000).trim();
const pair = (): [Comment, Comment] => [comment(1, long), comment(2, 'and a test')];

test('one too long to paste is written anew into its file', async () => {
  const { queue, lies, second } = await after(pointer([1, 2]), (first) => ({ ...first, body: `${long}!` }), pair(), composed(...pair()));
  expect([queue.text, queue.comments]).toEqual([pointer([1, 2]), [1, 2]]);
  expect(lies.text).toBe(composed(comment(1, `${long}!`), second));
});

test('one that has become short is sent whole, one that has grown goes into a file', async () => {
  const shrunk = await after(pointer([1, 2]), (first) => ({ ...first, body: 'short' }), pair(), composed(...pair()));
  expect(shrunk.queue.text).toBe(composed(comment(1, 'short'), shrunk.second));
  const grown = await after(both, (first) => ({ ...first, body: long }));
  expect(grown.queue.text).toBe(pointer([1, 2]));
  expect(grown.lies.text).toBe(composed(...pair()));
});

test.each([
  ['into the file', pointer([1, 2]), `${composed(...pair())}\n\nToday, please.`],
  ['into the prompt', `${pointer([1, 2])}\n\nToday, please.`, composed(...pair())],
])('words that a person put %s stay', async (_what, text, filed) => {
  const { queue, lies } = await after(text, (first) => ({ ...first, body: 'short' }), pair(), filed);
  expect([queue.text, lies.text]).toEqual([text, filed]);
});
