// The promise kill-safety stands on: S1 + S2 equals checkpoint(S1) + S2, cell for cell, at any cut.
import { describe, expect, test } from 'vitest';
import { diffScreens, testScreen } from '../../test/support/cells.ts';
import { hostileStream } from '../../test/support/hostile.ts';
import { createRandom } from '../../test/support/random.ts';
import { loadRecordings } from '../../test/support/recordings.ts';
import type { Screen } from './screen.ts';

/** Feeds `bytes`, going through a checkpoint in a fresh screen near each cut; compares at every one and at the end. */
async function compare(bytes: Uint8Array, cols: number, rows: number, cuts: number[]): Promise<string[]> {
  const plain = testScreen(cols, rows).screen;
  let reborn: Screen = testScreen(cols, rows).screen;
  let at = 0;
  const feed = async (to: number) => {
    await plain.write(bytes.subarray(at, to));
    await reborn.write(bytes.subarray(at, to));
    at = to;
  };
  for (const cut of cuts) {
    if (cut < at) continue;
    await feed(cut);
    while (!reborn.ground && at < bytes.length) await feed(at + 1);
    if (!reborn.ground) break;
    const next = testScreen(cols, rows).screen;
    await next.restore(reborn.checkpoint());
    reborn = next;
    const found = diffScreens(plain, reborn);
    if (found.length > 0) return [`after the checkpoint at ${at}`, ...found];
  }
  await feed(bytes.length);
  const found = diffScreens(plain, reborn);
  if (found.length > 0) return [`at the end, cuts ${cuts.join(' ')}`, ...found];
  if (plain.ground) expect(Buffer.from(reborn.checkpoint()).toString()).toBe(Buffer.from(plain.checkpoint()).toString());
  return [];
}

function randomCuts(seed: number, length: number, count: number): number[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => random(length)).sort((a, b) => a - b);
}

describe('recordings', () => {
  test.each(loadRecordings().map((recording) => [recording.name, recording] as const))('%s', async (_, recording) => {
    const bytes = Buffer.concat(recording.chunks);
    expect(await compare(bytes, recording.cols, recording.rows, randomCuts(bytes.length, bytes.length, 6))).toEqual([]);
  });
});

test.each(Array.from({ length: 40 }, (_, seed) => [seed]))('hostile stream %i', async (seed) => {
  const bytes = hostileStream(seed, 400);
  expect(await compare(bytes, 80, 24, randomCuts(seed, bytes.length, 5))).toEqual([]);
});

test('a pending wrap, a half-joined cluster and a resize survive', async () => {
  const plain = testScreen(10, 4).screen;
  plain.write(Buffer.from('0123456789'));
  const other = testScreen(10, 4).screen;
  other.restore(plain.checkpoint());
  for (const screen of [plain, other]) screen.write(Buffer.from('x👩'));
  const third = testScreen(4, 4).screen;
  third.restore(other.checkpoint());
  for (const screen of [plain, third]) {
    screen.write(Buffer.from('\u200d👧 end of it all'));
    screen.resize(7, 5);
  }
  expect(diffScreens(plain, third)).toEqual([]);
});

test('a checkpoint in the middle of a sequence is refused', () => {
  const { screen } = testScreen(10, 4);
  screen.write(Buffer.from('\x1b[3'));
  expect(screen.ground).toBe(false);
  expect(() => screen.checkpoint()).toThrow();
});
