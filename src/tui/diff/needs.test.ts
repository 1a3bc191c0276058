// The feed against a port that answers when the test says so: what is asked for, in which order, and never twice.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { changesetOf, diffOf, fileOf, hunkOf } from '../../../test/support/diff-samples.ts';
import type { Changeset, FileDiff } from '../../model/review/changeset.ts';
import { applyDiff, type DiffIntent } from './intents.ts';
import { createDiffFeed, type DiffPort, needsOf } from './needs.ts';
import { createDiffView, type DiffView, rowsOf } from './view.ts';

// What a feed asks after a while it asks when a test says so.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const paths = Array.from({ length: 1000 }, (_, i) => `f${String(i).padStart(4, '0')}`);
const changeset = changesetOf(paths.map((path) => fileOf(path)));
const diff = (path: string): FileDiff => diffOf(fileOf(path), [hunkOf(50, 50, ' a\n-b\n+c\n d\n e\n f')]);

interface Call {
  what: string;
  answer(value: unknown): Promise<void>;
  fail(message: string): Promise<void>;
}

/** A pane, its feed, and the calls that wait for an answer. */
function feedOf(rows = 20) {
  const calls: Call[] = [];
  const asked = (what: string) =>
    new Promise<never>((resolve, reject) => {
      // An answer has done its work when the microtasks behind it have run.
      const settled = () => new Promise<void>((done) => setImmediate(done));
      calls.push({
        what,
        answer: async (value) => {
          resolve(value as never);
          await settled();
        },
        fail: async (message) => {
          reject(new Error(message));
          await settled();
        },
      });
    });
  const port: DiffPort = {
    changeset: ({ scope }) => asked(`changeset ${scope}`),
    file: (path, { after, held }) =>
      asked(after === undefined ? `file ${path}` : `rest ${path}${after > 0 ? ` after ${after}` : ''}${held ? ` since ${held}` : ''}`),
    lines: (path, from, to) => asked(`lines ${path} ${from}-${to}`),
    moved: ({ scope }) => asked(`moved ${scope}`),
  };
  const state = { view: createDiffView(80, rows) };
  const apply = (intent: DiffIntent) => {
    state.view = applyDiff(state.view, intent);
    feed.look(state.view);
  };
  const feed = createDiffFeed(port, apply);
  const take = () => calls.splice(0);
  return { state, apply, feed, take };
}

async function opened(rows = 20) {
  const made = feedOf(rows);
  void made.feed.refresh(made.state.view);
  await made.take()[0]!.answer({ changeset, viewed: {} });
  return made;
}

const whats = (calls: Call[]) => calls.map((call) => call.what);

test('asks for the window first, four at a time, and not for a thousand files', async () => {
  const { take } = await opened();
  const first = take();
  expect(whats(first)).toEqual(['file f0000', 'file f0001', 'file f0002', 'file f0003']);
  await first[0]!.answer(diff('f0000'));
  expect(whats(take())).toEqual(['file f0004']);
});

test('while a file on the screen is missing none is read ahead', async () => {
  const { take } = await opened(4);
  const shown = take();
  expect(whats(shown)).toEqual(['file f0000', 'file f0001']);
  await shown[0]!.answer(diff('f0000'));
  expect(take().length).toBeGreaterThan(0);
});

test('what is there is not asked for again; a changed file is', async () => {
  const { state, apply, take } = await opened(6);
  for (let calls = take(); calls.length > 0; calls = take()) for (const call of calls) await call.answer(diff(call.what.slice(5)));
  expect(needsOf(state.view)).toEqual([]);
  const files = changeset.files.map((file) => (file.path === 'f0000' ? { ...file, fingerprint: 'new' } : file));
  apply({ do: 'take-changeset', changeset: { ...changeset, files }, viewed: {} });
  expect(whats(take())).toEqual(['rest f0000']);
});

test('a search reads every file, the ones in the window first; without it no more are asked for', async () => {
  const { state, apply, take } = await opened(6);
  apply({ do: 'search', text: 'c' });
  const asked: string[] = [];
  for (let calls = take(); calls.length > 0 && asked.length < 40; calls = take()) {
    expect(calls.length).toBeLessThanOrEqual(4);
    asked.push(...calls.map((call) => call.what.slice(5)));
    for (const call of calls) await call.answer(diff(call.what.slice(5)));
  }
  expect(asked.slice(0, 40)).toEqual(paths.slice(0, 40));
  apply({ do: 'cancel' });
  for (const call of take()) await call.answer(diff(call.what.slice(5)));
  expect(take()).toEqual([]);
  expect(Object.keys(state.view.files).length).toBeLessThan(50);
});

