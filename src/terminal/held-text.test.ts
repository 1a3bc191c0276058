// Text that is held looks as it did live, and stays so whatever the program does to its screen.
import { expect, test } from 'vitest';
import { diffGrids, drawn, gridText, testScreen } from '../../test/support/cells.ts';
import { testFolder } from '../../test/support/history-folder.ts';
import { hostileStream } from '../../test/support/hostile.ts';
import { loadRecordings } from '../../test/support/recordings.ts';
import { createGrid, type TextPoint } from '../model/cell.ts';
import type { HeldText } from './held-text.ts';
import type { Screen } from './screen.ts';
import { joinPlain } from './text-space.ts';

const bytes = (text: string) => Buffer.from(text);
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `row ${from + i}`).join('\r\n');

function shown(screen: Screen, at: TextPoint, held: HeldText | null) {
  const grid = createGrid(screen.cols, screen.rows);
  const { atTail } = screen.draw(grid, at, -1, held);
  expect(atTail).toBe(false);
  return grid;
}

/** What a person who stays where the tail is now sees from now on. */
function stay(screen: Screen): { at: TextPoint; held: HeldText } {
  const { top } = screen.draw(createGrid(screen.cols, screen.rows), null);
  return { at: top, held: screen.hold(top, screen.rows)! };
}

test.each<[name: string, change: string]>([
  ['a prompt drawn anew', '\r\x1b[Kname: x'],
  ['a bar that moves', '\r[####    ]\r[########]'],
  ['rows above drawn anew', '\x1b[5A\x1b[J new 1\r\n new 2\r\n new 3\r\n new 4'],
  ['an empty screen', '\x1b[H\x1b[2Jagain'],
  ['an empty screen and an empty history', '\x1b[H\x1b[2J\x1b[3Jagain'],
  ['a reset', '\x1bcagain'],
  ['lines put in and taken out', '\x1b[3;1H\x1b[4L\x1b[8;1H\x1b[2M'],
  ['a part that scrolls', '\x1b[3;7r\x1b[7;1H\n\n\n\n\x1b[r\x1b[9;1H'],
  ['a full-screen program', '\x1b[?1049h\x1b[2J\x1b[Hall over\x1b[?1049l'],
  ['lines behind', `\r\n${rows(50, 400)}`],
])('%s changes nothing that is held', async (_, change) => {
  using place = testFolder();
  const { screen } = testScreen(40, 10, { scrollback: 20, history: { folder: place.folder, stream: '1' } });
  await screen.write(bytes(rows(0, 50)));
  const live = drawn(screen);
  const { at, held } = stay(screen);
  expect(diffGrids(shown(screen, at, held), live)).toEqual([]);
  await screen.write(bytes(change));
  expect(diffGrids(shown(screen, at, held), live)).toEqual([]);
  // Text, search and scrolling up see the same.
  const [from] = screen.lineRanges(held).text;
  let text = '';
  for await (const { lines } of screen.scanLines(Math.min(from, at.line), held)) text += `${joinPlain(lines)}\n`;
  expect(text).toContain(rows(at.line, 50).replaceAll('\r', ''));
  expect(gridText(shown(screen, screen.scrolled(at, -5, held)!, held))[0]).toBe('row 35');
  for (const cols of [25, 80, 40]) {
    screen.resize(cols, 10);
    expect(gridText(shown(screen, at, held)), `${cols} columns`).toEqual(gridText(live));
  }
});

test('what came behind is read on without a gap, and stays as it was then', async () => {
  using place = testFolder();
  const { screen } = testScreen(40, 10, { scrollback: 20, history: { folder: place.folder, stream: '1' } });
  await screen.write(bytes(rows(0, 50)));
  const { at, held } = stay(screen);
  expect(screen.scrolled(at, 1, held), 'nothing behind it').toEqual(at);
  await screen.write(bytes(`\r\n${rows(50, 400)}`));
  held.keep();
  const seen = new Set<string>();
  for (let place: TextPoint = at; ; ) {
    for (const row of gridText(shown(screen, place, held))) seen.add(row);
    const next = screen.scrolled(place, 3, held)!;
    if (next.line === place.line) break;
    place = next;
  }
  expect([...seen]).toEqual(rows(40, 400).split('\r\n'));
  await screen.write(bytes('\x1b[H\x1b[2Jagain'));
  held.keep();
  expect(gridText(shown(screen, { line: 390, col: 0 }, held))[0]).toBe('row 390');
});

test('a view narrower than the terminal keeps what it shows, and scrolls in it', async () => {
  using place = testFolder();
  const { screen } = testScreen(80, 10, { scrollback: 20, history: { folder: place.folder, stream: '1' } });
  const long = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `row ${from + i} ${'and on '.repeat(9)}`).join('\r\n');
  await screen.write(bytes(long(0, 50)));
  const phone = { cols: 30, rows: 12 };
  const look = (at: TextPoint | null, held: HeldText | null) => {
    const grid = createGrid(phone.cols, phone.rows);
    const { atTail, top } = screen.drawNarrow(grid, at, held)!;
    return { atTail, top, text: gridText(grid) };
  };
  const live = look(null, null);
  const held = screen.hold(live.top, phone.rows)!;
  await screen.write(bytes('\x1b[H\x1b[2J\x1b[3Jagain'));
  expect(look(live.top, held)).toEqual({ ...live, atTail: false });
  const up = screen.scrolledNarrow(live.top, -3, phone, held)!;
  expect(look(up, held).text.slice(3)).toEqual(live.text.slice(0, -3));
  expect(screen.scrolledNarrow(up, 50, phone, held)).toEqual(live.top);
  expect(look(null, null).text[0]).toBe('again');
});

test('nothing is held of what cannot change', async () => {
  using place = testFolder();
  const { screen } = testScreen(40, 10, { scrollback: 20, history: { folder: place.folder, stream: '1' } });
  await screen.write(bytes(rows(0, 50)));
  expect(screen.hold({ line: 5, col: 0 }, 10)).toBeNull();
  expect(screen.hold({ line: 15, col: 0 }, 10)).not.toBeNull();
});

test.each([1, 2, 3, 4])('hostile stream %i changes nothing that is held', async (seed) => {
  using place = testFolder();
  const { screen } = testScreen(50, 12, { scrollback: 20, history: { folder: place.folder, stream: '1' } });
  const stream = hostileStream(seed, 4000);
  for (let i = 0; i < stream.length; i += 4000) {
    await screen.write(stream.subarray(i, i + 2000));
    const { at, held } = stay(screen);
    const first = shown(screen, at, held);
    await screen.write(stream.subarray(i + 2000, i + 4000));
    expect(diffGrids(shown(screen, at, held), first), `after byte ${i}`).toEqual([]);
    held.dispose();
  }
});

test.each(loadRecordings().map((recording) => [recording.name, recording] as const))('%s: held as it was live', async (_, recording) => {
  using place = testFolder();
  const { screen } = testScreen(recording.cols, recording.rows, { history: { folder: place.folder, stream: '1' } });
  const output = Buffer.concat(recording.chunks);
  const step = Math.ceil(output.length / 25);
  for (let at = 0; at < output.length; at += step) {
    await screen.write(output.subarray(at, at + step));
    const live = drawn(screen);
    const { at: top, held } = stay(screen);
    expect(diffGrids(shown(screen, top, held), live), `at byte ${at}`).toEqual([]);
    held?.dispose();
  }
});
