// The rules of a batch, each seen through the verbs: patches, scope, limits, caps, control, deaths.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { BatchStage } from './stage.ts';

function failures(stage: BatchStage): Promise<{ failures: { task: string; outcome: string; why: string }[] } & Record<string, unknown>> {
  return stage.herd.json(['batch', 'report']);
}

test('patches hold binary files, renames and modes, and apply; scope and checks are told; huge output and escaped children do no harm', async () => {
  await using stage = new BatchStage();
  const before = stage.checkout();
  const tasks = [
    { id: 'mixed', env: { KIND: 'mixed' } },
    { id: 'scope', env: { KIND: 'scope' }, allow: ['allowed/**'] },
    { id: 'syntax', env: { KIND: 'syntax' }, checks: [['sh', '-n', 'syntax.sh']] },
    { id: 'missing', expect: 'report.md' },
    { id: 'huge', env: { KIND: 'huge' } },
    { id: 'escape', env: { KIND: 'escape' } },
    { id: 'hang', env: { KIND: 'hang' }, timeout: '2s' },
  ];
  const ran = await stage.run(stage.write(tasks, { run: { grace: '1s' } }), '--yes');
  expect(ran.code).toBe(1);
  expect(stage.checkout()).toBe(before);
  expect(stage.strays()).toEqual([]);
  const { failures: failed, outOfScope } = await failures(stage);
  expect(failed.map(({ task, outcome }) => [task, outcome]).sort()).toEqual([
    ['hang', 'timeout'],
    ['missing', 'check'],
    ['syntax', 'check'],
  ]);
  expect(outOfScope).toBe(1);
  const patches = stage
    .query("select task, path from artifact where kind = 'patch'")
    .map((row) => [String(row.task), stage.file(String(row.path))]);
  expect(patches.map(([task]) => task).sort()).toEqual(['escape', 'missing', 'mixed', 'scope', 'syntax']);
  for (const [, path] of patches) stage.git('apply', '--check', path!);
  const mixed = readFileSync(patches.find(([task]) => task === 'mixed')![1]!, 'utf8');
  expect(mixed).toMatch(/GIT binary patch/);
  expect(mixed).toMatch(/rename from old.txt/);
  expect(mixed).toMatch(/new mode 100755/);
  const [{ size }] = stage.query("select size from artifact where task = 'huge' and kind = 'output'") as [{ size: number }];
  expect(size).toBeGreaterThan(50_000_000);
  const [{ took }] = stage.query("select ended - started as took from attempt where task = 'hang'") as [{ took: number }];
  expect(took).toBeGreaterThanOrEqual(2000);
});

test('six 429s fail after the fifth retry; a usage limit holds its provider and spends no try', async () => {
  await using stage = new BatchStage();
  const tasks = [
    { id: 'stubborn', env: { KIND: '429', TIMES: '99' } },
    { id: 'limited', env: { KIND: 'limit' }, provider: 'acme' },
    { id: 'same', provider: 'acme', priority: -1, needs: ['other'] },
    { id: 'other', env: { MS: '1500' } },
  ];
  await stage.run(stage.write(tasks, { run: { rate_retries: 1 } }), '--yes', '--detach');
  await eventually(() => stage.query("select 1 from task where id = 'stubborn' and state = 'failed'").length > 0, 'it gave up');
  await eventually(() => stage.query("select 1 from task where id = 'other' and state = 'done'").length > 0, 'others go on');
  const board = await stage.status();
  expect(board.tasks.find(({ id }) => id === 'same')).toMatchObject({
    column: 'queued',
    why: expect.stringMatching(/usage limit of acme.*until \d\d:\d\d/),
  });
  expect(board.tasks.find(({ id }) => id === 'stubborn')?.why).toMatch(/1 retries used up/);
  const [task] = stage.query("select rate_hits, lost_hits, state from task where id = 'limited'");
  expect(task).toMatchObject({ rate_hits: 0, lost_hits: 0, state: 'ready' });
  expect(stage.runs('stubborn')).toBe(2);
});

