import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openGit } from '../../test/support/git-room.ts';
import { makeRepository } from '../../test/support/repository.ts';

test('a picture asked for many times before it is begun is taken once; one asked for later shows what came meanwhile', async () => {
  using f = makeRepository();
  const pictures = openGit(f).snapshots(f.dir, 1);
  const first = pictures.take('look');
  expect(pictures.take('look')).toBe(first);
  expect(pictures.take('rest')).not.toBe(first);
  await first;
  f.put('later.txt', 'x\n');
  const { commit, dir } = await pictures.take('look');
  expect(f.git('--git-dir', dir, 'ls-tree', '--name-only', commit)).toContain('later.txt');
});

test('links are in a picture as such; what is too large to be pictured stays out until it is tracked', async () => {
  using f = makeRepository();
  f.put('small.txt', 'x\n');
  f.put('large.bin', Buffer.alloc(8 * 1024 * 1024 + 1));
  symlinkSync('small.txt', join(f.dir, 'link'));
  const { commit, dir } = await openGit(f).snapshots(f.dir, 1).take('look');
  const rows = f.git('--git-dir', dir, 'ls-tree', commit).split('\n');
  const modes = Object.fromEntries(rows.map((row) => [row.split('\t')[1], row.slice(0, 6)]));
  expect(modes).toMatchObject({ 'small.txt': '100644', link: '120000' });
  expect(modes).not.toHaveProperty('large.bin');
});

test('pictures go with their workspace, and those of workspaces that are gone when a server starts', async () => {
  using f = makeRepository();
  const git = openGit(f);
  for (const workspace of [1, 2, 3]) await git.snapshots(f.dir, workspace).take('look');
  const left = () => readdirSync(join(f.root, 'snapshots')).sort();
  await git.forget(f.dir, 1);
  expect(left()).toEqual(['2.git', '3.git']);
  await git.forgetOthers([3, 4]);
  await expect.poll(left).toEqual(['3.git']);
  expect((await git.snapshots(f.dir, 3).at('look'))?.commit).toMatch(/^[\da-f]{40}$/);
  await git.forget(f.dir, 4);
  expect(existsSync(join(f.dir, '.git'))).toBe(true);
});

test('what was learned of a worktree is forgotten with its workspace', async () => {
  using f = makeRepository();
  const git = openGit(f);
  const changes = git.changes(f.dir);
  expect(git.changes(f.dir)).toBe(changes);
  await git.forget(f.dir, 1);
  expect(git.changes(f.dir)).not.toBe(changes);
});
