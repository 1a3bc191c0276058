// The front of the room: opens the ledger of a repository, adds batches, runs them, asks things of them. Verbs and the worker go through
// here; it prints nothing.

import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { findRepository } from '../git/repository.ts';
import { Runner as GitRunner } from '../git/run.ts';
import type { Client } from '../wire/client.ts';
import type { ClientPlace, ServerEvent } from '../wire/requests.ts';
import { commitId } from './landing/tree.ts';
import { type Goal, Ledger } from './ledger/ledger.ts';
import { LedgerError, type Sql } from './ledger/sql.ts';
import { openSqlite, startOfProcess, supervisorOf, takeSupervision } from './ledger/sqlite.ts';
import { chooseCanaries } from './plan/advice.ts';
import type { Queue } from './queue/queue.ts';
import { createSqliteQueue } from './queue/sqlite-queue.ts';
import { SessionLink } from './runner/session-link.ts';
import { supervise } from './supervisor.ts';
import type { Plan } from './task.ts';

/** git processes of a runner at once. */
const GIT_AT_ONCE = 4;
/** The only host of a ledger in a file: its name does not change when the machine's does. */
const LOCAL = 'local';
/** ms after SIGTERM until the runner leaves its agents to the next one. */
const DRAIN = 10_000;

export interface Opened {
  sql: Sql;
  ledger: Ledger;
  queue: Queue;
  git: GitRunner;
  /** Main folder of the repository. */
  repository: string;
  /** Top of the worktree asked from. */
  worktree: string;
  /** Folder of the ledger. */
  dir: string;
  /** Folder of a goal's files. */
  goalDir(goal: Pick<Goal, 'uid'>): string;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** A folder in the repository. */
  from: string;
  /** Folder for all ledgers. */
  root: string;
  env: Record<string, string | undefined>;
  now(): number;
}

/** Opens the ledger of the repository that `from` is in. Throws GitError, LedgerError. */
export async function openBatches(o: OpenOptions): Promise<Opened> {
  const git = new GitRunner({ cap: GIT_AT_ONCE, program: 'git', env: o.env });
  const { main, worktree } = await findRepository(git, o.from);
  const dir = join(
    o.root,
    `${basename(main).replace(/[^\w.-]/g, '-') || 'repository'}-${createHash('sha256').update(main).digest('hex').slice(0, 12)}`,
  );
  const sql = openSqlite(join(dir, 'ledger.db'), o.now);
  const ledger = new Ledger(sql, o.now);
  const settings = new Map((await ledger.goals()).map((goal) => [goal.id, goal.settings.run]));
  const queue = createSqliteQueue({ sql, now: o.now, rules: (goal) => settings.get(goal) ?? { rateRetries: 5, lostRetries: 2 } });
  return {
    ...{ sql, ledger, queue, git, repository: main, worktree: worktree ?? main, dir },
    goalDir: ({ uid }) => join(dir, uid),
    close: () => sql.close(),
  };
}

/** Adds a batch; nothing of it runs yet. Throws LedgerError 'supervised' while another batch of the repository runs. */
export async function addBatch(
  b: Opened,
  o: { plan: Plan; file: { name: string; text: string }; session: string; yes: boolean },
): Promise<Goal> {
  const pid = await runnerOf(b);
  if (pid !== null) {
    throw new LedgerError(
      'supervised',
      `A batch of this repository is being run already, by process ${pid}.`,
      'Wait for it, or end it: herd batch cancel',
      { pid },
    );
  }
  const look = await b.git.look(b.worktree);
  const name = o.plan.base ?? (await look.text(['rev-parse', '--abbrev-ref', 'HEAD']));
  const commit = await commitId(look, o.plan.base ?? 'HEAD');
  const goal = await b.ledger.createGoal({
    ...{ uid: randomBytes(4).toString('hex'), plan: o.plan, repository: b.repository, base: { name, commit } },
    ...{ session: o.session, yes: o.yes, file: o.file },
  });
  const canaries = new Set(chooseCanaries(o.plan.tasks, o.plan.run.canary));
  await b.queue.enqueue(
    goal.id,
    o.plan.tasks.map((spec) => ({ spec, canary: canaries.has(spec.id), held: canaries.size > 0 && !canaries.has(spec.id) })),
  );
  return goal;
}

/** Pid of the process that runs a batch of this repository; null when none does. */
export function runnerOf(b: Opened): Promise<number | null> {
  return supervisorOf(b.sql, startOf);
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

/** Becomes the repository's only runner and runs the goal as far as it goes. Throws LedgerError 'supervised'. */
export async function runGoal(b: Opened, goal: Goal, o: RunOptions): Promise<string> {
  const own = { host: LOCAL, pid: process.pid, start: startOf(process.pid) ?? String(process.pid), version: o.version };
  await takeSupervision(b.sql, own, startOf, o.now());
  try {
    return await supervise({
      ...{ goal, ledger: b.ledger, queue: b.queue, git: b.git, dir: b.goalDir(goal), place: o.place, host: LOCAL },
      ...{ now: o.now, chance: o.chance, fault: o.fault, drainTimeout: DRAIN, signal: { onTerm: o.onTerm } },
      makeLink: (onEvent, onConnect) => new SessionLink({ connect: o.connect, onEvent, onConnect }),
    });
  } finally {
    await b.sql.run('update host set supervisor = 0 where name = ? and pid = ?', LOCAL, process.pid);
  }
}

function startOf(pid: number): string | null {
  return startOfProcess(pid, startByPs);
}

function startByPs(pid: number): string | null {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}
