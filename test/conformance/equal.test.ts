// A pane seen through herd's screen, wire and compositor shows, cell by cell, what a bare terminal shows for the same bytes. HERD_STREAMS
// says how many random streams (60 by default) and HERD_SEED where they begin.
import { expect, test } from 'vitest';
import { hostileStream } from '../support/hostile.ts';
import { loadRecordings } from '../support/recordings.ts';
import { bareTerminal, diffPictures, feed, pictureOf } from './bare.ts';
import { compareStream } from './compare.ts';
import { Pane } from './pane.ts';
import { filled, places, SETTINGS, sequences } from './sequences.ts';

const STREAMS = Number(process.env.HERD_STREAMS ?? 60);
const SEED = Number(process.env.HERD_SEED ?? 0);
const [COLS, ROWS] = [20, 9];

test.each(Object.entries(SETTINGS))('every sequence at every place: %s', async (_name, setting) => {
  const bare = bareTerminal(COLS, ROWS);
  const pane = new Pane(COLS, ROWS);
  const wrong: string[] = [];
  for (const [place, to] of Object.entries(places(COLS, ROWS))) {
    for (const sequence of sequences()) {
      // There the bare terminal throws (src/terminal/xterm.test.ts).
      if (/^\x1b\[\??1J$/.test(sequence) && place === 'wrap at the bottom') continue;
      const bytes = `\x1bc\x1b[?1049l${filled(COLS, ROWS)}${setting}${to}${sequence}!`;
      feed(bare, bytes);
      await pane.write(Buffer.from(bytes));
      const differences = diffPictures(pictureOf(bare), pictureOf(pane.show()), 2);
      if (differences.length > 0) wrong.push(`${JSON.stringify(sequence)} at ${place}: ${differences.join('; ')}`);
      // What was sent ends here, whatever it opened.
      feed(bare, '\x18');
      await pane.write(Buffer.from('\x18'));
    }
  }
  bare.dispose();
  pane.dispose();
  expect(wrong.slice(0, 10)).toEqual([]);
});

/** Counts that a bare terminal takes minutes for are another test's. */
function bounded(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString();
  return Buffer.from(text.replace(/\d{5,}(?=[;\d]*[ '"!]?[@-~])/g, '300'));
}

const seeds = Array.from({ length: STREAMS }, (_, i) => SEED + i);

test('random streams, sizes changed in the midst of them', { timeout: STREAMS * 10_000 + 600_000 }, async () => {
  for (const seed of seeds) {
    const size = { cols: 20 + (seed % 61), rows: 5 + (seed % 19) };
    const found = await compareStream(bounded(hostileStream(seed, 200)), { ...size, seed, resizes: true, graphemes: seed % 2 === 0 });
    expect(found, `seed ${seed}`).toBeNull();
  }
});

test('random streams, the server killed in the midst of them', { timeout: STREAMS * 10_000 + 600_000 }, async () => {
  for (const seed of seeds) {
    const size = { cols: 20 + (seed % 61), rows: 5 + (seed % 19) };
    expect(await compareStream(bounded(hostileStream(seed, 200)), { ...size, seed, restarts: true }), `seed ${seed}`).toBeNull();
  }
});

test.each(loadRecordings().map((recording) => [recording.name, recording] as const))('%s', async (_name, { cols, rows, chunks }) => {
  const bytes = Buffer.concat(chunks);
  expect(await compareStream(bytes, { cols, rows, piece: 8000, restarts: true })).toBeNull();
});
