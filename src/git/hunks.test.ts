import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Fixture, makeProgram, makeRepository } from '../../test/support/repository.ts';
import { hunkPatch } from '../model/review/hunk-patch.ts';
import { createGit } from './git.ts';
import type { GitError } from './git-error.ts';

const open = (f: Fixture) => createGit({ snapshotDir: join(f.root, 'snapshots'), env: f.env, now: () => Date.UTC(2026, 0, 1) });
const codeOf = (p: Promise<unknown>) =>
  p.then(
    () => 'fine',
    (e: GitError) => e.code,
  );
const rows = Array.from({ length: 40 }, (_, i) => `line ${i + 1}`);
const text = (lines: string[], end = '\n') => lines.join(end) + end;

function withTwoHunks(end = '\n'): Fixture {
  const f = makeRepository();
  f.put('a.txt', text(rows, end));
  f.commit('a');
  f.put('a.txt', text(rows.with(4, 'five').with(30, 'thirty-one'), end));
  return f;
}

async function hunkOf(f: Fixture, n: number, scope: 'uncommitted' | 'staged' = 'uncommitted') {
  const git = open(f);
  const diff = await git.changes(f.dir).readFileDiff('a.txt', { scope });
  return { git, fingerprint: diff.file.fingerprint, patch: hunkPatch(diff, [n]) };
}

test.each(['\n', '\r\n'])('one of two hunks is staged, and unstaged again (line end %j)', async (end) => {
  using f = withTwoHunks(end);
  const { git, fingerprint, patch } = await hunkOf(f, 1);
  await git.applyHunk(f.dir, { path: 'a.txt', patch, action: 'stage', fingerprint });
  expect(f.git('show', ':a.txt')).toBe(text(rows.with(30, 'thirty-one'), end).replace(/\n$/, ''));
  const staged = await hunkOf(f, 0, 'staged');
  await staged.git.applyHunk(f.dir, { path: 'a.txt', patch: staged.patch, action: 'unstage', fingerprint: staged.fingerprint });
  expect(f.git('diff', '--cached', '--name-only')).toBe('');
});

test('a discarded hunk is in a ref first and comes back by undo', async () => {
  using f = withTwoHunks();
  const { git, fingerprint, patch } = await hunkOf(f, 0);
  const { undoRef } = await git.applyHunk(f.dir, { path: 'a.txt', patch, action: 'discard', fingerprint });
  expect(readFileSync(join(f.dir, 'a.txt'), 'utf8')).toBe(text(rows.with(30, 'thirty-one')));
  expect(f.git('show', `${undoRef}:a.txt`)).toBe(text(rows.with(4, 'five').with(30, 'thirty-one')).trimEnd());
  await git.undo(f.dir, undoRef!);
  expect(readFileSync(join(f.dir, 'a.txt'), 'utf8')).toBe(text(rows.with(4, 'five').with(30, 'thirty-one')));
  expect(await codeOf(git.undo(f.dir, undoRef!))).toBe('not-found');
});

test('undo does not overwrite what was written since', async () => {
  using f = withTwoHunks();
  const { git, fingerprint, patch } = await hunkOf(f, 0);
  const { undoRef } = await git.applyHunk(f.dir, { path: 'a.txt', patch, action: 'discard', fingerprint });
  f.put('a.txt', 'mine\n');
  expect([await codeOf(git.undo(f.dir, undoRef!)), readFileSync(join(f.dir, 'a.txt'), 'utf8')]).toEqual(['moved-on', 'mine\n']);
});

test('a new untracked file is discarded and restored', async () => {
  using f = makeRepository();
  f.put('a.txt', 'one\ntwo');
  const { git, fingerprint, patch } = await hunkOf(f, 0);
  const { undoRef } = await git.applyHunk(f.dir, { path: 'a.txt', patch, action: 'discard', fingerprint });
  expect((await git.changes(f.dir).readChangeset({ scope: 'base' })).files).toEqual([]);
  await git.undo(f.dir, undoRef!);
  expect(readFileSync(join(f.dir, 'a.txt'), 'utf8')).toBe('one\ntwo');
});

test('refused: a file that moved on, a patch of another file, a patch that does not fit', async () => {
  using f = withTwoHunks();
  const { git, fingerprint, patch } = await hunkOf(f, 0);
  const ask = (over: object) => codeOf(git.applyHunk(f.dir, { path: 'a.txt', patch, action: 'stage', fingerprint, ...over }));
  expect(await ask({ patch: patch.replaceAll('a.txt', 'README.md') })).toBe('does-not-apply');
  expect(await ask({ patch: patch + patch })).toBe('does-not-apply');
  expect(await ask({ patch: 'nonsense' })).toBe('does-not-apply');
  expect(await ask({ patch: patch.replace('-line 5', '-line 6').replace('+five', '+six') })).toBe('does-not-apply');
  f.put('a.txt', 'changed\n');
  expect(await ask({})).toBe('moved-on');
  expect(f.git('diff', '--cached', '--name-only')).toBe('');
});

