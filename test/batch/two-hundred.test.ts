// Two hundred scripted agents, some of which hang, crash or are rate-limited, with the runner killed again and again: the totals are exact,
// every effect is there once, no process stays. HERD_BATCH_KILLS says how often it is killed.
import { existsSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isAlive } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { BatchStage, type Board, type Task } from './stage.ts';

const KILLS = Number(process.env.HERD_BATCH_KILLS ?? 3);
const SLOTS = 20;

function tasks(): Task[] {
  const kind = (i: number) => (i === 7 ? 'hang' : i >= 20 && i < 30 ? 'crash' : i >= 100 && i < 120 ? '429' : 'ok');
  return Array.from({ length: 200 }, (_, i) => ({
    id: `t${String(i).padStart(3, '0')}`,
    env: { KIND: kind(i) },
    ...(i === 7 ? { timeout: '8s' } : {}),
  }));
}

test(`200 tasks, killed ${KILLS} times: 189 done, 11 failed, each effect once`, { timeout: 600_000 }, async () => {
  await using stage = new BatchStage();
  const file = stage.write(tasks(), { defaults: { env: { MS: '300' } }, run: { slots: SLOTS, grace: '1s' } });
  const before = stage.checkout();
  let ran = await stage.run(file, '--yes', '--detach');
  expect(ran.code).toBe(0);
  let most = 0;
  let killed = 0;
  let board: Board;
  let next = Date.now() + 2500;
  for (;;) {
    board = await stage.status();
    // One process per agent leads it; counted in the process list, not by the runner's own word.
    most = Math.max(most, agents(stage));
    if (board.runner !== null && killed < KILLS && Date.now() > next) {
      process.kill(board.runner, 'SIGKILL');
      await eventually(() => !isAlive(board.runner!), 'the runner is dead');
      ran = await stage.herd.run(['batch', 'resume', '--detach']);
      expect(ran.stderr).toBe('');
      killed++;
      next = Date.now() + 500 + Math.random() * 2000;
    }
    if (board.runner === null && board.summary.state === 'done') break;
    if (board.runner === null && !['checking', 'running', 'canary'].includes(board.summary.state)) break;
  }
  expect(killed).toBe(KILLS);
  expect(board.summary.counts).toEqual({ queued: 0, running: 0, needs: 0, failed: 11, done: 189 });
  expect(most).toBeLessThanOrEqual(SLOTS);
  // The least there can be: one run each, and two more for each of the twenty that were limited twice.
  expect(stage.totalRuns()).toBe(240);
  const won = stage.query("select task from attempt where outcome = 'ok'");
  expect([won.length, new Set(won.map((row) => row.task)).size]).toEqual([189, 189]);
  const patches = stage.query("select path from artifact where kind = 'patch'").map((row) => String(row.path));
  expect(patches.filter((path) => existsSync(path)).length).toBe(189);
  expect(stage.strays()).toEqual([]);
  expect(stage.checkout()).toBe(before);
  const report = await stage.herd.json<{ failures: { task: string; outcome: string }[] }>(['batch', 'report']);
  const outcomes = report.failures.map(({ outcome }) => outcome);
  expect([outcomes.filter((o) => o === 'crash').length, outcomes.filter((o) => o === 'timeout').length]).toEqual([10, 1]);
  const waits = stage.query("select n, waited from attempt where outcome = 'rate'").map((row) => [Number(row.n), Number(row.waited)]);
  expect(waits.length).toBe(40);
  // Worktrees of what failed are kept; those of the rest are gone.
  const kept = stage.git('worktree', 'list').split('\n').length - 1;
  expect(kept).toBe(11);
  rmSync(stage.state, { recursive: true, force: true });
});

function agents(stage: BatchStage): number {
  const rows = stage.query('select count(*) as n from attempt where ended is null and started is not null');
  return Number(rows[0]!.n);
}
