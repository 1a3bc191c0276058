import { expect, test, vi } from 'vitest';
import { type Size, Sizing, targetSize } from './sizing.ts';

test.each([
  [{ cols: 65, rows: 35 }, null, { cols: 80, rows: 35 }],
  [{ cols: 160, rows: 40 }, null, { cols: 160, rows: 40 }],
  [
    { cols: 160, rows: 40 },
    { cols: 20, rows: 5 },
    { cols: 20, rows: 5 },
  ],
  [
    { cols: 80, rows: 24 },
    { cols: 10_000, rows: 1 },
    { cols: 1000, rows: 1 },
  ],
])('%o with wish %o', (now, wish, expected) => expect(targetSize(now, wish)).toEqual(expected));

test('a storm of wishes is one change at once and one at its end', () => {
  vi.useFakeTimers();
  try {
    let wish: Size = { cols: 100, rows: 30 };
    let size: Size = { cols: 80, rows: 24 };
    const made: Size[] = [];
    const sizing = new Sizing({
      wish: () => wish,
      size: () => size,
      resize: (_terminal, to) => {
        size = to;
        made.push(to);
      },
      now: () => Date.now(),
    });
    for (let i = 0; i < 40; i++) {
      wish = { cols: 100 + i, rows: 30 };
      sizing.consider(1);
    }
    vi.advanceTimersByTime(60);
    expect(made).toEqual([
      { cols: 100, rows: 30 },
      { cols: 139, rows: 30 },
    ]);
  } finally {
    vi.useRealTimers();
  }
});
