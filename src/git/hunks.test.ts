import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Fixture, makeProgram, makeRepository } from '../../test/support/repository.ts';
import { hunkPatch } from '../model/review/hunk-patch.ts';
import type { ChangesQuery } from './api.ts';
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
  await git.undo(f.dir);
  expect(readFileSync(join(f.dir, 'a.txt'), 'utf8')).toBe(text(rows.with(4, 'five').with(30, 'thirty-one')));
  expect(await codeOf(git.undo(f.dir))).toBe('not-found');
});

test('undo does not overwrite what was written since', async () => {
  using f = withTwoHunks();
  const { git, fingerprint, patch } = await hunkOf(f, 0);
  await git.applyHunk(f.dir, { path: 'a.txt', patch, action: 'discard', fingerprint });
  f.put('a.txt', 'mine\n');
  expect([await codeOf(git.undo(f.dir)), readFileSync(join(f.dir, 'a.txt'), 'utf8')]).toEqual(['moved-on', 'mine\n']);
});

test('a new untracked file is discarded and restored', async () => {
  using f = makeRepository();
  f.put('a.txt', 'one\ntwo');
  const { git, fingerprint, patch } = await hunkOf(f, 0);
  await git.applyHunk(f.dir, { path: 'a.txt', patch, action: 'discard', fingerprint });
  expect((await git.changes(f.dir).readChangeset({ scope: 'base' })).files).toEqual([]);
  await git.undo(f.dir);
  expect(readFileSync(join(f.dir, 'a.txt'), 'utf8')).toBe('one\ntwo');
});

