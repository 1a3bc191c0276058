// Tasks as live panes: watched, asked, answered and steered like any workspace, also across the death of the runner.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { REPOSITORY } from '../../src/cli/demo/scripts.ts';
import { isAlive } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { BatchStage } from './stage.ts';

const MAIN = join(import.meta.dirname, '../../dist/main.js');

interface Workspace {
  id: number;
  branch: string | null;
  agent: { state: string; turn: number; question: { id: string; options: { label: string }[] } | null };
}

function live(id: string, script: string, more: object = {}) {
  return {
    id,
    mode: 'live',
    command: [process.execPath, MAIN, 'demo-agent', script, '--speed', '20'],
    prompt: `Go on with ${script}.`,
    ...more,
  };
}

/** A stage whose repository is what the scripted agents work on. */
function makeStage(): BatchStage {
  const stage = new BatchStage();
  for (const [path, content] of Object.entries(REPOSITORY)) {
    mkdirSync(dirname(join(stage.repository, path)), { recursive: true });
    writeFileSync(join(stage.repository, path), content);
  }
  stage.git('add', '-A');
  stage.git('commit', '-qm', 'shop');
  return stage;
}

async function workspaces(stage: BatchStage): Promise<Workspace[]> {
  return (await stage.herd.json<{ workspaces: Workspace[] }>(['ls'])).workspaces;
}

async function workspaceOf(stage: BatchStage, task: string): Promise<Workspace | undefined> {
  return (await workspaces(stage)).find(({ branch }) => branch?.endsWith(`/${task}.1`));
}

async function blocked(stage: BatchStage, task: string): Promise<Workspace | null> {
  const found = await workspaceOf(stage, task);
  return found?.agent.state === 'blocked' && (found.agent.question?.options.length ?? 0) > 0 ? found : null;
}

test('a live task is seen, asks on the board, is answered and steered, and gives a patch; a runner that dies starts nothing twice', async () => {
  await using stage = makeStage();
  const tasks = [live('asks', 'fix-login'), live('plain', 'docs', { allow: ['docs/**'] })];
  await stage.run(stage.write(tasks), '--yes', '--detach');
  const asks = await eventually(() => blocked(stage, 'asks'), 'it asks');
  const runner = (await stage.status()).runner!;
  process.kill(runner, 'SIGKILL');
  await eventually(() => !isAlive(runner), 'the runner is dead');
  await stage.herd.ok(['batch', 'resume', '--detach']);
  await eventually(async () => (await stage.status()).runner, 'another runs');
  await stage.herd.ok(['send', String(asks.id), 'And say so in the README.', '--queue']);
  const told = await eventually(async () => (await stage.status()).tasks.find(({ column }) => column === 'needs'), 'the board says so');
  expect(told).toMatchObject({ id: 'asks', workspace: asks.id, why: expect.stringMatching(/npm test/) });
  await stage.herd.ok(['answer', String(asks.id), 'approve', '--dialog', asks.agent.question!.id]);
  await stage.ended();
  expect(stage.query('select task, n, outcome, why from attempt order by task')).toEqual([
    { task: 'asks', n: 1, outcome: 'ok', why: null },
    { task: 'plain', n: 1, outcome: 'ok', why: null },
  ]);
  expect((await stage.status()).summary.counts).toMatchObject({ done: 2, failed: 0 });
  const patches = stage.query("select task, path from artifact where kind = 'patch' order by task");
  expect(patches.map(({ task }) => task)).toEqual(['asks', 'plain']);
  for (const { path } of patches) stage.git('apply', '--check', stage.file(String(path)));
  expect((await workspaces(stage)).filter(({ branch }) => branch?.startsWith('herd-batch/'))).toEqual([]);
  expect(stage.strays()).toEqual([]);
});

test('a live task whose workspace is closed is cancelled; one that takes too long is ended; one that exits is judged by its exit', async () => {
  await using stage = makeStage();
  const tasks = [
    live('closed', 'fix-login'),
    live('late', 'fix-login', { timeout: '6s' }),
    { id: 'exits', mode: 'live', command: ['/bin/sh', '-c', 'sleep 1; exit 3'] },
  ];
  await stage.run(stage.write(tasks, { run: { grace: '1s' } }), '--yes', '--detach');
  const found = await eventually(() => workspaceOf(stage, 'closed'), 'it is open');
  await stage.herd.ok(['close', String(found.id)]);
  await stage.ended();
  expect(stage.query('select id, state, outcome, why from task order by id')).toMatchObject([
    { id: 'closed', state: 'cancelled', outcome: 'cancelled', why: 'its workspace was closed' },
    { id: 'exits', state: 'failed', outcome: 'fail', why: 'exit code 3' },
    { id: 'late', state: 'failed', outcome: 'timeout' },
  ]);
  expect((await workspaces(stage)).filter(({ branch }) => branch?.startsWith('herd-batch/'))).toEqual([]);
  expect(stage.strays()).toEqual([]);
});
