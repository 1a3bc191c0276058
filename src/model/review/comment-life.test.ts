// The life of a comment as a table of intents and states.
import { expect, test } from 'vitest';
import type { Comment, CommentState } from './comment.ts';
import { addComment, applyIntent, type CommentIntent } from './comment-life.ts';

const anchor = { path: 'a.ts', side: 'new' as const, range: { start: 1, end: 1 }, lines: ['x'], before: [], after: [], baseCommit: null };

function comment(author: 'user' | 'agent' = 'user', state: CommentState = 'draft'): Comment {
  const made = addComment({ id: 1, workspace: 1, author, anchor, body: 'why?' }, 10);
  if ('refused' in made) throw new Error(made.refused.message);
  return { ...made.comment, state };
}

const say: CommentIntent = { do: 'reply', id: 5, author: 'user', body: 'still wrong' };
const answer: CommentIntent = { do: 'reply', id: 5, author: 'agent', body: 'done' };

test.each<[CommentState, CommentIntent, CommentState | string]>([
  ['draft', { do: 'queue' }, 'queued'],
  ['queued', { do: 'queue' }, 'queued'],
  ['sent', { do: 'queue' }, 'refused sent'],
  ['queued', { do: 'unqueue' }, 'draft'],
  ['draft', { do: 'sent', round: 1 }, 'sent'],
  ['queued', { do: 'sent', round: 1 }, 'sent'],
  ['resolved', { do: 'sent', round: 1 }, 'refused resolved'],
  ['sent', { do: 'addressed' }, 'addressed'],
  ['queued', { do: 'addressed', reply: { id: 9, body: 'did it' } }, 'addressed'],
  ['resolved', { do: 'addressed' }, 'refused resolved'],
  ['sent', { do: 'addressed', reply: { id: 9, body: '  ' } }, 'refused empty'],
  ['addressed', { do: 'resolve' }, 'resolved'],
  ['draft', { do: 'resolve' }, 'resolved'],
  ['resolved', { do: 'reopen' }, 'draft'],
  ['addressed', { do: 'reopen' }, 'draft'],
  ['sent', { do: 'reopen' }, 'draft'],
  ['draft', { do: 'reopen' }, 'refused not-resolved'],
  ['draft', { do: 'edit', body: 'better' }, 'draft'],
  ['queued', { do: 'edit', body: 'better' }, 'queued'],
  ['sent', { do: 'edit', body: 'better' }, 'refused sent'],
  ['draft', { do: 'edit', body: '\n' }, 'refused empty'],
  ['draft', { do: 'edit', body: 'x'.repeat(70_000) }, 'refused too-long'],
  ['sent', answer, 'sent'],
  ['addressed', say, 'draft'],
  ['resolved', say, 'draft'],
  ['queued', say, 'queued'],
])('%s %o → %s', (state, intent, expected) => {
  const outcome = applyIntent(comment('user', state), intent, 20);
  expect('refused' in outcome ? `refused ${outcome.refused.code}` : outcome.comment.state).toBe(expected);
});

test.each<[CommentState, CommentIntent]>([
  ['queued', { do: 'queue' }],
  ['addressed', { do: 'addressed' }],
  ['resolved', { do: 'resolve' }],
  ['draft', { do: 'edit', body: 'why?' }],
  ['draft', { do: 'place', place: { placement: 'exact', path: 'a.ts', range: { start: 1, end: 1 } } }],
])('%s %o changes nothing: the same object', (state, intent) => {
  const before = comment('user', state);
  expect(applyIntent(before, intent, 20)).toEqual({ comment: before });
  expect((applyIntent(before, intent, 20) as { comment: Comment }).comment).toBe(before);
});

test('a round is counted once', () => {
  const first = applyIntent(comment(), { do: 'sent', round: 3 }, 20) as { comment: Comment };
  expect(first.comment.rounds).toEqual([3]);
  expect((applyIntent(first.comment, { do: 'sent', round: 3 }, 30) as { comment: Comment }).comment).toBe(first.comment);
});

test('an agent’s note is never sent, and its text can be changed', () => {
  const note = comment('agent');
  expect(applyIntent(note, { do: 'sent', round: 1 }, 20)).toMatchObject({ refused: { code: 'note' } });
  expect(applyIntent(note, { do: 'queue' }, 20)).toMatchObject({ refused: { code: 'note' } });
  expect(applyIntent({ ...note, state: 'sent' }, { do: 'edit', body: 'b' }, 20)).toMatchObject({ comment: { body: 'b' } });
});

test('bodies lose control characters, keep tabs and lines', () => {
  const made = addComment({ id: 1, workspace: 1, author: 'user', anchor, body: ' a\u001b[31m\tb\r\nc\u0007 ' }, 1);
  expect(made).toMatchObject({ comment: { body: 'a[31m\tb\nc' } });
});

test('a suggestion alone is enough', () => {
  const given = { id: 1, workspace: 1, author: 'user' as const, anchor, body: '' };
  expect(addComment(given, 1)).toHaveProperty('refused');
  expect(addComment({ ...given, suggestion: 'y' }, 1)).toMatchObject({ comment: { suggestion: 'y' } });
});

test('where a comment came from is kept, and known anew once it was posted', () => {
  const made = addComment({ id: 1, workspace: 1, author: 'user', anchor, body: 'why?', source: 'github:7' }, 10);
  if ('refused' in made) throw new Error(made.refused.message);
  expect(made.comment.source).toBe('github:7');
  expect('source' in comment()).toBe(false);
  const same = applyIntent(made.comment, { do: 'source', source: 'github:7' }, 20);
  expect('comment' in same && same.comment).toBe(made.comment);
  const other = applyIntent(made.comment, { do: 'source', source: 'github:8' }, 20);
  expect('comment' in other && other.comment).toEqual({ ...made.comment, source: 'github:8' });
});

test('a suggestion block in the words is the suggestion, whoever writes them; words without one leave it', () => {
  const block = 'take this:\n\n```suggestion\nconst two = 2;\n```\n';
  const made = addComment({ id: 1, workspace: 1, author: 'user', anchor, body: block }, 10);
  if ('refused' in made) throw new Error(made.refused.message);
  expect(made.comment).toMatchObject({ body: 'take this:', suggestion: 'const two = 2;' });
  const edited = (body: string, suggestion?: string | null) =>
    applyIntent(made.comment, { do: 'edit', body, ...(suggestion === undefined ? {} : { suggestion }) }, 20);
  expect(edited('or this')).toMatchObject({ comment: { body: 'or this', suggestion: 'const two = 2;' } });
  expect(edited('```suggestion\nconst two = 3;\n```')).toMatchObject({ comment: { body: '', suggestion: 'const two = 3;' } });
  expect(edited('no code', null)).toMatchObject({ comment: { body: 'no code' } });
  expect(edited('no code', null)).not.toHaveProperty('comment.suggestion');
});
