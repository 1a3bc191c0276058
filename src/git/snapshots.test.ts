import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Fixture, makeRepository } from '../../test/support/repository.ts';
import { createGit } from './git.ts';

const open = (f: Fixture) => createGit({ snapshotDir: join(f.root, 'snapshots'), env: f.env, now: () => 0 });

/** Everything of the user's repository that must stay as it is. */
const userState = (f: Fixture) => ({
  refs: f.git('for-each-ref'),
  head: readFileSync(join(f.dir, '.git/HEAD'), 'utf8'),
  index: readFileSync(join(f.dir, '.git/index')).toString('base64'),
  objects: readdirSync(join(f.dir, '.git/objects'), { recursive: true }).sort(),
});

test('the last turn shows what changed since, untracked and committed files included', async () => {
  using f = makeRepository();
  f.put('tracked.txt', 'one\n');
  f.commit('tracked');
  f.put('tracked.txt', 'two\n');
  f.put('loose.txt', 'loose\n');
  f.put('stays.txt', 'stays\n');
  const git = open(f);
  const snapshot = await git.snapshots(f.dir, 7).take('turn');
  const read = () => git.changes(f.dir).readChangeset({ scope: 'turn', snapshot });
  expect((await read()).files).toEqual([]);
  f.put('tracked.txt', 'three\n');
  f.put('fresh.txt', 'fresh\n');
  rmSync(join(f.dir, 'loose.txt'));
  f.git('add', 'stays.txt');
  f.git('commit', '-qm', 'no change to any file');
  expect((await read()).files.map((x) => [x.path, x.status, x.added, x.removed])).toEqual([
    ['fresh.txt', 'added', 1, 0],
    ['loose.txt', 'deleted', 0, 1],
    ['tracked.txt', 'modified', 1, 1],
  ]);
  const diff = await git.changes(f.dir).readFileDiff('tracked.txt', { scope: 'turn', snapshot });
  expect(diff.hunks[0]!.lines.map((l) => l.text)).toEqual(['two', 'three']);
});

test("the user's index, refs, HEAD and objects are never written", async () => {
  using f = makeRepository();
  f.put('a.txt', 'a\n');
  const before = userState(f);
  const git = open(f);
  const pictures = git.snapshots(f.dir, 1);
  const snapshot = await pictures.take('turn');
  f.put('a.txt', 'b\n');
  await git.changes(f.dir).readChangeset({ scope: 'turn', snapshot });
  await pictures.take('look');
  expect(userState(f)).toEqual(before);
  expect(f.tryGit(f.dir, 'fsck', '--strict')).toBe(0);
});

test('nothing changed, nothing new; a server that comes back finds the picture', async () => {
  using f = makeRepository();
  f.put('a.txt', 'a\n');
  const first = await open(f).snapshots(f.dir, 1).take('turn');
  const pictures = open(f).snapshots(f.dir, 1);
  expect([await pictures.at('turn'), await pictures.take('turn'), await pictures.at('look')]).toEqual([first, first, null]);
});

test('a lock left by a death does not stop the next picture', async () => {
  using f = makeRepository();
  const pictures = open(f).snapshots(f.dir, 1);
  const first = await pictures.take('turn');
  writeFileSync(join(first.dir, 'index.lock'), '');
  f.put('a.txt', 'a\n');
  expect((await pictures.take('turn')).commit).not.toBe(first.commit);
});

test('huge files are left out, ignored ones never seen', async () => {
  using f = makeRepository();
  f.put('.gitignore', 'ignored\n');
  f.commit('ignore');
  f.put('ignored', 'x\n');
  f.put('huge.bin', new Uint8Array(9 * 1024 * 1024));
  f.put('small.txt', 'x\n');
  const { commit, dir } = await open(f).snapshots(f.dir, 1).take('turn');
  expect(f.gitIn(dir, 'ls-tree', '-r', '--name-only', commit).split('\n')).toEqual(['.gitignore', 'README.md', 'small.txt']);
  expect(statSync(dir).mode & 0o77).toBe(0);
});

test('an unborn repository can be pictured', async () => {
  using f = makeRepository({ unborn: true });
  f.put('a.txt', 'a\n');
  const git = open(f);
  const snapshot = await git.snapshots(f.dir, 1).take('turn');
  f.put('a.txt', 'b\n');
  expect((await git.changes(f.dir).readChangeset({ scope: 'turn', snapshot })).files.map((x) => x.path)).toEqual(['a.txt']);
});

test('pictures of one workspace asked for at once wait for each other', async () => {
  using f = makeRepository();
  f.put('a.txt', 'a\n');
  const pictures = open(f).snapshots(f.dir, 1);
  const taken = await Promise.all([pictures.take('turn'), pictures.take('look'), pictures.take('turn')]);
  expect(new Set(taken.map((t) => f.gitIn(t.dir, 'rev-parse', `${t.commit}^{tree}`))).size).toBe(1);
});
