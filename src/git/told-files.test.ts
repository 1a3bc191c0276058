import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../test/support/repository.ts';
import { ToldFiles } from './told-files.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'herd-told-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (name: string, text: string) => writeFileSync(join(root, name), text);

async function told(name: string): Promise<ToldFiles> {
  put(name, 'one');
  const files = new ToldFiles(root);
  await until('it is old enough', () => {
    files.tell([name]);
    return files.has(name);
  });
  return files;
}

test.each<[string, () => void]>([
  ['other bytes of the same length', () => put('a', 'two')],
  ['the same bytes again', () => put('a', 'one')],
  [
    'another file in its place',
    () => {
      put('b', 'one');
      renameSync(join(root, 'b'), join(root, 'a'));
    },
  ],
  ['another mode', () => chmodSync(join(root, 'a'), 0o755)],
  ['it is gone', () => rmSync(join(root, 'a'))],
])('a change after the telling is news: %s', async (_what, change) => {
  const files = await told('a');
  expect(files.has('a')).toBe(true);
  change();
  expect(files.has('a')).toBe(false);
});

test('what was not told, is no file, or was told before the last time, is news', async () => {
  const files = await told('a');
  expect(files.has('b')).toBe(false);
  files.tell(['missing', '.']);
  expect(['a', 'missing', '.'].filter((name) => files.has(name))).toEqual([]);
});

test('what was written in the moment of the telling may change on unseen: it is news', () => {
  put('a', 'one');
  const files = new ToldFiles(root);
  files.tell(['a']);
  put('a', 'two');
  expect(files.has('a')).toBe(false);
});
