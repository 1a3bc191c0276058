// herd batch: many tasks in one repository. `run` adds a batch and follows it; the batch itself is run by a process of its own, which any of
// these verbs may end, follow or start again. Landing is in batch-land.ts.
import { basename, resolve } from 'node:path';
import type { BoardFacts } from '../../batch/board.ts';
import type { Goal } from '../../batch/ledger/rows.ts';
import type { Opened } from '../../batch/opened.ts';
import { GOING_STATES } from '../../model/batch.ts';
import { chosenGoal, startRunner, withBatches } from '../batch-context.ts';
import { estimateLines, summaryLine, taskLines } from '../batch-lines.ts';
import { confirm } from '../confirm.ts';
import { Failure, usage } from '../failure.ts';
import { plain } from '../output.ts';
import { place } from '../place.ts';
import { ownProgram } from '../start.ts';
import { whole } from '../values.ts';
import type { Call, Link, RunVerb } from '../verb.ts';
import { VERSION } from '../version.ts';

/** ms between looks at a batch that is followed. */
const FOLLOW_EVERY = 200;
/** ms beyond their grace for all agents of a batch to be ended and looked at, on a machine that is busy with them. */
const END_TIME = 60_000;
/** ms for a runner to come up. */
const START_TIME = 15_000;

export const run: RunVerb = (call) =>
  withBatches(call, async (batches) => {
    const { loadPlan } = await import('../../batch/load-plan.ts');
    const file = resolve(call.cwd, call.words[0]!);
    const { plan, text } = await loadPlan(file, call.words[0]!, batches.worktree, batches.git);
    plan.run.slots = whole(call.options.slots, 'slots') ?? plan.run.slots;
    if (plan.run.slots < 1) throw usage('--slots is at least 1.');
    const { advise, chooseCanaries } = await import('../../batch/plan/advice.ts');
    const advice = advise(plan);
    const canaries = chooseCanaries(plan.tasks, plan.run.canary);
    if (call.options.check) {
      const tasks = plan.tasks.map(({ id, agent, needs, allow }) => ({ id, agent, needs, allow }));
      if (call.json) call.out.json({ name: plan.name, tasks, advice, canaries });
      else
        call.out.text([`${plan.tasks.length} tasks, ${plan.run.slots} at a time.`, ...advice.map((line) => `! ${plain(line)}`)].join('\n'));
      return 0;
    }
    for (const line of advice) call.out.note(`! ${line}`);
    const { addBatch } = await import('../../batch/batches.ts');
    const goal = await addBatch(batches, {
      plan,
      file: { name: basename(file), text },
      session: call.session,
      yes: call.options.yes === true,
    });
    startRunner(call, batches, goal);
    await waitForRunner(batches, goal, '');
    if (call.options.detach) {
      if (call.json) call.out.json({ batch: goal.id });
      else call.out.text(`batch ${goal.id} ${plain(goal.name)} runs; follow it: herd batch status`);
      return 0;
    }
    return follow(call, batches, goal);
  });

export const status: RunVerb = (call) =>
  withBatches(call, async (batches) => {
    const goal = await chosenGoal(call, batches);
    const board = await boardOf(batches, goal, await call.running());
    if (call.json) return call.out.json(board);
    call.out.text(summaryLine(board.summary, board.runner));
    call.out.text(taskLines(board.tasks, Date.now(), call.options.all === true));
    if (board.runner === null && GOING_STATES.includes(goal.state)) {
      call.out.text('Its runner is not there; nothing is lost. Go on with: herd batch resume');
    }
    return 0;
  });

export const pause: RunVerb = (call) =>
  withBatches(call, async (batches) => {
    const goal = await chosenGoal(call, batches);
    await refuseEnded(goal);
    await batches.ledger.setState(goal.id, 'paused', 'paused by a person');
    return done(call, goal, 'is paused: what runs ends, nothing new starts');
  });

export const resume: RunVerb = (call) =>
  withBatches(call, async (batches) => {
    const goal = await chosenGoal(call, batches);
    const { resumeGoal } = await import('../../batch/batches.ts');
    const { counts } = (await boardOf(batches, goal)).summary;
    if (['done', 'cancelled'].includes(goal.state) && counts.queued === 0) {
      throw new Failure('ended', `Batch ${goal.id} is ${goal.state}; nothing waits in it.`, {
        hint: 'Try what failed again: herd batch retry',
      });
    }
    await raiseCaps(call, batches, goal);
    await resumeGoal(batches, goal, 'person');
    await ensureRunner(call, batches, (await batches.ledger.goal(goal.id))!);
    if (call.options.detach) return done(call, goal, 'goes on');
    return follow(call, batches, goal);
  });

