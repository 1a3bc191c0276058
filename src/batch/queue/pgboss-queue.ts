// Tasks by pg-boss, the ledger beside them in the same database: for any number of hosts. A job stands for a task that is ready; every change
// of both is one transaction. pg-boss only fetches, keeps alive and completes: what is tried again, and when, is the ledger's to say.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PgBoss } from 'pg-boss';
import { type BatchState, TAKING_STATES } from '../../model/batch.ts';
import { type PostgresSql, patiently } from '../ledger/postgres.ts';
import { number, type Sql, text } from '../ledger/sql.ts';
import { tailOf } from '../runner/attempt-files.ts';
import { type Claim, claimKey } from '../task.ts';
import type { Queue, Result } from './queue.ts';
import {
  addEvent,
  countTasks,
  insertTasks,
  liveAttempts,
  NEEDS_MET,
  noteStarted,
  type RetryRules,
  settleTask,
  sumSpend,
  takeTask,
} from './settle.ts';

/** Where pg-boss keeps its tables. */
const SCHEMA = 'herd_jobs';
/** Seconds without a sign of life after which a host's job goes to another: the least that pg-boss takes. */
const HEARTBEAT = 10;
/** Seconds between looks for such jobs; by default it would be minutes. */
const SUPERVISE = 1;
/** How often pg-boss itself hands a job on before it fails it; `reconcile` then sees to it. */
const HANDOVERS = 8;
/** ms beyond the end of a lease after which its host counts as silent: clocks of hosts differ a little. */
const SILENT = 10_000;
/** Seconds that a job may take at most; deadlines are the ledger's. */
const EXPIRE = 86_000;

export interface BossQueueOptions {
  url: string;
  sql: PostgresSql;
  now(): number;
  rules(goal: number): RetryRules;
  /** Folder of a goal's files on this host. */
  dir(goal: number): string;
}

/** Jobs made at once have the same age; the place in the file, below this, decides between equal priorities. */
const SEQ_MAX = 10_000;
/** Bytes of an output's end, and of a patch at most, that are kept in the database. */
const OUTPUT_KEPT = 256 * 1024;
const BLOB_MAX = 64 * 1024 * 1024;

type Connection = Parameters<Parameters<PostgresSql['withClient']>[0]>[1];

/** Starts pg-boss, which makes its own tables. */
export async function createBossQueue(o: BossQueueOptions): Promise<Queue> {
  const boss = new PgBoss({
    ...{ connectionString: o.url, schema: SCHEMA, max: 4 },
    ...{ superviseIntervalSeconds: SUPERVISE, monitorIntervalSeconds: SUPERVISE },
  });
  // A database that restarts: the next call says so to whoever made it.
  boss.on('error', () => {});
  await boss.start();
  return new BossQueue(boss, o);
}

class BossQueue implements Queue {
  readonly #boss: PgBoss;
  readonly #o: BossQueueOptions;
  readonly #queues = new Set<string>();

  constructor(boss: PgBoss, o: BossQueueOptions) {
    this.#boss = boss;
    this.#o = o;
  }

  async enqueue(goal: number, tasks: Parameters<Queue['enqueue']>[1]): Promise<void> {
    await this.#o.sql.tx(async (tx) => void (await insertTasks(tx, goal, tasks, this.#o.now())));
    await this.#dispatch(goal);
  }

  async claim(goal: number, n: number, host: string, lease: number): Promise<Claim[]> {
    const { sql, now } = this.#o;
    const [row] = await sql.all('select state from goal where id = ?', goal);
    if (!row || !TAKING_STATES.includes(text(row, 'state') as BatchState)) return [];
    const claims: Claim[] = [];
    for (const name of await this.#openQueues(goal)) {
      if (claims.length >= n) break;
      await this.#ensure(name);
      const jobs = await patiently(() => this.#boss.fetch<{ task: string }>(name, { batchSize: n - claims.length, includeMetadata: true }));
      for (const job of jobs.sort((a, b) => b.priority - a.priority)) {
        const claim = await sql.withClient(async (tx, client) => {
          const taken = await this.#take(tx, goal, job.data.task, { host, lease, job: job.id, jobTry: job.retryCount, now: now() });
          // Settled, cancelled or given up meanwhile: the job has nothing to stand for.
          if (!taken) await this.#boss.complete(name, { id: job.id, retryCount: job.retryCount }, null, db(client));
          return taken;
        });
        if (claim) claims.push(claim);
      }
    }
    return claims;
  }

  /** A job that comes again while its task is active was another host's, which has gone silent. */
  async #take(
    tx: Sql,
    goal: number,
    task: string,
    o: { host: string; lease: number; job: string; jobTry: number; now: number },
  ): Promise<Claim | null> {
    const [row] = await tx.all('select state, job, attempt, lost_hits from task where goal = ? and id = ? for update', goal, task);
    if (!row || row.job !== o.job) return null;
    if (text(row, 'state') === 'active') {
      const why = 'its host has gone silent';
      await tx.run(
        "update attempt set ended = ?, outcome = 'lost', why = ? where goal = ? and task = ? and n = ? and ended is null",
        ...[o.now, why, goal, task, number(row, 'attempt')],
      );
      await addEvent(tx, { goal, actor: o.host, subject: task, kind: 'lost', data: why, at: o.now });
      const tired = number(row, 'lost_hits') >= this.#o.rules(goal).lostRetries;
      await tx.run(
        `update task set lost_hits = lost_hits + 1 ${tired ? ", state = 'failed', outcome = 'lost', job = null, why = ?, since = ?" : ''} where goal = ? and id = ?`,
        ...(tired ? [`${why}; retries used up`, o.now] : []),
        ...[goal, task],
      );
      if (tired) return null;
    }
    return takeTask(tx, goal, task, { ...o, from: ['ready', 'active'] });
  }

