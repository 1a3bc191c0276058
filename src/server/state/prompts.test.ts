import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ownFolder } from '../../../test/support/own-folder.ts';
import { KINDS } from '../../agents/kinds/table.ts';
import type { AgentStatus } from '../../model/agent.ts';
import { openStore, type Store } from '../../store/store.ts';
import type { Delivered } from './delivery.ts';
import { Prompts } from './prompts.ts';
import type { LiveTerminal } from './terminals.ts';
import type { OpenWorkspace } from './workspaces.ts';

let store: Store;
beforeEach(async () => {
  store = await openStore(ownFolder());
});
afterEach(() => {
  vi.useRealTimers();
  return store.close();
});

const workspace = { row: { id: 1 } } as OpenWorkspace;

/** Prompts for an agent in `state`; deliveries end as `outcomes` say, in turn, then accepted. */
function promptsFor(
  state: { now: AgentStatus['state']; ready?: boolean; turn?: number },
  outcomes: (Delivered | Promise<Delivered>)[] = [],
) {
  const delivered: string[] = [];
  const watch = {
    kind: KINDS.get('claude')!,
    changes: [],
    lastSeq: 0,
    get ready() {
      return state.ready ?? true;
    },
    get status() {
      return { state: state.now, since: 0, marks: {}, question: null, turn: state.turn ?? 0 } as unknown as AgentStatus;
    },
  };
  const prompts = new Prompts({
    store,
    now: () => Date.now(),
    emit: () => {},
    agentOf: () => ({ watch, exit: state.now === 'exited' ? {} : null }) as unknown as LiveTerminal,
    deliver: async (_, prompt) => {
      delivered.push(prompt.text);
      return outcomes.shift() ?? { outcome: 'accepted' };
    },
    onComments: async () => {},
    onDeliver: () => {},
    onChange: () => {},
    onReceipt: () => {},
  });
  return { prompts, delivered };
}

const send = (prompts: Prompts, text: string, queue = false) => prompts.send({ workspace, text, queue, force: false });

test.each([
  ['idle', false, 'accepted'],
  ['done', false, 'accepted'],
  ['working', false, 'refused'],
  ['working', true, 'queued'],
  ['blocked', false, 'refused'],
  ['blocked', true, 'queued'],
  ['unknown', false, 'refused'],
  ['exited', true, 'refused'],
] as const)('%s, queue %s: %s', async (now, queue, outcome) => {
  const { prompts, delivered } = promptsFor({ now });
  const receipt = await send(prompts, 'x', queue);
  expect(receipt.outcome).toBe(outcome);
  expect(delivered).toEqual(outcome === 'accepted' ? ['x'] : []);
  // A refusal stores nothing.
  expect((await store.prompts()).length).toBe(outcome === 'refused' ? 0 : 1);
  prompts.close();
});

test.each([
  ['idle', 4, 5],
  ['working', 4, 4],
  ['blocked', 4, 4],
] as const)('queued for later while %s in turn %i: it goes when turn %i has ended, in the next server too', async (now, turn, after) => {
  const before = promptsFor({ now, turn });
  const receipt = await before.prompts.send({ workspace, text: 'later', queue: true, later: true, force: false });
  expect(receipt.outcome).toBe('queued');
  before.prompts.pump(1);
  expect(before.delivered).toEqual([]);
  before.prompts.close();

  const state = { now: now as AgentStatus['state'], turn: turn as number };
  const { prompts, delivered } = promptsFor(state);
  await prompts.load();
  state.turn = after;
  for (const step of ['working', 'blocked', 'idle'] as const) {
    expect(delivered).toEqual([]);
    state.now = step;
    prompts.pump(1);
  }
  await expect.poll(() => delivered).toEqual(['later']);
  prompts.close();
});

test('one that waits for the end of a turn lets others by and is not waited for; sent now it goes at once', async () => {
  const state = { now: 'idle' as const, turn: 1 };
  const { prompts, delivered } = promptsFor(state, [{ outcome: 'refused', reason: 'a draft' }]);
  const { prompt } = await prompts.send({ workspace, text: 'later', queue: true, later: true, force: false });
  expect(prompts.deliveries(1).pending()).toBe(0);
  expect((await send(prompts, 'first')).outcome).toBe('refused');
  expect((await send(prompts, 'second')).outcome).toBe('accepted');
  expect(prompts.of(1).map(({ text }) => text)).toEqual(['later']);
  expect((await prompts.retry(prompt)).outcome).toBe('accepted');
  expect(delivered).toEqual(['first', 'second', 'later']);
  prompts.close();
});

test('one that could not be begun goes back to the head of the queue', async () => {
  const state: { now: AgentStatus['state'] } = { now: 'working' };
  const { prompts, delivered } = promptsFor(state, [{ outcome: 'refused', reason: 'a draft' }]);
  await send(prompts, 'first', true);
  await send(prompts, 'second', true);
  state.now = 'idle';
  prompts.pump(1);
  await expect
    .poll(() => prompts.of(1).map(({ text, state: at }) => [text, at]))
    .toEqual([
      ['first', 'queued'],
      ['second', 'queued'],
    ]);
  expect(delivered).toEqual(['first']);
  prompts.close();
});

test('one whose workspace is closed while it is delivered is not kept', async () => {
  const { promise, resolve } = Promise.withResolvers<Delivered>();
  const { prompts, delivered } = promptsFor({ now: 'idle' }, [promise]);
  const sending = send(prompts, 'x');
  await expect.poll(() => delivered).toEqual(['x']);
  prompts.forget(1);
  await store.removeWorkspace(1);
  resolve({ outcome: 'accepted' });
  expect((await sending).outcome).toBe('accepted');
  expect([await store.prompts(), prompts.all(1)]).toEqual([[], []]);
});

test('of what is done with only the newest two hundred are kept, of what waits all', async () => {
  const state: { now: AgentStatus['state'] } = { now: 'working' };
  const { prompts } = promptsFor(state);
  const first = await send(prompts, 'waits', true);
  for (let i = 0; i < 210; i++) {
    const { prompt } = await send(prompts, `dropped ${i}`, true);
    await prompts.drop(prompt);
  }
  const kept = (await store.prompts()).map(({ text }) => text).sort();
  expect([kept.length, prompts.all(1).length, kept.includes('dropped 9'), kept.includes('dropped 10')]).toEqual([201, 201, false, true]);
  expect(prompts.of(1).map(({ id }) => id)).toEqual([first.prompt]);
});

test('moved, edited and dropped prompts are so for the next server too', async () => {
  const { prompts } = promptsFor({ now: 'working' });
  for (const text of ['a', 'b', 'c']) await send(prompts, text, true);
  await prompts.move(3, 1);
  await prompts.edit(2, 'B');
  await prompts.drop(1);
  const next = promptsFor({ now: 'working' }).prompts;
  await next.load();
  expect(next.of(1).map(({ text }) => text)).toEqual(['c', 'B']);
});

test('C36: the first prompt waits for an agent that takes 90 s to start, and arrives once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const state = { now: 'idle' as const, ready: false };
  const { prompts, delivered } = promptsFor(state);
  expect(await send(prompts, 'first', true)).toMatchObject({ outcome: 'queued', reason: 'it is starting' });
  await vi.advanceTimersByTimeAsync(90_000);
  expect(delivered).toEqual([]);
  state.ready = true;
  await vi.advanceTimersByTimeAsync(1000);
  await expect.poll(() => delivered).toEqual(['first']);
  await vi.advanceTimersByTimeAsync(90_000);
  expect(delivered).toEqual(['first']);
  prompts.close();
});
