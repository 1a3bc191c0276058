// Rows read again and again are what a screen that is read once says, over real agents' output.
import { expect, test } from 'vitest';
import { testScreen } from '../../test/support/cells.ts';
import { loadRecordings } from '../../test/support/recordings.ts';

test.each(loadRecordings().map((recording) => [recording.name, recording] as const))('%s', async (_name, { cols, rows, chunks }) => {
  const read = testScreen(cols, rows).screen;
  const every = Math.max(1, Math.floor(chunks.length / 6));
  for (const [i, chunk] of chunks.entries()) {
    await read.write(chunk);
    const text = read.text();
    if (i % every !== 0) continue;
    const once = testScreen(cols, rows).screen;
    for (const before of chunks.slice(0, i + 1)) await once.write(before);
    expect(text).toEqual(once.text());
  }
});

test('rows that did not change are the same objects, also when they have moved', async () => {
  const { screen } = testScreen(40, 6);
  await screen.write(Buffer.from('one\r\ntwo\r\nthree'));
  const before = screen.text().lines;
  await screen.write(Buffer.from('\x1b[s\x1b[2;1Htwo!\x1b[u'));
  const after = screen.text().lines;
  expect([after[0] === before[0], after[1] === before[1], after[2] === before[2]]).toEqual([true, false, true]);
  await screen.write(Buffer.from('\x1b[1;1H\x1b[L'));
  expect(screen.text().lines[1]).toBe(after[0]);
});

test('a text that wraps over several rows is read in all of them', async () => {
  const { screen } = testScreen(10, 5);
  for (const letter of ['x', 'y']) {
    await screen.write(Buffer.from(`\x1b[H${letter.repeat(35)}`));
    expect(screen.text().lines.map((line) => line.text)).toEqual([10, 10, 10, 5, 0].map((count) => letter.repeat(count)));
  }
});

test('what is read in the middle of a parse does not hide the rest of it', async () => {
  const seen: string[] = [];
  const { screen } = testScreen(40, 3, { onFact: () => seen.push(screen.text().lines[0]!.text) });
  await screen.write(Buffer.from('a\x1b]7501;state=idle\x1b\\b'));
  expect([seen, screen.text().lines[0]!.text]).toEqual([['a'], 'ab']);
});

test('after another number of rows all are read; one that comes back soon is the same object', async () => {
  const { screen } = testScreen(40, 6);
  await screen.write(Buffer.from('stays\r\n'));
  const first = screen.text().lines[0];
  screen.resize(40, 4);
  expect(screen.text().lines.map((line) => line.text)).toEqual(['stays', '', '', '']);
  // More other rows than are kept, but fewer than are kept once more.
  for (let i = 0; i < 6; i++) {
    await screen.write(Buffer.from(`\x1b[H${[0, 1, 2, 3].map((y) => `\x1b[K${i} ${y}`).join('\r\n')}`));
    screen.text();
  }
  await screen.write(Buffer.from('\x1b[H\x1b[Kstays'));
  expect(screen.text().lines[0]).toBe(first);
});
