// A flood that is skimmed leaves behind what it leaves behind when it comes in small pieces, which the parser reads by itself: the same
// live rows, cursor, pen and modes (a checkpoint holds them all), the same history byte by byte.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testScreen } from '../../test/support/cells.ts';
import { type TestFolder, testFolder } from '../../test/support/history-folder.ts';
import { hostileStream } from '../../test/support/hostile.ts';
import { createRandom } from '../../test/support/random.ts';
import { loadRecordings } from '../../test/support/recordings.ts';
import { step } from '../model/width.ts';
import { standsAlone } from './pack-row.ts';
import type { Screen } from './screen.ts';
import { Skim } from './skim.ts';

// The clock goes on by being read: turns end, but a process that was kept from running has not stood still, which would keep a screen.
beforeEach(() => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 0.5;
    return now;
  });
});
afterEach(() => void vi.restoreAllMocks());

/** Bytes that are parsed where they come in, so never skimmed. */
const SMALL = 900;

function screen(place: TestFolder, cols: number, rows: number, scrollback: number): Screen {
  return testScreen(cols, rows, { scrollback, history: { folder: place.folder, stream: '1' } }).screen;
}

/** Cut at line ends, as the queue cuts: where a wide character is overwritten, what the parser shows depends on where its input was cut. */
async function inPieces(to: Screen, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(at + SMALL, bytes.length);
    const line = at + bytes.subarray(at, end).lastIndexOf(10) + 1;
    await to.write(bytes.subarray(at, line > at ? line : end));
    at = line > at ? line : end;
  }
}

/** All that a screen is: checkpoint and history files, when it can be asked. */
async function stateOf(of: Screen, place: TestFolder): Promise<Record<string, string>> {
  await of.historyWritten();
  const files = readdirSync(place.dir).map((name) => [name, readFileSync(join(place.dir, name), 'utf8')]);
  return { ...Object.fromEntries(files), checkpoint: of.ground ? Buffer.from(of.checkpoint()).toString() : 'within a sequence' };
}

/** Where two states first differ, short enough to read. */
function difference(a: Record<string, string>, b: Record<string, string>): string | null {
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [left = '', right = ''] = [a[name], b[name]];
    if (left === right) continue;
    let at = 0;
    while (left[at] === right[at]) at++;
    return `${name} at ${at}: ${JSON.stringify([left.slice(at - 80, at + 80), right.slice(at - 80, at + 80)])}`;
  }
  return null;
}

const WORDS = [
  'a',
  'request',
  '12:00:01',
  'ünï',
  '中文字',
  '한국어',
  '─┼─',
  '✓',
  '😀',
  '\t',
  '\t\t',
  ' ',
  '    ',
  'x'.repeat(33),
  '0123456789'.repeat(7),
];
const SEQUENCES = [
  ...[
    '0',
    '',
    '1',
    '2;3',
    '4',
    '4:3',
    '21',
    '24',
    '22',
    '7',
    '27',
    '9',
    '31',
    '91',
    '39',
    '38;5;200',
    '38;2;1;2;3',
    '38:2::9:8:7',
    '53',
  ].map((p) => `\x1b[${p}m`),
  ...['58:5:3', '58;2;4;5;6', '59', '0;1;33', '1;38;5;17;4', '5;8', '25;28', '29;55', '99', '38;5', '38;2;300;2'].map((p) => `\x1b[${p}m`),
];
const GROUNDS = ['44', '48;5;17', '48;2;9;9;9', '7;41'];
const ODD = [
  '\x1b[31m'.repeat(7000),
  '\r',
  '\n',
  '\b',
  '\x07',
  '\x1b[K',
  '\x1b[2K',
  '\x1b[1A',
  '\x1b7',
  'e\u0301',
  '\x1b]0;t\x07',
  '\x1b]8;;http://a.example\x07l\x1b]8;;\x07',
  '\xff',
  '\u200d',
  '\x85',
];
const SETTINGS = [
  '\x1b[3g\x1b[5G\x1bH\x1b[19G\x1bH\r',
  '\x1b[4h',
  '\x1b[2;4r',
  '\x1b(0',
  '\x1b[20h',
  '\x1b[?7l',
  '\x1b[?1049h',
  '\x1b[1"q',
  '\x1b[?6h',
  '\x1b[44m',
  '\x1b[4m',
];

/** A flood of some thousand lines in stretches: plain ones, and ones with something odd in a few of their lines. */
function flood(random: (n: number) => number, odds: number): Uint8Array {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const piece = (): string => {
    const n = random(16);
    if (n < 5) return pick(SEQUENCES);
    if (n === 5 && random(20) === 0) return `\x1b[${pick(GROUNDS)}m${pick(WORDS)}\x1b[${pick(['49', '0', ''])}m`;
    if (n === 6) return `\x1b[${random(2) ? '' : 0}K`;
    return pick(WORDS);
  };
  let text = '';
  for (let stretch = 0; stretch < 4; stretch++) {
    const long = random(3) === 0;
    for (let i = 80 + random(400); i > 0; i--) {
      for (let n = random(long ? 30 : 8); n > 0; n--) text += piece();
      if (odds > 0 && random(odds) === 0) text += pick(ODD) + pick(WORDS);
      text += pick(['\r\n', '\r\n', '\r\n', '\r\r\n', '\r\x1b[m\n']);
    }
    if (odds === 0) continue;
    if (random(3) === 0) text += pick(SETTINGS);
    if (random(2) === 0) text += `\x1b[!p\x1b[?1049l\x1b[m`;
    if (random(5) === 0) text += Buffer.from(hostileStream(random(1000), 30)).toString();
  }
  return Buffer.from(text);
}

