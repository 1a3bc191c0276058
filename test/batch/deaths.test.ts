// What dies beside the runner, and when it does so at a bad moment.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sessionPaths } from '../../src/config/paths.ts';
import { connectClient } from '../../src/wire/client.ts';
import { isAlive, signal } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { BatchStage } from './stage.ts';

async function holderPid(stage: BatchStage): Promise<number> {
  return (await stage.herd.json<{ holder: { pid: number } }>(['server', 'status'])).holder.pid;
}

test('an attempt is known from the moment its start is asked for; ending it then ends it', async () => {
  await using stage = new BatchStage();
  await stage.herd.ok(['open', stage.repository, '--', '/bin/sh']);
  const paths = sessionPaths('b', stage.herd.env);
  const client = await connectClient({ socket: paths.socket, token: readFileSync(paths.token, 'utf8').trim(), version: 'test' });
  const holder = await holderPid(stage);
  const argv = ['/bin/sh', '-c', 'trap "" HUP TERM; while :; do sleep 1; done'];
  process.kill(holder, 'SIGSTOP');
  const start = client.request('attempt.start', { attempt: 'x.a.1', place: { cwd: stage.repository, env: stage.herd.env }, argv });
  const again = client.request('attempt.start', { attempt: 'x.a.1', place: { cwd: stage.repository, env: stage.herd.env }, argv });
  const { attempts } = await client.request('attempt.list', { prefix: 'x.' });
  const end = client.request('attempt.end', { attempt: 'x.a.1', grace: 0 });
  process.kill(holder, 'SIGCONT');
  expect(attempts).toEqual([{ attempt: 'x.a.1', pid: null, started: expect.any(Number), exit: null }]);
  const { attempt } = await start;
  expect(await again).toMatchObject({ existed: true, attempt: { pid: attempt.pid } });
  await end;
  expect(isAlive(attempt.pid!)).toBe(false);
  await eventually(async () => (await client.request('attempt.list', { prefix: 'x.' })).attempts[0]?.exit, 'its end is known');
  client.close();
});

test('runner and agents die again and again: the task is run again so often and no more', async () => {
  await using stage = new BatchStage();
  const file = stage.write([{ id: 'only', env: { MS: '60000' } }], { run: { lost_retries: 2 } });
  await stage.run(file, '--yes', '--detach');
  for (let n = 1; n <= 3; n++) {
    await eventually(() => stage.runs('only') === n, `run ${n} has begun`);
    const [runner, holder] = [(await stage.status()).runner!, await holderPid(stage)];
    process.kill(runner, 'SIGKILL');
    process.kill(holder, 'SIGKILL');
    await eventually(() => !isAlive(runner) && !isAlive(holder), 'both are dead');
    await stage.herd.ok(['batch', 'resume', '--detach']);
  }
  await stage.ended();
  expect(stage.query('select state, outcome, attempt from task')).toEqual([{ state: 'failed', outcome: 'lost', attempt: 3 }]);
  expect([stage.runs('only'), stage.strays()]).toEqual([3, []]);
});

test('a start that finds its ticket taken runs nothing, and is not taken for an agent that ended well', async () => {
  await using stage = new BatchStage();
  await stage.run(stage.write([{ id: 'first', env: { KIND: 'wait' } }, { id: 'second' }], { run: { slots: 1 } }), '--yes', '--detach');
  await eventually(() => stage.runs('first') === 1, 'the first runs');
  mkdirSync(stage.file('out/second.1.go'));
  stage.go();
  await stage.ended();
  expect(stage.query("select n, outcome from attempt where task = 'second' order by n")).toEqual([
    { n: 1, outcome: 'lost' },
    { n: 2, outcome: 'ok' },
  ]);
  expect(stage.runs('second')).toBe(1);
});

test('a runner that dies while it ends an agent: the next one knows why the agent ended', async () => {
  await using stage = new BatchStage();
  const file = stage.write([{ id: 'slow', env: { KIND: 'hang' }, timeout: '1s' }], { run: { grace: '60s' } });
  await stage.run(file, '--yes', '--detach');
  const noted = await eventually(() => stage.has('out/slow.1.ending'), 'it is being ended');
  const runner = (await stage.status()).runner!;
  process.kill(runner, 'SIGKILL');
  for (const pid of stage.strays()) signal(pid);
  await eventually(() => stage.strays().length === 0, 'all is gone');
  await stage.herd.run(['batch', 'resume']);
  expect([noted, stage.query('select outcome from task')]).toEqual([true, [{ outcome: 'timeout' }]]);
});

