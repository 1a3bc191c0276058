// The prompt text as a reader gets it, and its limits.
import { expect, test } from 'vitest';
import type { Comment, Placement } from './comment.ts';
import { exportMarkdown, exportReview } from './export.ts';
import { composePrompt, pointerPrompt } from './prompt.ts';

function comment(id: number, path: string | null, start: number, lines: string[], body: string, more: Partial<Comment> = {}): Comment {
  const range = path === null ? null : { start, end: start + lines.length - 1 };
  return {
    id,
    workspace: 1,
    author: 'user',
    anchor: { path, side: 'new', range, lines, before: [], after: [], baseCommit: null },
    place: { placement: 'exact', path, range },
    body,
    state: 'draft',
    rounds: [],
    replies: [],
    created: 1,
    updated: 1,
    ...more,
  };
}

const placed = (placement: Placement, path: string) => ({ place: { placement, path, range: null } });

test('a round names each place with its code, what became of it, and how to answer', () => {
  const { text, comments } = composePrompt(
    [
      comment(4, 'b.ts', 9, ['  let x = 1;'], 'use const'),
      comment(2, 'a.ts', 42, ['if (!s) {', '  return;'], 'keep the old path', { suggestion: 'if (!s) return 401;\n```' }),
      comment(3, null, 0, [], 'add tests'),
      comment(7, 'b.ts', 2, ['old'], 'where is it?', placed('gone', 'b.ts')),
      comment(8, 'b.ts', 1, ['note'], 'mine', { author: 'agent' }),
    ],
    { round: 2 },
  );
  expect(comments).toEqual([3, 7, 4, 2]);
  expect(text).toMatchInlineSnapshot(`
    "Review of your changes, round 2: 4 comments. Please deal with each of them.

    ## The whole change

    ### Comment 3 · the whole change
    add tests

    ## b.ts

    ### Comment 7 · b.ts:2
    This code is no longer there; the comment was about:
    > old

    where is it?

    ### Comment 4 · b.ts:9
    >   let x = 1;

    use const

    ## a.ts

    ### Comment 2 · a.ts:42-43
    > if (!s) {
    >   return;

    keep the old path
    Suggested replacement:
    \`\`\`\`
    if (!s) return 401;
    \`\`\`
    \`\`\`\`

    For each comment, when you have dealt with it, run:
        herd comment addressed 3 "what you did, in one line"
    with its number. To ask or to object, run:
        herd comment reply 3 "your question"
    \`herd comment list\` shows all comments with their code. Leave resolving them to the reviewer."
  `);
});

test('a thread and a long range are in it, cut', () => {
  const lines = Array.from({ length: 40 }, (_, i) => `row ${i} ${'x'.repeat(300)}`);
  const replies = [
    { id: 1, author: 'agent' as const, body: 'which?', at: 1 },
    { id: 2, author: 'user' as const, body: 'both', at: 2 },
  ];
  const { text } = composePrompt([comment(1, 'a.ts', 1, lines, 'split this', { replies })], { round: 1 });
  expect(text).toContain('You: which?\nReviewer: both');
  expect(text).toContain('> … 26 more lines …');
  expect(text).toContain(`> row 39 ${'x'.repeat(233)}…\n`);
  expect(text.length).toBeLessThan(5_000);
});

test('code that is gone is told with its old lines and where it stood', () => {
  const place = { placement: 'gone' as const, path: 'a.ts', range: null, behind: 11 };
  const { text } = composePrompt([comment(1, 'a.ts', 9, ['old();'], 'why?', { place })], { round: 1 });
  expect(text).toContain('This code is no longer there (it was behind what is line 11 now); the comment was about:\n> old();\n\nwhy?');
});

test('says when it is too long, and the pointer stays short', () => {
  const many = Array.from({ length: 50 }, (_, i) => comment(i + 1, `f${i}.ts`, 1, ['x'], 'y'.repeat(1_000)));
  expect(composePrompt(many, { round: 1 }).tooLong).toBe(true);
  expect(composePrompt(many.slice(0, 3), { round: 1 }).tooLong).toBe(false);
  expect(pointerPrompt('/r/.git/herd/round-1.md', [1, 2], 1).length).toBeLessThan(700);
});

test('never begins like a command, has no control characters from paths', () => {
  const { text } = composePrompt([comment(1, '/x\u001b[2J', 1, ['!sh'], '/clear')], { round: 1 });
  expect(text.startsWith('Review of your changes')).toBe(true);
  expect(text).not.toContain('\u001b');
});

test('an exported review has the open comments with their code, in Markdown and as data', () => {
  const changeset = {
    scope: 'base' as const,
    base: { name: 'main', commit: '4f2a91c0ffee', recorded: '4f2a91c0ffee', moved: false },
    branch: 'fix-login',
    head: 'abc',
    files: [],
    added: 4,
    removed: 1,
    generation: 1,
    at: 1,
  };
  const comments = [comment(1, 'a.ts', 3, ['code'], 'why?', { state: 'sent', rounds: [1] })];
  expect(exportMarkdown(changeset, comments)).toBe(
    '# Review of fix-login\n\n0 files, +4 −1 since main (4f2a91c0)\n\n## 1. a.ts:3 (sent, round 1)\n\n    code\n\nwhy?\n',
  );
  expect(exportReview(changeset, comments)).toMatchObject({ version: 1, branch: 'fix-login', comments: [{ id: 1 }] });
});
