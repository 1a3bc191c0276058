// Search, copy, read and dump see history, live rows and nothing twice.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testScreen } from '../../test/support/cells.ts';
import { testFolder } from '../../test/support/history-folder.ts';
import { dumpHistory } from './dump-history.ts';
import { searchScreen, textBetween } from './find-in-screen.ts';
import { readScreen } from './read-screen.ts';

async function printed(place: ReturnType<typeof testFolder>) {
  const { screen } = testScreen(40, 6, { scrollback: 50, history: { folder: place.folder, stream: '1' } });
  let text = '';
  for (let i = 0; i < 2000; i++) text += `\x1b[3${i % 8}m한 line ${i}\x1b[m Word ${'x'.repeat(i % 60)}.\r\n`;
  await screen.write(Buffer.from(text));
  return screen;
}

test('a search finds words and expressions, the newest first when there are too many; capitals count where there are some', async () => {
  using place = testFolder();
  const screen = await printed(place);
  expect(await searchScreen(screen, { pattern: 'line 1234' })).toEqual({ hits: [{ line: 1234, col: 3, length: 9 }], total: 1 });
  expect((await searchScreen(screen, { pattern: 'word' })).total).toBe(2000);
  expect((await searchScreen(screen, { pattern: 'WORD' })).total, 'capitals count').toBe(0);
  const some = await searchScreen(screen, { pattern: 'line \\d+7\\b', regex: true, limit: 3 });
  expect(some).toMatchObject({ total: 199, hits: [{ line: 1977 }, { line: 1987 }, { line: 1997 }] });
  await expect(searchScreen(screen, { pattern: '(', regex: true })).rejects.toMatchObject({ code: 'bad-pattern' });
});

test('a pattern that takes for ever is refused', async () => {
  const { screen } = testScreen(80, 6);
  screen.write(Buffer.from('a'.repeat(60)));
  await expect(searchScreen(screen, { pattern: '(a+)+$b', regex: true })).rejects.toMatchObject({ code: 'slow-pattern' });
});

test('text is copied by lines or as a rectangle, and the same text is read and dumped', async () => {
  using place = testFolder();
  const screen = await printed(place);
  expect(await textBetween(screen, { line: 10, col: 3 }, { line: 12, col: 9 }, false)).toBe(
    `line 10 Word ${'x'.repeat(10)}.\n한 line 11 Word ${'x'.repeat(11)}.\n한 line 12`,
  );
  expect(await textBetween(screen, { line: 10, col: 3 }, { line: 11, col: 9 }, true)).toBe('line 10\nline 11');
  const lines = (await readScreen(screen, { lines: 1500 })).split('\n');
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([
    1500,
    `한 line 500 Word ${'x'.repeat(20)}.`,
    `한 line 1999 Word ${'x'.repeat(19)}.`,
  ]);
  expect(await readScreen(screen, { lines: 1, ansi: true })).toContain('\x1b[0;37m한 line 1999\x1b[m');
  const path = join(place.dir, '1.txt');
  const dump = await dumpHistory(screen, path, false);
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(2000);
  expect([dump.bytes, statSync(path).mode & 0o777]).toEqual([statSync(path).size, 0o600]);
});
