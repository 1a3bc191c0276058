// C15: a reader who scrolled up stays on the same text, whatever happens below and around them.
import { expect, test } from 'vitest';
import { gridText, testScreen } from '../../test/support/cells.ts';
import { type TestFolder, testFolder } from '../../test/support/history-folder.ts';
import { createGrid, type TextPoint } from '../model/cell.ts';
import { EARLIER_SCREENS } from '../model/text-rows.ts';
import type { Screen } from './screen.ts';
import { joinPlain } from './text-space.ts';

const numbered = (from: number, to: number) => {
  let text = '';
  for (let i = from; i < to; i++) text += `line ${i} ${'word '.repeat(8)}\r\n`;
  return Buffer.from(text);
};

function seen(screen: Screen, at: TextPoint | null): { text: string; atTail: boolean; top: TextPoint } {
  const grid = createGrid(screen.cols, screen.rows);
  const { top, atTail } = screen.draw(grid, at);
  return { text: gridText(grid)[0]!.slice(0, 9), atTail, top };
}

const kept = (place: TestFolder, cols = 60, rows = 10, scrollback = 200) =>
  testScreen(cols, rows, { scrollback, history: { folder: place.folder, stream: '1' } }).screen;

test('C15: 300 lines up, 500 lines more, resizes, a server restart, far past what is live', async () => {
  using place = testFolder();
  let screen = kept(place);
  await screen.write(numbered(0, 600));
  const at = screen.scrolled(null, -300)!;
  const { text } = seen(screen, at);
  expect(text).toBe('line 291 ');
  await screen.write(numbered(600, 1100));
  expect(seen(screen, at)).toMatchObject({ text, atTail: false });
  for (const [cols, rows] of [
    [30, 12],
    [100, 8],
    [33, 40],
    [60, 10],
  ] as const) {
    screen.resize(cols, rows);
    expect(seen(screen, at).text, `${cols}x${rows}`).toBe(text);
    await screen.write(numbered(600, 603));
  }
  await screen.historyWritten();
  const next = testScreen(60, 10, { scrollback: 200, history: { folder: place.again(), stream: '1' } }).screen;
  await next.restore(screen.checkpoint());
  screen = next;
  await screen.write(numbered(1100, 40_000));
  expect(seen(screen, at)).toMatchObject({ text, atTail: false });
  // Scrolling down from there meets every line.
  expect(seen(screen, screen.scrolled(at, 300)).text).toBe('line 591 ');
  expect(screen.scrolled(at, 1_000_000)).toBeNull();
});

test('C15: when the text is gone the view is at the tail, not at line 0', async () => {
  using place = testFolder(2 * 1024 * 1024);
  const screen = kept(place);
  await screen.write(numbered(0, 1000));
  const at = { line: 100, col: 0 };
  expect(seen(screen, at).text).toBe('line 100 ');
  for (let i = 0; i < 10; i++) await screen.write(numbered(1000 + i * 10_000, 11_000 + i * 10_000));
  await screen.historyWritten();
  expect(seen(screen, at).atTail).toBe(true);
  expect(place.dropped).toEqual(['1']);
  expect(place.folder.total).toBeLessThanOrEqual(2 * 1024 * 1024);
  const { line } = screen.nearest(at);
  expect(seen(screen, { line, col: 0 })).toMatchObject({ atTail: false, top: { line } });
});

test('a place in the midst of a long line is found at any width', async () => {
  using place = testFolder();
  const screen = kept(place, 50, 6, 40);
  const long = Array.from({ length: 200 }, (_, i) => `w${String(i).padStart(3, '0')} `).join('');
  for (let i = 0; i < 40; i++) await screen.write(Buffer.from(`${i}\r\n${long}\r\n`));
  const at = { line: 5, col: 500 };
  for (const cols of [50, 80, 25, 100]) {
    screen.resize(cols, 6);
    const grid = createGrid(cols, 6);
    const { top } = screen.draw(grid, at);
    expect(top).toEqual({ line: 5, col: Math.floor(500 / cols) * cols });
    expect(gridText(grid)[0]).toContain('w100');
  }
});

test('screens of full-screen programs are kept once they have stood, found again and looked at', async () => {
  using place = testFolder();
  let now = 0;
  const clock = performance.now;
  performance.now = () => now;
  try {
    const screen = kept(place, 40, 8);
    const show = (page: number) =>
      Buffer.from(`\x1b[?1049h\x1b[2J\x1b[H${Array.from({ length: 6 }, (_, y) => `page ${page} row ${y}`).join('\r\n')}`);
    for (const page of [1, 2, 2, 3]) {
      screen.write(show(page));
      now += 1000;
    }
    // Too short to be read.
    screen.write(show(4));
    now += 50;
    screen.write(Buffer.from('\x1b[?1049l'));
    const [from, to] = screen.lineRanges().screens;
    expect(from).toBe(EARLIER_SCREENS);
    const text = joinPlain(screen.readLines(from, to - from).lines);
    expect(text.match(/page \d row 0/g)).toEqual(['page 1 row 0', 'page 2 row 0', 'page 3 row 0']);
    const at = { line: from + text.split('\n').indexOf('page 2 row 3'), col: 0 };
    expect(seen(screen, at)).toMatchObject({ text: 'page 2 ro', atTail: false });
    expect(screen.scrolled(at, 1000)).toBeNull();
    // In such a program one scrolls up from its screen into the earlier ones.
    screen.write(show(5));
    expect(seen(screen, null)).toMatchObject({ text: 'page 5 ro', atTail: true });
    expect(seen(screen, screen.scrolled(null, -8))).toMatchObject({ atTail: false });
  } finally {
    performance.now = clock;
  }
});

test('a checkpoint and what came after it leave the same files as an undisturbed run', async () => {
  using calm = testFolder();
  using rough = testFolder();
  const whole = kept(calm);
  await whole.write(numbered(0, 3000));
  let screen = kept(rough);
  for (let i = 0; i < 3000; i += 300) {
    await screen.write(numbered(i, i + 300));
    await screen.historyWritten();
    const checkpoint = screen.checkpoint();
    // What the killed server still parsed after its checkpoint, written to disk or not.
    await screen.write(numbered(i + 300, i + 300 + ((i / 300) % 3) * 400));
    if (i % 200 === 0) await screen.historyWritten();
    screen = testScreen(60, 10, { scrollback: 200, history: { folder: rough.again(), stream: '1' } }).screen;
    await screen.restore(checkpoint);
  }
  const text = (of: Screen) => of.readLines(0, 1_000_000).lines;
  expect(text(screen)).toEqual(text(whole));
  expect(rough.faults).toEqual([]);
});