const SEEDS = Number(process.env.HERD_STREAMS ?? 24);

test.each(Array.from({ length: SEEDS }, (_, seed) => [seed]))('floods of every sort, seed %i', async (seed) => {
  using placeA = testFolder();
  using placeB = testFolder();
  const random = createRandom(seed);
  const [cols, rows, scrollback] = [10 + random(80), 2 + random(12), random(40)] as const;
  const whole = screen(placeA, cols, rows, scrollback);
  const slow = screen(placeB, cols, rows, scrollback);
  const skims = vi.spyOn(Skim.prototype, 'result');
  for (let round = 0; round < 4; round++) {
    const bytes = flood(random, [0, 150, 400][seed % 3]!);
    const cut = bytes.lastIndexOf(10, random(bytes.length)) + 1;
    await whole.write(bytes.subarray(0, cut));
    await whole.write(bytes.subarray(cut));
    await inPieces(slow, bytes);
    if (random(2) === 0) {
      const size = [10 + random(80), 2 + random(12)] as const;
      whole.resize(...size);
      slow.resize(...size);
    }
    expect(difference(await stateOf(whole, placeA), await stateOf(slow, placeB)), `round ${round}`).toBeNull();
  }
  const lines = skims.mock.results.reduce((sum, { value }) => sum + (value?.ends.length ?? 0), 0);
  skims.mockRestore();
  if (seed % 3 === 0) expect(lines).toBeGreaterThan(300);
});

test('all that has been recorded, printed three times over', async () => {
  for (const { cols, rows, chunks } of loadRecordings()) {
    using placeA = testFolder();
    using placeB = testFolder();
    const whole = screen(placeA, cols, rows, 20);
    const slow = screen(placeB, cols, rows, 20);
    const bytes = Buffer.concat([...chunks, ...chunks, ...chunks]);
    await whole.write(bytes);
    await inPieces(slow, bytes);
    expect(difference(await stateOf(whole, placeA), await stateOf(slow, placeB))).toBeNull();
  }
});

test('a size that changes while a flood is at work', async () => {
  using placeA = testFolder();
  using placeB = testFolder();
  const [one, other] = [screen(placeA, 40, 5, 30), screen(placeB, 40, 5, 30)];
  // Short enough to look the same at both widths, wherever in the flood the width changes.
  const bytes = Buffer.from(Array.from({ length: 40_000 }, (_, i) => `line ${i} ${'x'.repeat(i % 8)}\r\n`).join(''));
  const written = one.write(bytes);
  for (let turn = 0; turn < 2; turn++) await new Promise((next) => setImmediate(next));
  expect(one.ground).toBe(false);
  one.resize(25, 7);
  await written;
  other.resize(25, 7);
  await inPieces(other, bytes);
  // Where the cursor was saved last moves with a size, and so differs by when that changed.
  const [state, expected] = [await stateOf(one, placeA), await stateOf(other, placeB)];
  for (const of of [state, expected]) of.checkpoint = of.checkpoint!.replace(/"savedY":\d+/g, '');
  expect(difference(state, expected)).toBeNull();
});

test('while a flood is at work its history and its live rows are one text without a seam', async () => {
  using place = testFolder();
  const one = screen(place, 40, 5, 30);
  const lines = Array.from({ length: 60_000 }, (_, i) => `line ${i}`);
  const written = one.write(Buffer.from(`${lines.join('\r\n')}\r\n`))!;
  let turns = 0;
  let done = false;
  written.then(() => {
    done = true;
  });
  while (!done) {
    await new Promise((next) => setImmediate(next));
    const [from, to] = one.lineRanges().text;
    const text = one.readLines(from, to - from).lines;
    const shown = text.findLastIndex((line) => line !== '') + 1;
    expect(text.slice(0, shown)).toEqual(lines.slice(0, shown));
    turns++;
  }
  expect(turns).toBeGreaterThan(1);
});

test('no two of the characters that are skimmed form a cluster, and each takes a cell or two', () => {
  const codes = Array.from({ length: 0x20000 - 0xa0 }, (_, i) => i + 0xa0).filter(standsAlone);
  const states = new Set(codes.map((code) => step(code, 0)));
  for (let code = 0x20; code < 0x7f; code++) states.add(step(code, 0));
  const wrong = codes.filter((code) =>
    [...states].some((state) => step(code, state) !== step(code, 0) || ![1, 2].includes((state >> 1) & 3)),
  );
  expect(wrong.map((code) => code.toString(16))).toEqual([]);
});
