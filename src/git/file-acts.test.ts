import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Fixture, makeRepository } from '../../test/support/repository.ts';
import type { FileRequest } from './api.ts';
import { createGit } from './git.ts';
import type { GitError } from './git-error.ts';

const open = (f: Fixture) => createGit({ snapshotDir: join(f.root, 'snapshots'), env: f.env, now: () => Date.UTC(2026, 0, 1) });

async function act(f: Fixture, path: string, action: FileRequest['action'], scope: 'base' | 'uncommitted' | 'staged' = 'uncommitted') {
  const git = open(f);
  const { files } = await git.changes(f.dir).readChangeset({ scope });
  const { fingerprint } = files.find((file) => file.path === path)!;
  return git.applyFile(f.dir, { path, action, fingerprint }, { scope });
}

const codeOf = (p: Promise<unknown>) =>
  p.then(
    () => 'fine',
    (e: GitError) => e.code,
  );

/** What lies at a path: its kind and content. */
function at(f: Fixture, path: string): string {
  const stat = lstatSync(join(f.dir, path), { throwIfNoEntry: false });
  if (!stat) return 'nothing';
  if (stat.isSymbolicLink()) return `link to ${readlinkSync(join(f.dir, path))}`;
  return `${stat.mode & 0o100 ? 'program' : 'file'} ${readFileSync(join(f.dir, path), 'latin1')}`;
}

function link(f: Fixture, path: string): void {
  rmSync(join(f.dir, path));
  symlinkSync('run.sh', join(f.dir, path));
}

const text = Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n');
const STATES: [string, string[], (f: Fixture) => void][] = [
  ['a mode', ['run.sh'], (f) => chmodSync(join(f.dir, 'run.sh'), 0o755)],
  ['a binary file', ['image.bin'], (f) => f.put('image.bin', Buffer.from([0, 255, 1, 9]))],
  ['text that is no UTF-8', ['latin.txt'], (f) => f.put('latin.txt', Buffer.from('na\xefve\n', 'latin1'))],
  ['line ends', ['text.txt'], (f) => f.put('text.txt', text.replaceAll('\n', '\r\n'))],
  ['a deletion', ['text.txt'], (f) => rmSync(join(f.dir, 'text.txt'))],
  ['a link', ['link'], (f) => link(f, 'link')],
  ['a file that became a link', ['text.txt'], (f) => link(f, 'text.txt')],
  ['an empty new file', ['new/empty'], (f) => f.put('new/empty', '')],
  ['a new binary file', ['new.bin'], (f) => f.put('new.bin', Buffer.from([0, 200]))],
  ['a rename', ['renamed.txt', 'text.txt'], (f) => renameSync(join(f.dir, 'text.txt'), join(f.dir, 'renamed.txt'))],
  ['a rename that git knows', ['renamed.txt', 'text.txt'], (f) => f.git('mv', 'text.txt', 'renamed.txt')],
  ['a name like an option', ['-p "x"\t'], (f) => f.put('-p "x"\t', 'x\n')],
];

test.each(STATES)('%s is staged, unstaged, discarded and brought back', async (_name, paths, change) => {
  using f = makeRepository();
  f.put('run.sh', 'echo\n');
  f.put('image.bin', Buffer.from([0, 1, 2]));
  f.put('latin.txt', Buffer.from('caf\xe9\n', 'latin1'));
  f.put('text.txt', text);
  symlinkSync('text.txt', join(f.dir, 'link'));
  f.commit('before');
  const all = () => paths.map((path) => at(f, path));
  const before = all();
  change(f);
  const after = all();
  const first = paths[0]!;
  await act(f, first, 'stage');
  expect(f.git('diff', '--name-only')).toBe('');
  expect(f.git('ls-files', '--others')).toBe('');
  expect(f.git('diff', '--cached', '--name-only')).not.toBe('');
  await act(f, first, 'unstage', 'staged');
  expect(f.git('diff', '--cached', '--name-only')).toBe('');
  expect(all()).toEqual(after);
  await act(f, first, 'discard');
  expect(all()).toEqual(before);
  expect(await open(f).undo(f.dir)).toContain(first);
  expect(all()).toEqual(after);
});

test('undo brings back one discard after the other, of its own worktree only, also for a server started since', async () => {
  using f = makeRepository();
  f.git('worktree', 'add', '-q', '-b', 'other', join(f.root, 'other'));
  f.put('a.txt', 'a\n');
  f.put('b.txt', 'b\n');
  await act(f, 'a.txt', 'discard');
  await act(f, 'b.txt', 'discard');
  expect([existsSync(join(f.dir, 'a.txt')), existsSync(join(f.dir, 'b.txt'))]).toEqual([false, false]);
  expect(await codeOf(open(f).undo(join(f.root, 'other')))).toBe('not-found');
  const back = [await open(f).undo(f.dir), await open(f).undo(f.dir)].flat();
  expect(back.toSorted()).toEqual(['a.txt', 'b.txt']);
  expect([at(f, 'a.txt'), at(f, 'b.txt')]).toEqual(['file a\n', 'file b\n']);
  expect(await codeOf(open(f).undo(f.dir))).toBe('not-found');
});

