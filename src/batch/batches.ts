// The front of the room: opens the ledger of a repository, adds batches, runs them, asks things of them. Verbs and the worker go through
// here; it prints nothing.

import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { findRepository } from '../git/repository.ts';
import { Runner as GitRunner } from '../git/run.ts';
import type { Client } from '../wire/client.ts';
import type { ClientPlace, ServerEvent } from '../wire/requests.ts';
import { commitId } from './landing/tree.ts';
import { Ledger } from './ledger/ledger.ts';
import type { Goal } from './ledger/rows.ts';
import { LedgerError } from './ledger/sql.ts';
import { openSqlite } from './ledger/sqlite.ts';
import type { Opened } from './opened.ts';
import { chooseCanaries } from './plan/advice.ts';
import { createSqliteQueue } from './queue/sqlite-queue.ts';
import { SessionLink } from './runner/session-link.ts';
import { leavePlace, startOf, takePlace, waitForPlace } from './supervision.ts';
import { type SupervisorOptions, supervise } from './supervisor.ts';
import type { Plan } from './task.ts';

/** git processes of a runner at once. */
const GIT_AT_ONCE = 4;
/** The only host of a ledger in a file: its name does not change when the machine's does. */
const LOCAL = 'local';
/** ms after SIGTERM until the runner leaves its agents to the next one. */
const DRAIN = 10_000;
/** Retries of a batch that was added since the ledger was opened. */
const UNSAID = { rateRetries: 5, lostRetries: 2 };

export interface OpenOptions {
  /** A folder in the repository. */
  from: string;
  /** Folder for all ledgers. */
  root: string;
  env: Record<string, string | undefined>;
  now(): number;
  /** Address of a PostgreSQL queue; null: the file of this host. */
  queue: string | null;
}

/** Opens the ledger of the repository that `from` is in. Throws GitError, LedgerError. */
export async function openBatches(o: OpenOptions): Promise<Opened> {
  const git = new GitRunner({ cap: GIT_AT_ONCE, program: 'git', env: o.env });
  const { main, worktree } = await findRepository(git, o.from);
  const dir = join(
    o.root,
    `${basename(main).replace(/[^\w.-]/g, '-') || 'repository'}-${createHash('sha256').update(main).digest('hex').slice(0, 12)}`,
  );
  const base = { git, repository: main, worktree: worktree ?? main, dir, goalDir: ({ uid }: Pick<Goal, 'uid'>) => join(dir, uid) };
  if (o.queue !== null) return openShared(o.queue, base, o.now);
  const sql = openSqlite(join(dir, 'ledger.db'), o.now);
  const ledger = new Ledger(sql, o.now);
  const goals = new Map((await ledger.goals()).map((goal) => [goal.id, goal]));
  const queue = createSqliteQueue({ sql, now: o.now, rules: (goal) => goals.get(goal)?.settings.run ?? UNSAID });
  return { ...base, sql, ledger, queue, shared: null, close: () => sql.close() };
}

/** The drivers are loaded here and nowhere else: most people never need them. */
async function openShared(
  url: string,
  base: Omit<Opened, 'sql' | 'ledger' | 'queue' | 'shared' | 'close'>,
  now: () => number,
): Promise<Opened> {
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new LedgerError('bad-queue', 'A queue is the address of a PostgreSQL database.', 'For example: postgres://user@host/herd');
  const { openPostgres } = await import('./ledger/postgres.ts');
  const { createBossQueue } = await import('./queue/pgboss-queue.ts');
  const sql = await openPostgres(url);
  const ledger = new Ledger(sql, now);
  const goals = new Map<number, Goal>();
  const known = (id: number) => goals.get(id);
  const queue = await createBossQueue({
    ...{ url, sql, now, rules: (goal: number) => known(goal)?.settings.run ?? UNSAID },
    dir: (goal) => base.goalDir({ uid: known(goal)?.uid ?? 'unknown' }),
  });
  const learn = async () => {
    for (const goal of await ledger.goals()) goals.set(goal.id, goal);
  };
  await learn();
  return {
    ...{ ...base, sql, ledger, queue },
    shared: { lock: (name) => sql.lock(name), locked: (name) => sql.locked(name), learn },
    close: async () => {
      await queue.close();
      await sql.close();
    },
  };
}

