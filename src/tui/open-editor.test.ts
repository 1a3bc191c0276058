// Editors as people set them, each a command line: what becomes of the text.
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { editText } from './open-editor.ts';

test.each<[string, string, unknown]>([
  ['one that writes', 'printf "new\\r\\ntext\\n\\n" > ', { text: 'new\ntext' }],
  ['options, and blanks within quotes', `sh -c 'printf "%s" "two words" > "$1"' -- `, { text: 'two words' }],
  ['one that is left without a change', 'test -f', { text: 'as it was' }],
  ['one that empties the file', ': > ', { text: '' }],
  [
    'one that writes and says that it failed',
    `sh -c 'echo half > "$1"; exit 3' -- `,
    { fault: { why: 'failed', text: expect.stringMatching(/ ended with code 3$/) } },
  ],
  [
    'one that is killed',
    "sh -c 'kill -9 $$'",
    { fault: { why: 'failed', text: expect.stringMatching(/ ended (by SIGKILL|with code 137)$/) } },
  ],
  ['one that removes the file', 'rm', { fault: { why: 'failed', text: 'the editor left no file' } }],
  ['one that is not there', 'no-such-editor --wait', { fault: { why: 'not-started', text: 'no-such-editor --wait could not be started' } }],
  ['one that may not be run', tmpdir(), { fault: { why: 'not-started', text: `${tmpdir()} could not be started` } }],
])('%s', async (_what, editor, expected) => {
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('herd-text-')).length;
  const before = folders();
  expect(await editText({ EDITOR: editor }, 'as it was')).toEqual(expected);
  expect(folders()).toBe(before);
});

test('VISUAL is asked before EDITOR', async () => {
  expect(await editText({ VISUAL: 'echo visual >', EDITOR: 'echo editor >' }, '')).toEqual({ text: 'visual' });
});