test('the commit of a submodule is staged and unstaged; what is inside of it is not ours', async () => {
  using f = makeRepository();
  const inside = join(f.root, 'inside');
  f.git('init', '-q', inside);
  f.gitIn(inside, 'commit', '-q', '--allow-empty', '-m', 'one');
  f.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inside, 'sub');
  f.commit('sub');
  f.put('sub/new.txt', 'n\n');
  for (const action of ['stage', 'discard'] as const) expect(await codeOf(act(f, 'sub', action))).toBe('does-not-apply');
  f.gitIn(join(f.dir, 'sub'), 'add', '.');
  f.gitIn(join(f.dir, 'sub'), 'commit', '-q', '-m', 'two');
  await act(f, 'sub', 'stage');
  expect(f.git('status', '--porcelain')).toBe('M  sub');
  await act(f, 'sub', 'unstage');
  expect(f.git('status', '--porcelain')).toBe(' M sub');
  expect(await codeOf(act(f, 'sub', 'discard'))).toBe('does-not-apply');
});

test('in a repository without a commit', async () => {
  using f = makeRepository({ unborn: true });
  f.put('a.txt', 'a\n');
  await act(f, 'a.txt', 'stage');
  expect(f.git('ls-files')).toBe('a.txt');
  await act(f, 'a.txt', 'unstage', 'staged');
  expect([f.git('ls-files'), at(f, 'a.txt')]).toEqual(['', 'file a\n']);
});

test('a conflict is staged once its marks are gone, and by being removed', async () => {
  using f = makeRepository();
  f.put('a.txt', 'a\n');
  f.put('gone.txt', 'g\n');
  f.commit('base');
  f.git('checkout', '-q', '-b', 'side');
  f.put('a.txt', 'side\n');
  f.put('gone.txt', 'changed\n');
  f.commit('side');
  f.git('checkout', '-q', 'main');
  f.put('a.txt', 'main\n');
  rmSync(join(f.dir, 'gone.txt'));
  f.commit('main');
  expect(f.tryGit(f.dir, 'merge', 'side')).not.toBe(0);
  for (const action of ['stage', 'unstage', 'discard'] as const) expect(await codeOf(act(f, 'a.txt', action))).toBe('in-conflict');
  f.put('a.txt', 'both\n');
  await act(f, 'a.txt', 'stage');
  rmSync(join(f.dir, 'gone.txt'));
  await act(f, 'gone.txt', 'stage');
  expect(f.git('status', '--porcelain')).toBe('M  a.txt');
});

describe('a file that became a folder', () => {
  function made(): Fixture {
    const f = makeRepository();
    f.put('d', 'one\ntwo\nthree\n');
    f.commit('d');
    rmSync(join(f.dir, 'd'));
    f.put('d/in', 'inside\n');
    f.put('d/other', 'another\n');
    return f;
  }
  const status = (f: Fixture) => f.git('status', '--porcelain', '--untracked-files=all').split('\n');

  test('is staged without what is in the folder', async () => {
    using f = made();
    await act(f, 'd', 'stage');
    expect(status(f)).toEqual(['D  d', '?? d/in', '?? d/other']);
    await act(f, 'd', 'unstage');
    expect(status(f)).toEqual([' D d', '?? d/in', '?? d/other']);
    await act(f, 'd/in', 'stage');
    expect(status(f)).toEqual(['D  d', 'A  d/in', '?? d/other']);
  });

  test('is read and unstaged without what is staged in the folder', async () => {
    using f = made();
    f.git('add', '-A');
    const { hunks } = await open(f).changes(f.dir).readFileDiff('d', { scope: 'base' });
    expect(hunks.flatMap(({ lines }) => lines.map(({ kind, text: said }) => `${kind} ${said}`))).toEqual([
      'removed one',
      'removed two',
      'removed three',
    ]);
    expect(await codeOf(act(f, 'd', 'unstage'))).toBe('does-not-apply');
    expect(status(f)).toEqual(['D  d', 'A  d/in', 'A  d/other']);
  });

  test.each([false, true])('comes back by a discard only where no folder is, staged: %s', async (staged) => {
    using f = made();
    if (staged) f.git('add', '-A');
    const git = open(f);
    const { file, hunks, revision } = await git.changes(f.dir).readFileDiff('d', { scope: 'base', rows: 100 });
    expect(hunks).toHaveLength(1);
    expect(await codeOf(act(f, 'd', 'discard', 'base'))).toBe('does-not-apply');
    const patch = await git.changes(f.dir).patchOfHunks('d', { scope: 'base' }, { revision: revision!, hunks: [0] });
    const request = { path: 'd', patch, action: 'discard' as const, fingerprint: file.fingerprint };
    expect(await codeOf(git.applyHunk(f.dir, request))).toBe('does-not-apply');
    expect([at(f, 'd/in'), at(f, 'd/other')]).toEqual(['file inside\n', 'file another\n']);
    rmSync(join(f.dir, 'd'), { recursive: true });
    await act(f, 'd', 'discard', 'base');
    expect(at(f, 'd')).toBe('file one\ntwo\nthree\n');
  });

  test('under its own name in the folder is taken back and brought back', async () => {
    using f = makeRepository();
    f.put('d', text);
    f.commit('d');
    rmSync(join(f.dir, 'd'));
    f.put('d/in', text);
    f.git('add', '-A');
    await act(f, 'd/in', 'discard', 'uncommitted');
    expect(at(f, 'd')).toBe(`file ${text}`);
    await open(f).undo(f.dir);
    expect(at(f, 'd/in')).toBe(`file ${text}`);
  });
});

