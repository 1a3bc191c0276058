// The ledger through its thread: real SQLite files in private folders.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Comment, Prompt } from '../model/review/comment.ts';
import type { StoredWorkspace } from './rows.ts';
import { openStore, type Store, type StoreOptions } from './store.ts';
import { StoreError } from './store-error.ts';

let dir: string;
let stores: Store[];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'herd-store-'));
  stores = [];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  rmSync(dir, { recursive: true, force: true });
});

async function open(options?: StoreOptions): Promise<Store> {
  const store = await openStore(dir, options);
  stores.push(store);
  return store;
}

function comment(id: number, workspace = 1, body = 'why?'): Comment {
  return {
    id,
    workspace,
    author: 'user',
    anchor: { path: 'a.ts', side: 'new', range: { start: 3, end: 3 }, lines: ['x'], before: [], after: [], baseCommit: null },
    place: { placement: 'exact', path: 'a.ts', range: { start: 3, end: 3 } },
    body,
    state: 'draft',
    rounds: [],
    replies: [],
    created: 1,
    updated: 1,
  };
}

function workspace(id: number): StoredWorkspace {
  const place = { path: '/w', repository: '/r', branch: 'b', base: null };
  return { id, name: `w${id}`, ...place, agentKind: 'pi', argv: ['pi'], resume: {}, terminals: [], created: 1 };
}

function prompt(id: number, workspace = 1): Prompt {
  return { id, workspace, text: 'do', comments: [], round: null, state: 'queued', receipt: null, created: 1, updated: 1 };
}

