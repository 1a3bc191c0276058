// The contract of the queue, the same for both adapters: order, dependencies, fences, retries, holds, pauses, and that jobs and ledger agree.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Ledger } from '../../src/batch/ledger/ledger.ts';
import { openPostgres, type PostgresSql } from '../../src/batch/ledger/postgres.ts';
import { openSqlite, startOfProcess, takeSupervision } from '../../src/batch/ledger/sqlite.ts';
import { expand } from '../../src/batch/plan/expand.ts';
import { readTaskFile } from '../../src/batch/plan/task-file.ts';
import { createBossQueue } from '../../src/batch/queue/pgboss-queue.ts';
import type { Queue } from '../../src/batch/queue/queue.ts';
import { createSqliteQueue } from '../../src/batch/queue/sqlite-queue.ts';
import type { Outcome, Plan, TaskSpec } from '../../src/batch/task.ts';
import { eventually } from '../support/held-session.ts';
import { sharedCluster } from './cluster.ts';

interface Rig {
  queue: Queue;
  ledger: Ledger;
  close(): Promise<void>;
}

const RULES = { rateRetries: 2, lostRetries: 1 };
const OK: Outcome = { kind: 'ok', why: null, cost: 0.5, tokens: 7 };
/** ms for which a claim is a host's: longer than any test takes. */
const LEASE = 600_000;
const now = () => Date.now();
const postgres = sharedCluster();

const rigs: [name: string, open: () => Promise<Rig>][] = [
  [
    'SQLite',
    async () => {
      const dir = mkdtempSync(join(tmpdir(), 'herd-queue-'));
      const sql = openSqlite(join(dir, 'ledger.db'), now);
      const queue = createSqliteQueue({ sql, now, rules: () => RULES });
      return { queue, ledger: new Ledger(sql, now), close: () => sql.close().then(() => rmSync(dir, { recursive: true })) };
    },
  ],
  [
    'pg-boss',
    async () => {
      const sql: PostgresSql = await openPostgres(postgres!.cluster.url);
      const queue = await createBossQueue({ url: postgres!.cluster.url, sql, now, rules: () => RULES, dir: () => tmpdir() });
      return { queue, ledger: new Ledger(sql, now), close: () => queue.close().then(() => sql.close()) };
    },
  ],
];

function planOf(tasks: Record<string, unknown>[]): Plan {
  const file = readTaskFile(tasks.map((task) => JSON.stringify({ prompt: 'x', command: ['true'], ...task })).join('\n'), 'jsonl');
  if (Array.isArray(file)) throw new Error(JSON.stringify(file));
  return expand(file, new Map()) as Plan;
}

async function goalWith(rig: Rig, tasks: Record<string, unknown>[]): Promise<number> {
  const plan = planOf(tasks);
  const goal = await rig.ledger.createGoal({
    ...{ uid: Math.random().toString(36).slice(2), plan, repository: '/r', base: { name: 'main', commit: 'c' }, session: 's', yes: true },
    file: { name: 'f', text: '' },
  });
  await rig.ledger.setState(goal.id, 'running', null);
  await rig.queue.enqueue(
    goal.id,
    plan.tasks.map((spec: TaskSpec) => ({ spec, canary: false, held: false })),
  );
  return goal.id;
}

const ids = (claims: { task: string }[]) => claims.map((claim) => claim.task);

