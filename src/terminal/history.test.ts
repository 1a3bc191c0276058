// Nothing is lost and nothing is there twice: history and live rows together are the text of an emulator that keeps everything.
import { describe, expect, test } from 'vitest';
import { diffGrids, gridText, testScreen } from '../../test/support/cells.ts';
import { type TestFolder, testFolder } from '../../test/support/history-folder.ts';
import { hostileStream } from '../../test/support/hostile.ts';
import { createRandom } from '../../test/support/random.ts';
import { loadRecordings } from '../../test/support/recordings.ts';
import { createGrid } from '../model/cell.ts';
import type { Screen } from './screen.ts';
import { joinPlain } from './text-space.ts';

/** Rows above the screen in the emulator that is compared with: all. */
const EVERYTHING = 100_000;

function kept(place: TestFolder, cols: number, rows: number, scrollback = 30): Screen {
  return testScreen(cols, rows, { scrollback, history: { folder: place.folder, stream: '1' } }).screen;
}

/** All text there is, trailing blanks of lines and of the whole left out. */
function allText(screen: Screen): string[] {
  const [from, to] = screen.lineRanges().text;
  const text = joinPlain(screen.readLines(from, to - from).lines).split('\n');
  return trimmed(text);
}

function trimmed(lines: string[]): string[] {
  const text = lines.map((line) => line.trimEnd());
  while (text.at(-1) === '') text.pop();
  return text;
}

async function scanned(screen: Screen): Promise<string[]> {
  const lines: string[] = [];
  for await (const piece of screen.scanLines(screen.lineRanges().text[0])) lines.push(...piece.lines);
  return trimmed(joinPlain(lines).split('\n'));
}

/** All rows from the oldest on, drawn at once. */
function allRows(screen: Screen): string[] {
  const grid = createGrid(screen.cols, 3000);
  const { atTail } = screen.draw(grid, { line: screen.lineRanges().text[0], col: 0 });
  if (atTail) screen.draw(grid);
  return trimmed(gridText(grid));
}

test('lines printed one after the other', async () => {
  using place = testFolder();
  const screen = kept(place, 40, 6);
  const lines = Array.from({ length: 500 }, (_, i) => `line ${i} ${'x'.repeat(i % 90)}.`);
  await screen.write(Buffer.from(lines.join('\r\n')));
  expect(allText(screen)).toEqual(lines);
  expect(await scanned(screen)).toEqual(lines);
  expect(screen.lineRanges().text).toEqual([0, 500]);
});

const PLAIN = ['alpha', 'beta', '日本語', '한국어', '\x1b[31mred\x1b[m', '\x1b[1;44mbold\x1b[0m', '\x1b[4:3mcurly\x1b[m'];
/** Clusters: the parser mixes them up when it wraps anew, which the history does not. */
const CLUSTERS = ['👨‍👩‍👧', '⚠️', 'e\u0301', '🇹🇷', 'ﾊﾞ', '\x1b]8;;http://a.example\x07link\x1b]8;;\x07'];

function printed(random: (n: number) => number, words: string[]): Buffer {
  const line = Array.from({ length: random(40) }, () => words[random(words.length)]).join(random(4) ? ' ' : '');
  return Buffer.from(`${line}\r\n`);
}

/** Where two lists first differ, short enough to read; '' when they are equal. */
function firstDifference(a: string[], b: string[]): string {
  const at = a.findIndex((line, i) => line !== b[i]);
  if (at === -1) return a.length === b.length ? '' : `${a.length} and ${b.length} entries`;
  return `${at} of ${a.length} and ${b.length}: ${JSON.stringify([a.slice(at - 1, at + 2), b.slice(at - 1, at + 2)])}`;
}

test.each(Array.from({ length: 12 }, (_, seed) => [seed]))('random lines at random widths, seed %i', async (seed) => {
  using place = testFolder();
  const random = createRandom(seed);
  const screen = kept(place, 80, 24);
  const whole = testScreen(80, 24, { scrollback: EVERYTHING }).screen;
  for (let round = 0; round < 8; round++) {
    for (let i = 0; i < 60; i++) {
      const bytes = printed(random, PLAIN);
      screen.write(bytes);
      whole.write(bytes);
    }
    expect(firstDifference(await scanned(screen), await scanned(whole))).toBe('');
    expect(firstDifference(allRows(screen), allRows(whole))).toBe('');
    const [cols, rows] = [20 + random(120), 5 + random(40)];
    screen.resize(cols, rows);
    whole.resize(cols, rows);
  }
  await screen.historyWritten();
  expect(firstDifference(allText(screen), allText(whole))).toBe('');
  expect(place.faults).toEqual([]);
});

