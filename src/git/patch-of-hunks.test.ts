// Hunks that were shown, by name: of whatever size, also where only their beginning was shown; refused once they read otherwise.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Fixture, makeRepository } from '../../test/support/repository.ts';
import type { FileQuery } from './api.ts';
import { createGit } from './git.ts';
import type { GitError } from './git-error.ts';

const open = (f: Fixture) => createGit({ snapshotDir: join(f.root, 'snapshots'), env: f.env, now: () => Date.UTC(2026, 0, 1) });
/** Together more than 1 MiB, and than the lines that are read to be shown. */
const many = Array.from({ length: 30_000 }, (_, i) => `one of very many lines, the one of number ${i + 1}`);
const text = (lines: readonly string[]) => `${lines.join('\n')}\n`;

/** What a client knows of the file once it shows its beginning. */
async function shown(f: Fixture, more: Partial<FileQuery> = {}) {
  const git = open(f);
  const q: FileQuery = { scope: 'uncommitted', ...more };
  const { file, hunks, revision, truncated } = await git.changes(f.dir).readFileDiff('a.txt', { ...q, rows: 500 });
  const patch = (of: number[]) => git.changes(f.dir).patchOfHunks('a.txt', q, { revision: revision!, hunks: of });
  const act = async (action: 'stage' | 'unstage' | 'discard', lines?: [number, number][]) =>
    git.applyHunk(f.dir, { path: 'a.txt', patch: await patch([0]), action, fingerprint: file.fingerprint, lines });
  return { act, patch, hunks, truncated, reread: () => git.changes(f.dir).readChangeset(q), undo: () => git.undo(f.dir) };
}

const codeOf = (p: Promise<unknown>) =>
  p.then(
    () => 'fine',
    (e: GitError) => e.code,
  );

test('a new file too large to be shown: lines of it, all of it, thrown away and brought back', async () => {
  using f = makeRepository();
  f.put('a.txt', text(many));
  const index = () => `${f.git('show', ':a.txt')}\n`;
  const { act, hunks, truncated, undo } = await shown(f);
  expect([hunks[0]!.lines.length, truncated]).toEqual([500, true]);
  await act('stage', [
    [3, 5],
    [19_990, 19_991],
  ]);
  expect(index()).toBe(text([...many.slice(3, 5), many[19_990]!]));
  await (await shown(f)).act('stage');
  expect(index()).toBe(text(many));
  await (await shown(f)).act('unstage', [[1, 19_999]]);
  expect(index()).toBe(text([many[0]!, ...many.slice(19_999)]));
  f.git('reset', '-q');
  await act('discard');
  expect(f.git('status', '--porcelain')).toBe('');
  await undo();
  expect(readFileSync(join(f.dir, 'a.txt'), 'utf8')).toBe(text(many));
});

test.each([false, true])('a hunk in which every line has changed, loaded: %s', async (load) => {
  using f = makeRepository();
  f.put('a.txt', text(many));
  f.commit('a');
  const now = many.map((line) => line.toUpperCase());
  f.put('a.txt', text(now));
  const index = () => `${f.git('show', ':a.txt')}\n`;
  const first = await shown(f, { load });
  await first.act('stage', [[7, 8]]);
  expect(index()).toBe(text(many.toSpliced(7, 1)));
  await (await shown(f, { load })).act('stage');
  expect(index()).toBe(text(now));
  await (await shown(f, { load })).act('discard');
  expect(readFileSync(join(f.dir, 'a.txt'), 'utf8')).toBe(text(many));
});

test('of all lines as context only those that were chosen', async () => {
  using f = makeRepository();
  const rows = many.slice(0, 100);
  f.put('a.txt', text(rows));
  f.commit('a');
  f.put('a.txt', text(rows.with(9, 'ten').with(79, 'eighty')));
  const { act, hunks } = await shown(f, { context: 1_000_000 });
  const at = hunks[0]!.lines.findIndex((line) => line.text === 'eighty');
  await act('stage', [[at - 1, at + 1]]);
  expect(`${f.git('show', ':a.txt')}\n`).toBe(text(rows.with(79, 'eighty')));
});

test.each([
  ['latin-1', 'caf\xe9 au lait\n', 'latin1'],
  ['a byte order mark', '\xef\xbb\xbffirst\n', 'latin1'],
  ['a byte order mark and CRLF', '\xef\xbb\xbffirst\r\n', 'latin1'],
] as const)('of text that was decoded to be shown every byte stays: %s', async (_what, first, encoding) => {
  using f = makeRepository();
  const bytes = (text: string) => Buffer.from(text, encoding);
  const tracked = () => execFileSync('git', ['show', ':a.txt'], { cwd: f.dir, env: f.env });
  f.put('a.txt', bytes(`${first}b\n`));
  await (await shown(f)).act('stage', [[0, 1]]);
  expect(tracked()).toEqual(bytes(first));
  f.commit('a');
  const now = bytes(`${first}b \xe8\nc\n`);
  f.put('a.txt', now);
  await (await shown(f)).act('stage');
  expect(tracked()).toEqual(now);
  await (await shown(f)).act('unstage');
  await (await shown(f)).act('discard');
  expect(f.git('diff', '--stat', 'HEAD')).toBe('');
  await open(f).undo(f.dir);
  expect(readFileSync(join(f.dir, 'a.txt'))).toEqual(now);
});

test('refused once the hunks read otherwise, on either side', async () => {
  using f = makeRepository();
  f.put('a.txt', 'one\ntwo\n');
  const first = f.commit('a');
  f.put('a.txt', 'one\nthree\n');
  f.commit('b');
  f.put('a.txt', 'one\nfour\n');
  const { patch, reread } = await shown(f);
  expect((await patch([0])).toString()).toContain('-three\n+four\n');
  expect(await codeOf(patch([1]))).toBe('moved-on');
  f.git('reset', '-q', '--soft', first);
  await reread();
  expect(await codeOf(patch([0]))).toBe('moved-on');
  const later = await shown(f);
  f.put('a.txt', 'one\nfive\n');
  expect(await codeOf(later.act('stage'))).toBe('moved-on');
  f.put('a.txt', `one\n${text(many)}`);
  expect(await codeOf(later.act('stage'))).toBe('moved-on');
});