test('a cap on money holds and can be raised; too many failures stop the batch and leave it resumable', async () => {
  await using stage = new BatchStage();
  const many = Array.from({ length: 12 }, (_, i) => ({ id: `t${i}`, env: { COST: '0.1' } }));
  await stage.run(stage.write(many, { stop: { cost: 0.5 } }), '--yes');
  let board = await stage.status();
  expect(board.summary).toMatchObject({ state: 'stopped', counts: { done: 5, queued: 7 } });
  expect(board.summary.cost).toBeLessThanOrEqual(0.6);
  expect(board.summary.why).toMatch(/cap of \$0.5/);
  expect((await stage.herd.run(['batch', 'resume', '--max-cost', '9'])).code).toBe(0);
  board = await stage.status();
  expect(board.summary).toMatchObject({ state: 'done', counts: { done: 12 } });
  const failing = Array.from({ length: 10 }, (_, i) => ({ id: `f${i}`, env: { KIND: 'fail' } }));
  await stage.run(stage.write(failing, { stop: { failures: 0.1, after: 3 }, run: { slots: 1 } }), '--yes');
  board = await stage.status();
  expect(board.summary).toMatchObject({ state: 'stopped', counts: { failed: 3, queued: 7 } });
});

test('a task that spends more than its budget is ended while it runs; one within it goes on', async () => {
  await using stage = new BatchStage();
  const says = (cost: number, tokens: number) =>
    `echo '${JSON.stringify({ type: 'result', result: 'so far', total_cost_usd: cost, usage: { input_tokens: tokens, output_tokens: 0 } })}'`;
  const tasks = [
    { id: 'dear', command: ['sh', '-c', `${says(0.5, 10)}; sleep 1; ${says(1.5, 20)}; sleep 600`], budget: { cost: 1 } },
    { id: 'wordy', command: ['sh', '-c', `${says(0.5, 2000)}; sleep 600`], budget: { tokens: 1000 } },
    { id: 'modest', command: ['sh', '-c', `${says(0.5, 10)}; sleep 3; ${says(0.9, 20)}`], budget: { cost: 1, tokens: 1000 } },
  ];
  await stage.run(stage.write(tasks, { run: { grace: '1s' } }), '--yes');
  expect(stage.query('select task, outcome, why, cost from attempt order by task')).toEqual([
    { task: 'dear', outcome: 'fail', why: 'spent more than its budget and was ended', cost: 1.5 },
    { task: 'modest', outcome: 'ok', why: null, cost: 0.9 },
    { task: 'wordy', outcome: 'fail', why: 'spent more than its budget and was ended', cost: 0.5 },
  ]);
  expect(stage.strays()).toEqual([]);
});

test('the canary asks; pause, resume, cancel of one and of all, retry', async () => {
  await using stage = new BatchStage();
  const tasks = Array.from({ length: 6 }, (_, i) => ({ id: `t${i}`, env: { MS: '50' } }));
  const canary = await stage.run(stage.write(tasks, { run: { canary: 2, slots: 2 } }));
  expect(canary.stderr).toMatch(/100 % passed.*costs \$0.010/);
  expect((await stage.status()).summary).toMatchObject({ state: 'asking', counts: { done: 2, queued: 4 } });
  expect((await stage.herd.run(['batch', 'resume'])).code).toBe(0);
  expect((await stage.status()).summary.counts.done).toBe(6);

  const slow = [...Array.from({ length: 3 }, (_, i) => ({ id: `s${i}`, env: { KIND: 'hang' } })), { id: 'quick', env: { KIND: 'fail' } }];
  await stage.run(stage.write(slow, { run: { slots: 4, grace: '1s' } }), '--yes', '--detach');
  await eventually(() => stage.query('select 1 from attempt where goal = 2 and started is not null').length === 4, 'all run');
  await stage.herd.ok(['batch', 'pause']);
  await stage.herd.ok(['batch', 'cancel', 's0']);
  await eventually(
    () => stage.query("select 1 from task where goal = 2 and id = 's0' and state = 'cancelled'").length === 1,
    's0 is cancelled',
  );
  expect((await stage.run(stage.write(tasks, {}, 'again.jsonl'))).stderr).toMatch(/is being run already, by process \d+/);
  await stage.herd.ok(['batch', 'cancel']);
  expect(stage.strays()).toEqual([]);
  expect((await stage.status()).summary).toMatchObject({ state: 'cancelled', counts: { failed: 4 } });
  const retried = await stage.herd.run(['batch', 'retry', 'quick']);
  expect(retried.code).toBe(1);
  expect(stage.runs('quick')).toBe(2);
});