test('a folder that became a file: neither takes the other along', async () => {
  using f = makeRepository();
  f.put('d/in', 'inside\n');
  f.commit('d');
  rmSync(join(f.dir, 'd'), { recursive: true });
  f.put('d', 'a file\n');
  expect(await codeOf(act(f, 'd/in', 'discard'))).toBe('does-not-apply');
  f.git('add', '-A');
  await act(f, 'd', 'discard');
  expect([at(f, 'd'), f.git('status', '--porcelain')]).toEqual(['nothing', 'AD d\nD  d/in']);
  await open(f).undo(f.dir);
  expect(at(f, 'd')).toBe('file a file\n');
});

test('refused: what has changed since, a repository of its own, a name that is no UTF-8', async () => {
  using f = makeRepository();
  f.put('a.txt', 'a\n');
  f.git('init', '-q', join(f.dir, 'inner'));
  writeFileSync(Buffer.concat([Buffer.from(`${f.dir}/`), Buffer.from([0x64, 0xff])]), 'x');
  f.git('add', '-N', 'a.txt');
  const git = open(f);
  const request = { path: 'a.txt', action: 'discard' as const, fingerprint: '100644:of before' };
  await git.changes(f.dir).readChangeset({ scope: 'uncommitted' });
  expect(await codeOf(git.applyFile(f.dir, request, { scope: 'uncommitted' }))).toBe('moved-on');
  expect(await codeOf(git.applyFile(f.dir, { ...request, path: 'not/listed' }, { scope: 'uncommitted' }))).toBe('not-found');
  for (const action of ['stage', 'discard'] as const) expect(await codeOf(act(f, 'inner/', action))).toBe('does-not-apply');
  expect(await codeOf(act(f, 'd\ufffd', 'stage'))).toBe('not-text');
});

test('nothing is written, thrown away or brought back behind a folder that has become a link', async () => {
  using f = makeRepository();
  f.put('keep.txt', 'k\n');
  f.put('sub/new.txt', 'new\n');
  const git = open(f);
  const { files } = await git.changes(f.dir).readChangeset({ scope: 'uncommitted' });
  const { fingerprint } = files.find(({ path }) => path === 'sub/new.txt')!;
  const request = { path: 'sub/new.txt', action: 'discard' as const, fingerprint };
  const outside = join(f.root, 'outside');
  renameSync(join(f.dir, 'sub'), outside);
  symlinkSync(outside, join(f.dir, 'sub'));
  expect(await codeOf(git.applyFile(f.dir, request, { scope: 'uncommitted' }))).not.toBe('fine');
  expect(readFileSync(join(outside, 'new.txt'), 'utf8')).toBe('new\n');
  rmSync(join(f.dir, 'sub'));
  renameSync(outside, join(f.dir, 'sub'));
  await act(f, 'sub/new.txt', 'discard');
  expect(at(f, 'sub/new.txt')).toBe('nothing');
  renameSync(join(f.dir, 'sub'), outside);
  symlinkSync(outside, join(f.dir, 'sub'));
  expect(await codeOf(git.undo(f.dir))).toBe('moved-on');
  expect(readdirSync(outside)).toEqual([]);
  rmSync(join(f.dir, 'sub'));
  expect(await codeOf(git.undo(f.dir))).toBe('fine');
  expect(at(f, 'sub/new.txt')).toBe('file new\n');
});