export const cancel: RunVerb = (call) =>
  withBatches(call, async (batches) => {
    const goal = await chosenGoal(call, batches);
    const task = call.words[0] ?? null;
    if (task === null) await refuseEnded(goal);
    await batches.ledger.ask(goal.id, 'cancel', task, 'person');
    await ensureRunner(call, batches, goal);
    await until(async () => ((await batches.ledger.asks(goal.id)).length === 0 ? true : null));
    const ending = goal.settings.run.grace + END_TIME;
    if (task === null) await until(async () => ((await batches.queue.counts(goal.id)).active === 0 ? true : null), ending);
    return done(call, goal, task === null ? 'is cancelled; what it has done is kept' : `no longer runs ${plain(task)}`);
  });

export const retry: RunVerb = (call) =>
  withBatches(call, async (batches) => {
    const goal = await chosenGoal(call, batches);
    const ids = call.words.length > 0 ? call.words : null;
    const again = await batches.ledger.retry(goal.id, ids, 'person');
    const missing = (ids ?? []).filter((id) => !again.includes(id));
    if (missing.length > 0)
      throw new Failure('not-found', `${missing.join(', ')} cannot be tried again: no such task, or it has not ended.`);
    if (again.length === 0) throw new Failure('nothing', 'Nothing has failed.');
    const { resumeGoal } = await import('../../batch/batches.ts');
    await raiseCaps(call, batches, goal);
    await resumeGoal(batches, goal, 'person');
    await ensureRunner(call, batches, goal);
    if (call.options.detach) return done(call, goal, `tries ${again.length} tasks again`);
    return follow(call, batches, (await batches.ledger.goal(goal.id))!);
  });

export const report: RunVerb = (call) =>
  withBatches(call, async (batches) => {
    const goal = await chosenGoal(call, batches);
    const { makeReport, reportText } = await import('../../batch/report/report.ts');
    const made = await makeReport(batches.ledger, goal, Date.now());
    if (call.json) call.out.json(made);
    else call.out.text(plain(reportText(made)));
    return 0;
  });

/** Hidden: is the runner. */
export const runner: RunVerb = (call) =>
  withBatches(call, async (batches) => {
    const goal = await batches.ledger.goal(Number(call.words[0]));
    if (!goal) throw new Failure('not-found', `There is no batch ${call.words[0]}.`);
    const { runGoal } = await import('../../batch/batches.ts');
    const { connectStarting } = await import('../start.ts');
    const end = await runGoal(batches, goal, {
      connect: (onEvent, onClose) => connectStarting(call.paths, { version: VERSION, onEvent, onClose }, ownProgram(), process.env),
      ...{ place: place({ ...call, cwd: batches.repository }), version: VERSION, now: () => Date.now(), chance: Math.random },
      onTerm: (act) => {
        for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, act);
      },
      // For the test of a death between starting an agent and noting it.
      fault: call.env.HERD_TEST_DIE_AT ? (point) => point === call.env.HERD_TEST_DIE_AT && process.kill(process.pid, 'SIGKILL') : undefined,
    });
    call.out.note(`${new Date().toISOString()} batch ${goal.id}: ${end}`);
    return 0;
  });

/** What `status --json` prints. Who waits for somebody in a live pane, the session's server knows: `link`, where there is one. */
async function boardOf(batches: Opened, goal: Goal, link: Link | null = null) {
  const { makeBoard } = await import('../../batch/board.ts');
  const { runnerOf } = await import('../../batch/supervision.ts');
  const { ledger } = batches;
  const pid = (await runnerOf(batches, goal.id))?.pid ?? null;
  const { summary, rows } = makeBoard({
    ...{ goal: (await ledger.goal(goal.id))!, tasks: await ledger.tasks(goal.id), attempts: await ledger.attempts(goal.id) },
    ...{ decisions: await ledger.decisions(goal.id), holds: await ledger.holds(), blocked: await blockedIn(link, goal) },
    ...{ limit: goal.settings.run.slots, runner: pid ?? 0, now: Date.now() },
  });
  return { summary, tasks: rows, runner: pid };
}

async function blockedIn(link: Link | null, goal: Goal): Promise<BoardFacts['blocked']> {
  const told = await link?.request('batch.list', {}).catch(() => null);
  const rows = told?.batches.find(({ summary }) => summary.key === goal.uid)?.rows ?? [];
  const waiting = rows.filter(({ column, workspace }) => column === 'needs' && workspace !== null);
  return new Map(waiting.map(({ id, workspace, why }) => [id, { workspace, question: why }]));
}

