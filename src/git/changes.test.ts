// What is listed and read of a worktree's changes, and what is kept of it.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openGit } from '../../test/support/git-room.ts';
import { makeRepository } from '../../test/support/repository.ts';
import { applyPieces } from '../model/review/diff-pieces.ts';

test('a stopped merge lists its files with both sides', async () => {
  using f = makeRepository();
  f.put('a.txt', 'one\ntwo\nthree\n');
  f.put('gone.txt', 'old\n');
  f.commit('files');
  f.git('checkout', '-q', '-b', 'side');
  f.put('a.txt', 'one\nTWO side\nthree\n');
  rmSync(join(f.dir, 'gone.txt'));
  f.commit('side');
  f.git('checkout', '-q', 'main');
  f.put('a.txt', 'one\nTWO main\nthree\n');
  f.put('gone.txt', 'old but changed\n');
  f.commit('main');
  f.tryGit(f.dir, 'merge', 'side');
  const changes = openGit(f).changes(f.dir);
  const { files } = await changes.readChangeset({ scope: 'base' });
  expect(files.map((x) => [x.path, x.status])).toEqual([
    ['a.txt', 'unmerged'],
    ['gone.txt', 'unmerged'],
  ]);
  const diff = await changes.readFileDiff('a.txt', { scope: 'base' });
  expect(diff.notes.map((n) => n.text)).toEqual(['conflict: changed on both sides']);
  expect(diff.hunks[0]!.lines.filter((l) => l.kind === 'added').map((l) => l.text)).toEqual([
    '<<<<<<< HEAD',
    '=======',
    'TWO side',
    '>>>>>>> side',
  ]);
  expect((await changes.readFileDiff('gone.txt', { scope: 'base' })).notes[0]!.text).toBe('conflict: changed here, deleted there');
});

test('C33 an unborn branch lists staged and untracked files', async () => {
  using f = makeRepository({ unborn: true });
  f.put('staged.txt', 's\n');
  f.git('add', 'staged.txt');
  f.put('loose.txt', 'l\n');
  const changes = openGit(f).changes(f.dir);
  const c = await changes.readChangeset({ scope: 'base' });
  expect([c.base, c.branch, c.head, c.files.map((x) => [x.path, x.status, x.added])]).toEqual([
    null,
    'main',
    null,
    [
      ['loose.txt', 'untracked', 1],
      ['staged.txt', 'added', 1],
    ],
  ]);
  expect((await changes.readFileDiff('staged.txt', { scope: 'base' })).hunks[0]!.lines[0]!.text).toBe('s');
});

test('C37 neither the work of others nor a rewritten base shows as own work; a moved base is marked', async () => {
  using f = makeRepository();
  f.git('checkout', '-q', '-b', 'dev-env');
  for (let i = 0; i < 5; i += 1) f.put(`dev${i}.txt`, 'dev\n');
  f.commit('dev');
  const git = openGit(f);
  const first = await git.addWorktree({ from: f.dir, branch: 'first' });
  const second = await git.addWorktree({ from: f.dir, branch: 'second' });
  expect(first.base).toMatchObject({ name: 'dev-env', commit: f.git('rev-parse', 'dev-env'), why: 'the branch you are on' });
  writeFileSync(join(first.path, 'one.txt'), '1\n');
  f.gitIn(first.path, 'add', '-A');
  f.gitIn(first.path, 'commit', '-qm', 'one');
  writeFileSync(join(second.path, 'two.txt'), '2\n');
  f.gitIn(second.path, 'add', '-A');
  f.gitIn(second.path, 'commit', '-qm', 'two');
  const look = async () => git.changes(second.path).readChangeset({ scope: 'base', base: second.base });
  expect((await look()).files.map((x) => [x.path, x.committed])).toEqual([['two.txt', true]]);
  expect((await look()).base?.moved).toBe(false);
  f.git('merge', '-q', 'first');
  expect((await look()).files.map((x) => x.path)).toEqual(['two.txt']);
  f.gitIn(second.path, 'merge', '-q', '--no-edit', 'dev-env');
  expect((await look()).files.map((x) => x.path)).toEqual(['two.txt']);
  f.git('commit', '-q', '--amend', '-m', 'rewritten', '--date=2026-02-02T00:00:00Z');
  f.git('checkout', '-q', 'main');
  f.git('commit', '-q', '--allow-empty', '-m', 'main goes on');
  f.git('checkout', '-q', 'dev-env');
  f.git('rebase', '-q', 'main');
  const after = await look();
  expect([after.files.map((x) => x.path).includes('dev0.txt'), after.base?.moved]).toEqual([false, true]);
});

test('a failed reading keeps the last listing with its age and says what went wrong', async () => {
  using f = makeRepository();
  f.put('a.txt', 'a\n');
  const changes = openGit(f).changes(f.dir);
  const good = await changes.readChangeset({ scope: 'base' });
  writeFileSync(join(f.dir, '.git', 'index'), 'broken');
  const bad = await changes.readChangeset({ scope: 'base' });
  expect([bad.files, bad.at]).toEqual([good.files, good.at]);
  expect(bad.error).toMatch(/^Reading the .* failed: .*\.$/);
});

test('an unchanged worktree keeps its generation and its objects', async () => {
  using f = makeRepository();
  f.put('a.txt', 'a\n');
  const changes = openGit(f).changes(f.dir);
  const [one, two] = [await changes.readChangeset({ scope: 'base' }), await changes.readChangeset({ scope: 'base' })];
  expect([two.generation, two.files === one.files]).toEqual([one.generation, true]);
  f.put('a.txt', 'b\n');
  const three = await changes.readChangeset({ scope: 'base' });
  expect(three.generation).toBeGreaterThan(one.generation);
  expect(three.files[0]!.fingerprint).not.toBe(one.files[0]!.fingerprint);
});