describe('store', () => {
  test('what was written is there after reopening', async () => {
    const first = await open();
    expect(await first.putWorkspace(workspace(1))).toBeNull();
    await Promise.all([first.putComment(comment(1)), first.putComment(comment(2)), first.putPrompt(prompt(7))]);
    await first.putReceipt({ prompt: 7, outcome: 'accepted', at: 5 });
    await first.putStep({ prompt: 7, step: 1, at: 4, what: 'paste' });
    await first.setViewed(1, 'a.ts', 'f1');
    await first.setViewed(1, 'b.ts', 'f2');
    await first.setViewed(1, 'b.ts', null);
    await first.putMark({ workspace: 1, kind: 'turn', number: 1, at: 3, commit: 'abc' });
    await first.close();

    const again = await open();
    expect(again.notices).toEqual([]);
    expect(await again.workspaces()).toEqual([workspace(1)]);
    expect(await again.comments(1)).toEqual([comment(1), comment(2)]);
    expect(await again.prompts()).toEqual([prompt(7)]);
    expect(await again.receipts(7)).toEqual([{ prompt: 7, outcome: 'accepted', at: 5 }]);
    expect(await again.steps(7)).toEqual([{ prompt: 7, step: 1, at: 4, what: 'paste' }]);
    expect(await again.viewed(1)).toEqual({ 'a.ts': 'f1' });
    expect(await again.marks(1, 'turn')).toEqual([{ workspace: 1, kind: 'turn', number: 1, at: 3, commit: 'abc' }]);
  });

  test('ids are never given twice, over removal, reopening and foreign use', async () => {
    const first = await open();
    const ids = await Promise.all([first.nextId('comment'), first.nextId('comment'), first.nextId('workspace')]);
    expect(ids).toEqual([1, 2, 1]);
    await first.putComment(comment(2));
    await first.removeComment(2);
    await first.raiseId('terminal', 40);
    await first.close();
    const again = await open();
    expect(await again.nextId('comment')).toBe(3);
    expect(await again.nextId('terminal')).toBe(41);
    expect(await again.nextId('prompt')).toBe(1);
  });

  test('removing a workspace takes what belongs to it, not its events nor its neighbours', async () => {
    const store = await open();
    for (const id of [1, 2]) {
      await store.write([
        { put: 'workspace', row: workspace(id) },
        { put: 'comment', row: comment(id, id) },
        { put: 'prompt', row: prompt(id, id) },
        { put: 'receipt', row: { prompt: id, outcome: 'accepted', at: 1 } },
        { put: 'step', row: { prompt: id, step: 1, at: 1, what: 'paste' } },
        { put: 'viewed', workspace: id, path: 'p', fingerprint: 'f' },
      ]);
      await store.appendEvent({ at: 1, workspace: id, kind: 'made', text: '' }).written;
    }
    await store.removeWorkspace(1);
    expect((await store.comments()).map((c) => c.id)).toEqual([2]);
    expect((await store.prompts()).map((p) => p.id)).toEqual([2]);
    expect([await store.receipts(1), await store.steps(1), await store.viewed(1)]).toEqual([[], [], {}]);
    expect((await store.receipts(2)).length).toBe(1);
    expect((await store.events({})).length).toBe(2);
  });

  test('events are numbered at once and found by workspace, age and pattern', async () => {
    const store = await open();
    const made = [1, 2, 1].map((workspace, i) => store.appendEvent({ at: i, workspace, kind: 'state', text: `now ${i}` }));
    expect(made.map((m) => m.event.seq)).toEqual([1, 2, 3]);
    await Promise.all(made.map((m) => m.written));
    const found = async (query: Parameters<Store['events']>[0]) => (await store.events(query)).map((e) => e.seq);
    expect(await found({})).toEqual([1, 2, 3]);
    expect(await found({ workspace: 1 })).toEqual([1, 3]);
    expect(await found({ since: 1 })).toEqual([2, 3]);
    expect(await found({ limit: 1 })).toEqual([3]);
    expect(await found({ grep: 'NOW [01]' })).toEqual([1, 2]);
    await expect(store.events({ grep: '(' })).rejects.toThrow(StoreError);
    await store.close();
    expect((await open()).appendEvent({ at: 9, workspace: null, kind: 'k', text: '' }).event.seq).toBe(4);
  });

  test('a second opener is refused in one sentence, and welcome once the first has closed', async () => {
    const first = await open();
    await expect(open()).rejects.toMatchObject({ code: 'in-use', message: `Another herd server already uses ${dir}.` });
    await first.close();
    expect((await open()).notices).toEqual([]);
  });

  test.each([
    [
      'no database at all',
      () => writeFileSync(join(dir, 'ledger.db'), 'not a database, but long enough to be looked at'.repeat(99)),
      'broken',
    ],
    ['another program’s database', () => exec('CREATE TABLE t (x)'), 'broken'],
    ['a newer herd’s database', () => exec('PRAGMA application_id = 1751478884; PRAGMA user_version = 99'), 'newer-99'],
  ])('%s is kept aside and named', async (_what, make, name) => {
    make();
    const store = await open({ now: () => Date.UTC(2026, 0, 2) });
    const kept = `ledger.${name}-2026-01-02T00-00-00-000Z.db`;
    expect(readdirSync(dir)).toContain(kept);
    expect(store.notices).toHaveLength(1);
    expect(store.notices[0]).toContain(kept);
    expect(await store.putComment(comment(1))).toBeNull();
  });

  test('without room: an error value, one notice, memory goes on, saved when there is room again', async () => {
    const notices: string[] = [];
    const store = await open({ maxBytes: 200_000, onNotice: (text) => notices.push(text) });
    const long = 'x'.repeat(40_000);
    const failed: number[] = [];
    for (let id = 1; id <= 8; id++) if (await store.putComment(comment(id, 1, long))) failed.push(id);
    expect(failed.length).toBeGreaterThan(1);
    expect(failed).toContain(8);
    expect(notices).toHaveLength(1);
    expect(await store.nextId('comment')).toBe(1);
    expect(await store.putComment(comment(1, 1, 'short'))).toMatchObject({ code: 'full' });
    const saved = (await store.comments()).map((c) => c.id);
    expect(saved).toEqual([1, 2, 3, 4, 5, 6, 7, 8].filter((id) => !failed.includes(id)));
    const room = await store.write(failed.concat(1).map((id) => ({ remove: 'comment' as const, id })));
    expect([room?.code, notices.length]).toEqual([undefined, 1]);
  });

  test('a closed store says so', async () => {
    const store = await open();
    await store.close();
    expect(await store.putComment(comment(1))).toMatchObject({ code: 'closed' });
    await expect(store.comments()).rejects.toMatchObject({ code: 'closed' });
  });
});

function exec(sql: string): void {
  const db = new DatabaseSync(join(dir, 'ledger.db'));
  db.exec(sql);
  db.close();
}