test('two hundred outputs are reduced while the runner dies: every row is there once, and what needs a person is asked once', async () => {
  await using stage = new BatchStage();
  const script = join(stage.herd.dir, 'reduce.sh');
  // A row for each task it was given; each tenth needs a decision. Waits for the first death.
  const row = '{"task":"%s","file":null,"kind":"note","severity":"info","line":null,"text":"of %s","needs_decision":%s}\\n';
  writeFileSync(
    script,
    `#!/bin/sh\nsed -n 's/^.*task \\(t[0-9]*\\) (done).*$/\\1/p' | while read t; do case $t in *0) n=true;; *) n=false;; esac; printf '${row}' $t $t $n; done; while [ ! -e ${stage.state}/go ]; do sleep 0.1; done; sleep 1\n`,
    { mode: 0o700 },
  );
  const tasks = Array.from({ length: 200 }, (_, i) => ({ id: `t${i}`, env: { MS: '0' } }));
  await stage.run(stage.write(tasks, { run: { slots: 20 }, reduce: { command: [script], chunk: 20 } }), '--yes', '--detach');
  const dead = new Set<string>();
  for (let done = false; !done; await new Promise((wait) => setTimeout(wait, 20))) {
    const { summary, runner } = await stage.status();
    done = summary.state === 'done';
    const stages = stage.query("select stage, count(*) as n, sum(state = 'done') as ended from task group by stage");
    const moment = summary.state === 'reducing' ? JSON.stringify(stages) : null;
    if (moment === null || runner === null || dead.has(moment) || dead.size === 6) continue;
    dead.add(moment);
    signal(runner);
    await eventually(() => !isAlive(runner), 'the runner is dead');
    stage.go();
    // It may have come to its end a moment before.
    const { code } = await stage.herd.run(['batch', 'resume', '--detach']);
    expect(code === 0 || (await stage.status()).summary.state === 'done').toBe(true);
  }
  expect(dead.size).toBeGreaterThan(0);
  expect(stage.query('select count(*) as n, count(distinct task) as tasks from finding where reducer is not null')).toEqual([
    { n: 200, tasks: 200 },
  ]);
  expect(stage.query('select count(*) as n, count(distinct finding) as findings from decision')).toEqual([{ n: 20, findings: 20 }]);
});

test.each([
  ['headless', {}],
  ['live', { mode: 'live', command: ['/bin/sh', '-c', 'sleep 60'] }],
])('a person ends the session: it stays ended, the batch waits for a person, no try is spent (%s)', async (_, how) => {
  await using stage = new BatchStage();
  const file = stage.write([{ id: 'slow', env: { MS: '60000' }, ...how }, { id: 'later' }], { run: { slots: 1, lost_retries: 0 } });
  await stage.run(file, '--yes', '--detach');
  await eventually(() => stage.query('select 1 from attempt where started is not null').length === 1, 'it runs');
  await stage.herd.ok(['server', 'stop', '--yes']);
  await stage.ended();
  const status = await stage.herd.run(['server', 'status']);
  expect([status.code, status.stderr]).toEqual([expect.any(Number), expect.stringContaining('No server runs')]);
  expect((await stage.status()).summary).toMatchObject({ state: 'paused', why: 'its session was ended' });
  expect(stage.strays()).toEqual([]);
  await stage.herd.ok(['batch', 'resume', '--detach']);
  await eventually(() => stage.query('select 1 from attempt where started is not null').length === 2, 'it runs again');
  expect(stage.query('select task, outcome, why from attempt order by n')).toEqual([
    { task: 'slow', outcome: 'lost', why: expect.stringContaining('its session ended') },
    { task: 'slow', outcome: null, why: null },
  ]);
  await stage.herd.ok(['batch', 'cancel']);
  await stage.ended();
});

test('resume while the runner is ending makes it, or another, go on; a batch right after the last one waits for its runner', async () => {
  await using stage = new BatchStage();
  const one = (name: string) => stage.write([{ id: 'a', env: { MS: '0', KIND: 'fail' } }], {}, `${name}.jsonl`);
  await stage.run(one('first'), '--yes', '--detach');
  for (let n = 2; n <= 12; n++) {
    await eventually(
      () => stage.query("select 1 from task where state = 'failed' and goal = (select max(goal) from task)").length > 0,
      'failed',
    );
    if (n % 2 === 0) {
      const again = await stage.herd.run(['batch', 'retry', 'a']);
      expect([again.code, again.stderr]).toEqual([1, '']);
    } else await stage.herd.ok(['batch', 'run', one(`f${n}`), '--yes', '--detach']);
    await eventually(() => stage.runs('a') === n, `run ${n}`);
  }
});