test('a death between starting an agent and noting it does not run it twice; deadlines stay', async () => {
  await using stage = new BatchStage();
  const file = stage.write(
    [
      { id: 'only', env: { KIND: 'wait' } },
      { id: 'hang', env: { KIND: 'hang' } },
    ],
    { run: { slots: 2, grace: '1s' } },
  );
  await stage.herd.run(['batch', 'run', file, '--yes', '--detach'], { env: { HERD_TEST_DIE_AT: 'spawned' } });
  await eventually(() => stage.runs('only') + stage.runs('hang') > 0, 'an agent runs');
  const runner = Number(stage.query('select pid from host')[0]!.pid);
  await eventually(() => !isAlive(runner), 'the runner is dead');
  const deadlines = stage.query('select task, deadline from attempt where started is not null');
  expect((await stage.herd.run(['batch', 'status'])).stdout).toMatch(/interrupted while|batch resume/);
  await stage.herd.ok(['batch', 'resume', '--detach']);
  await eventually(() => stage.runs('only') + stage.runs('hang') === 2, 'both agents run');
  stage.go();
  await eventually(() => stage.query("select 1 from task where id = 'only' and state = 'done'").length > 0, 'the one ends');
  await stage.herd.ok(['batch', 'cancel']);
  for (const { task, deadline } of deadlines) {
    expect(stage.query(`select max(deadline) as d from attempt where task = '${task}' and n = 1`)[0]!.d).toBe(deadline);
  }
  expect([stage.runs('only'), stage.runs('hang')]).toEqual([1, 1]);
  expect((await stage.status()).summary.counts).toMatchObject({ done: 1, failed: 1 });
});

test('the server and then the holder die: attempts go on without the one, and are run again after the other', async () => {
  await using stage = new BatchStage();
  const tasks = Array.from({ length: 3 }, (_, i) => ({ id: `t${i}`, env: { KIND: 'wait' } }));
  await stage.run(stage.write(tasks), '--yes', '--detach');
  const started = () =>
    stage.query('select 1 from attempt where started is not null and ended is null').length === 3 && stage.totalRuns() >= 3;
  await eventually(started, 'all run');
  process.kill(await stage.herd.serverPid(), 'SIGKILL');
  stage.go();
  await eventually(() => stage.query("select 1 from task where state = 'done'").length === 3, 'all are done');
  expect(stage.totalRuns()).toBe(3);
  await stage.ended();
  rmSync(join(stage.state, 'go'));
  await stage.run(
    stage.write(
      tasks.map(({ id, env }) => ({ id: `u${id}`, env })),
      {},
      'second.jsonl',
    ),
    '--yes',
    '--detach',
  );
  await eventually(() => stage.totalRuns() === 6, 'the second three run');
  const { holder } = await stage.herd.json<{ holder: { pid: number } }>(['server', 'status']);
  process.kill(holder.pid, 'SIGKILL');
  await eventually(() => !isAlive(holder.pid), 'the holder is dead');
  const lost = () => stage.query("select 1 from attempt where goal = 2 and outcome = 'lost'").length;
  // An agent that comes to its end before it is found forsaken has ended well.
  await eventually(() => lost() === 3, 'all are known as lost');
  stage.go();
  await eventually(() => stage.query("select 1 from task where goal = 2 and state = 'done'").length === 3, 'all are done after all');
  expect([lost(), stage.totalRuns()]).toEqual([3, 9]);
  expect(stage.strays()).toEqual([]);
});

