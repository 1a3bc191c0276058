import { expect, test } from 'vitest';
import type { AgentState } from '../../model/agent.ts';
import type { AgentWatch } from './agent-watch.ts';
import { matchState, waitForState } from './waiting.ts';
import type { StateChange } from './watch-memory.ts';

const watchOf = (state: AgentState, states: AgentState[] = []): AgentWatch => {
  const changes: StateChange[] = states.map((s, i) => ({ seq: i + 1, state: s, at: 100 + i, turn: 1 }));
  return { status: { state, since: 50 }, changes, listen: () => () => {} } as unknown as AgentWatch;
};
const deliveries = (lastSeq: number | null, pending = 0) => ({ lastSeq: () => lastSeq, pending: () => pending });

test.each<[string, AgentState, AgentState[], AgentState[], number | null, number, AgentState | null]>([
  ['no delivery: the present state counts', 'idle', ['idle'], ['idle'], null, 0, 'idle'],
  ['the state before the delivery does not count', 'idle', ['idle'], ['idle'], 1, 0, null],
  ['one entered after it does, though it is over', 'idle', ['idle', 'working', 'done', 'idle'], ['done'], 1, 0, 'done'],
  ['a prompt on its way: nothing counts', 'idle', ['idle', 'done'], ['done', 'idle'], null, 1, null],
  ['but a question that holds it up', 'blocked', ['blocked'], ['blocked'], null, 1, 'blocked'],
  ['exited', 'exited', ['working', 'exited'], ['exited'], 5, 2, 'exited'],
])('%s', (_name, now, history, until, lastSeq, pending, expected) => {
  expect(matchState(watchOf(now, history), until, deliveries(lastSeq, pending))?.state ?? null).toBe(expected);
});

test('an agent that ends, a time that is over and a workspace that is closed are refusals', async () => {
  const { signal } = new AbortController();
  await expect(waitForState(watchOf('exited'), ['done'], deliveries(1), undefined, signal)).rejects.toMatchObject({ code: 'exited' });
  await expect(waitForState(watchOf('idle'), ['done'], deliveries(1), 0, signal)).rejects.toMatchObject({ code: 'timed-out' });
  await expect(waitForState(watchOf('idle'), ['done'], deliveries(1), undefined, AbortSignal.abort())).rejects.toMatchObject({
    code: 'closed',
  });
});

test('blocked is told once its dialog is drawn', async () => {
  const listeners: (() => void)[] = [];
  const listen = (listener: () => void) => {
    listeners.push(listener);
    return () => {};
  };
  const watch = { ...watchOf('blocked'), drawing: true, listen };
  let told = false;
  const wait = waitForState(watch as unknown as AgentWatch, ['blocked'], deliveries(null), undefined, new AbortController().signal);
  void wait.then(() => {
    told = true;
  });
  await Promise.resolve();
  expect(told).toBe(false);
  watch.drawing = false;
  for (const listener of listeners) listener();
  expect((await wait).state).toBe('blocked');
});