/** Adds a batch; nothing of it runs yet. Throws LedgerError 'supervised' while another batch of the repository runs. */
export async function addBatch(
  b: Opened,
  o: { plan: Plan; file: { name: string; text: string }; session: string; yes: boolean },
): Promise<Goal> {
  await waitForPlace(b, null);
  const look = await b.git.look(b.worktree);
  const name = o.plan.base ?? (await look.text(['rev-parse', '--abbrev-ref', 'HEAD']));
  const commit = await commitId(look, o.plan.base ?? 'HEAD');
  const goal = await b.ledger.createGoal({
    ...{ uid: randomBytes(4).toString('hex'), plan: o.plan, repository: b.repository, base: { name, commit } },
    ...{ session: o.session, yes: o.yes, file: o.file },
  });
  await b.shared?.learn();
  const canaries = new Set(chooseCanaries(o.plan.tasks, o.plan.run.canary));
  await b.queue.enqueue(
    goal.id,
    o.plan.tasks.map((spec) => ({ spec, canary: canaries.has(spec.id), held: canaries.size > 0 && !canaries.has(spec.id) })),
  );
  return goal;
}

/** Lets a batch that waits, was paused or was stopped go on. */
export async function resumeGoal(b: Opened, goal: Goal, who: string): Promise<void> {
  const { held } = await b.queue.counts(goal.id);
  if (goal.state === 'asking') await b.ledger.release(goal.id, who);
  if (goal.state === 'checking' || goal.state === 'canary') return;
  await b.ledger.setState(goal.id, held > 0 && goal.state !== 'asking' ? 'canary' : 'running', null);
}

export interface RunOptions {
  connect(onEvent: (event: ServerEvent) => void, onClose: () => void): Promise<Client>;
  place: ClientPlace;
  version: string;
  now(): number;
  chance(): number;
  onTerm(act: () => void): void;
  fault?(point: 'spawned'): void;
}

/** Becomes the batch's runner and runs it as far as it goes, again when somebody wants more of it meanwhile. Throws LedgerError 'supervised'. */
export async function runGoal(b: Opened, goal: Goal, o: RunOptions): Promise<string> {
  // The same name for every runner of the batch on this machine: what an earlier one left running is found by it.
  const host = b.shared ? `${hostname()}:${goal.uid}` : LOCAL;
  await takePlace(b, goal, { host, pid: process.pid, start: startOf(process.pid) ?? String(process.pid), version: o.version }, o.now());
  let asked = false;
  const onTerm = (act: () => void) =>
    o.onTerm(() => {
      asked = true;
      act();
    });
  for (;;) {
    const fresh = (await b.ledger.goal(goal.id)) ?? goal;
    const options = runnerOptions(b, { ...fresh, repository: b.repository }, host, { ...o, onTerm }, DRAIN);
    const end = await supervise(options).catch(async (error: unknown) => {
      await leavePlace(b, goal.id, host, true);
      throw error;
    });
    if (await leavePlace(b, goal.id, host, asked)) return end;
  }
}

export function runnerOptions(b: Opened, goal: Goal, host: string, o: RunOptions, drainTimeout: number): SupervisorOptions {
  return {
    ...{ goal, ledger: b.ledger, queue: b.queue, git: b.git, dir: b.goalDir(goal), place: o.place, host, shared: b.shared !== null },
    ...{ now: o.now, chance: o.chance, fault: o.fault, drainTimeout, signal: { onTerm: o.onTerm } },
    makeLink: (onEvent, onConnect) => new SessionLink({ connect: o.connect, onEvent, onConnect }),
  };
}