test('a file that is written while it is read is read once more, one that another change came to is not', async () => {
  const { state, apply, take } = await opened(4);
  const [first, ...others] = take();
  for (const call of others) await call.answer(diff(call.what.slice(5)));
  const files = changeset.files.map((file) => (file.path === 'f0000' ? { ...file, fingerprint: 'new' } : file));
  apply({ do: 'take-changeset', changeset: { ...changeset, files, generation: 2 }, viewed: {} });
  await first!.answer(diff('f0000'));
  const [again] = take().filter((call) => call.what.endsWith('f0000'));
  await again!.answer({ ...diff('f0000'), file: files[0]!, generation: 2 });
  apply({ do: 'take-changeset', changeset: { ...changeset, files, generation: 3 }, viewed: {} });
  expect(take().filter((call) => call.what.endsWith('f0000'))).toEqual([]);
  expect(state.view.files.f0000!.stale).toBe(false);
});

test('moved lines are asked for once a reading has stood for a while; an answer to another reading is not taken', async () => {
  const { state, apply, take } = await opened(6);
  const settle = async () => {
    for (let calls = take(); calls.length > 0; calls = take()) for (const call of calls) await call.answer(diff(call.what.slice(5)));
    vi.advanceTimersByTime(1000);
    return take();
  };
  const [first, ...others] = await settle();
  expect([first!.what, others]).toEqual(['moved base', []]);
  apply({ do: 'take-changeset', changeset: { ...changeset, generation: 2 }, viewed: {} });
  await first!.answer({ moved: [{ path: 'f0000', old: [], new: [[50, 51]] }], generation: 1 });
  expect(state.view.moved).toEqual({});
  const [second] = await settle();
  await second!.answer({ moved: [{ path: 'f0000', old: [], new: [[50, 51]] }], generation: 2 });
  expect(state.view.moved).toEqual({ f0000: { old: new Set(), new: new Set([50, 51]) } });
  expect(await settle()).toEqual([]);
});

test('a long file comes with its beginning first; who goes to its end stands there once the rest has come', async () => {
  const { state, apply, take } = await opened(8);
  const whole = diffOf(fileOf('f0000'), [hunkOf(50, 50, ' a\n-b\n+c'), hunkOf(90, 90, ' d\n-e\n+f')]);
  const [first, ...others] = take();
  expect(first!.what).toBe('file f0000');
  await first!.answer({ ...whole, hunks: whole.hunks.slice(0, 1), part: true });
  expect(rowsOf(state.view, 0).at(-1)).toEqual({ kind: 'wait', text: 'reading…' });
  apply({ do: 'take-changeset', changeset: { ...changeset, files: changeset.files.slice(0, 1) }, viewed: {} });
  apply({ do: 'bottom' });
  for (const call of others) await call.fail('gone');
  const [rest] = take().filter((call) => call.what === 'rest f0000');
  await rest!.answer(whole);
  const rows = rowsOf(state.view, 0);
  expect(rows.filter((row) => row.kind === 'hunk')).toHaveLength(2);
  expect(state.view.cursor.row).toBe(rows.length - 1);
  expect(needsOf(state.view)).toEqual([]);
});

test('the rest of a long file comes in parts and is one; begun again when the file changed between two', async () => {
  const { state, take } = await opened(4);
  const file = fileOf('f0000');
  const all = [hunkOf(50, 50, ' a\n-b\n+c\n d'), hunkOf(90, 90, ' e\n-f\n+g')];
  const part = (from: number, hunks = all, revision = 'one') => {
    const [first, second] = hunks;
    const cut = { ...first!, lines: first!.lines.slice(0, 2) };
    const rest = { ...first!, lines: first!.lines.slice(2) };
    return from === 0 ? diffOf(file, [cut], { part: true, revision }) : diffOf(file, [rest, second!], { revision });
  };
  const [first, ...others] = take();
  for (const call of others) await call.answer(diff(call.what.slice(5)));
  await first!.answer(diffOf(file, [], { part: true }));
  const next = async (what: string, answer: FileDiff) => {
    const call = take().find((one) => one.what.startsWith('rest'))!;
    expect(call.what).toBe(what);
    await call.answer(answer);
  };
  await next('rest f0000', part(0));
  await next('rest f0000 after 2', part(2, all, 'two'));
  await next('rest f0000', part(0, all, 'two'));
  await next('rest f0000 after 2', part(2, all, 'two'));
  expect(state.view.files.f0000!.diff!.hunks).toEqual(all);
  expect(state.view.files.f0000!.diff!.part).toBeUndefined();
});