describe.each(rigs)('%s', (name, open) => {
  const it = name === 'pg-boss' && !postgres ? test.skip : test;

  it('hands out by priority and order, once each, what is needed first', async () => {
    const rig = await open();
    const goal = await goalWith(rig, [{ id: 'a' }, { id: 'b', priority: 5 }, { id: 'c', needs: ['a'] }, { id: 'd' }]);
    const claims = await rig.queue.claim(goal, 2, 'h', LEASE);
    expect(ids(claims)).toEqual(['b', 'a']);
    expect(ids(await rig.queue.claim(goal, 9, 'h', LEASE))).toEqual(['d']);
    expect(await rig.queue.settle(claims[1]!, OK)).toBe(true);
    expect(ids(await rig.queue.claim(goal, 9, 'h', LEASE))).toEqual(['c']);
    expect(await rig.queue.counts(goal)).toMatchObject({ active: 3, done: 1 });
    expect(await rig.queue.spend(goal)).toMatchObject({ cost: 0.5, tokens: 7, ended: 1 });
    await rig.close();
  });

  it('a task that is there already is left as it is; what runs is known by its host', async () => {
    const rig = await open();
    const goal = await goalWith(rig, [{ id: 'a' }]);
    const [claim] = await rig.queue.claim(goal, 1, 'h', LEASE);
    await rig.queue.started(claim!, { at: now(), pid: 1, workspace: null, worktree: '/w', branch: 'b', base: 'c' });
    await rig.queue.enqueue(
      goal,
      planOf([{ id: 'a' }]).tasks.map((spec) => ({ spec, canary: false, held: false })),
    );
    expect(await rig.queue.claim(goal, 1, 'h', LEASE)).toEqual([]);
    expect(await rig.queue.live('h', goal)).toMatchObject([{ task: 'a', n: 1, worktree: '/w', deadline: claim!.deadline }]);
    expect(await rig.queue.live('other', goal)).toEqual([]);
    await rig.close();
  });

  it('a late word changes nothing', async () => {
    const rig = await open();
    const goal = await goalWith(rig, [{ id: 'a' }]);
    const [first] = await rig.queue.claim(goal, 1, 'h', LEASE);
    expect(await rig.queue.settle(first!, { kind: 'rate', why: 'r', cost: null, tokens: null, runAfter: now() })).toBe(true);
    const again = await waitFor(() => rig.queue.claim(goal, 1, 'h', LEASE));
    expect([again.n, again.rateHits]).toEqual([2, 1]);
    expect(await rig.queue.settle(first!, OK)).toBe(false);
    expect(await rig.queue.settle(again, { kind: 'fail', why: 'f', cost: null, tokens: null })).toBe(true);
    expect(await rig.queue.settle(again, OK)).toBe(false);
    expect(await rig.queue.counts(goal)).toMatchObject({ failed: 1, done: 0 });
    await rig.close();
  });

  it('rates and losses are tried again so often and no more; limits spend nothing; what needs a failed task is cancelled until a retry', async () => {
    const rig = await open();
    const goal = await goalWith(rig, [{ id: 'a' }, { id: 'behind', needs: ['a'] }]);
    for (const kind of ['rate', 'limit', 'rate', 'limit', 'lost', 'rate'] as const) {
      const claim = await waitFor(() => rig.queue.claim(goal, 1, 'h', LEASE));
      await rig.queue.settle(claim, { kind, why: kind, cost: null, tokens: null, runAfter: now() });
    }
    expect(await rig.queue.counts(goal)).toMatchObject({ failed: 1, cancelled: 1, ready: 0 });
    expect(await rig.ledger.retry(goal, ['a'], 'me')).toEqual(['a']);
    await rig.queue.reconcile(goal);
    const claim = await waitFor(() => rig.queue.claim(goal, 1, 'h', LEASE));
    expect([claim.task, claim.rateHits]).toEqual(['a', 0]);
    await rig.queue.settle(claim, OK);
    expect((await waitFor(() => rig.queue.claim(goal, 1, 'h', LEASE))).task).toBe('behind');
    await rig.close();
  });

  it('a held provider, a held task, a paused batch: nothing is claimed', async () => {
    const rig = await open();
    const provider = `p${Math.random()}`;
    const goal = await goalWith(rig, [{ id: 'a', provider }, { id: 'b' }]);
    await rig.ledger.hold(provider, now() + 60_000, 'limit');
    expect(ids(await rig.queue.claim(goal, 9, 'h', LEASE))).toEqual(['b']);
    await rig.ledger.sql.run('delete from hold where provider = ?', provider);
    await rig.ledger.setState(goal, 'paused', null);
    expect(await rig.queue.claim(goal, 9, 'h', LEASE)).toEqual([]);
    await rig.ledger.setState(goal, 'running', null);
    await rig.queue.enqueue(
      goal,
      planOf([{ id: 'held' }]).tasks.map((spec) => ({ spec, canary: false, held: true })),
    );
    expect(ids(await rig.queue.claim(goal, 9, 'h', LEASE))).toEqual(['a']);
    await rig.ledger.release(goal, 'me');
    await rig.queue.reconcile(goal);
    expect(ids(await rig.queue.claim(goal, 9, 'h', LEASE))).toEqual(['held']);
    await rig.close();
  });
});

test.skipIf(!postgres)('jobs that pg-boss gave up are found: ledger and jobs agree again', async () => {
  const rig = await rigs[1]![1]();
  const goal = await goalWith(rig, [{ id: 'a' }]);
  const [claim] = await rig.queue.claim(goal, 1, 'h', LEASE);
  await rig.ledger.sql.run("update herd_jobs.job set state = 'failed' where id = ?::uuid", claim!.job);
  expect(await rig.queue.renew([claim!], LEASE)).toEqual(new Set());
  expect(await rig.queue.reconcile(goal)).toBeGreaterThan(0);
  expect(await rig.queue.settle(claim!, OK)).toBe(false);
  const again = await waitFor(() => rig.queue.claim(goal, 1, 'h2', LEASE));
  expect([again.task, again.n]).toEqual(['a', 2]);
  expect(await rig.queue.settle(again, OK)).toBe(true);
  await rig.close();
});

test('one supervisor: a second is refused with the pid of the first, a dead one’s place is taken', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'herd-queue-'));
  const sql = openSqlite(join(dir, 'ledger.db'), now);
  const startOf = (pid: number) => startOfProcess(pid, () => null);
  const one = { host: 'local', pid: process.pid, start: startOf(process.pid) ?? '', version: '1', goal: 1 };
  await takeSupervision(sql, one, startOf, now());
  await expect(takeSupervision(sql, { ...one, pid: process.ppid, start: 'x' }, startOf, now())).rejects.toThrow(
    `by process ${process.pid}`,
  );
  await takeSupervision(sql, { ...one, pid: 4_000_000, start: 'gone' }, () => null, now());
  await takeSupervision(sql, one, startOf, now());
  await sql.close();
  rmSync(dir, { recursive: true });
});

/** pg-boss makes a job due by the database's clock: a moment later at most. */
async function waitFor<T>(claim: () => Promise<T[]>): Promise<NonNullable<T>> {
  return eventually(async () => (await claim())[0], 'something can be claimed');
}