test('SIGTERM: nothing new, agents go on, resume ends the batch without running any twice', async () => {
  await using stage = new BatchStage();
  const tasks = Array.from({ length: 6 }, (_, i) => ({ id: `t${i}`, env: { KIND: 'wait' } }));
  await stage.run(stage.write(tasks, { run: { slots: 2 } }), '--yes', '--detach');
  await eventually(() => stage.totalRuns() === 2, 'two run');
  const runner = (await stage.status()).runner!;
  process.kill(runner, 'SIGTERM');
  await eventually(() => !isAlive(runner), 'it has ended');
  expect(stage.totalRuns()).toBe(2);
  stage.go();
  expect((await stage.herd.run(['batch', 'resume'])).code).toBe(0);
  expect(stage.totalRuns()).toBe(6);
});

test('reduce gives checked rows, bad ones are told, only rows that need a decision start follow-ups', async () => {
  await using stage = new BatchStage();
  const agent = join(import.meta.dirname, 'fake-agent.sh');
  const row = (task: string, needs: boolean) =>
    JSON.stringify({ task, file: 'a.ts', kind: 'style', severity: 'warning', line: 3, text: `about ${task}`, needs_decision: needs });
  const rows = [row('t0', true), row('t1', false), '{"task":"nobody"}', row('t2', false), '{broken'].join('\n');
  const script = join(stage.herd.dir, 'reduce.sh');
  writeFileSync(script, `#!/bin/sh\ncat >"$1"\ncat <<'END'\n${rows}\nEND\n`, { mode: 0o700 });
  const seen = join(stage.herd.dir, 'seen');
  const settings = {
    reduce: { command: [script, seen], chunk: 10 },
    followup: { command: ['sh', '-c', 'echo choose the first; cat'], prompt: 'look at {{task}}: {{text}}' },
  };
  const tasks = Array.from({ length: 3 }, (_, i) => ({ id: `t${i}`, command: [agent] }));
  expect((await stage.run(stage.write(tasks, settings), '--yes')).code).toBe(0);
  expect(existsSync(seen) && readFileSync(seen, 'utf8')).toMatch(/task t0 \(done\)\ndid t0/);
  expect(stage.query('select task, needs_decision from finding where reducer is not null')).toMatchObject([
    { task: 't0', needs_decision: 1 },
    { task: 't1' },
    { task: 't2' },
  ]);
  expect(await stage.herd.ok(['batch', 'report'])).toMatch(
    /found:\n {2}warning {2}t0 {2}a\.ts:3 {2}about t0 \(needs a decision\)\n(?: {2}warning .*\n){2}! lines of reducers that are no rows:\n(?: {2}reduce-1-.*\n){2}$/,
  );
  expect(stage.query("select id from task where stage = 'followup'").length).toBe(1);
  const { decisions } = await stage.herd.json<{ decisions: { id: number; task: string; followup: string }[] }>(['batch', 'decide']);
  expect(decisions).toMatchObject([{ task: 't0', followup: expect.stringMatching(/choose the first\nlook at t0: about t0/) }]);
  await stage.herd.ok(['batch', 'decide', String(decisions[0]!.id), 'reject']);
  const landed = await stage.herd.run(['batch', 'land', '--json', '--no-open']);
  expect(JSON.parse(landed.stdout)).toMatchObject({ applied: ['t1', 't2'], left: [{ task: 't0', why: 'was rejected' }] });
});

test('bad task files are told with file and line, nothing is made; odd paths are no trouble', async () => {
  await using stage = new BatchStage();
  const bad = join(stage.herd.dir, 'bad.toml');
  writeFileSync(bad, 'name = "x"\n[[task]]\nid = "a"\nprompt = "x"\ntimeout = "soon"\n');
  const ran = await stage.run(bad);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(/bad\.toml:5: task 1: timeout must be a time/)]);
  expect((await stage.herd.run(['batch', 'status'])).stderr).toMatch(/has had no batch yet/);
  execFileSync('mv', [stage.repository, join(stage.herd.dir, `Répo 'd "x" $y`)]);
  stage.herd.cwd = join(stage.herd.dir, `Répo 'd "x" $y`);
  const fine = await stage.run(stage.write([{ id: 'ä-{{f.stem}}', matrix: { f: { glob: '*.txt' } } }]), '--yes');
  expect([fine.code, fine.stdout]).toEqual([0, expect.stringMatching(/3 of 3 done/)]);
});
