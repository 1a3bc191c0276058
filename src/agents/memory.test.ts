// A tracker that is remembered, written as JSON and gone on from says the same as before, with the same times, and begins and ends nothing.
import { describe, expect, test } from 'vitest';
import { screenOf } from '../../test/support/screen-of.ts';
import type { AgentState } from '../model/agent.ts';
import type { AgentFact } from './facts.ts';
import { KINDS } from './kinds/table.ts';
import { readMemory, remember, resumeTracker } from './memory.ts';
import { observe } from './observe.ts';
import { createTracker, judge, type Tracker } from './tracker.ts';

const RULE = '─'.repeat(60);
const box = (footer: string) => `\n${RULE}\n❯ ▏\n${RULE}\n${footer}`;
const idle = `● Done.\n${box('  ? for shortcuts')}`;
const busy = (n: number) => `✻ Brewing… (${n}s · ↓ ${n * 7} tokens)\n${box('  ⏸ manual mode on · esc to interrupt')}`;
const dialog = ' Do you want to proceed?\n ▏❯ 1. Yes\n   2. No\n\n Esc to cancel · Tab to amend';
const screen = (text: string): AgentFact => ({ fact: 'screen', screen: screenOf(text) });
const title = (text: string): AgentFact => ({ fact: 'terminal', report: { fact: 'title', title: text } });
const report = (state: 'idle' | 'working' | 'done' | 'blocked', message?: string): AgentFact => ({
  fact: 'terminal',
  report: { fact: 'status', report: { id: '', state, ...(message ? { message } : {}) } },
});
const submit: AgentFact = { fact: 'input', by: 'herd', submit: true };

type Story = [at: number, fact: AgentFact][];

const begun: Story = [
  [1000, screen(idle)],
  [4000, screen(idle.replace('❯ ▏', '❯ do it▏'))],
  [4100, submit],
  [5000, screen(busy(1))],
  [5500, screen(busy(2))],
  [6000, screen(busy(3))],
];

const CASES: { name: string; kind: string; story: Story; last: string; state: AgentState }[] = [
  { name: 'idle', kind: 'claude', story: [[1000, screen(idle)]], last: idle, state: 'idle' },
  { name: 'working by its spinner', kind: 'claude', story: begun, last: busy(3), state: 'working' },
  { name: 'working by its title', kind: 'claude', story: [...begun, [6100, title('◐ Claude Code')]], last: busy(3), state: 'working' },
  { name: 'blocked', kind: 'claude', story: [...begun, [7000, screen(dialog)]], last: dialog, state: 'blocked' },
  { name: 'done', kind: 'claude', story: [...begun, [7000, screen(idle)]], last: idle, state: 'done' },
  { name: 'looked at', kind: 'claude', story: [...begun, [7000, screen(idle)], [9500, { fact: 'look' }]], last: idle, state: 'idle' },
  { name: 'exited', kind: 'claude', story: [...begun, [7000, { fact: 'exit', code: 1, signal: null }]], last: busy(3), state: 'exited' },
  {
    name: 'an unknown command that reports idle',
    kind: 'generic',
    story: [
      [1000, screen('hello')],
      [2000, report('idle')],
    ],
    last: 'hello',
    state: 'idle',
  },
  {
    name: 'an unknown command that reports its turn’s end',
    kind: 'generic',
    story: [
      [1000, report('idle')],
      [3000, report('working')],
      [5000, report('done')],
    ],
    last: 'hello',
    state: 'done',
  },
  {
    name: 'an unknown command that reports a question',
    kind: 'generic',
    story: [
      [1000, report('idle')],
      [3000, report('working')],
      [5000, report('blocked', 'Run it?')],
    ],
    last: 'hello',
    state: 'blocked',
  },
  { name: 'an unknown command of which nothing is known', kind: 'generic', story: [[1000, screen('$')]], last: '$', state: 'unknown' },
];

describe.each(CASES)('$name', ({ kind, story, last, state }) => {
  const play = (tracker: Tracker, until: number): AgentState[] => {
    const states: AgentState[] = [];
    for (let now = 0; ; ) {
      const { status, next } = judge(tracker, now);
      if (states.at(-1) !== status.state) states.push(status.state);
      const fact = story.find(([at]) => at > now);
      const due = Math.min(fact?.[0] ?? until, next ?? until, until);
      if (due >= until) return states;
      now = due;
      for (const [at, what] of story) if (at === now) observe(tracker, what, at);
    }
  };

  test('is the same after a restart', () => {
    const before = createTracker(KINDS.get(kind)!, 0);
    play(before, 10_000);
    expect(before.status.state).toBe(state);
    const memory = readMemory(JSON.parse(JSON.stringify(remember(before))), kind)!;
    const after = createTracker(KINDS.get(kind)!, 0);
    resumeTracker(after, memory, 12_000);
    observe(after, screen(last), 12_010);
    if (state === 'exited') observe(after, { fact: 'exit', code: 1, signal: null }, 12_010);
    const { status } = judge(after, 12_010);
    expect(status).toEqual(before.status);
    // What was said of the state by reports, or rests on the screen, does not fade because the server was away.
    if (state !== 'working') expect(judge(after, 40_000).status).toEqual(before.status);
  });
});

test('the memory of another kind, of another version or of nothing is not used', () => {
  const memory = remember(createTracker(KINDS.get('claude')!, 0));
  expect(readMemory(memory, 'codex')).toBeNull();
  expect(readMemory({ ...memory, version: 0 }, 'claude')).toBeNull();
  for (const nothing of [undefined, null, 7, {}, []]) expect(readMemory(nothing, 'claude')).toBeNull();
});

test('an agent that stopped while no server looked ends its turn once, after the rest that an end takes', () => {
  const before = createTracker(KINDS.get('claude')!, 0);
  for (const [at, fact] of begun) {
    judge(before, at - 1);
    observe(before, fact, at);
    judge(before, at);
  }
  const after = createTracker(KINDS.get('claude')!, 0);
  resumeTracker(after, readMemory(JSON.parse(JSON.stringify(remember(before))), 'claude')!, 60_000);
  observe(after, screen(idle), 60_010);
  expect(judge(after, 60_010).status.state).toBe('working');
  expect(judge(after, 61_000).status).toMatchObject({ state: 'done', turn: 1 });
});
