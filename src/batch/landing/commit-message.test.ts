import { expect, test } from 'vitest';
import { commitMessage } from './commit-message.ts';

const subject = (prompt: string) => commitMessage(prompt, 'doc-a').split('\n')[0];

test.each([
  ['Fix the login.', 'Fix the login.'],
  ['\n  Fix it.  \nThen rest.', 'Fix it.'],
  [
    'Write a doc comment for every exported function in src/f4.ts. Change nothing else.',
    'Write a doc comment for every exported function in src/f4.ts',
  ],
  [
    'Does this file have tests for all that it exports? If it has none, write them, and run them twice.',
    'Does this file have tests for all that it exports?',
  ],
  [
    'Rename every exported function whose name begins with get so that it begins with read, everywhere',
    'Rename every exported function whose name begins with get so that it…',
  ],
  ['x'.repeat(100), `${'x'.repeat(71)}…`],
  [' \n', 'doc-a'],
])('%j is committed as %j', (prompt, expected) => {
  expect(subject(prompt)).toBe(expected);
  expect(expected.length).toBeLessThanOrEqual(72);
});

test('the task stands below the subject', () => {
  expect(commitMessage('Fix it', 'doc-a')).toBe('Fix it\n\nTask doc-a of a herd batch.');
});
