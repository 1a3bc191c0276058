// Two hosts on one PostgreSQL queue: what one has is the other's when it dies, freezes, or the database restarts; one winner for each task.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Driver, isAlive, type Ran } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { queryPostgres, sharedCluster } from './cluster.ts';
import { BatchStage, type Task } from './stage.ts';

const postgres = sharedCluster();

/** A second host: its own session, its own clone. */
class Host {
  readonly herd = new Driver({ session: 'w', env: { HERD_QUEUE: postgres!.cluster.url } });
  readonly #clone = join(this.herd.dir, 'clone');
  readonly #name: string;
  worker: ChildProcess;

  constructor(stage: BatchStage, name: string) {
    this.#name = name;
    execFileSync('git', ['clone', '-q', stage.repository, this.#clone]);
    this.worker = this.start();
  }

  start(): ChildProcess {
    const main = join(import.meta.dirname, '../../dist/main.js');
    return spawn(process.execPath, [main, 'worker', '--slots', '4', '--host', this.#name], {
      ...{ cwd: this.#clone, env: this.herd.env, stdio: 'ignore' },
    });
  }

  /** The worker dies, and comes back after `away`; its session and agents stay. */
  async restart<T>(away: () => Promise<T>): Promise<T> {
    const pid = this.worker.pid!;
    process.kill(pid, 'SIGKILL');
    await eventually(() => !isAlive(pid), 'the worker is dead');
    const result = await away();
    this.worker = this.start();
    return result;
  }

  /** What a verb says in its clone. */
  run(...words: string[]): Promise<Ran> {
    return this.herd.run(words, { cwd: this.#clone });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.worker.kill('SIGKILL');
    await this.herd[Symbol.asyncDispose]();
  }
}

const query = (sql: string) => queryPostgres(postgres!.cluster.url, sql);
const newest = '(select max(id) from goal)';
const count = async (sql: string) => Number((await query(`select count(*) as n from ${sql}`))[0]!.n);

async function start(stage: BatchStage, tasks: Task[]): Promise<void> {
  const file = stage.write(tasks, { run: { slots: 4, grace: '1s' } });
  const ran = await stage.herd.run(['batch', 'run', file, '--yes', '--detach'], { env: { HERD_QUEUE: postgres!.cluster.url } });
  expect([ran.code, ran.stderr.replace(/^!.*\n/, '')]).toEqual([0, '']);
}

async function finish(n: number): Promise<void> {
  await eventually(async () => (await query(`select state from goal where id = ${newest}`))[0]!.state === 'done', 'the batch is done');
  expect(await count(`task where goal = ${newest} and state = 'done'`)).toBe(n);
  expect(await count(`attempt where goal = ${newest} and outcome = 'ok'`)).toBe(n);
}

const many = (n: number, env: Record<string, string>): Task[] => Array.from({ length: n }, (_, i) => ({ id: `t${i}`, env }));

test.skipIf(!postgres)('a host dies with its agents: the other takes over; patches of both land', async () => {
  await using stage = new BatchStage();
  await using other = new Host(stage, 'other');
  await start(stage, many(24, { KIND: 'wait' }));
  await eventually(
    () => count(`attempt where goal = ${newest} and host = 'other' and started is not null and ended is null`).then((n) => n >= 2),
    'the other works',
  );
  const { holder } = await other.herd.json<{ holder: { pid: number } }>(['server', 'status']);
  process.kill(other.worker.pid!, 'SIGKILL');
  process.kill(holder.pid, 'SIGKILL');
  await eventually(() => !isAlive(other.worker.pid!) && !isAlive(holder.pid), 'both are dead');
  stage.go();
  await finish(24);
  expect(await count(`attempt where goal = ${newest} and host = 'other' and outcome = 'lost'`)).toBeGreaterThan(0);
  const landed = await stage.herd.run(['batch', 'land', '--json', '--no-open'], { env: { HERD_QUEUE: postgres!.cluster.url } });
  expect(JSON.parse(landed.stdout).applied.length).toBe(24);
});

test.skipIf(!postgres)('a frozen host’s tasks are taken, its late word is refused', async () => {
  await using stage = new BatchStage();
  await using other = new Host(stage, 'frozen');
  await start(stage, many(16, { KIND: 'wait' }));
  await eventually(
    () => count(`attempt where goal = ${newest} and host = 'frozen' and started is not null and ended is null`).then((n) => n >= 2),
    'the other works',
  );
  other.worker.kill('SIGSTOP');
  await eventually(
    () => count(`attempt where goal = ${newest} and host = 'frozen' and outcome = 'lost'`).then((n) => n >= 2),
    'its tasks were taken',
  );
  stage.go();
  other.worker.kill('SIGCONT');
  await finish(16);
});

test.skipIf(!postgres)('a worker that comes back goes on with its agents, or ends them when it was late', async () => {
  await using stage = new BatchStage();
  await using other = new Host(stage, 'back');
  // Each later task hangs at its first run on the second host, and only there.
  const once =
    'if [ "$HERD_SESSION" = w ] && mkdir "$STATE/$HERD_TASK.first" 2>/dev/null; then sleep 600; fi; sleep 5; echo x >"$HERD_TASK.txt"';
  const later = Array.from({ length: 12 }, (_, i) => ({ id: `late${i}`, command: ['sh', '-c', once] }));
  await start(stage, [...many(8, { MS: '6000' }), ...later]);
  const own = `attempt where goal = ${newest} and host = 'back'`;
  await eventually(async () => (await count(`${own} and started is not null`)) >= 2 && stage.totalRuns() >= 2, 'it works');
  expect((await other.run('worker', '--host', 'back')).stderr).toMatch(/A worker named back takes tasks already/);
  const early = `${own} and task like 't%'`;
  await other.restart(async () => {});
  await eventually(() => count(`${own} and task like 'late%' and started is not null`), 'it has a later one');
  await eventually(() => count(`${early} and ended is null`).then((n) => n === 0), 'its early ones have ended');
  expect(await count(`${early} and outcome = 'ok'`)).toBe(await count(early));
  // Now it stays away for so long that its tasks are another's.
  await eventually(() => readdirSync(stage.state).some((name) => name.endsWith('.first')), 'that one hangs');
  const marks = await other.restart(async () => {
    const lost = await eventually(async () => {
      const rows = await query(`select task, n from ${own} and outcome = 'lost'`);
      return rows.length > 0 ? rows : null;
    }, 'it was taken');
    const uid = String((await query(`select uid from goal where id = ${newest}`))[0]!.uid);
    const names = new Set(lost.map(({ task, n }) => `HERD_ATTEMPT=${uid}.${task}.${n}`));
    expect(stage.strays(names).length).toBeGreaterThan(0);
    return names;
  });
  await eventually(() => stage.strays(marks).length === 0, 'what nobody wants any more has ended');
  await finish(20);
});

test.skipIf(!postgres)('a database that restarts is waited for', async () => {
  await using stage = new BatchStage();
  await start(stage, many(8, { MS: '1500' }));
  await eventually(() => count(`attempt where goal = ${newest} and started is not null`).then((n) => n >= 2), 'some run');
  await postgres!.cluster.stop();
  await postgres!.cluster.start();
  await finish(8);
});
