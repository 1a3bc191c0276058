// Who is called when: at the beat after its time, all of a beat in one turn, and nobody who was moved or taken back.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BEAT, WakeUps } from './wake-ups.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Who was called, each with the ms since the start. */
function recorder(): { calls: [string, number][]; wakeUps: WakeUps; call(name: string): () => void } {
  const start = performance.now();
  const calls: [string, number][] = [];
  const call = (name: string) => () => void calls.push([name, performance.now() - start]);
  return { calls, wakeUps: new WakeUps(() => performance.now()), call };
}

test('those due within a beat are called in one turn, no sooner than they asked and less than a beat later', () => {
  const { calls, wakeUps, call } = recorder();
  wakeUps.in(2 * BEAT - 5, call('late'));
  wakeUps.in(BEAT + 3, call('early'));
  wakeUps.in(3 * BEAT + 1, call('next'));
  vi.advanceTimersByTime(10 * BEAT);
  const at = new Map(calls);
  expect(at.get('late')).toBe(at.get('early'));
  for (const [name, ms] of [
    ['late', 2 * BEAT - 5],
    ['early', BEAT + 3],
    ['next', 3 * BEAT + 1],
  ] as const) {
    expect(at.get(name)).toBeGreaterThanOrEqual(ms);
    expect(at.get(name)).toBeLessThan(ms + BEAT + 1);
  }
  expect(vi.getTimerCount()).toBe(0);
});

test('a second time takes the place of the first, sooner or later', () => {
  const { calls, wakeUps, call } = recorder();
  const [sooner, later] = [call('sooner'), call('later')];
  wakeUps.in(20 * BEAT, sooner);
  wakeUps.in(BEAT, later);
  wakeUps.in(2 * BEAT, sooner);
  wakeUps.in(30 * BEAT, later);
  vi.advanceTimersByTime(10 * BEAT);
  expect(calls.map(([name]) => name)).toEqual(['sooner']);
  expect([wakeUps.has(sooner), wakeUps.has(later)]).toEqual([false, true]);
});

test('one that was taken back is not called, also by one of the same turn', () => {
  const { calls, wakeUps, call } = recorder();
  const [gone, moved] = [call('gone'), call('moved')];
  wakeUps.in(1, () => {
    wakeUps.forget(gone);
    wakeUps.in(40 * BEAT, moved);
  });
  wakeUps.in(1, gone);
  wakeUps.in(1, moved);
  vi.advanceTimersByTime(10 * BEAT);
  expect(calls).toEqual([]);
  wakeUps.forget(moved);
  expect(vi.getTimerCount()).toBe(0);
});

test('one that asks again in its turn is called at a later beat, not in a loop', () => {
  const { calls, wakeUps, call } = recorder();
  const note = call('again');
  const again = (): void => {
    note();
    wakeUps.in(0, again);
  };
  wakeUps.in(0, again);
  vi.advanceTimersByTime(10 * BEAT);
  expect(calls.length).toBeGreaterThanOrEqual(9);
  expect(calls.length).toBeLessThanOrEqual(11);
});

test('one that throws takes no other with it', () => {
  const { calls, wakeUps, call } = recorder();
  wakeUps.in(1, () => {
    throw new Error('a bug');
  });
  wakeUps.in(2, call('behind it'));
  expect(() => vi.advanceTimersByTime(BEAT)).toThrow('a bug');
  vi.advanceTimersByTime(2 * BEAT);
  expect(calls.map(([name]) => name)).toEqual(['behind it']);
});

test('a wait longer than any timer is waited for in pieces', () => {
  const { calls, wakeUps, call } = recorder();
  wakeUps.in(2 ** 32, call('far'));
  vi.advanceTimersByTime(2 ** 32 - 1);
  expect(calls).toEqual([]);
  vi.advanceTimersByTime(BEAT + 1);
  expect(calls).toHaveLength(1);
});
