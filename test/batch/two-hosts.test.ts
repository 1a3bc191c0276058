// Two hosts on one PostgreSQL queue: what one has is the other's when it dies, freezes, or the database restarts; one winner for each task.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Driver } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { Cluster, postgresPrograms, queryPostgres } from './cluster.ts';
import { BatchStage, type Task } from './stage.ts';

const programs = postgresPrograms();
let cluster: Cluster;
beforeAll(async () => {
  if (programs) cluster = await Cluster.open(programs);
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
});

/** A second host: its own session, its own clone. */
class Host {
  readonly herd = new Driver({ session: 'w' });
  readonly worker: ChildProcess;

  constructor(stage: BatchStage, name: string) {
    const clone = join(this.herd.dir, 'clone');
    execFileSync('git', ['clone', '-q', stage.repository, clone]);
    const main = join(import.meta.dirname, '../../dist/main.js');
    this.worker = spawn(process.execPath, [main, 'worker', '--slots', '4', '--host', name], {
      ...{ cwd: clone, env: { ...this.herd.env, HERD_QUEUE: cluster.url }, stdio: 'ignore' },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.worker.kill('SIGKILL');
    await this.herd[Symbol.asyncDispose]();
  }
}

const query = (sql: string) => queryPostgres(cluster.url, sql);
const newest = '(select max(id) from goal)';
const count = async (sql: string) => Number((await query(`select count(*) as n from ${sql}`))[0]!.n);

async function start(stage: BatchStage, tasks: Task[]): Promise<void> {
  const file = stage.write(tasks, { run: { slots: 4, grace: '1s' } });
  const ran = await stage.herd.run(['batch', 'run', file, '--yes', '--detach'], { env: { HERD_QUEUE: cluster.url } });
  expect([ran.code, ran.stderr.replace(/^!.*\n/, '')]).toEqual([0, '']);
}

async function finish(n: number): Promise<void> {
  await eventually(
    async () => (await query(`select state from goal where id = ${newest}`))[0]!.state === 'done',
    'the batch is done',
    120_000,
  );
  expect(await count(`task where goal = ${newest} and state = 'done'`)).toBe(n);
  expect(await count(`attempt where goal = ${newest} and outcome = 'ok'`)).toBe(n);
}

const many = (n: number, ms: string): Task[] => Array.from({ length: n }, (_, i) => ({ id: `t${i}`, env: { MS: ms } }));

test.skipIf(!programs)('a host dies with its agents: the other takes over; patches of both land', { timeout: 240_000 }, async () => {
  await using stage = new BatchStage();
  await using other = new Host(stage, 'other');
  await start(stage, many(24, '1500'));
  await eventually(
    () => count(`attempt where goal = ${newest} and host = 'other' and started is not null and ended is null`).then((n) => n >= 2),
    'the other works',
    60_000,
  );
  const { holder } = await other.herd.json<{ holder: { pid: number } }>(['server', 'status']);
  process.kill(other.worker.pid!, 'SIGKILL');
  process.kill(holder.pid, 'SIGKILL');
  await finish(24);
  expect(await count(`attempt where goal = ${newest} and host = 'other' and outcome = 'lost'`)).toBeGreaterThan(0);
  const landed = await stage.herd.run(['batch', 'land', '--json', '--no-open'], { env: { HERD_QUEUE: cluster.url } });
  expect(JSON.parse(landed.stdout).applied.length).toBe(24);
});

test.skipIf(!programs)('a frozen host’s tasks are taken, its late word is refused', { timeout: 240_000 }, async () => {
  await using stage = new BatchStage();
  await using other = new Host(stage, 'frozen');
  await start(stage, many(16, '2500'));
  await eventually(
    () => count(`attempt where goal = ${newest} and host = 'frozen' and started is not null and ended is null`).then((n) => n >= 2),
    'the other works',
    60_000,
  );
  other.worker.kill('SIGSTOP');
  await eventually(
    () => count(`attempt where goal = ${newest} and host = 'frozen' and outcome = 'lost'`).then((n) => n >= 2),
    'its tasks were taken',
    90_000,
  );
  other.worker.kill('SIGCONT');
  await finish(16);
});

test.skipIf(!programs)('a database that restarts is waited for', { timeout: 240_000 }, async () => {
  await using stage = new BatchStage();
  await start(stage, many(8, '1500'));
  await eventually(() => count(`attempt where goal = ${newest} and started is not null`).then((n) => n >= 2), 'some run', 60_000);
  await cluster.stop();
  await cluster.start();
  await finish(8);
});
