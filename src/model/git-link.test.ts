import { expect, test } from 'vitest';
import { linkedGitDir } from './git-link.ts';

test.each([
  ['gitdir: /repo/.git/worktrees/a\n', '/repo/.git/worktrees/a'],
  ['gitdir: ../.git/modules/a b\r\n', '../.git/modules/a b'],
  ['gitdir: /odd\nname\n', '/odd\nname'],
  ['gitdir: /without an end', '/without an end'],
  ['gitdir: \n', null],
  ['# gitdir: /a\n', null],
  ['\ngitdir: /a\n', null],
  ['', null],
])('%j names %j', (text, dir) => {
  expect(linkedGitDir(text)).toBe(dir);
});
