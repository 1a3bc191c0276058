// A comment on the command line: what an agent reads of it without JSON.
import { expect, test } from 'vitest';
import { commentOn } from '../../test/support/diff-samples.ts';
import { commentBlock } from './comment-lines.ts';
import { commentStateOf } from './values.ts';

test('where, state, code, words, suggested code, thread', () => {
  const replies = [{ id: 1, author: 'agent' as const, body: 'which?\nthis?', at: 0 }];
  expect(commentBlock(commentOn(3, 'a.ts', 7, 'take\nthis', { suggestion: 'one\n\n  two', replies }), ['code'])).toBe(
    [
      '#3  a.ts:7  draft',
      '  > code',
      '  take',
      '  this',
      '  suggested:',
      '  + one',
      '  + ',
      '  +   two',
      '    agent: which?',
      '    this?',
    ].join('\n'),
  );
  expect(commentBlock(commentOn(3, 'a.ts', 7, '', { suggestion: 'one' }), [])).toBe('#3  a.ts:7  draft\n  suggested:\n  + one');
});

test('a state that comments do not have is no empty list', () => {
  expect(commentStateOf('open')).toBe('open');
  expect(commentStateOf(undefined)).toBeUndefined();
  expect(() => commentStateOf('done')).toThrow('--state is open, draft, queued, sent, addressed or resolved, not "done".');
});