test('refused: a file that moved on, a patch that does not fit', async () => {
  using f = withTwoHunks();
  const { git, fingerprint, patch } = await hunkOf(f, 0);
  const ask = (over: object) => codeOf(git.applyHunk(f.dir, { path: 'a.txt', patch, action: 'stage', fingerprint, ...over }));
  expect(await ask({ patch: 'nonsense' })).toBe('does-not-apply');
  expect(await ask({ patch: patch.replace('-line 5', '-line 6').replace('+five', '+six') })).toBe('does-not-apply');
  f.put('a.txt', 'changed\n');
  expect(await ask({})).toBe('moved-on');
  expect(f.git('diff', '--cached', '--name-only')).toBe('');
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
    const patch = hunkPatch(diff, [0]);
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

/** Acts on the lines of the only file's diff whose text is named, with their mark. */
async function actOnLines(f: Fixture, action: 'stage' | 'unstage' | 'discard', texts: string[], o: Partial<ChangesQuery> = {}) {
  const q = { scope: 'uncommitted' as const, ...o };
  const git = open(f);
  const diff = await git.changes(f.dir).readFileDiff('a.txt', q);
  const marks = { added: '+', removed: '-', context: ' ' };
  const all = diff.hunks.flatMap((hunk) => hunk.lines).map((line) => marks[line.kind] + line.text);
  const lines = all.flatMap((line, i) => (texts.includes(line) ? [[i, i + 1] as [number, number]] : []));
  expect(lines).toHaveLength(texts.length);
  return git.applyHunk(f.dir, { path: 'a.txt', patch: hunkPatch(diff), lines, action, fingerprint: diff.file.fingerprint });
}

test('single lines of hunks: staged one after the other, unstaged, discarded', async () => {
  using f = makeRepository();
  f.put('a.txt', text(rows));
  f.commit('a');
  const all = rows.flatMap((row, i) => (i === 9 ? ['TEN'] : i === 10 ? ['ELEVEN', 'more', 'last'] : i === 29 ? [row, 'far'] : [row]));
  f.put('a.txt', text(all));
  const index = () => `${f.git('show', ':a.txt')}\n`;
  await actOnLines(f, 'stage', ['+more', '+far']);
  expect(index()).toBe(text(rows.flatMap((row, i) => (i === 10 ? [row, 'more'] : i === 29 ? [row, 'far'] : [row]))));
  await actOnLines(f, 'stage', ['-line 10', '+TEN']);
  expect(index()).toContain('line 9\nTEN\nline 11\nmore\nline 12\n');
  await actOnLines(f, 'unstage', ['+far', '+more']);
  expect(index()).toBe(text(rows.with(9, 'TEN')));
  await actOnLines(f, 'discard', ['-line 11', '+ELEVEN', '+far']);
  expect(readFileSync(join(f.dir, 'a.txt'), 'utf8')).toBe(
    text(rows.with(9, 'TEN').flatMap((row, i) => (i === 10 ? [row, 'more', 'last'] : [row]))),
  );
  await open(f).undo(f.dir);
  expect(readFileSync(join(f.dir, 'a.txt'), 'utf8')).toBe(text(all));
});

test('lines of a new file are staged and unstaged, and lines of a deleted file', async () => {
  using f = makeRepository();
  f.put('a.txt', 'one\ntwo\nthree\n');
  await actOnLines(f, 'stage', ['+one', '+three']);
  expect(f.git('show', ':a.txt')).toBe('one\nthree');
  await actOnLines(f, 'unstage', ['+one']);
  expect(f.git('show', ':a.txt')).toBe('three');
  f.commit('all');
  rmSync(join(f.dir, 'a.txt'));
  await actOnLines(f, 'stage', ['-two']);
  expect(f.git('show', ':a.txt')).toBe('one\nthree');
});

test('lines whose place in the index holds others are refused', async () => {
  using f = withTwoHunks();
  f.put('a.txt', text(rows.with(4, 'FIVE')));
  f.git('add', 'a.txt');
  f.put('a.txt', text(rows.with(4, 'five').with(5, 'six')));
  expect(await codeOf(actOnLines(f, 'stage', ['-line 5', '+five']))).toBe('does-not-apply');
  expect(`${f.git('show', ':a.txt')}\n`).toBe(text(rows.with(4, 'FIVE')));
});

test('with whitespace ignored nothing is staged or discarded that was not seen', async () => {
  using f = makeRepository();
  f.put('a.txt', 'f() {\n  one();\n  two();\n  three();\n}\n');
  f.commit('a');
  f.put('a.txt', 'f() {\n    one();\n\ttwo();\n    three(3);\n}\n');
  const ask = async (action: 'stage' | 'unstage' | 'discard') => {
    const git = open(f);
    const diff = await git.changes(f.dir).readFileDiff('a.txt', { scope: 'uncommitted', ignoreWhitespace: true });
    const request = { path: 'a.txt', patch: hunkPatch(diff), action, fingerprint: diff.file.fingerprint, ignoreWhitespace: true };
    await git.applyHunk(f.dir, request);
  };
  await ask('stage');
  expect(f.git('show', ':a.txt')).toBe('f() {\n  one();\n  two();\n    three(3);\n}');
  await ask('unstage');
  expect(f.git('show', ':a.txt')).toBe('f() {\n  one();\n  two();\n  three();\n}');
  await ask('discard');
  expect(readFileSync(join(f.dir, 'a.txt'), 'utf8')).toBe('f() {\n    one();\n\ttwo();\n  three();\n}\n');
});

test.each(['stage', 'unstage', 'discard'] as const)(
  '%s: of equal places the one that was seen, however far lines have moved',
  async (action) => {
    using f = makeRepository();
    const block = ['a', 'b', 'c', 'X', 'd', 'e', 'f'];
    const old = [...block, ...rows.slice(0, 20), ...block, ...rows.slice(0, 20), ...block];
    const now = [...rows.slice(20, 30), ...rows.slice(0, 17), ...old].map((row, i) => (i === 57 || i === 84 ? 'Y' : row));
    expect(now.flatMap((row, i) => (row === 'X' || row === 'Y' ? [i] : []))).toEqual([30, 57, 84]);
    f.put('a.txt', text(old));
    f.commit('a');
    f.put('a.txt', text(now));
    if (action === 'unstage') f.git('add', 'a.txt');
    const git = open(f);
    const diff = await git.changes(f.dir).readFileDiff('a.txt', { scope: 'uncommitted' });
    await git.applyHunk(f.dir, { path: 'a.txt', patch: hunkPatch(diff, [1]), action, fingerprint: diff.file.fingerprint });
    const back = now.with(57, 'X');
    const result = action === 'discard' ? readFileSync(join(f.dir, 'a.txt'), 'utf8') : `${f.git('show', ':a.txt')}\n`;
    expect(result).toBe(text(action === 'stage' ? old.with(30, 'Y') : back));
  },
);

test('a hunk of a file that has another name in the index is not unstaged by halves', async () => {
  using f = withTwoHunks();
  f.commit('two');
  f.git('mv', 'a.txt', 'b.txt');
  f.put('b.txt', text(rows.with(4, 'FIVE').with(30, 'thirty-one')));
  f.git('add', 'b.txt');
  const git = open(f);
  const diff = await git.changes(f.dir).readFileDiff('b.txt', { scope: 'base' });
  const request = { path: 'b.txt', patch: hunkPatch(diff, [0]), action: 'unstage' as const, fingerprint: diff.file.fingerprint };
  expect(diff.file.status).toBe('renamed');
  expect(await codeOf(git.applyHunk(f.dir, request))).toBe('does-not-apply');
  expect(`${f.git('show', ':b.txt')}\n`).toBe(text(rows.with(4, 'FIVE').with(30, 'thirty-one')));
});

test('the lock of another git and a conflict are told as what they are', async () => {
  using f = withTwoHunks();
  const { git, fingerprint, patch } = await hunkOf(f, 0);
  f.put('.git/index.lock', '');
  const ask = () => git.applyHunk(f.dir, { path: 'a.txt', patch, action: 'stage', fingerprint });
  await expect(ask()).rejects.toMatchObject({ code: 'busy', hint: expect.stringContaining('index.lock') });
  await expect(git.commit(f.dir, '', { amend: true })).rejects.toMatchObject({ code: 'busy' });
  rmSync(join(f.dir, '.git/index.lock'));
  await ask();
  f.commit('five');
  f.git('checkout', '-q', '-b', 'other', 'HEAD~1');
  f.put('a.txt', text(rows.with(4, 'cinq')));
  f.commit('cinq');
  expect(f.tryGit(f.dir, 'merge', 'main')).not.toBe(0);
  const conflict = await hunkOf(f, 0);
  const request = { path: 'a.txt', patch: conflict.patch, fingerprint: conflict.fingerprint };
  expect(await codeOf(conflict.git.applyHunk(f.dir, { ...request, action: 'stage' }))).toBe('in-conflict');
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
  makeProgram(
    join(f.dir, '.git/hooks'),
    'pre-commit',
    'printf "\\033[1mlint:\\033[0m no\\n10%%\\r100%%\\n\\tin b.txt\\n\\033]0;title\\007" >&2; exit 1',
  );
  f.git('config', 'core.autocrlf', 'true');
  f.put('b.txt', 'b\n');
  f.git('add', 'b.txt');
  const error = await git.commit(f.dir, 'x').catch((e: GitError) => e);
  expect(error).toMatchObject({ code: 'hook-refused', message: 'A hook refused the commit: lint: no' });
  expect((error as GitError).detail.said).toBe('lint: no\n100%\n    in b.txt\n');
});

test('the second of two equal places is the one discarded', async () => {
  using f = makeRepository();
  const block = ['a', 'b', 'c', 'X', 'd', 'e', 'f'];
  f.put('a.txt', text([...block, ...rows, ...block]));
  f.commit('a');
  f.put('a.txt', text([...block.with(3, 'Y'), ...rows, ...block.with(3, 'Y')]));
  const git = open(f);
  const diff = await git.changes(f.dir).readFileDiff('a.txt', { scope: 'uncommitted' });
  const patch = hunkPatch(diff, [1]);
  await git.applyHunk(f.dir, { path: 'a.txt', patch, action: 'discard', fingerprint: diff.file.fingerprint });
  expect(readFileSync(join(f.dir, 'a.txt'), 'utf8')).toBe(text([...block.with(3, 'Y'), ...rows, ...block]));
});

test('what is left of a hunk is staged, and what is staged of it unstaged, where it stands: other hunks before it are not there', async () => {
  using f = makeRepository();
  f.put('a.txt', text(rows));
  f.commit('a');
  const above = rows.flatMap((row, i) => (i === 1 ? [row, 'new', 'newer', 'newest'] : [row]));
  const insert = (to: string[], after: string, more: string) => to.flatMap((row) => (row === after ? [row, more] : [row]));
  const staged = rows.with(30, 'thirty-one');
  const all = insert(above.with(33, 'thirty-one'), 'line 33', 'put in');
  f.put('a.txt', text(staged));
  f.git('add', 'a.txt');
  f.put('a.txt', text(all));
  const git = open(f);
  const act = async (action: 'stage' | 'unstage') => {
    const diff = await git.changes(f.dir).readFileDiff('a.txt', { scope: 'uncommitted' });
    const patch = hunkPatch(diff, [1]);
    await git.applyHunk(f.dir, { path: 'a.txt', patch, action, fingerprint: diff.file.fingerprint });
    return `${f.git('show', ':a.txt')}\n`;
  };
  expect(await act('stage')).toBe(text(insert(staged, 'line 33', 'put in')));
  f.put('a.txt', text(insert(above, 'line 33', 'put in')));
  f.git('add', 'a.txt');
  f.put('a.txt', text(all));
  expect(await act('unstage')).toBe(text(above));
});

test('a file that git only knows to come: its hunk, and lines of it', async () => {
  using f = makeRepository();
  f.put('a.txt', 'one\ntwo\n');
  f.git('add', '-N', 'a.txt');
  await actOnLines(f, 'stage', ['+two']);
  expect(f.git('show', ':a.txt')).toBe('two');
  f.git('reset', '-q');
  f.git('add', '-N', 'a.txt');
  const { git, fingerprint, patch } = await hunkOf(f, 0);
  await git.applyHunk(f.dir, { path: 'a.txt', patch, action: 'stage', fingerprint });
  expect(f.git('show', ':a.txt')).toBe('one\ntwo');
});

test.each([
  ['core.autocrlf', 'true'],
  ['core.autocrlf', 'input'],
  ['diff.noprefix', 'true'],
  ['diff.mnemonicPrefix', 'true'],
  ['diff.algorithm', 'patience'],
  ['apply.whitespace', 'error'],
  ['core.whitespace', 'cr-at-eol,trailing-space'],
  ['diff.context', '0'],
])('with %s = %s a hunk, a line and all of a file with blanks at line ends are staged and taken back', async (key, value) => {
  using f = makeRepository();
  f.put('a.txt', text(rows));
  f.commit('a');
  f.git('config', key, value);
  f.put('a.txt', text(rows.with(4, 'five  ').with(30, '\tthirty-one '), value === 'true' && key === 'core.autocrlf' ? '\r\n' : '\n'));
  const before = readFileSync(join(f.dir, 'a.txt'), 'utf8');
  const index = () => `${f.git('show', ':a.txt')}\n`;
  const first = await hunkOf(f, 0);
  await first.git.applyHunk(f.dir, { path: 'a.txt', patch: first.patch, action: 'stage', fingerprint: first.fingerprint });
  expect(index()).toBe(text(rows.with(4, 'five  ')));
  await actOnLines(f, 'stage', ['+\tthirty-one ']);
  expect(index()).toBe(text(rows.with(4, 'five  ').toSpliced(31, 0, '\tthirty-one ')));
  await actOnLines(f, 'unstage', ['-line 5', '+five  ']);
  await actOnLines(f, 'discard', ['-line 5', '+five  ', '-line 31', '+\tthirty-one ']);
  expect(f.git('-c', 'core.safecrlf=false', 'diff', '--stat', 'HEAD')).toBe('');
  await open(f).undo(f.dir);
  expect(readFileSync(join(f.dir, 'a.txt'), 'utf8')).toBe(before);
});
