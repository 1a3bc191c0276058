import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ServerProcess, suspects, type Unparsed } from './server-process.ts';

const death = (...unparsed: [terminal: number, from: number, to: number][]) => ({
  unparsed: unparsed.map(([terminal, from, to]) => ({ terminal, from, to, stuck: 0 })),
});

test.each([
  ['none after two deaths', [death([1, 0, 9]), death([1, 0, 9])], []],
  ['the one whose bytes were there each time', [death([1, 5, 9]), death([1, 0, 9], [2, 0, 4]), death([1, 0, 9])], [1]],
  ['none when each death was somewhere else', [death([1, 0, 9]), death([2, 0, 9]), death([1, 0, 9])], []],
  ['none when the reading went on', [death([1, 0, 9]), death([1, 9, 20]), death([1, 20, 30])], []],
  ['none when nothing was being read', [death(), death(), death()], []],
  ['by the last three', [death(), death([3, 0, 2]), death([3, 0, 2]), death([3, 1, 2])], [3]],
])('suspects: %s', (_, deaths, expected) => {
  expect(suspects(deaths)).toEqual(expected);
});

beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => vi.useRealTimers());

/** Servers that die when a test says so, having been sent `unparsed`; each start with what was set aside. */
function servers(unparsed: Unparsed[]) {
  const starts: { at: number; quarantine: number[] }[] = [];
  let child = new EventEmitter() as ChildProcess;
  const server = new ServerProcess({
    start: (quarantine) => {
      starts.push({ at: Date.now(), quarantine });
      const made = Object.assign(new EventEmitter(), { pid: 100 + starts.length, exitCode: null, signalCode: null });
      child = Object.assign(made, { kill: (signal: NodeJS.Signals) => made.emit('exit', null, signal) }) as unknown as ChildProcess;
      return child;
    },
    unparsed: () => unparsed,
    now: () => Date.now(),
    log: () => {},
  });
  const die = (code: number | null, signal: NodeJS.Signals | null): void => {
    child.emit('exit', code, signal);
    vi.advanceTimersByTime(60_000);
  };
  server.start();
  return { server, starts, die };
}

const stretch = (stuck: number): Unparsed[] => [{ terminal: 7, from: 0, to: 9, stuck }];

test.each([
  ['that dies by itself sets aside', 0, 1, null, [7]],
  ['that is killed by others while it gets on sets aside', 499, null, 'SIGKILL', []],
  ['that is killed because it was stuck sets aside', 500, null, 'SIGKILL', [7]],
] as const)('a server %s after three times on the same output', (_, stuck, code, signal, expected) => {
  const { starts, server, die } = servers(stretch(stuck));
  for (let i = 0; i < 3; i++) {
    server.spoke();
    // Deaths within a minute count together.
    vi.setSystemTime(0);
    die(code, signal);
  }
  expect(starts.map(({ quarantine }) => quarantine)).toEqual([[], [], [], expected]);
});

test('a server that dies before it has spoken is started after a pause that doubles, up to half a minute; one that has spoken at once', () => {
  const { starts, server, die } = servers([]);
  const pauses: number[] = [];
  const next = (signal: NodeJS.Signals | null = null): void => {
    const died = Date.now();
    die(signal ? null : 1, signal);
    pauses.push(starts.at(-1)!.at - died);
  };
  for (let i = 0; i < 10; i++) next();
  expect(pauses).toEqual([0, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000]);
  next('SIGKILL');
  server.spoke();
  next();
  expect(pauses.slice(10)).toEqual([0, 0]);
});

test('one that is ended for good is not started again; one that is started anew begins without suspects', async () => {
  const { starts, server, die } = servers(stretch(0));
  for (let i = 0; i < 2; i++) {
    vi.setSystemTime(0);
    die(1, null);
  }
  expect(server.pid).toBe(103);
  await server.restart();
  vi.advanceTimersByTime(60_000);
  expect([server.pid, starts.at(-1)!.quarantine]).toEqual([104, []]);
  await server.stop();
  vi.advanceTimersByTime(60_000);
  expect([server.pid, starts.length]).toEqual([null, 4]);
});
