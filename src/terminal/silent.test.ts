// Output that is put off: it says nothing to anybody, and those who look see the screen as if it had been parsed when it came.
import { expect, test, vi } from 'vitest';
import { diffGrids, drawn, testScreen } from '../../test/support/cells.ts';
import { testFolder } from '../../test/support/history-folder.ts';
import { hostileStream } from '../../test/support/hostile.ts';
import { createRandom } from '../../test/support/random.ts';
import { loadRecordings } from '../../test/support/recordings.ts';
import { plainText } from './plain-text.ts';
import { isSilent } from './silent.ts';

test.each<[string, string, boolean]>([
  ['nothing', '', true],
  ['text, lines, tabs', 'a b\tc\r\n\b', true],
  ['looks, movement, erasing', '\x1b[38;2;1;2;3;4:3m\x1b[2;1H\x1b[K\x1b[J\x1b[3A\x1b[m', true],
  ['a spinner in a synchronized frame', '\x1b[?2026h\x1b[?25l\x1b[5;1H⠋ Thinking\x1b[?25h\x1b[?2026l', true],
  ['wide and joined characters', '漢字 👨‍👩‍👧 é', true],
  ['links', '\x1b]8;id=1;https://example.org\x1b\\text\x1b]8;;\x07', true],
  ['a link that is cut', '\x1b]8;;https://exam', false],
  ['a link with a byte that belongs in none', '\x1b]8;;é\x07', false],
  ['BEL', 'a\x07', false],
  ['a title', '\x1b]2;t\x07', false],
  ['DA1', '\x1b[c', false],
  ['DA2', '\x1b[>c', false],
  ['DSR', 'a\x1b[6n', false],
  ['DECRQM', '\x1b[?2026$p', false],
  ['a query of keys', '\x1b[?u', false],
  ['a mode that input depends on', '\x1b[?1h', false],
  ['reports of the size', '\x1b[?2048h', false],
  ['two modes, one of which counts', '\x1b[?25;1004h', false],
  ['CSI 14 t', '\x1b[14t', false],
  ['a cursor style', '\x1b[2 q', false],
  ['a reset', '\x1bc', false],
  ['a charset', '\x0e', false],
  ['an 8-bit CSI', '\u009bc', false],
  ['a cut sequence', 'a\x1b[3', false],
  ['a lone ESC', 'a\x1b', false],
])('%s', (_, text, silent) => {
  expect(isSilent(Buffer.from(text))).toBe(silent);
});

test('a character that is cut ends no silent output, one that is whole does', () => {
  for (const text of ['é', '漢', '👍', '\u0085']) {
    const bytes = Buffer.from(`a${text}`);
    for (let end = 2; end < bytes.length; end++) expect([text, end, isSilent(bytes.subarray(0, end))]).toEqual([text, end, false]);
    expect([text, isSilent(bytes)]).toEqual([text, text !== '\u0085']);
  }
});

/** Random pieces, short and long. */
function cut(bytes: Uint8Array, seed: number): Uint8Array[] {
  const random = createRandom(seed);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pieces.at(-1)!.length) pieces.push(bytes.subarray(at, at + 1 + random(random(4) ? 60 : 3000)));
  return pieces;
}

/** Feeds `pieces` to two screens, of which one puts off what it can, with a look now and then; what differs between them. */
async function follow(
  pieces: readonly Uint8Array[],
  size: { cols: number; rows: number },
  seed: number,
): Promise<{ found: string[]; putOff: number }> {
  const random = createRandom(seed);
  const [plain, late] = [testScreen(size.cols, size.rows), testScreen(size.cols, size.rows)];
  let putOff = 0;
  for (const [at, piece] of pieces.entries()) {
    await plain.screen.write(piece);
    const [replies, facts] = [late.replies.length, late.facts.length];
    if (isSilent(piece) && late.screen.putOff(piece)) putOff += piece.length;
    else await late.screen.write(piece);
    if (random(50) === 0) {
      const [cols, rows] = [size.cols - random(3), size.rows - random(3)];
      for (const { screen } of [plain, late]) screen.resize(cols, rows);
    }
    const told = late.replies.length > replies || late.facts.length > facts;
    if (told) expect([late.replies, late.facts]).toEqual([plain.replies, plain.facts]);
    if (random(20) > 0 && at < pieces.length - 1) continue;
    expect(late.screen.text()).toEqual(plain.screen.text());
    const found = diffGrids(drawn(late.screen), drawn(plain.screen));
    if (found.length > 0) return { found: [`at ${at}`, ...found], putOff };
  }
  expect([late.replies, late.facts]).toEqual([plain.replies, plain.facts]);
  expect(late.screen.lineRanges()).toEqual(plain.screen.lineRanges());
  if (late.screen.ground) expect(late.screen.checkpoint()).toEqual(plain.screen.checkpoint());
  return { found: [], putOff };
}

test.each(Array.from({ length: 30 }, (_, seed) => [seed + 700]))('hostile stream %i', async (seed) => {
  expect((await follow(cut(hostileStream(seed, 400), seed), { cols: 40, rows: 12 }, seed)).found).toEqual([]);
});

test('recordings of agents, much of which is put off', async () => {
  let [all, putOff] = [0, 0];
  for (const recording of loadRecordings()) {
    const done = await follow(recording.chunks, recording, 1);
    expect([recording.name, ...done.found]).toEqual([recording.name]);
    all += Buffer.concat(recording.chunks).length;
    putOff += done.putOff;
  }
  expect(putOff / all).toBeGreaterThan(0.5);
});

test('what is put off is bounded, and stands before what is written next', async () => {
  const { screen } = testScreen(20, 5);
  const bytes = Buffer.from('x'.repeat(1000));
  expect(Array.from({ length: 6 }, () => screen.putOff(bytes))).toEqual([true, true, true, true, false, false]);
  await screen.write(Buffer.from('\x1b[2J\x1b[Hlast'));
  expect(screen.text().lines.map(({ text }) => text)).toEqual(['last', '', '', '', '']);
});

test('a screen that was put off and then stood still is kept as one', async () => {
  using place = testFolder();
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const { screen } = testScreen(20, 5, { history: { folder: place.folder, stream: '1' } });
    await screen.write(Buffer.from('\x1b[?1049h'));
    for (const word of ['first', 'second', 'third']) {
      vi.advanceTimersByTime(1000);
      const page = Array.from({ length: 5 }, (_, y) => `\x1b[${y + 1};1H\x1b[K${word} ${y}`).join('');
      expect(screen.putOff(Buffer.from(page))).toBe(true);
    }
    const [from, to] = screen.lineRanges().screens;
    const kept = screen.readLines(from, to - from).lines.map((line) => plainText(line));
    for (const word of ['first', 'second', 'third']) expect(kept).toContain(`${word} 4`);
    screen.dispose();
  } finally {
    vi.useRealTimers();
  }
});
