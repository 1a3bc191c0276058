// Two hundred scripted agents, some of which hang, crash or are rate-limited, with the runner killed again and again: the totals are exact,
// every effect is there once, no process stays. HERD_BATCH_KILLS says how often it is killed.

import { existsSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';
import { isAlive } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { BatchStage, type Task } from './stage.ts';

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
  const ran = await stage.run(file, '--yes', '--detach');
  expect(ran.code).toBe(0);
  let most = 0;
  let killed = 0;
  let next = Date.now() + 2500;
  for (;;) {
    most = Math.max(most, agents(stage));
    const [host] = stage.query('select pid from host where supervisor = 1');
    const state = String(stage.query('select state from goal')[0]?.state);
    const runner = host && isAlive(Number(host.pid)) ? Number(host.pid) : null;
    if (runner !== null && killed < KILLS && Date.now() > next) {
      process.kill(runner, 'SIGKILL');
      await eventually(() => !isAlive(runner), 'the runner is dead');
      expect((await stage.herd.run(['batch', 'resume', '--detach'])).stderr).toBe('');
      killed++;
      next = Date.now() + 500 + Math.random() * 2000;
    }
    if (runner === null && state !== 'checking' && state !== 'running' && state !== 'canary') break;
    await new Promise((wait) => setTimeout(wait, 50));
  }
  const board = await stage.status();
  expect(killed).toBe(KILLS);
  expect(board.summary.counts).toEqual({ queued: 0, running: 0, needs: 0, failed: 11, done: 189 });
  expect(most).toBeLessThanOrEqual(SLOTS);
  // The least there can be: one run each, and two more for each of the twenty that were limited twice.
  const wrong = tasks().filter(({ id, env }) => stage.runs(id) !== ((env as { KIND: string }).KIND === '429' ? 3 : 1));
  expect(
    wrong.map(({ id }) => [
      stage.runs(id),
      stage.query(`select n, outcome, why, claimed, started, ended from attempt where task = '${id}'`),
    ]),
  ).toEqual([]);
  expect(stage.totalRuns()).toBe(240);
  const won = stage.query("select task from attempt where outcome = 'ok'");
  expect([won.length, new Set(won.map((row) => row.task)).size]).toEqual([189, 189]);
  const patches = stage.query("select path from artifact where kind = 'patch'").map((row) => stage.file(String(row.path)));
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
});

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
