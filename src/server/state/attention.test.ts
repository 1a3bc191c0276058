// Who is told what, by which channel, and what the log says of it; on an imagined clock.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AgentState, AgentStatus } from '../../model/agent.ts';
import { Attention, type AttentionOptions } from './attention.ts';
import type { EventLog } from './event-log.ts';

beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => vi.useRealTimers());

const status = (state: AgentState, question?: string): AgentStatus => ({
  ...{ kind: 'claude', state, since: Date.now(), why: 'so it is', evidence: [], marks: {}, turn: 1 },
  question: question ? { id: question, kind: 'permission', text: question, options: [] } : null,
});

function scene(o: Partial<AttentionOptions> = {}) {
  const shown: string[] = [];
  const log: string[] = [];
  const told: [number, number][] = [];
  const attention = new Attention({
    ...{
      now: () => Date.now(),
      watches: () => false,
      name: (id: number) => `w${id}`,
      changes: () => null,
      terminalOff: null,
      sound: false,
      channels: {},
    },
    log: { add: (_kind: string, _workspace: number, text: string) => log.push(text) } as unknown as EventLog,
    toTerminal: ({ title, body }) => {
      shown.push(`${title}: ${body}`);
      return true;
    },
    onTold: (id, since) => told.push([id, since]),
    ...o,
  });
  return { attention, shown, log, told };
}

test('a question is told with its text, and logged as sent', () => {
  const { attention, shown, log, told } = scene();
  attention.status(1, status('blocked', 'Run npm test?'), 'working');
  vi.advanceTimersByTime(2000);
  expect(shown).toEqual(['w1 needs you: Run npm test?']);
  expect(log).toEqual(['sent (terminal) w1 needs you - Run npm test?']);
  expect(told).toEqual([[1, 0]]);
});

test('a question that is drawn a moment after its agent is blocked is told with its text', () => {
  const { attention, shown } = scene();
  attention.status(1, status('blocked'), 'working');
  vi.advanceTimersByTime(150);
  attention.status(1, status('blocked', 'Run npm test?'), 'blocked');
  vi.advanceTimersByTime(2000);
  expect(shown).toEqual(['w1 needs you: Run npm test?']);
});

test('what a new server finds, and what it is told of it in the same breath, is told once, as it is by then', () => {
  const { attention, shown } = scene();
  attention.status(1, status('done'), 'working');
  attention.found(1, status('blocked', 'Run it?'), null);
  vi.advanceTimersByTime(5000);
  expect(shown).toEqual(['w1 needs you: Run it?']);
});

test('a turn that ended is told with what it changed', () => {
  const { attention, shown } = scene({ changes: () => ({ files: 2, added: 9, removed: 2, at: 0 }) });
  attention.status(1, status('done'), 'working');
  vi.advanceTimersByTime(2000);
  expect(shown).toEqual(['w1 has finished: 2 files changed, +9 −2']);
});

test('one that is answered at once is not told', () => {
  const { attention, shown, log } = scene();
  attention.status(1, status('blocked', 'Run it?'), 'working');
  vi.advanceTimersByTime(200);
  attention.status(1, status('working'), 'blocked');
  vi.advanceTimersByTime(5000);
  expect([shown, log]).toEqual([[], []]);
});

test('several at once are one telling, each in the log', () => {
  const { attention, shown, log } = scene();
  for (const id of [1, 2, 3]) attention.status(id, status('done'), 'working');
  vi.advanceTimersByTime(2000);
  expect(shown).toEqual(['3 agents want you: w1 has finished, w2 has finished, w3 has finished']);
  expect(log).toHaveLength(3);
});

test('a state that flickers is told once', () => {
  const { attention, shown, log } = scene();
  for (let i = 0; i < 3; i++) {
    attention.status(1, status('done'), 'working');
    vi.advanceTimersByTime(1500);
    attention.status(1, status('working'), 'done');
    vi.advanceTimersByTime(500);
  }
  expect(shown).toHaveLength(1);
  expect(log[1]).toMatch(/^suppressed \(all: told a moment ago\)/);
});

test.each<[string, Partial<AttentionOptions>, RegExp]>([
  ['a person looks at it', { watches: () => true }, /^suppressed \(all: it is being looked at\)/],
  ['nobody is attached', { toTerminal: () => false }, /^suppressed \(terminal: no client is attached\)/],
  [
    'the person does not want it',
    { terminalOff: 'notifications.terminal is off' },
    /^suppressed \(terminal: notifications.terminal is off\)/,
  ],
])('suppressed with the reason: %s', (_name, o, expected) => {
  const { attention, log } = scene(o);
  attention.status(1, status('blocked', 'Run it?'), 'working');
  vi.advanceTimersByTime(2000);
  expect(log[0]).toMatch(expected);
});

test('an agent that ends in the middle of its work is news, one that ends at rest is none', () => {
  const { attention, shown } = scene();
  attention.status(1, status('exited'), 'working');
  attention.status(2, status('exited'), 'idle');
  attention.status(3, status('exited'), 'blocked');
  vi.advanceTimersByTime(2000);
  expect(shown).toEqual(['w1 has ended: so it is']);
});

test('other channels say how it went', async () => {
  const { attention, log } = scene({ channels: { desktop: async () => null, command: async () => 'no such program' } });
  attention.status(1, status('done'), 'working');
  await vi.advanceTimersByTimeAsync(2000);
  expect(log.slice(1)).toEqual([
    'sent (desktop) w1 has finished - so it is',
    'failed (command: no such program) w1 has finished - so it is',
  ]);
});

test('an agent’s own notification after herd’s is the same news; without one it is passed on', () => {
  const { attention, shown, log } = scene();
  attention.said(2, 'Build', 'done in 3 s');
  vi.advanceTimersByTime(2000);
  attention.status(1, status('blocked', 'Run it?'), 'working');
  vi.advanceTimersByTime(6000);
  attention.said(1, 'Claude Code', 'Claude needs your permission');
  vi.advanceTimersByTime(2000);
  expect(shown).toEqual(['Build: done in 3 s', 'w1 needs you: Run it?']);
  expect(log.at(-1)).toMatch(/herd has told of it already/);
});

test('a new server tells what the one before had not come to, and nothing twice', () => {
  const { attention, shown } = scene();
  attention.found(1, { ...status('blocked', 'Run it?'), since: 5 }, 5);
  attention.found(2, { ...status('done'), since: 7 }, 3);
  attention.found(3, { ...status('working'), since: 7 }, null);
  vi.advanceTimersByTime(2000);
  expect(shown).toEqual(['w2 has finished: so it is']);
});
