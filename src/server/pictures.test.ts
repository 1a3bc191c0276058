import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Connection } from '../wire/connection.ts';
import { ClientLink } from './clients.ts';
import { Pictures } from './pictures.ts';

let folder: string;
let pictures: Pictures;
let client: ClientLink;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'herd-pictures-')), 'kept');
  pictures = new Pictures(folder);
  client = new ClientLink(1, {} as Connection);
});

afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const elsewhere = { path: '/nowhere/Bild für dich.png', inode: 1, modified: 1 };

/** Brings a picture of two parts; its path. */
async function bring(bytes: Buffer): Promise<string> {
  const id = (await pictures.begin({ ...elsewhere, size: bytes.length }, client))!;
  const half = bytes.length >> 1;
  expect(await pictures.part(id, bytes.subarray(0, half))).toBeNull();
  return (await pictures.part(id, bytes.subarray(half)))!;
}

test('a file that is here too is not brought', async () => {
  const path = join(folder, '../here.png');
  writeFileSync(path, 'picture');
  const { size, ino, mtimeMs } = statSync(path);
  const facts = { path, size, inode: ino, modified: Math.floor(mtimeMs) };
  expect(await pictures.begin(facts, client)).toBeNull();
  expect(await pictures.begin({ ...facts, inode: ino + 1 }, client)).not.toBeNull();
  expect(await pictures.begin({ ...facts, size: size + 1 }, client)).not.toBeNull();
});

test('a picture has its bytes, a name that needs no quotes, and only its owner reads it', async () => {
  const path = await bring(Buffer.from('some bytes'));
  expect(path).toMatch(/\/[\da-f]{16}-Bild-für-dich\.png$/);
  expect(readFileSync(path, 'utf8')).toBe('some bytes');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('what is too large, too long or unknown is refused, and leaves nothing', async () => {
  await expect(pictures.begin({ ...elsewhere, size: 30_000_000 }, client)).rejects.toMatchObject({ code: 'too-large' });
  const id = (await pictures.begin({ ...elsewhere, size: 4 }, client))!;
  await expect(pictures.part(id, Buffer.from('five!'))).rejects.toMatchObject({ code: 'not-found' });
  await expect(pictures.part(id, Buffer.from('a'))).rejects.toMatchObject({ code: 'not-found' });
  expect(readdirSync(folder)).toEqual([]);
});

test('what is on its way goes with its client, also one that was gone before it began; what has come stays', async () => {
  const whole = await bring(Buffer.from('whole'));
  await pictures.begin({ ...elsewhere, size: 4 }, client);
  expect(readdirSync(folder)).toHaveLength(2);
  client.end();
  await pictures.begin({ ...elsewhere, size: 4 }, client);
  await expect.poll(() => readdirSync(folder)).toEqual([basename(whole)]);
});

test('old ones are removed when the next comes, and the oldest of what is too much', async () => {
  const old = await bring(Buffer.from('old'));
  const now = Date.now() / 1000;
  utimesSync(old, now - 8 * 24 * 3600, now - 8 * 24 * 3600);
  const large = [];
  for (let i = 0; i < 6; i++) {
    const path = await bring(Buffer.from('large'));
    truncateSync(path, 19 * 1024 * 1024);
    utimesSync(path, now - 100 + i, now - 100 + i);
    large.push(path);
  }
  const last = await bring(Buffer.from('last'));
  expect(
    readdirSync(folder)
      .map((name) => join(folder, name))
      .sort(),
  ).toEqual([...large.slice(1), last].sort());
});
