// Drawing only the rows that changed, and sending only those, gives the grid that drawing all of them gives.
import { describe, expect, test } from 'vitest';
import { diffGrids, drawn, testScreen } from '../../test/support/cells.ts';
import { hostileStream } from '../../test/support/hostile.ts';
import { createRandom } from '../../test/support/random.ts';
import { loadRecordings } from '../../test/support/recordings.ts';
import { createGrid } from '../model/cell.ts';
import { RowChanges } from './row-changes.ts';

test.each<[marks: [number, number, number][], since: number, from: number, to: number]>([
  [[], 0, 0, 0],
  [[[2, 4, 5]], 4, 2, 5],
  [[[2, 4, 5]], 5, 0, 0],
  [
    [
      [2, 4, 5],
      [7, 7, 6],
    ],
    4,
    2,
    8,
  ],
  [
    [
      [2, 4, 5],
      [7, 7, 6],
    ],
    5,
    7,
    8,
  ],
  [[[8, 12, 1]], 0, 8, 10],
])('%j since %i: rows %i to %i', (marks, since, from, to) => {
  const changes = new RowChanges();
  for (const [first, last, step] of marks) {
    while (changes.step < step) changes.next();
    changes.markRangeDirty(first, last);
  }
  const span = changes.since(since, 10);
  expect(span.to - span.from).toBe(to - from);
  if (to > from) expect(span).toEqual({ from, to });
});

test.each<[row: number, output: string, from: number, to: number]>([
  [3, 'x', 2, 3],
  [2, 'x'.repeat(15), 1, 3],
  [4, 'ab\x1b[J', 3, 6],
  [4, 'ab\x1b[1J', 0, 6],
  [2, '\x1b[L', 1, 6],
  // A synchronized frame ends, of which nothing is to be seen.
  [1, '\x1b[?2026h\x1b[1;5H\x1b[?2026l', 0, 1],
])('in row %i %j changes rows %i to %i', async (row, output, from, to) => {
  const { screen } = testScreen(10, 6);
  await screen.write(Buffer.from(`\x1b[${row}H`));
  const { changes } = screen;
  await screen.write(Buffer.from(output));
  expect(screen.draw(createGrid(10, 6), null, changes).rows).toEqual({ from, to });
});

/** Feeds `bytes` in random pieces, now and then resized; the kept grid must be what a whole draw gives. */
async function follow(bytes: Uint8Array, size: { cols: number; rows: number }, seed: number, resizes: boolean): Promise<string[]> {
  const random = createRandom(seed);
  const { screen } = testScreen(size.cols, size.rows);
  let grid = createGrid(size.cols, size.rows);
  let since = -1;
  for (let at = 0; at < bytes.length; ) {
    const to = Math.min(bytes.length, at + 1 + random(random(4) ? 200 : 4000));
    await screen.write(bytes.subarray(at, to));
    at = to;
    if (resizes && random(40) === 0) {
      screen.resize(5 + random(120), 3 + random(40));
      grid = createGrid(screen.cols, screen.rows);
      since = -1;
    }
    if (random(3) === 0) continue;
    screen.draw(grid, null, since);
    since = screen.changes;
    if (random(4) > 0 && at < bytes.length) continue;
    const found = diffGrids(grid, drawn(screen));
    if (found.length > 0) return [`before byte ${at}`, ...found];
  }
  return [];
}

describe('a grid of which only changed rows are drawn', () => {
  test.each(loadRecordings().map((recording) => [recording.name, recording] as const))('%s', async (_, { chunks, cols, rows }) => {
    expect(await follow(Buffer.concat(chunks).subarray(0, 60_000), { cols, rows }, 11, false)).toEqual([]);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('hostile stream %i', async (seed) => {
    expect(await follow(hostileStream(seed, 6000), { cols: 60, rows: 16 }, seed, seed > 4)).toEqual([]);
  });
});