test('parts of a file that is no UTF-8 are not written', async () => {
  using f = makeRepository();
  f.put('a.txt', Buffer.from('caf\xe9\n', 'latin1'));
  f.commit('a');
  f.put('a.txt', Buffer.from('caf\xe9\nna\xefve\n', 'latin1'));
  const { git, fingerprint, patch } = await hunkOf(f, 0);
  expect(await codeOf(git.applyHunk(f.dir, { path: 'a.txt', patch, action: 'stage', fingerprint }))).toBe('not-text');
});

test.each([
  ['base', ['first', 'four', 'five', 'six', 'eight']],
  ['uncommitted', ['first', 'four', 'five', 'six', 'eight']],
] as const)('a hunk that is committed and staged in part, scope %s: its rest is staged, then all of it unstaged', async (scope, all) => {
  using f = makeRepository();
  const state = (...words: string[]) =>
    text(
      rows.with(0, words.includes('first') ? 'first' : 'line 1').flatMap((row, i) => {
        const word = { 3: 'four', 4: 'five', 5: 'six', 7: 'eight' }[i];
        return word === undefined || !words.includes(word)
          ? [row]
          : word === 'six'
            ? []
            : [word, ...(word === 'eight' ? ['and a half'] : [])];
      }),
    );
  f.put('a.txt', state());
  f.commit('a');
  f.git('checkout', '-q', '-b', 'work');
  f.put('a.txt', state('four'));
  f.commit('committed');
  f.put('a.txt', state('four', 'five', 'first'));
  f.git('add', 'a.txt');
  f.put('a.txt', state(...all));
  const git = open(f);
  const act = async (action: 'stage' | 'unstage') => {
    const base = { name: 'main', commit: f.git('rev-parse', 'main') };
    const diff = await git.changes(f.dir).readFileDiff('a.txt', { scope, base });
    const patch = hunkPatch(diff, [0], undefined, action !== 'stage');
    return git.applyHunk(f.dir, { path: 'a.txt', patch, action, fingerprint: diff.file.fingerprint });
  };
  await act('stage');
  expect(`${f.git('show', ':a.txt')}\n`).toBe(state(...all));
  expect(await codeOf(act('stage'))).toBe('does-not-apply');
  f.git('reset', '-q', 'HEAD', 'a.txt');
  f.put('a.txt', state('four', 'five', 'first'));
  f.git('add', 'a.txt');
  f.put('a.txt', state(...all));
  await act('unstage');
  expect(`${f.git('show', ':a.txt')}\n`).toBe(state('four'));
  expect(readFileSync(join(f.dir, 'a.txt'), 'utf8')).toBe(state(...all));
});

test('single lines of a hunk', async () => {
  using f = makeRepository();
  f.put('a.txt', 'one\ntwo\n');
  f.commit('a');
  f.put('a.txt', 'ONE\ntwo\nthree\n');
  const git = open(f);
  const diff = await git.changes(f.dir).readFileDiff('a.txt', { scope: 'uncommitted' });
  const patch = hunkPatch(diff, [0], (line) => line.text === 'three');
  await git.applyHunk(f.dir, { path: 'a.txt', patch, action: 'stage', fingerprint: diff.file.fingerprint });
  expect(f.git('show', ':a.txt')).toBe('one\ntwo\nthree');
});

test('commit runs the hooks, amend rewrites, an empty index and a refusing hook are told', async () => {
  using f = withTwoHunks();
  const git = open(f);
  expect(await codeOf(git.commit(f.dir, 'nothing'))).toBe('nothing-staged');
  f.git('add', 'a.txt');
  makeProgram(join(f.dir, '.git/hooks'), 'pre-commit', `echo ran >> "${f.root}/ran"`);
  await git.commit(f.dir, '# kept\n\nbody');
  expect(f.git('log', '-1', '--format=%B').trim()).toBe('# kept\n\nbody');
  await git.commit(f.dir, 'amended', { amend: true });
  expect([f.git('log', '-1', '--format=%s'), f.git('rev-list', '--count', 'HEAD')]).toEqual(['amended', '3']);
  expect(readFileSync(join(f.root, 'ran'), 'utf8')).toBe('ran\nran\n');
  makeProgram(join(f.dir, '.git/hooks'), 'pre-commit', 'echo "lint: no" >&2; exit 1');
  f.put('b.txt', 'b\n');
  f.git('add', 'b.txt');
  const error = await git.commit(f.dir, 'x').catch((e: GitError) => e);
  expect(error).toMatchObject({ message: expect.stringContaining('lint: no') });
});

test('the second of two equal places is the one discarded', async () => {
  using f = makeRepository();
  const block = ['a', 'b', 'c', 'X', 'd', 'e', 'f'];
  f.put('a.txt', text([...block, ...rows, ...block]));
  f.commit('a');
  f.put('a.txt', text([...block.with(3, 'Y'), ...rows, ...block.with(3, 'Y')]));
  const git = open(f);
  const diff = await git.changes(f.dir).readFileDiff('a.txt', { scope: 'uncommitted' });
  const patch = hunkPatch(diff, [1], undefined, true);
  await git.applyHunk(f.dir, { path: 'a.txt', patch, action: 'discard', fingerprint: diff.file.fingerprint });
  expect(readFileSync(join(f.dir, 'a.txt'), 'utf8')).toBe(text([...block.with(3, 'Y'), ...rows, ...block]));
});