  started(claim: Claim, started: Parameters<Queue['started']>[1]): Promise<void> {
    return noteStarted(this.#o.sql, claim, started);
  }

  async renew(claims: readonly Claim[], lease: number): Promise<Set<string>> {
    const kept = new Set<string>();
    for (const claim of claims) {
      const touched = await patiently(() =>
        this.#boss.touch(queueName(claim.goal, claim.spec.provider), { id: claim.job!, retryCount: claim.jobTry }),
      );
      if (affected(touched) !== 1) continue;
      kept.add(claimKey(claim));
      await this.#o.sql.run(
        'update attempt set lease_until = ? where goal = ? and task = ? and n = ? and ended is null',
        ...[this.#o.now() + lease, claim.goal, claim.task, claim.n],
      );
    }
    return kept;
  }

  async settle(claim: Claim, outcome: Parameters<Queue['settle']>[1], result?: Parameters<Queue['settle']>[2]): Promise<boolean> {
    const { sql, now, rules } = this.#o;
    const name = queueName(claim.goal, claim.spec.provider);
    const held = await sql.withClient(async (tx, client) => {
      const completed = await this.#boss.complete(name, { id: claim.job!, retryCount: claim.jobTry }, null, db(client));
      if (affected(completed) === 1) {
        const settled = await settleTask(tx, claim, outcome, result, rules(claim.goal), now());
        if (settled && result) await this.#upload(tx, claim, result);
        return settled;
      }
      await tx.run(
        "update attempt set ended = ?, outcome = 'stale', why = ?, cost = ?, tokens = ? where goal = ? and task = ? and n = ? and (ended is null or outcome = 'lost')",
        ...[now(), outcome.why, outcome.cost, outcome.tokens, claim.goal, claim.task, claim.n],
      );
      await addEvent(tx, { goal: claim.goal, actor: claim.host, subject: claim.task, kind: 'stale', data: outcome.why, at: now() });
      return false;
    });
    await this.#dispatch(claim.goal);
    return held;
  }

  /** What came out must be there for other hosts: the patch whole, of the output the end. */
  async #upload(tx: Sql, { goal, task, n }: Claim, result: Result): Promise<void> {
    for (const { kind, path } of result.artifacts) {
      const file = join(this.#o.dir(goal), path);
      const data = kind === 'patch' ? readFileSync(file) : Buffer.from(await tailOf(file, OUTPUT_KEPT));
      if (data.length > BLOB_MAX) continue;
      await tx.run(
        'insert into blob (goal, task, attempt, kind, path, data) values (?, ?, ?, ?, ?, ?) on conflict do nothing',
        ...[goal, task, n, kind, path, data.toString('base64')],
      );
    }
  }

  live(host: string, goal?: number): ReturnType<Queue['live']> {
    return liveAttempts(this.#o.sql, host, goal);
  }

  counts(goal: number): ReturnType<Queue['counts']> {
    return countTasks(this.#o.sql, goal);
  }

  spend(goal: number): ReturnType<Queue['spend']> {
    return sumSpend(this.#o.sql, goal);
  }

  /** Tasks whose job pg-boss has given up (or that lost it) get another one. */
  async reconcile(goal: number): Promise<number> {
    const { sql, now } = this.#o;
    await this.#takeFromSilent(goal);
    const closed = await sql.run(
      `update task set state = 'ready', job = null, since = ? where goal = ? and state in ('ready', 'active') and job is not null and not exists
       (select 1 from ${SCHEMA}.job j where j.id = task.job::uuid and j.state in ('created', 'retry', 'active'))`,
      ...[now(), goal],
    );
    if (closed > 0) {
      await sql.run(
        `update attempt set ended = ?, outcome = 'lost', why = 'its job was given up' where goal = ? and ended is null and exists
         (select 1 from task t where t.goal = attempt.goal and t.id = attempt.task and t.state = 'ready')`,
        ...[now(), goal],
      );
    }
    return closed + (await this.#dispatch(goal));
  }

  /**
   * Attempts whose lease has been over for a while: a host that died, or froze. pg-boss hands such jobs on by itself, but not after the
   * database went away under it; the fence keeps the late word of either out.
   */
  async #takeFromSilent(goal: number): Promise<void> {
    const { sql, now, rules } = this.#o;
    await sql.tx(async (tx) => {
      const rows = await tx.all(
        `update attempt set ended = ?, outcome = 'lost', why = 'its host has gone silent' where goal = ? and ended is null and lease_until < ?
         returning task, n`,
        ...[now(), goal, now() - SILENT],
      );
      for (const row of rows) {
        await tx.run(
          `update task set state = case when lost_hits < ? then 'ready' else 'failed' end, outcome = 'lost', why = 'its host has gone silent', job = null,
           lost_hits = lost_hits + 1, since = ? where goal = ? and id = ? and attempt = ? and state = 'active'`,
          ...[rules(goal).lostRetries, now(), goal, text(row, 'task'), number(row, 'n')],
        );
        await addEvent(tx, { goal, actor: 'herd', subject: text(row, 'task'), kind: 'lost', data: 'its host has gone silent', at: now() });
      }
    });
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false });
  }

  /** A job for each task that could run and has none. */
  async #dispatch(goal: number): Promise<number> {
    const { sql, now } = this.#o;
    for (const row of await sql.all('select distinct provider from task where goal = ?', goal))
      await this.#ensure(queueName(goal, text(row, 'provider')));
    return sql.withClient(async (tx, client) => {
      const rows = await tx.all(
        `select t.id, t.seq, t.provider, t.priority, t.run_after from task t where t.goal = ? and t.state = 'ready' and t.job is null and ${NEEDS_MET}
         order by t.seq for update of t skip locked`,
        goal,
      );
      for (const [provider, tasks] of Map.groupBy(rows, (row) => text(row, 'provider'))) {
        const jobs = tasks.map((row) => ({
          ...{ data: { task: text(row, 'id') }, priority: number(row, 'priority') * SEQ_MAX - Math.min(number(row, 'seq'), SEQ_MAX - 1) },
          ...(number(row, 'run_after') > now() ? { startAfter: new Date(number(row, 'run_after')) } : {}),
        }));
        const ids = (await this.#boss.insert(queueName(goal, provider), jobs, { ...db(client), returnId: true })) as string[];
        for (const [i, row] of tasks.entries())
          await tx.run('update task set job = ? where goal = ? and id = ?', ids[i]!, goal, text(row, 'id'));
      }
      return rows.length;
    });
  }

  async #openQueues(goal: number): Promise<string[]> {
    const { sql, now } = this.#o;
    const rows = await sql.all(
      'select distinct provider from task where goal = ? and provider not in (select provider from hold where until > ?) order by provider',
      ...[goal, now()],
    );
    return rows.map((row) => queueName(goal, text(row, 'provider')));
  }

  async #ensure(name: string): Promise<void> {
    if (this.#queues.has(name)) return;
    const limits = { retryLimit: HANDOVERS, retryDelay: 1, heartbeatSeconds: HEARTBEAT, expireInSeconds: EXPIRE };
    await patiently(() => this.#boss.createQueue(name, limits)).catch((error: Error) => {
      if (!/already exists|duplicate/i.test(error.message)) throw error;
    });
    this.#queues.add(name);
  }
}

/** One for each account of a batch: a held one is not fetched from. */
function queueName(goal: number, provider: string): string {
  return `g${goal}-${provider.replace(/[^\w.-]/g, '_')}`;
}

/** pg-boss takes our connection: its change and ours are one. */
function db(client: Connection): { db: { executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> } } {
  return { db: { executeSql: (statement, values) => client.query(statement, values as unknown[]) } };
}

/** How many jobs a call changed; pg-boss says so but does not declare it. */
function affected(response: unknown): number {
  const n = (response as { affected?: unknown }).affected;
  return typeof n === 'number' ? n : 0;
}
