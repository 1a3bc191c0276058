import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder } from '../../test/support/own-folder.ts';
import { CheckpointFiles } from './checkpoint-files.ts';

test('gives back what was stored, whole', async () => {
  const dir = ownFolder();
  const files = new CheckpointFiles(dir);
  await files.store(3, 'a', Buffer.from('\x1b[Hone'));
  await files.store(3, 'b', Buffer.from('two'));
  expect(Buffer.from((await files.load(3, 'a'))!).toString()).toBe('\x1b[Hone');
  expect(readdirSync(dir).sort()).toEqual(['3.a.checkpoint', '3.b.checkpoint']);
});

test('takes no file that is missing, cut, changed or outside', async () => {
  const dir = ownFolder();
  const files = new CheckpointFiles(dir);
  await files.store(3, 'a', Buffer.from('content'));
  const path = join(dir, '3.a.checkpoint');
  const whole = readFileSync(path);
  expect(await files.load(3, 'x')).toBe(null);
  expect(await files.load(3, '../3')).toBe(null);
  for (let cut = 0; cut < whole.length; cut++) {
    writeFileSync(path, whole.subarray(0, cut));
    expect(await files.load(3, 'a')).toBe(null);
  }
  writeFileSync(path, Buffer.concat([whole.subarray(0, -1), Buffer.from('?')]));
  expect(await files.load(3, 'a')).toBe(null);
});

test('prunes only this terminal’s others', async () => {
  const dir = ownFolder();
  const files = new CheckpointFiles(dir);
  for (const [terminal, id] of [
    [3, 'a'],
    [3, 'b'],
    [33, 'a'],
  ] as const)
    await files.store(terminal, id, Buffer.from('x'));
  writeFileSync(join(dir, '3.history'), '');
  await files.prune(3, 'b');
  expect(readdirSync(dir).sort()).toEqual(['3.b.checkpoint', '3.history', '33.a.checkpoint']);
});
