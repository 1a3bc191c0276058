import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { privateFolder, readPrivate, writePrivate } from './private-folder.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'herd-private-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('a file of the limit is read whole, one byte more is not', async () => {
  writeFileSync(join(dir, 'full'), 'x'.repeat(1000));
  writeFileSync(join(dir, 'over'), 'x'.repeat(1001));
  expect(await readPrivate(join(dir, 'full'), 1000)).toBe('x'.repeat(1000));
  expect(await readPrivate(join(dir, 'over'), 1000)).toBeNull();
});

test('a link, a pipe, a folder and what is not there are not read', async () => {
  writeFileSync(join(dir, 'secret'), 'secret');
  symlinkSync(join(dir, 'secret'), join(dir, 'link'));
  mkdirSync(join(dir, 'folder'));
  execFileSync('mkfifo', [join(dir, 'pipe')]);
  for (const name of ['link', 'pipe', 'folder', 'nothing']) expect(await readPrivate(join(dir, name), 1000)).toBeNull();
});

test('a file is written whole for its owner only; where that fails nothing is left beside', async () => {
  const folder = await privateFolder(dir, 'inbox');
  expect(folder).toBe(join(dir, 'herd', 'inbox'));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const path = await writePrivate(folder, 'a.md', 'text');
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['text', 0o600]);
  mkdirSync(join(folder, 'taken.md'));
  await expect(writePrivate(folder, 'taken.md', 'text')).rejects.toThrow();
  expect(readdirSync(folder).sort()).toEqual(['a.md', 'taken.md']);
});
