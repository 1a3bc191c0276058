import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Settling } from './settling.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const every = (ms: number, count: number) => Array.from({ length: count }, (_, i) => i * ms);

test.each<[string, number[], number[]]>([
  ['a lone write', [0], [30]],
  ['what an editor does', [0, 2, 5], [35]],
  ['an event behind the telling', [0, 50], [30, 150]],
  ['lone writes one after the other', [0, 200, 400], [30, 230, 430]],
  ['lone writes just a calm apart', [0, 100, 200], [30, 130, 230]],
  ['writes that go on', every(20, 11), [300]],
  ['they end before they are a burst', every(20, 5), [110]],
  ['a burst that does not end', every(23, 131), [1000, 2012, 3024]],
  ['slower than lone, faster than a calm', every(60, 4), [30, 280]],
])('%s', (_what, events, told) => {
  const times: number[] = [];
  const start = performance.now();
  const settling = new Settling({ lone: 30, quiet: 100, longest: 1000 }, () => times.push(performance.now() - start));
  for (const at of events) setTimeout(() => settling.note(), at);
  vi.advanceTimersByTime(10_000);
  expect(times).toEqual(told);
});
