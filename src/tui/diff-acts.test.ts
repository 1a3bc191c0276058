// What is asked of the server, and what is said instead where there is nothing to ask.
import { expect, test, vi } from 'vitest';
import { diffOf, fileOf, hunkOf, viewOf } from '../../test/support/diff-samples.ts';
import type { ChangedFile, Scope } from '../model/review/changeset.ts';
import type { CommandContext } from './commands/context.ts';
import { applyDiff, type DiffIntent } from './diff/intents.ts';
import { act } from './diff-acts.ts';
import { createClientStore } from './store/state.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));
const down = (by: number): DiffIntent => ({ do: 'line', by });

async function acted(
  action: 'stage' | 'unstage' | 'discard',
  more: Partial<ChangedFile>,
  scope: Scope,
  cols = 100,
  ...intents: DiffIntent[]
) {
  const store = createClientStore(cols, 30, 0);
  const asked: Record<string, unknown>[] = [];
  const request = async (_method: string, params: Record<string, unknown>) => {
    asked.push(params);
    if (params.path === 'moved on') throw { code: 'moved-on', message: 'It has changed.' };
  };
  const context = { store, request, now: () => 0 } as unknown as CommandContext;
  const file = fileOf('m', { staged: false, unstaged: true, ...more });
  const view = intents.reduce(applyDiff, viewOf([[file, diffOf(file, [hunkOf(1, 1, '-a\n+b\n+c')], { revision: 'r1' })]]));
  let taken = 0;
  act(context, 7, { ...view, scope }, action, () => taken++);
  await settled();
  const { notice, overlays } = store.getState();
  return { taken, asked: asked[0] ?? null, said: notice?.text ?? null, overlay: overlays.at(-1) ?? null };
}

test.each<[string, 'stage' | 'unstage', Partial<ChangedFile>, Scope, string]>([
  ['what is staged is not staged again', 'stage', { unstaged: false, staged: true }, 'base', 'nothing of this file is left to stage'],
  ['what is not staged is not unstaged', 'unstage', {}, 'uncommitted', 'nothing of this file is staged'],
  ['of a picture the server knows', 'stage', { unstaged: false }, 'turn', 'staged: all changes of m'],
  ['and of one since a round', 'unstage', {}, { round: 2 }, 'unstaged: all changes of m'],
  ['an untracked file', 'stage', { status: 'untracked', unstaged: false }, 'base', 'staged: all changes of m'],
])('%s', async (_what, action, file, scope, said) => {
  expect((await acted(action, file, scope)).said).toBe(said);
});

test('a hunk and lines of it are named by what was shown', async () => {
  const whole = await acted('stage', {}, 'base', 100, down(2));
  const seen = { revision: 'r1', hunks: [0], load: false };
  expect(whole.asked).toEqual({
    workspace: 7,
    path: 'm',
    seen,
    action: 'stage',
    fingerprint: 'm 1',
    scope: 'base',
    ignoreWhitespace: false,
  });
  const line = await acted('stage', {}, 'base', 100, down(3), { do: 'select' });
  expect([line.asked, line.said]).toEqual([{ ...whole.asked, seen: { ...seen, lines: [[1, 2]] } }, 'staged: this line of m']);
});

test.each(['untracked', 'added'] as const)('a discard of an %s file asks first, in words that fit the screen', async (status) => {
  const { asked, overlay } = await acted('discard', { status }, 'base', 34);
  expect(asked).toBeNull();
  expect(overlay).toMatchObject({ kind: 'confirm', title: 'discard all changes of m?' });
  const lines = overlay?.kind === 'confirm' ? overlay.lines : [];
  expect(lines.join(' ')).toBe('The file is removed. It is saved to a ref first; U undoes this.');
  expect(lines.every((text) => text.length <= 28)).toBe(true);
});

test('what takes longer than a moment is said to be under way, then done', async () => {
  vi.useFakeTimers();
  try {
    const store = createClientStore(100, 30, 0);
    const { promise, resolve } = Promise.withResolvers<void>();
    const context = { store, request: () => promise, now: () => 0 } as unknown as CommandContext;
    const file = fileOf('m');
    act(context, 7, viewOf([[file, diffOf(file, [hunkOf(1, 1, '-a\n+b')])]]), 'stage', () => {});
    expect(store.getState().notice).toBeNull();
    await vi.runAllTimersAsync();
    expect(store.getState().notice?.text).toBe('staging all changes of m …');
    resolve();
    await vi.runAllTimersAsync();
    expect(store.getState().notice?.text).toBe('staged: all changes of m');
  } finally {
    vi.useRealTimers();
  }
});

test('a selection is done with once what it was for is done or asked about, not when that is refused', async () => {
  const lines: DiffIntent[] = [down(3), { do: 'select' }];
  expect((await acted('stage', {}, 'base', 100, ...lines)).taken).toBe(1);
  expect((await acted('discard', {}, 'base', 100, ...lines)).taken).toBe(1);
  expect((await acted('unstage', {}, 'base', 100, ...lines)).taken).toBe(0);
  expect((await acted('stage', { binary: true }, 'base', 100, ...lines)).taken).toBe(0);
  expect((await acted('stage', { path: 'moved on' }, 'base', 100, ...lines)).taken).toBe(0);
});