test('a diff that is held whole is asked for by what changed since; pieces that do not fit it, in full', async () => {
  const { state, apply, take } = await opened(4);
  const [first, ...others] = take();
  for (const call of others) await call.answer(diff(call.what.slice(5)));
  const held = [hunkOf(50, 50, ' a\n-b\n+c'), hunkOf(90, 90, ' e\n-f\n+g')];
  await first!.answer(diffOf(fileOf('f0000'), held, { revision: 'one' }));
  const change = (fingerprint: string, generation: number) => {
    const files = changeset.files.map((file) => (file.path === 'f0000' ? { ...file, fingerprint } : file));
    apply({ do: 'take-changeset', changeset: { ...changeset, files, generation }, viewed: {} });
    return { rest: () => take().find((call) => call.what.startsWith('rest f0000'))!, file: files[0]!, generation };
  };
  const { rest, file } = change('new', 2);
  const call = rest();
  expect(call.what).toBe('rest f0000 since one');
  const { lines, ...head } = hunkOf(90, 91, ' e\n-f\n+h');
  const pieces = [
    { keep: [0, 3], old: 0, new: 0 },
    { head, lines },
  ];
  await call.answer({ ...diffOf(file, [], { generation: 2, revision: 'two' }), pieces });
  const now = state.view.files.f0000!.diff!;
  expect(now.hunks).toEqual([held[0], { ...head, lines }]);
  expect(now.hunks[0]).toBe(held[0]);
  expect(now).toMatchObject({ revision: 'two', generation: 2 });
  expect(now).not.toHaveProperty('pieces');
  const again = change('newer', 3);
  const since = again.rest();
  expect(since.what).toBe('rest f0000 since two');
  await since.answer({ ...diffOf(again.file, [], { generation: 3 }), pieces: [{ keep: [0, 99], old: 0, new: 0 }] });
  const full = again.rest();
  expect(full.what).toBe('rest f0000');
  await full.answer(diffOf(again.file, held, { generation: 3, revision: 'three' }));
  expect(state.view.files.f0000!.diff!.hunks).toEqual(held);
});

test('when the rest of a file cannot be read its beginning stays, and it is not asked for again', async () => {
  const { state, take } = await opened(8);
  const [first, ...others] = take();
  await first!.answer({ ...diff('f0000'), part: true });
  for (const call of others) await call.answer(diff(call.what.slice(5)));
  for (const call of take()) await (call.what === 'rest f0000' ? call.fail('gone') : call.answer(diff(call.what.slice(5))));
  expect(whats(take())).not.toContain('rest f0000');
  expect(rowsOf(state.view, 0)).toContainEqual({ kind: 'wait', text: 'large change (+1 −1), shown in part: L loads it' });
});

test('opened gaps get their lines; when those fail the gap closes and nothing loops', async () => {
  const { state, apply, take } = await opened(8);
  for (let calls = take(); calls.length > 0; calls = take()) for (const call of calls) await call.answer(diff(call.what.slice(5)));
  const gap = () => rowsOf(state.view, 0).find((row) => row.kind === 'gap');
  apply({ do: 'context', whole: false });
  const [call] = take();
  expect(call!.what).toBe('lines f0000 30-49');
  await call!.answer({ lines: Array.from({ length: 20 }, (_, i) => `line ${30 + i}`), total: 55 });
  expect(gap()).toMatchObject({ hidden: 29 });
  expect(rowsOf(state.view, 0).some((row) => row.kind === 'line' && row.right?.text === 'line 49')).toBe(true);
  apply({ do: 'context', whole: true });
  await take()[0]!.fail('gone');
  expect(take()).toEqual([]);
  expect(gap()).toMatchObject({ hidden: 49 });
});

test('answers of a scope that is no longer shown are dropped', async () => {
  const { state, apply, feed, take } = await opened(6);
  const old = take();
  apply({ do: 'scope', scope: 'uncommitted' });
  void feed.refresh(state.view);
  for (const call of old) await call.answer(diff(call.what.slice(5)));
  expect(Object.keys(state.view.files)).toEqual([]);
  const next: Changeset = { ...changeset, scope: 'uncommitted' };
  await take()[0]!.answer({ changeset: next, viewed: {} });
  expect(whats(take())[0]).toBe('file f0000');
});

test('refreshes while one runs become one more', async () => {
  const { state, feed, take } = await opened();
  take();
  void feed.refresh(state.view);
  void feed.refresh(state.view);
  void feed.refresh(state.view);
  const [running, ...none] = take();
  expect(none).toEqual([]);
  await running!.answer({ changeset, viewed: {} });
  expect(whats(take()).filter((what) => what.startsWith('changeset'))).toEqual(['changeset base']);
});

test('a failure is shown in its place', async () => {
  const { state, take } = await opened();
  await take()[0]!.fail('git took too long');
  expect(rowsOf(state.view as DiffView, 0)[1]).toEqual({ kind: 'wait', text: 'git took too long' });
});

test('where one file has changed, and once the pane is gone, nobody asks for moved lines', async () => {
  for (const [files, gone] of [
    [['only'], false],
    [['one', 'two'], true],
  ] as const) {
    const { state, feed, take } = feedOf(20);
    void feed.refresh(state.view);
    await take()[0]!.answer({ changeset: changesetOf(files.map((path) => fileOf(path))), viewed: {} });
    for (let calls = take(); calls.length > 0; calls = take()) for (const call of calls) await call.answer(diff(call.what.slice(5)));
    if (gone) feed.dispose();
    vi.advanceTimersByTime(10_000);
    expect(whats(take())).toEqual([]);
  }
});