/** Prints how it goes until it ends or wants somebody; asks after the canary. The exit code says whether all succeeded. */
async function follow(call: Call, batches: Opened, goal: Goal): Promise<number> {
  let told = '';
  const link = await call.running();
  for (;;) {
    const board = await boardOf(batches, goal, link);
    const line = summaryLine(board.summary, board.runner);
    if (!call.json && line !== told && process.stderr.isTTY) call.out.note(line);
    told = line;
    if (board.runner === null) {
      if (board.summary.state === 'asking' && (await askGoOn(call, batches, goal))) continue;
      if (call.json) call.out.json(board);
      else call.out.text(`${line}\n${taskLines(board.tasks, Date.now(), false)}`);
      if (GOING_STATES.includes(board.summary.state)) {
        throw new Failure('interrupted', `The runner of batch ${goal.id} has ended before its work did; nothing is lost.`, {
          hint: 'Go on with: herd batch resume',
        });
      }
      return board.summary.state === 'done' && board.summary.counts.failed === 0 ? 0 : 1;
    }
    await new Promise((wait) => setTimeout(wait, FOLLOW_EVERY));
  }
}

/** After the canary: what the rest will cost, and a person's yes, on which the rest runs. */
async function askGoOn(call: Call, batches: Opened, goal: Goal): Promise<boolean> {
  const { estimate } = await import('../../batch/plan/advice.ts');
  const tasks = await batches.ledger.tasks(goal.id);
  const canaries = tasks.filter((task) => task.canary);
  const attempts = await batches.ledger.attempts(goal.id);
  const trials = canaries.map((task) => {
    const last = attempts.filter((attempt) => attempt.task === task.id).at(-1);
    return {
      ok: task.state === 'done',
      cost: last?.cost ?? null,
      tokens: last?.tokens ?? null,
      time: (last?.ended ?? 0) - (last?.started ?? 0),
    };
  });
  const held = tasks.filter((task) => task.state === 'held').length;
  if (!call.json) call.out.note(estimateLines(estimate(trials, held, goal.settings.run.slots)));
  if (!process.stdin.isTTY || call.json) {
    call.out.note(`Go on with: herd batch resume --batch ${goal.id} (or say --yes beforehand).`);
    return false;
  }
  if (!(await confirm(`Run the other ${held} tasks?`))) return false;
  const { resumeGoal } = await import('../../batch/batches.ts');
  await resumeGoal(batches, (await batches.ledger.goal(goal.id))!, 'person');
  await ensureRunner(call, batches, goal);
  return true;
}

/** More money, tokens, or another round of failures, as a person said; a batch that stopped over failures may go on failing that long again. */
async function raiseCaps(call: Call, batches: Opened, goal: Goal): Promise<void> {
  const { settings } = goal;
  const cost = call.options['max-cost'];
  if (cost !== undefined && !(Number(cost) > 0)) throw usage(`--max-cost is an amount in dollars, not "${cost}".`);
  const { done: ok, failed } = await batches.queue.counts(goal.id);
  const stop = {
    ...settings.stop,
    cost: cost === undefined ? settings.stop.cost : Number(cost),
    tokens: whole(call.options['max-tokens'], 'max-tokens') ?? settings.stop.tokens,
    after: goal.state === 'stopped' ? Math.max(settings.stop.after, ok + failed + settings.stop.after) : settings.stop.after,
  };
  await batches.ledger.setSettings(goal.id, { ...settings, stop });
}

/** Starts a runner and waits for it if there is none, or none that will go on. Throws LedgerError 'supervised' while another batch has the place. */
async function ensureRunner(call: Call, batches: Opened, goal: Goal): Promise<void> {
  const { newestRunner, runnerOf, waitForPlace } = await import('../../batch/supervision.ts');
  await until(async () => ((await runnerOf(batches, goal.id))?.draining ? null : true));
  if ((await runnerOf(batches, goal.id)) !== null) return;
  await waitForPlace(batches, goal.id);
  const before = await newestRunner(batches, goal.id);
  startRunner(call, batches, goal);
  await waitForRunner(batches, goal, before);
}

/** Until one newer than `before` runs, or has run and ended already. A time would not tell it from one that ended a moment ago. */
async function waitForRunner(batches: Opened, goal: Goal, before: string): Promise<void> {
  const { newestRunner } = await import('../../batch/supervision.ts');
  await until(async () => ((await newestRunner(batches, goal.id)) === before ? null : true));
}

async function until(seen: () => Promise<true | null>, time = START_TIME): Promise<void> {
  const end = Date.now() + time;
  while (!(await seen())) {
    if (Date.now() > end)
      throw new Failure('no-runner', 'The runner did not answer in time.', { hint: 'Its log is beside the ledger: herd doctor', exit: 3 });
    await new Promise((wait) => setTimeout(wait, 50));
  }
}

async function refuseEnded(goal: Goal): Promise<void> {
  if (['done', 'cancelled'].includes(goal.state)) throw new Failure('ended', `Batch ${goal.id} is ${goal.state} already.`);
}

function done(call: Call, goal: Goal, what: string): number {
  if (call.json) call.out.json({ batch: goal.id });
  else call.out.text(plain(`batch ${goal.id} ${goal.name} ${what}`));
  return 0;
}