test('a diff that was read is given again; one that was written on since the listing is not kept', async () => {
  using f = makeRepository();
  const changes = openGit(f).changes(f.dir);
  const list = (text: string) => {
    f.put('a.txt', text);
    return changes.readChangeset({ scope: 'base' });
  };
  const diff = () => changes.readFileDiff('a.txt', { scope: 'base' });
  const lines = async () => (await diff()).hunks[0]!.lines.map(({ text }) => text);
  await list('one\n');
  expect(await diff()).toBe(await diff());
  await list('two\n');
  expect(await lines()).toEqual(['two']);
  await list('three\n');
  f.put('a.txt', 'four\n');
  expect(await lines()).toEqual(['four']);
  f.put('a.txt', 'three\n');
  expect(await lines()).toEqual(['three']);
});

test('a patch with binary files makes them all, also those that git does not know', async () => {
  using f = makeRepository();
  const bytes = (seed: number) => Uint8Array.from({ length: 3000 }, (_, i) => (i * seed) % 256);
  const after = { 'known.bin': bytes(7), 'new file.bin': bytes(11), 'text.txt': Buffer.from('two\n') };
  f.put('known.bin', bytes(3));
  f.put('text.txt', 'one\n');
  f.commit('base');
  for (const [path, content] of Object.entries(after)) f.put(path, content);
  const changes = openGit(f).changes(f.dir);
  const patch = await changes.patch({ scope: 'uncommitted' }, { binary: true });
  expect(await changes.patch({ scope: 'uncommitted' })).toContain('Binary files a/known.bin and b/known.bin differ');
  f.git('reset', '-q', '--hard');
  f.git('clean', '-qfd');
  writeFileSync(join(f.root, 'p'), patch);
  f.git('apply', join(f.root, 'p'));
  for (const [path, content] of Object.entries(after)) expect(readFileSync(join(f.dir, path)).equals(content), path).toBe(true);
});

test('a diff since the one held comes in pieces that make it; since one that nobody gave, whole', async () => {
  using f = makeRepository();
  const lines = Array.from({ length: 400 }, (_, i) => `line ${i}`);
  const put = () => f.put('a.txt', lines.join('\n'));
  put();
  f.commit('base');
  const changes = openGit(f).changes(f.dir);
  const read = async (held?: string) => {
    put();
    await changes.readChangeset({ scope: 'uncommitted' });
    return changes.readFileDiff('a.txt', { scope: 'uncommitted', rows: 100, held });
  };
  for (let i = 0; i < 400; i += 40) lines[i] = `changed ${i}`;
  const first = await read();
  expect(first.hunks).toHaveLength(10);
  lines[80] = 'once more';
  lines.splice(20, 0, 'new');
  const { hunks, pieces, revision, ...rest } = await read(first.revision);
  expect([hunks, rest.notes, pieces!.filter((piece) => 'head' in piece).length]).toEqual([[], first.notes, 2]);
  const fresh = await read('nobody gave this');
  expect(applyPieces(first.hunks, pieces!)).toEqual(fresh.hunks);
  expect([fresh.pieces, fresh.revision]).toEqual([undefined, revision]);
  for (let i = 0; i < 400; i++) lines[i] = `other ${i}`;
  expect(await read(revision)).toMatchObject({ part: true, hunks: [{ oldStart: 1 }] });
});

test('a file keeps its fingerprint when it is staged and committed', async () => {
  using f = makeRepository();
  f.git('checkout', '-q', '-b', 'work');
  f.put('a.txt', 'a\n');
  const changes = openGit(f).changes(f.dir);
  const read = async () => (await changes.readChangeset({ scope: 'base' })).files[0]!.fingerprint;
  const loose = await read();
  f.git('add', 'a.txt');
  const staged = await read();
  f.git('commit', '-qm', 'a');
  expect([staged, await read()]).toEqual([loose, loose]);
});

test('commits since the base, and one of them as scope', async () => {
  using f = makeRepository();
  f.git('checkout', '-q', '-b', 'work');
  f.put('a.txt', 'a\n');
  f.commit('first \x1b[2J of work');
  f.put('b.txt', 'b\n');
  const second = f.commit('second');
  const changes = openGit(f).changes(f.dir);
  const list = await changes.commits({ scope: 'base' });
  expect(list.map((c) => [c.subject, c.author])).toEqual([
    ['second', 'Ada'],
    ['first  [2J of work', 'Ada'],
  ]);
  const one = await changes.readChangeset({ scope: { commit: second } });
  expect(one.files.map((x) => [x.path, x.status])).toEqual([['b.txt', 'added']]);
  const first = await changes.readChangeset({ scope: { commit: `${second}~1` } });
  expect([one.subject, first.subject]).toEqual(['second', 'first  [2J of work']);
});

test('work committed on the base branch itself is shown against where it stood', async () => {
  using f = makeRepository();
  const base = { name: 'main', commit: f.git('rev-parse', 'HEAD') };
  f.put('a.txt', 'a\n');
  f.commit('on main');
  const seen = await openGit(f).changes(f.dir).readChangeset({ scope: 'base', base });
  expect([seen.files.map((x) => [x.path, x.committed]), seen.base?.moved]).toEqual([[['a.txt', true]], false]);
});
