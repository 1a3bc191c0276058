// Two hundred scripted agents, some of which hang, crash or are rate-limited, while runner and server are killed again and again: on both
// adapters the totals are exact, every effect is there once, no process stays. HERD_BATCH_KILLS and HERD_BATCH_SEED set how often and when.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isAlive } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { createRandom } from '../support/random.ts';
import { queryPostgres, sharedCluster } from './cluster.ts';
import { BatchStage, type Task } from './stage.ts';

const KILLS = Number(process.env.HERD_BATCH_KILLS ?? 30);
const SEED = Number(process.env.HERD_BATCH_SEED ?? Date.now() % 100_000);
/** By turns: of thirty kills, twenty hit the runner and twenty the server. */
const VICTIMS = ['runner', 'server', 'both'] as const;
const SLOTS = 20;
/** One of the last: the batch goes on for a while after everything else has settled. */
const HANGS = 195;
/** Goes on only when all kills are done: the batch does not end before. */
const WAITS = 199;

const postgres = sharedCluster();

const adapters = [
  { name: 'SQLite', env: () => ({}), query: async (stage: BatchStage, sql: string) => stage.query(sql) },
  {
    name: 'pg-boss',
    env: () => ({ HERD_QUEUE: postgres!.cluster.url }),
    query: (_: BatchStage, sql: string) => queryPostgres(postgres!.cluster.url, sql),
  },
];

function kindOf(i: number): string {
  return i === HANGS ? 'hang' : i === WAITS ? 'wait' : i >= 20 && i < 30 ? 'crash' : i >= 100 && i < 120 ? '429' : 'ok';
}

const TASKS: (Task & { env: { KIND: string } })[] = Array.from({ length: 200 }, (_, i) => ({
  id: `t${String(i).padStart(3, '0')}`,
  env: { KIND: kindOf(i) },
  ...(i === HANGS ? { timeout: '8s' } : {}),
}));

describe.each(adapters)('$name', ({ name, env, query: ask }) => {
  const it = name === 'pg-boss' && !postgres ? test.skip : test;

  it(`200 tasks under ${KILLS} kills (seed ${SEED}): 189 done, 11 failed, each effect once`, {
    timeout: KILLS * 60_000 + 600_000,
  }, async () => {
    await using stage = new BatchStage(env());
    const query = (sql: string) => ask(stage, sql);
    const random = createRandom(SEED);
    const file = stage.write(TASKS, { defaults: { env: { MS: '300' } }, run: { slots: SLOTS, grace: '1s' } });
    const before = stage.checkout();
    expect((await stage.run(file, '--yes', '--detach')).code).toBe(0);
    // Each kill at its own share of the way, and somewhere in what happens then.
    const moments = Array.from({ length: KILLS }, () => random(TASKS.length - 2 * SLOTS)).sort((one, other) => one - other);
    let most = 0;
    let kills = 0;
    for (let ended = false; !ended; ) {
      most = Math.max(most, agents(stage));
      const [row] = await query("select count(*) as settled from task where state in ('done', 'failed')");
      if (kills < KILLS && Number(row!.settled) >= moments[kills]! && stage.totalRuns() > 0) {
        await new Promise((wait) => setTimeout(wait, random(400)));
        await kill(stage, VICTIMS[kills % VICTIMS.length]!);
        kills++;
      }
      if (kills === KILLS) stage.go();
      ended = (await query('select state from goal'))[0]?.state === 'done';
      await new Promise((wait) => setTimeout(wait, 50));
    }
    await stage.ended();
    const board = await stage.status();
    expect(kills).toBe(KILLS);
    expect(board.summary.counts).toEqual({ queued: 0, running: 0, needs: 0, failed: 11, done: 189 });
    expect(most).toBeLessThanOrEqual(SLOTS);
    // The least there can be: one run each, and two more for each of the twenty that were limited twice.
    const wrong = TASKS.filter((task) => stage.runs(task.id) !== (task.env.KIND === '429' ? 3 : 1)).map(({ id }) => id);
    const told = await Promise.all(
      wrong.map((id) => query(`select task, n, outcome, why, claimed, started, ended from attempt where task = '${id}'`)),
    );
    expect(told).toEqual([]);
    expect(stage.totalRuns()).toBe(240);
    const won = await query("select task from attempt where outcome = 'ok'");
    expect([won.length, new Set(won.map((row) => row.task)).size]).toEqual([189, 189]);
    // Each patch adds its own file and takes nothing away, whatever died while its worktree was made.
    const patches = (await query("select path from artifact where kind = 'patch'")).map((row) =>
      stage.file(String(row.path), board.summary.key),
    );
    expect(patches.length).toBe(189);
    for (const path of patches) expect(readFileSync(path, 'utf8').match(/^(diff --git|deleted file).*/gm)).toHaveLength(1);
    const outputs = (await query("select path from artifact where kind = 'output' and task in (select id from task where state = 'done')"))
      .length;
    expect(outputs).toBeGreaterThanOrEqual(189);
    expect(stage.strays()).toEqual([]);
    expect(stage.checkout()).toBe(before);
    const report = await stage.herd.json<{ failures: { task: string; outcome: string }[] }>(['batch', 'report']);
    expect(Object.groupBy(report.failures, ({ outcome }) => outcome)).toMatchObject({ crash: { length: 10 }, timeout: { length: 1 } });
    expect((await query("select n from attempt where outcome = 'rate'")).length).toBe(40);
    // Worktrees of what failed are kept; those of the rest are gone.
    expect(stage.git('worktree', 'list').split('\n').length - 1).toBe(11);
  });
});

/** Kills, and has the batch go on where that needs somebody. */
async function kill(stage: BatchStage, victim: (typeof VICTIMS)[number]): Promise<void> {
  if (victim !== 'runner') {
    // The last one may have been killed a moment ago.
    const server = await eventually(async () => {
      const { code, stdout } = await stage.herd.run(['server', 'pid']);
      return code === 0 ? Number(stdout) : null;
    }, 'a server is there');
    process.kill(server, 'SIGKILL');
  }
  if (victim === 'server') return;
  const { runner } = await stage.status();
  if (runner !== null) {
    process.kill(runner, 'SIGKILL');
    await eventually(() => !isAlive(runner), 'the runner is dead');
  }
  expect((await stage.herd.run(['batch', 'resume', '--detach'])).stderr).toBe('');
}

/** Agents at work, counted in the process list, not by the runner's own word. */
function agents(stage: BatchStage): number {
  return stage.strays().filter((pid) => commandOf(pid).includes('fake-agent.sh') && !commandOf(pid).startsWith('/bin/sh -c')).length;
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
