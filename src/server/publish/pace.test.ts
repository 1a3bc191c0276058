// Programs that print by a plan, ms by ms, and the frames they get. The clock is a number.
import { expect, test } from 'vitest';
import { OutputFlow } from '../output-flow.ts';
import { Pace } from './pace.ts';

interface Plan {
  /** Bytes that come and are taken in ms `at`. */
  prints(at: number): number;
  /** Bytes of a frame. */
  frame: number;
  /** A frame is asked for in these ms though nothing was printed. */
  asked?: number;
  /** ms in which the person types. */
  key?: number;
  focused?: boolean;
}

/** ms of the frames in the first `ms`, each told of at once when it may go. */
function framesOf({ prints, frame, asked, key, focused = true }: Plan, ms: number): number[] {
  const flow = new OutputFlow();
  const pace = new Pace(flow);
  const frames: number[] = [];
  let dirty = false;
  let due = Number.POSITIVE_INFINITY;
  for (let now = 0; now < ms; now++) {
    if (now === key) pace.hurry(now);
    const bytes = prints(now);
    if (bytes > 0) {
      flow.come(bytes, now);
      flow.take(bytes, now);
      dirty = true;
    }
    if (now === asked) dirty = true;
    const poked = bytes > 0 || now === asked;
    if (!dirty || (now < due && !(poked && (due === Number.POSITIVE_INFINITY || !pace.stands)))) continue;
    const wait = pace.wait(focused, now === asked, now);
    due = wait > 0 ? now + wait : Number.POSITIVE_INFINITY;
    if (wait > 0) continue;
    pace.rest();
    pace.begin(now);
    pace.sent(frame, now);
    frames.push(now);
    dirty = false;
  }
  return frames;
}

/** A screen of cells with colours of their own: 54 KB to print, 22 KB of a frame. */
const REDRAW = 54_000;
const DENSE = 22_000;
const every = (step: number, ms: number, from = 0): number[] =>
  Array.from({ length: Math.ceil((ms - from) / step) }, (_, i) => from + i * step);
/** A redraw each `period` ms, printed in `takes` ms. */
const animation = (period: number, takes: number) => (at: number) => (at % period < takes ? REDRAW / takes : 0);

test('whole screens without a pause: a frame in 300 ms, and the last one once it has paused', () => {
  const flood = { prints: (at: number) => (at <= 450 ? 8_000 : 0), frame: DENSE };
  expect(framesOf(flood, 1000)).toEqual([0, 300, 455]);
});

test('sooner where a frame is little of what was printed', () => {
  const bytes = 20_000;
  expect(framesOf({ prints: () => 40_000, frame: bytes }, 150)).toEqual(every((bytes * 120) / 40_000, 150));
});

test.each([
  ['60', 16, 6],
  ['50', 20, 14],
  ['30', 33, 25],
])('an animation of %s screens a second: each is shown before the next one begins, or as soon as a display can', (_, period, takes) => {
  const frames = framesOf({ prints: animation(period, takes), frame: DENSE }, 1000);
  for (let end = takes - 1; end + 16 < 1000; end += period) expect(frames.some((at) => at >= end && at <= end + 16)).toBe(true);
});

test.each([
  ['text', true, 16],
  ['text beside', false, 100],
])('%s is never held back: frames are small', (_, focused, step) => {
  expect(framesOf({ prints: () => 2000, frame: 8000, focused }, 500)).toEqual(every(step, 500));
});

test('who types into a flood sees at once what comes of it', () => {
  const flood = { prints: () => 8_000, frame: DENSE, key: 60 };
  expect(framesOf(flood, 500)).toEqual([0, 60, 76, 92, 108, 408]);
});

test('what shows more than output is not held back', () => {
  const flood = { prints: () => 8_000, frame: DENSE, asked: 60 };
  expect(framesOf(flood, 400)).toEqual([0, 60, 360]);
});

test('output has not paused while the screen has some to take, nor while nothing could be read', () => {
  const flow = new OutputFlow();
  expect(flow.pauseIn(0)).toBe(0);
  flow.come(100, 0);
  expect(flow.pauseIn(1000)).toBe(Number.POSITIVE_INFINITY);
  flow.take(60, 1000);
  expect(flow.pauseIn(1000)).toBe(Number.POSITIVE_INFINITY);
  flow.take(40, 1000);
  expect([1000, 1003, 1005, 1009].map((now) => flow.pauseIn(now))).toEqual([5, 2, 0, 0]);
  flow.unread(1003, 1020);
  expect(flow.pauseIn(1020)).toBe(5);
  flow.unread(1030, 1040);
  expect(flow.pauseIn(1040)).toBe(0);
  expect(flow.taken).toBe(100);
});
