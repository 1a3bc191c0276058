// Worktrees are prepared while others' agents work: bounded, taken by whoever is claimed next, and gone whenever nobody will take them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { listWorktrees } from '../../src/git/repository.ts';
import { Runner } from '../../src/git/run.ts';
import { isAlive } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { BatchStage } from './stage.ts';

const AHEAD = 4;

/** Runs until there is a file `go`, and leaves what it found in its worktree. */
const WAITS = [
  'sh',
  '-c',
  'echo x >>"$STATE/$HERD_TASK.runs"; while [ ! -e "$STATE/go" ]; do sleep 0.1; done; cat *.txt | wc -l >"$HERD_TASK.txt"',
];

async function prepared(stage: BatchStage): Promise<string[]> {
  const git = new Runner({ cap: 1, program: 'git', env: stage.herd.env });
  const detached = (await listWorktrees(await git.look(stage.repository))).filter(({ branch }) => branch === null);
  return detached.map(({ path }) => basename(path)).sort();
}

const areReady = (stage: BatchStage, count: number) =>
  eventually(
    async () =>
      (await prepared(stage)).filter((name) => existsSync(join(`${stage.repository}.worktrees`, name, 'shared.txt'))).length === count,
    `${count} are ready`,
  );

test('prepared ahead of their claims, also for tasks that need others; none is left by a pause, a death, the end', async () => {
  await using stage = new BatchStage();
  const tasks = Array.from({ length: 8 }, (_, i) => ({ id: `t${i}`, command: WAITS, ...(i === 7 ? { needs: ['t0'] } : {}) }));
  await stage.run(stage.write(tasks, { run: { slots: 1 } }), '--yes', '--detach');
  await eventually(() => stage.runs('t0') === 1, 't0 runs');
  await areReady(stage, AHEAD);
  const first = await prepared(stage);

  const runner = (await stage.status()).runner!;
  process.kill(runner, 'SIGKILL');
  await eventually(() => !isAlive(runner), 'the runner is dead');
  await stage.herd.ok(['batch', 'resume', '--detach']);
  const isGone = async () => (await prepared(stage)).every((name) => !first.includes(name));
  await eventually(isGone, 'those of the dead one are gone');
  await areReady(stage, AHEAD);

  process.kill(Number(await stage.herd.ok(['server', 'pid'])), 'SIGKILL');
  await stage.herd.ok(['batch', 'pause']);
  stage.go();
  await stage.ended();
  expect([await prepared(stage), readdirSync(`${stage.repository}.worktrees`)]).toEqual([[], []]);

  await stage.herd.ok(['batch', 'resume']);
  expect((await stage.status()).summary.counts).toMatchObject({ done: 8, failed: 0 });
  expect([await prepared(stage), readdirSync(`${stage.repository}.worktrees`)]).toEqual([[], []]);
  // The base's three files of twenty lines; the last one has the patch of the one that it needs as well.
  const { key } = (await stage.status()).summary;
  const lines = (task: string) => Number(/^\+(\d+)$/m.exec(readFileSync(stage.file(`patches/${task}.1.patch`, key), 'utf8'))![1]);
  expect(tasks.map(({ id }) => lines(id))).toEqual([60, 60, 60, 60, 60, 60, 60, 61]);
});

test('one that somebody has removed meanwhile is made again', async () => {
  await using stage = new BatchStage();
  await stage.run(
    stage.write(
      [
        { id: 'a', command: WAITS },
        { id: 'b', command: WAITS },
      ],
      { run: { slots: 1 } },
    ),
    '--yes',
    '--detach',
  );
  await eventually(() => stage.runs('a') === 1, 'a runs');
  await areReady(stage, 1);
  stage.git('worktree', 'remove', '--force', join(`${stage.repository}.worktrees`, (await prepared(stage))[0]!));
  stage.go();
  await stage.ended();
  expect((await stage.status()).summary.counts).toMatchObject({ done: 2, failed: 0 });
});
