// A view's frames as its client gets them, with the clock held: how many of a flood of whole screens, and what the last one shows.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UNKNOWN_OUTER } from '../../model/outer.ts';
import { Screen } from '../../terminal/screen.ts';
import { ClientFrame } from '../../wire/client-frames.ts';
import { DiffDecoder } from '../../wire/diff-decoder.ts';
import type { ClientLink } from '../clients.ts';
import { OutputFlow } from '../output-flow.ts';
import { View } from './view.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** `ms` pass, and what is done at once after that is done. */
async function pass(ms: number): Promise<void> {
  for (let i = 0; i < ms; i++) {
    vi.advanceTimersByTime(1);
    await new Promise((done) => setImmediate(done));
  }
}

const [COLS, ROWS] = [80, 24];

function shown() {
  const flow = new OutputFlow();
  const screen = new Screen({ cols: COLS, rows: ROWS, outer: () => UNKNOWN_OUTER, version: '0', onReply: () => {}, onFact: () => {} });
  const decoder = new DiffDecoder();
  const frames: number[] = [];
  const send = (type: number, _view: number, payload: Uint8Array) => {
    expect(type).toBe(ClientFrame.screen);
    decoder.apply(payload);
    frames.push(performance.now());
  };
  const client = { connection: { queued: 0, send } } as unknown as ClientLink;
  const view = new View(client, { screen, flow }, { view: 1, terminal: 1, cols: COLS, rows: ROWS, sizing: true, focused: true });
  const print = async (text: string) => {
    const bytes = Buffer.from(text);
    flow.come(bytes.length, performance.now());
    await screen.write(bytes);
    flow.take(bytes.length, performance.now());
    view.poke();
  };
  const grid = () => decoder.grid!;
  const letter = () => String.fromCharCode(grid().cells[0]! & 0x1fffff);
  const end = () => {
    view.close();
    screen.dispose();
  };
  return { view, print, frames, letter, grid, end };
}

/** All cells with two colours of their own. */
function dense(n: number): string {
  const cell = (i: number) => `\x1b[38;5;${i % 256};48;5;${(i + 9) % 256}m${String.fromCharCode(65 + (n % 26))}`;
  return `\x1b[H${Array.from({ length: COLS * ROWS }, (_, i) => cell(i + n)).join('')}`;
}

test('a flood of whole screens is shown now and then, its end soon, and what the person typed at once', async () => {
  const { view, print, frames, letter, end } = shown();
  const from = performance.now();
  const at = () => frames.map((time) => Math.round(time - from));
  for (let n = 0; n < 100; n++) {
    await print(dense(n));
    await pass(4);
  }
  expect(at().length).toBeLessThanOrEqual(4);
  await pass(10);
  expect(letter()).toBe(String.fromCharCode(65 + (99 % 26)));
  expect(at().length).toBeLessThanOrEqual(5);
  const before = frames.length;
  await print(dense(100));
  await pass(4);
  view.hurry();
  await print(dense(101));
  await pass(0);
  expect(frames.length).toBeGreaterThan(before);
  expect(letter()).toBe(String.fromCharCode(65 + (101 % 26)));
  end();
});

test('one whole screen for each frame of a display is shown each time', async () => {
  const { print, frames, letter, end } = shown();
  for (let n = 0; n < 60; n++) {
    await print(dense(n));
    await pass(17);
    expect(letter()).toBe(String.fromCharCode(65 + (n % 26)));
  }
  expect(frames).toHaveLength(60);
  end();
});

test('a synchronized screen is shown as soon as it is whole', async () => {
  const { print, frames, letter, end } = shown();
  await print('first');
  await pass(20);
  for (let n = 0; n < 30; n++) {
    const text = dense(n);
    await print(`\x1b[?2026h${text.slice(0, 20_000)}`);
    await pass(9);
    expect(frames).toHaveLength(n + 1);
    await print(`${text.slice(20_000)}\x1b[?2026l`);
    await pass(0);
    expect(letter()).toBe(String.fromCharCode(65 + (n % 26)));
    await pass(11);
  }
  end();
});

test('a view of another size is shown whole at that size, larger or smaller', async () => {
  const { view, print, grid, end } = shown();
  await print(dense(0));
  await pass(20);
  for (const [cols, rows] of [
    [40, ROWS],
    [40, 10],
    [90, 30],
  ] as const) {
    view.respec({ ...view.spec, cols, rows });
    await pass(20);
    expect([grid().cols, grid().rows]).toEqual([cols, rows]);
  }
  await print('\x1b[HZ');
  await pass(20);
  expect(String.fromCharCode(grid().cells[0]! & 0x1fffff)).toBe('Z');
  end();
});
