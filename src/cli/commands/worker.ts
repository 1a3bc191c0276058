// herd worker: one of many hosts that take tasks from a queue. Runs in the foreground, in a clone of the repository; SIGTERM drains it.
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Goal } from '../../batch/ledger/rows.ts';
import type { Opened } from '../../batch/opened.ts';
import { TAKING_STATES } from '../../model/batch.ts';
import { withBatches } from '../batch-context.ts';
import { Failure, usage } from '../failure.ts';
import { place } from '../place.ts';
import { connectStarting, ownProgram } from '../start.ts';
import { seconds, whole } from '../values.ts';
import type { Call, RunVerb } from '../verb.ts';
import { VERSION } from '../version.ts';

/** ms between looks for work when there is none. */
const IDLE = 500;
/** ms after which nothing that an earlier worker left is looked for any more: no agent runs for days. */
const LATELY = 3 * 86_400_000;
/** ms after SIGTERM until what runs is handed back. */
const DRAIN = 60_000;

export const run: RunVerb = (call) =>
  withBatches(call, async (batches) => {
    if (!batches.shared) throw usage('herd worker needs --queue postgres://…, or HERD_QUEUE.');
    const { addHost } = await import('../../batch/supervision.ts');
    const host = (call.options.host as string | undefined) ?? `${hostname()}:${hashOf(batches.dir, call.session)}`;
    if (!(await batches.shared.lock(`host:${host}`))) {
      throw new Failure('name-in-use', `A worker named ${host} takes tasks already.`, { hint: 'Give this one a name of its own: --host' });
    }
    let draining = false;
    const acts = new Set<() => void>();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        draining = true;
        for (const act of acts) act();
      });
    }
    await addHost(batches, { host, pid: process.pid, start: String(process.pid), version: VERSION }, Date.now());
    call.out.note(`${host} takes tasks for ${batches.repository}`);
    // What an earlier worker of this name left running is gone on with, or ended, also when nothing waits there any more.
    for (const goal of await goalsOf(batches, host)) if (!draining && !(await work(call, batches, goal, host, acts))) draining = true;
    while (!draining) {
      await batches.shared.learn();
      const goal = await nextGoal(batches);
      if (!goal) await batches.ledger.seen(host, false);
      else if (!(await work(call, batches, goal, host, acts))) draining = true;
      await new Promise((wait) => setTimeout(wait, IDLE));
    }
    await batches.ledger.dropHost(host);
    return 0;
  });

/** False when a person has ended the session: its worker goes too. */
async function work(call: Call, batches: Opened, goal: Goal, host: string, acts: Set<() => void>): Promise<boolean> {
  const { runnerOptions } = await import('../../batch/batches.ts');
  const { Runner } = await import('../../batch/runner/runner.ts');
  const { makeFolders } = await import('../../batch/runner/attempt-files.ts');
  makeFolders(batches.goalDir(goal));
  const options = runnerOptions(
    batches,
    { ...goal, repository: batches.repository },
    host,
    {
      connect: (onEvent, onClose) => connectStarting(call.paths, { version: VERSION, onEvent, onClose }, ownProgram(), process.env),
      ...{
        place: place({ ...call, cwd: batches.repository }),
        version: VERSION,
        now: () => Date.now(),
        chance: Math.random,
        onTerm: () => {},
      },
    },
    seconds(call.options['drain-timeout'], 'drain-timeout') ?? DRAIN,
  );
  const slots = whole(call.options.slots, 'slots') ?? goal.settings.run.slots;
  const runner = new Runner({ ...options, slots, asksOf: false, onConnect: () => {}, onChange: () => {}, onAsk: async () => {} });
  const drain = () => runner.drain();
  acts.add(drain);
  try {
    await runner.adopt();
    await runner.run(null);
    return true;
  } catch (error) {
    if (!runner.orphaned) throw error;
    call.out.note(`Session ${call.session} was ended: ${host} takes no more tasks.`);
    return false;
  } finally {
    acts.delete(drain);
    await runner.close();
  }
}

/** The same after a restart, so that a worker finds what it left running; another clone or session on this machine has another. */
function hashOf(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 8);
}

/** Batches that workers of this name have had a part in lately. */
async function goalsOf(batches: Opened, host: string): Promise<Goal[]> {
  const since = Date.now() - LATELY;
  const rows = await batches.sql.all('select distinct goal from attempt where host = ? and claimed > ? order by goal', host, since);
  const goals = await Promise.all(rows.map((row) => batches.ledger.goal(Number(row.goal))));
  return goals.filter((goal) => goal !== null);
}

/** The oldest batch that runs and has something to take whose base commit is here. */
async function nextGoal(batches: Opened): Promise<Goal | null> {
  const goals = (await batches.ledger.goals()).filter((goal) => TAKING_STATES.includes(goal.state)).reverse();
  for (const goal of goals) {
    if ((await batches.ledger.waiting(goal.id, null)).count > 0 && (await hasCommit(batches, goal.baseCommit))) return goal;
  }
  return null;
}

/** Here, or to be had from where this clone came from. */
async function hasCommit(batches: Opened, commit: string): Promise<boolean> {
  const look = await batches.git.look(batches.repository);
  const there = async () => (await look.run(['cat-file', '-e', `${commit}^{commit}`], { codes: [0, 1, 128] })).code === 0;
  if (await there()) return true;
  await batches.git.asUser(batches.repository, ['fetch', '--quiet', 'origin', commit], { codes: [0, 1, 128] });
  return there();
}
