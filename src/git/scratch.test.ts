import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sweepScratch, withScratch } from './scratch.ts';

test('a scratch folder is empty, private and gone afterwards, also when what used it failed', async () => {
  let used = '';
  const failing = withScratch(async (folder) => {
    used = folder;
    expect([readdirSync(folder), statSync(folder).mode & 0o777]).toEqual([[], 0o700]);
    writeFileSync(join(folder, 'index'), 'x');
    throw new Error('it failed');
  });
  await expect(failing).rejects.toThrow('it failed');
  expect(existsSync(used)).toBe(false);
});

test('what a process that is gone left an hour ago is removed, and nothing else', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'sweep-'));
  const gone = spawnSync(process.execPath, ['-e', '']).pid;
  const now = Date.now();
  const put = (name: string, age: number): void => {
    mkdirSync(join(dir, name));
    writeFileSync(join(dir, name, 'index'), 'x');
    utimesSync(join(dir, name), (now - age) / 1000, (now - age) / 1000);
  };
  const hours = 3_700_000;
  put(`herd-git-${gone}-old`, hours);
  put(`herd-git-${gone}-young`, 1000);
  put(`herd-git-${process.pid}-live`, hours);
  put(`other-${gone}-old`, hours);
  const old = (now - hours) / 1000;
  symlinkSync(join(dir, `other-${gone}-old`), join(dir, `herd-git-${gone}-link`));
  lutimesSync(join(dir, `herd-git-${gone}-link`), old, old);
  writeFileSync(join(dir, `herd-git-${gone}-file`), 'x');
  utimesSync(join(dir, `herd-git-${gone}-file`), old, old);
  await sweepScratch(now + hours / 2, dir);
  expect(readdirSync(dir).sort()).toEqual(
    [
      `herd-git-${gone}-file`,
      `herd-git-${gone}-link`,
      `herd-git-${gone}-young`,
      `herd-git-${process.pid}-live`,
      `other-${gone}-old`,
    ].sort(),
  );
  expect(readdirSync(join(dir, `other-${gone}-old`))).toEqual(['index']);
  rmSync(dir, { recursive: true });
});