test.each(Array.from({ length: 12 }, (_, seed) => [seed]))('hostile streams, seed %i', async (seed) => {
  using place = testFolder();
  const random = createRandom(seed);
  const screen = kept(place, 80, 24);
  const whole = testScreen(80, 24, { scrollback: EVERYTHING }).screen;
  for (let i = 0; i < 300; i++) {
    const part = random(3) === 0 ? hostileStream(seed * 1000 + i, 6, { reset: false }) : printed(random, [...PLAIN, ...CLUSTERS]);
    // Without what erases the history, without the alternate screen, and without saved cursors: the parser counts their row from the
    // oldest it has.
    const bytes = Buffer.from(
      Buffer.from(part)
        .toString()
        .replace(/\x1b\[\??3J|\x1b\[\??\d*[hl]|\x1b[78]|\x1b\[[\d;]*[su]/g, ''),
    );
    screen.write(bytes);
    whole.write(bytes);
  }
  // Rows that were moved between others may count as lines of their own in one and not in the other.
  const text = async (of: Screen) => (await scanned(of)).join('').replace(/\s/g, '');
  expect(await text(screen)).toBe(await text(whole));
});

test('clusters look in the history as they did live', () => {
  using place = testFolder();
  const random = createRandom(5);
  const screen = kept(place, 60, 10);
  const whole = testScreen(60, 10, { scrollback: EVERYTHING }).screen;
  for (let i = 0; i < 400; i++) {
    const bytes = printed(random, [...PLAIN, ...CLUSTERS]);
    screen.write(bytes);
    whole.write(bytes);
  }
  const [a, b] = [createGrid(60, 10), createGrid(60, 10)];
  const last = whole.draw(b).last;
  for (let line = 0; line < last; line += 7) {
    screen.draw(a, { line, col: 0 });
    whole.draw(b, { line, col: 0 });
    expect(diffGrids(a, b)).toEqual([]);
  }
});

test('what a program erases is an epoch of its own: not repeated, still there for who reads it', async () => {
  using place = testFolder();
  const screen = kept(place, 40, 6);
  const transcript = (upTo: number) => Array.from({ length: upTo }, (_, i) => `line ${i}`).join('\r\n');
  await screen.write(Buffer.from(transcript(100)));
  const reading = { line: 50, col: 0 };
  for (let i = 1; i <= 12; i++) await screen.write(Buffer.from(`\x1b[2J\x1b[3J\x1b[H${transcript(100 + i)}`));
  expect(allText(screen)).toEqual(transcript(112).split('\r\n'));
  expect(await scanned(screen)).toEqual(transcript(112).split('\r\n'));
  const grid = createGrid(40, 6);
  expect(screen.draw(grid, reading).atTail, 'an epoch that is too old is gone: the tail').toBe(true);
  const { text } = screen.lineRanges();
  const before = { line: text[0] - 50, col: 0 };
  expect(screen.draw(grid, before).atTail).toBe(false);
  expect(gridText(grid)[0]).toMatch(/^line \d+$/);
  // Scrolling up from the tail ends where the text begins.
  expect(screen.scrolled(null, -100_000)).toEqual({ line: text[0], col: 0 });
});

test('a line without an end is cut and read as one', async () => {
  using place = testFolder();
  const screen = kept(place, 70, 8);
  const text = Array.from({ length: 9000 }, (_, i) => i.toString(36)).join(' ');
  await screen.write(Buffer.from(`before\r\n${text}\r\nafter`));
  expect(allText(screen)).toEqual(['before', text, 'after']);
  const [from, to] = screen.lineRanges().text;
  for (const line of screen.readLines(from, to - from).lines) expect(line.length).toBeLessThan(4300);
});

describe.each(loadRecordings().map((recording) => [recording.name, recording] as const))('recording %s', (_, recording) => {
  test('is kept whole', async () => {
    using place = testFolder();
    const screen = kept(place, recording.cols, recording.rows);
    const whole = testScreen(recording.cols, recording.rows, { scrollback: EVERYTHING }).screen;
    const bytes = Buffer.concat(recording.chunks);
    await screen.write(bytes);
    await whole.write(bytes);
    expect(allText(screen)).toEqual(allText(whole));
  });
});
