// Who runs a batch: at most one process at a time, and never none by accident. It gives the place up in a transaction that looks whether
// somebody wants it to go on; whoever wants that writes so first and looks for a runner afterwards. So one of the two always sees the other.
import { execFileSync } from 'node:child_process';
import { GOING_STATES } from '../model/batch.ts';
import type { Goal } from './ledger/rows.ts';
import { LedgerError, marks, maybeNumber, number, type Row, text } from './ledger/sql.ts';
import { type HostIdentity, startOfProcess, takeSupervision } from './ledger/sqlite.ts';
import type { Opened } from './opened.ts';

/** ms for a runner that has given up its place to let go of its lock. */
const LOCK_TIME = 5000;
/** ms for a runner whose batch has nothing left to do to be gone. */
const ENDING_TIME = 15_000;
/** ms between looks. */
const PAUSE = 50;

/** The process that runs a batch. */
export interface Running {
  pid: number;
  /** Its batch; null when it was written by an older version. */
  goal: number | null;
  /** It was asked to end and takes nothing new. */
  draining: boolean;
}

/** The runner of `goal`; null when there is none. */
export async function runnerOf(b: Opened, goal: number): Promise<Running | null> {
  return (await runners(b)).find((running) => running.goal === goal || running.goal === null) ?? null;
}

/** Every living runner: with a ledger in a file at most one. */
async function runners(b: Opened): Promise<Running[]> {
  const found: Running[] = [];
  for (const row of await b.sql.all('select pid, pid_start, goal, draining from host where supervisor = 1')) {
    if (await isThere(b, row)) {
      found.push({ pid: number(row, 'pid'), goal: maybeNumber(row, 'goal'), draining: number(row, 'draining') === 1 });
    }
  }
  return found;
}

function isThere(b: Opened, row: Row): Promise<boolean> | boolean {
  if (b.shared) return b.shared.locked(lockOf(number(row, 'goal')));
  return startOf(number(row, 'pid')) === text(row, 'pid_start');
}

/** Names the runner of `goal` that began last, in the ledger's words; '' when there has been none. */
export async function newestRunner(b: Opened, goal: number): Promise<string> {
  const [host] = await b.sql.all('select pid, started from host where goal = ? order by started desc limit 1', goal);
  return host ? `${host.pid}@${host.started}` : '';
}

/**
 * Resolves when another batch may be run beside what there is. With a ledger in a file that is when nothing runs: a runner that is ending
 * is waited for. Throws LedgerError 'supervised'.
 */
export async function waitForPlace(b: Opened, own: number | null): Promise<void> {
  if (b.shared) return;
  for (const end = Date.now() + ENDING_TIME; ; ) {
    const other = (await runners(b)).find(({ goal }) => goal === null || goal !== own);
    if (!other) return;
    if (Date.now() > end || (await hasWork(b))) throw beingRun(other.pid);
    await new Promise((wait) => setTimeout(wait, PAUSE));
  }
}

/** Something runs, or could be started at any moment. */
async function hasWork(b: Opened): Promise<boolean> {
  const rows = await b.sql.all(
    `select 1 from task t join goal g on g.id = t.goal where t.state = 'active'
     or (t.state = 'ready' and g.state in (${marks(GOING_STATES)})) limit 1`,
    ...GOING_STATES,
  );
  return rows.length > 0;
}

/** Becomes the runner of `goal`. Throws LedgerError 'supervised' while another lives. */
export async function takePlace(b: Opened, goal: Goal, own: HostIdentity, now: number): Promise<void> {
  if (!b.shared) return takeSupervision(b.sql, { ...own, goal: goal.id }, startOf, now);
  for (const end = Date.now() + LOCK_TIME; !(await b.shared.lock(lockOf(goal.id))); ) {
    if (Date.now() > end) throw new LedgerError('supervised', `Batch ${goal.id} is being run already.`, 'See: herd batch status');
    await new Promise((wait) => setTimeout(wait, PAUSE));
  }
  await addHost(b, own, now, goal.id);
}

/** Gives the place up; false when somebody wants the batch to go on and it must not `end` now. */
export function leavePlace(b: Opened, goal: number, host: string, end: boolean): Promise<boolean> {
  return b.sql.tx(async (tx) => {
    await tx.run('update goal set why = why where id = ?', goal);
    const [wanted] = await tx.all(
      `select 1 from goal g where g.id = ? and (g.state in (${marks(GOING_STATES)})
       or exists (select 1 from ask a where a.goal = g.id and a.done is null))`,
      ...[goal, ...GOING_STATES],
    );
    if (wanted && !end) return false;
    await tx.run('update host set supervisor = 0 where name = ?', host);
    return true;
  });
}

/** A host that claims; it shows as long as it gives signs of life. `goal`: the batch that it supervises. */
export async function addHost(b: Opened, own: HostIdentity, now: number, goal: number | null = null): Promise<void> {
  await b.sql.run(
    `insert into host (name, pid, pid_start, version, started, seen, goal, supervisor) values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (name) do update set pid = excluded.pid, pid_start = excluded.pid_start, version = excluded.version, started = excluded.started,
     seen = excluded.seen, goal = excluded.goal, supervisor = excluded.supervisor, draining = 0`,
    ...[own.host, own.pid, own.start, own.version, now, now, goal, goal === null ? 0 : 1],
  );
}

/** The refusal of a second supervisor; `pid` is the first one's. */
export function beingRun(pid: number): LedgerError {
  return new LedgerError(
    'supervised',
    `A batch of this repository is being run already, by process ${pid}.`,
    'Wait for it, or end it: herd batch cancel',
    { pid },
  );
}

function lockOf(goal: number): string {
  return `goal:${goal}`;
}

/** What tells this process from another with its pid. */
export function startOf(pid: number): string | null {
  return startOfProcess(pid, startByPs);
}

function startByPs(pid: number): string | null {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}
