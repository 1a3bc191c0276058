import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Fixture, makeRepository } from '../../test/support/repository.ts';
import { copyIndex } from './copy-index.ts';
import { createGit } from './git.ts';
import { Runner } from './run.ts';
import { saveWorktree } from './save.ts';

/** A file that was written again in the tick in which git read it: the same times and size as the index says, another text. */
function writtenInTheSameTick(f: Fixture): void {
  // What no clock of a test can have stand still is left out of git's comparison.
  f.git('config', 'core.trustctime', 'false');
  f.put('a.txt', 'one\n');
  const then = Math.floor(Date.now() / 1000) - 100;
  utimesSync(join(f.dir, 'a.txt'), then, then);
  f.commit('one');
  utimesSync(join(f.dir, '.git/index'), then, then);
  f.put('a.txt', 'two\n');
  utimesSync(join(f.dir, 'a.txt'), then, then);
  expect(f.git('--no-optional-locks', 'status', '--porcelain').trim()).toBe('M a.txt');
}

test('a picture has what was written in the tick of the index', async () => {
  using f = makeRepository();
  writtenInTheSameTick(f);
  const git = createGit({ snapshotDir: join(f.root, 'snapshots'), env: f.env, now: () => 0 });
  const { commit, dir } = await git.snapshots(f.dir, 1).take('turn');
  expect(f.git('--git-dir', dir, 'show', `${commit}:a.txt`)).toBe('two');
});

test('so has what is saved before a worktree goes', async () => {
  using f = makeRepository();
  writtenInTheSameTick(f);
  const index = readFileSync(join(f.dir, '.git/index'));
  const time = statSync(join(f.dir, '.git/index')).mtimeMs;
  await saveWorktree(await new Runner({ cap: 4, program: 'git', env: f.env }).look(f.dir), 'refs/herd/saved', 'saved');
  expect(f.git('show', 'refs/herd/saved:a.txt')).toBe('two');
  expect([readFileSync(join(f.dir, '.git/index')).equals(index), statSync(join(f.dir, '.git/index')).mtimeMs]).toEqual([true, time]);
});

test('an index that is not there yet is none, one that cannot be read is an error', async () => {
  using f = makeRepository();
  await copyIndex(join(f.dir, '.git/none'), join(f.root, 'copy'));
  expect(existsSync(join(f.root, 'copy'))).toBe(false);
  await expect(copyIndex(f.dir, join(f.root, 'copy'))).rejects.toThrow();
});
