// What a listing and a file say of states in which the lines are not all there is to know.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Fixture, makeRepository } from '../../test/support/repository.ts';
import type { ChangesQuery } from './api.ts';
import { createGit } from './git.ts';

const changesOf = (f: Fixture) => createGit({ snapshotDir: join(f.root, 'snapshots'), env: f.env, now: () => 0 }).changes(f.dir);
const notesOf = async (f: Fixture, path: string, q: Partial<ChangesQuery> = {}) =>
  (await changesOf(f).readFileDiff(path, { scope: 'uncommitted', ...q })).notes.map(({ text }) => text);

/** main and side have each changed a.txt and bin since they parted. */
function parted(): Fixture {
  const f = makeRepository();
  f.put('a.txt', 'one\n');
  f.put('bin', Buffer.from([0, 1]));
  f.commit('a');
  for (const [branch, from, byte] of [
    ['side', 'main', 2],
    ['work', 'main', 3],
  ] as const) {
    f.git('checkout', '-q', '-b', branch, from);
    for (const n of [1, 2]) {
      f.put('a.txt', `${branch} ${n}\n`);
      f.put('bin', Buffer.from([0, byte, n]));
      f.commit(`${branch} ${n}`);
    }
  }
  return f;
}

test.each([
  [['merge', 'side'], 'merging'],
  [['rebase', 'side'], 'rebasing 1/2'],
  [['rebase', '--apply', 'side'], 'rebasing 1/2'],
  [['cherry-pick', 'side'], 'cherry-picking'],
  [['revert', '--no-edit', 'HEAD~1'], 'reverting'],
  [['bisect', 'start'], 'bisecting'],
])('git %s under way is named, in a linked worktree too', async (args, expected) => {
  using f = parted();
  f.git('checkout', '-q', '--detach');
  const linked = join(f.root, 'linked');
  f.git('worktree', 'add', '-q', linked, 'work');
  expect((await changesOf({ ...f, dir: linked }).readChangeset({ scope: 'base' })).operation).toBeUndefined();
  f.tryGit(linked, ...args);
  expect((await changesOf({ ...f, dir: linked }).readChangeset({ scope: 'base' })).operation).toBe(expected);
  expect((await changesOf(f).readChangeset({ scope: 'base' })).operation).toBeUndefined();
});

test('a binary file in conflict says so', async () => {
  using f = parted();
  expect(f.tryGit(f.dir, 'merge', 'side')).not.toBe(0);
  expect(await notesOf(f, 'bin')).toEqual(['conflict: changed on both sides', 'binary, 3 B in the worktree']);
});

test('a base whose branch was deleted is marked as gone, and stands where it was', async () => {
  using f = parted();
  const base = { name: 'side', commit: f.git('rev-parse', 'main') };
  expect((await changesOf(f).readChangeset({ scope: 'base', base })).base).toMatchObject({ moved: true });
  f.git('branch', '-q', '-D', 'side');
  expect((await changesOf(f).readChangeset({ scope: 'base', base })).base).toMatchObject({ ...base, gone: true });
});

test('a name that is no UTF-8 is told as what it is, tracked or not', async () => {
  using f = makeRepository();
  const at = (byte: number) => Buffer.concat([Buffer.from(`${f.dir}/`), Buffer.from([byte, 0x2e, 0xff])]);
  writeFileSync(at(0x61), 'x\n');
  f.commit('a');
  writeFileSync(at(0x61), 'y\n');
  writeFileSync(at(0x62), 'z\n');
  for (const name of ['a.\ufffd', 'b.\ufffd']) expect(await notesOf(f, name)).toEqual(['its name is not UTF-8: herd cannot open it']);
});

test('with whitespace ignored a file that has no other change says so', async () => {
  using f = makeRepository();
  f.put('a.txt', 'a\n  b\n');
  f.put('c.txt', 'a\n  b\n');
  f.commit('a');
  f.put('a.txt', 'a\n\tb\n');
  f.put('c.txt', 'A\n\tb\n');
  expect(await notesOf(f, 'a.txt', { ignoreWhitespace: true })).toEqual(['only whitespace has changed']);
  expect(await notesOf(f, 'c.txt', { ignoreWhitespace: true })).toEqual([]);
  expect(await notesOf(f, 'a.txt')).toEqual([]);
});

test('a diff against the worktree knows the length of the file', async () => {
  using f = makeRepository();
  f.put('a.txt', 'a\nb\nc');
  f.commit('a');
  f.put('a.txt', 'A\nb\nc');
  f.put('new.txt', 'n\n');
  rmSync(join(f.dir, 'README.md'));
  const changes = changesOf(f);
  const total = async (path: string, scope: ChangesQuery['scope'] = 'uncommitted') => (await changes.readFileDiff(path, { scope })).total;
  expect([await total('a.txt'), await total('new.txt'), await total('README.md')]).toEqual([3, 1, undefined]);
  f.git('add', 'a.txt');
  expect(await total('a.txt', 'staged')).toBeUndefined();
});
