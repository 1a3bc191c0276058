// What settling an attempt does to the ledger: fence, next state, dependents, artifacts, findings, events. Both adapters run this inside
// their transaction.

import { maybeNumber, maybeText, number, type Sql, text } from '../ledger/sql.ts';
import { type Claim, claimKey, type Outcome } from '../task.ts';
import type { Counts, LiveAttempt, NewTask, Result, Spend, Started } from './queue.ts';

export interface RetryRules {
  rateRetries: number;
  lostRetries: number;
}

/** Priority of canaries: above all that a file may say. */
const CANARY_FIRST = 100_000;

export type NextState = 'done' | 'failed' | 'ready' | 'cancelled';

/** Only what is nobody's fault is tried again: limits without end, rates and losses a few times. */
export function nextState(outcome: Outcome, hits: { rate: number; lost: number }, rules: RetryRules): NextState {
  switch (outcome.kind) {
    case 'ok':
      return 'done';
    case 'limit':
      return 'ready';
    case 'rate':
      return hits.rate < rules.rateRetries ? 'ready' : 'failed';
    case 'lost':
      return outcome.unstarted || hits.lost < rules.lostRetries ? 'ready' : 'failed';
    case 'cancelled':
      return 'cancelled';
    default:
      return 'failed';
  }
}

/** Adds tasks with their dependencies and owned paths. Returns the ids that are new. */
export async function insertTasks(sql: Sql, goal: number, tasks: readonly NewTask[], now: number): Promise<string[]> {
  const [last] = await sql.all('select max(seq) as seq from task where goal = ?', goal);
  let seq = number(last, 'seq');
  const fresh: NewTask[] = [];
  for (const task of tasks) {
    const { spec, canary, held } = task;
    const added = await sql.run(
      `insert into task (goal, id, seq, stage, spec, provider, grp, priority, state, since, canary) values (${'?, '.repeat(10)}?) on conflict do nothing`,
      ...[goal, spec.id, ++seq, spec.stage, JSON.stringify(spec), spec.provider, spec.group, canary ? CANARY_FIRST : spec.priority],
      ...[held ? 'held' : 'ready', now, canary ? 1 : 0],
    );
    if (added > 0) fresh.push(task);
  }
  for (const { spec } of fresh) {
    for (const need of spec.needs) {
      await sql.run('insert into dep (goal, task, needs) values (?, ?, ?) on conflict do nothing', goal, spec.id, need);
    }
  }
  return fresh.map(({ spec }) => spec.id);
}

/** Makes an attempt of a task that is ready (or, after a host's death, `from` active); null when it is not. */
export async function takeTask(
  sql: Sql,
  goal: number,
  id: string,
  o: { from: readonly string[]; host: string; now: number; lease: number; job: string | null; jobTry: number },
): Promise<Claim | null> {
  const [row] = await sql.all(
    `update task set state = 'active', attempt = attempt + 1, since = ?, why = null where goal = ? and id = ? and state in (${o.from.map((s) => `'${s}'`).join(', ')})
     returning spec, attempt, rate_hits, lost_hits`,
    ...[o.now, goal, id],
  );
  if (!row) return null;
  const spec = JSON.parse(text(row, 'spec')) as Claim['spec'];
  const claim: Claim = {
    ...{ goal, task: id, n: number(row, 'attempt'), spec, claimed: o.now, deadline: o.now + spec.timeout },
    ...{ rateHits: number(row, 'rate_hits'), lostHits: number(row, 'lost_hits'), host: o.host, job: o.job, jobTry: o.jobTry },
  };
  await sql.run(
    'insert into attempt (goal, task, n, host, claimed, deadline, lease_until, job, job_try) values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[goal, id, claim.n, o.host, o.now, claim.deadline, o.now + o.lease, o.job, o.jobTry],
  );
  for (const pattern of spec.allow) {
    await sql.run('insert into ownership (goal, task, pattern, since) values (?, ?, ?, ?)', goal, id, pattern, o.now);
  }
  await addEvent(sql, { goal, actor: o.host, subject: id, kind: 'claimed', data: String(claim.n), at: o.now });
  return claim;
}

/** From here on the deadline counts: making the worktree is not the agent's time. */
export async function noteStarted(sql: Sql, claim: Claim, s: Started): Promise<void> {
  claim.deadline = s.at + claim.spec.timeout;
  await sql.run(
    'update attempt set started = ?, pid = ?, workspace = ?, worktree = ?, branch = ?, base = ?, deadline = ? where goal = ? and task = ? and n = ? and ended is null',
    ...[s.at, s.pid, s.workspace, s.worktree, s.branch, s.base, claim.deadline, claim.goal, claim.task, claim.n],
  );
}

/** The fenced part: false when the attempt holds its task no more. */
export async function settleTask(
  sql: Sql,
  claim: Claim,
  outcome: Outcome,
  result: Result | undefined,
  rules: RetryRules,
  now: number,
): Promise<boolean> {
  const { goal, task, n } = claim;
  const next = nextState(outcome, { rate: claim.rateHits, lost: claim.lostHits }, rules);
  const why = next === 'failed' && outcome.kind === 'rate' ? `${outcome.why}; ${rules.rateRetries} retries used up` : outcome.why;
  const held = await sql.run(
    `update task set state = ?, why = ?, outcome = ?, run_after = ?, since = ?, rate_hits = rate_hits + ?, lost_hits = lost_hits + ?, won_attempt = ?, job = null
     where goal = ? and id = ? and attempt = ? and state = 'active'`,
    ...[
      next,
      why,
      outcome.kind,
      outcome.runAfter ?? 0,
      now,
      outcome.kind === 'rate' ? 1 : 0,
      outcome.kind === 'lost' && !outcome.unstarted ? 1 : 0,
    ],
    ...[next === 'done' ? n : null, goal, task, n],
  );
  const kind = held > 0 ? outcome.kind : 'stale';
  await sql.run(
    'update attempt set ended = ?, outcome = ?, why = ?, cost = ?, tokens = ?, added = ?, result = ?, waited = ? where goal = ? and task = ? and n = ? and ended is null',
    ...[now, kind, outcome.why, outcome.cost, outcome.tokens, outcome.added ?? null, outcome.result ?? null],
    ...[outcome.kind === 'rate' || outcome.kind === 'limit' ? Math.max(0, (outcome.runAfter ?? now) - now) : 0, goal, task, n],
  );
  await addEvent(sql, { goal, actor: claim.host, subject: task, kind, data: outcome.why ?? String(n), at: now });
  if (held === 0) return false;
  await sql.run('update ownership set until = ? where goal = ? and task = ? and until is null', now, goal, task);
  if (result) await addResult(sql, claim, result, now);
  if (next === 'failed' || next === 'cancelled') await stopDependents(sql, goal, task, now);
  return true;
}

async function addResult(sql: Sql, { goal, task, n }: Claim, result: Result, now: number): Promise<void> {
  for (const a of result.artifacts) {
    await sql.run(
      'insert into artifact (goal, task, attempt, kind, path, sha256, size, at) values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing',
      ...[goal, task, n, a.kind, a.path, a.sha256, a.size, now],
    );
  }
  for (const [i, f] of result.findings.entries()) {
    await sql.run(
      `insert into finding (goal, task, attempt, reducer, file, kind, severity, line, text, needs_decision, at, mark) values (?, ?, ?, null, ?, ?, ?, null, ?, 0, ?, ?)
       on conflict do nothing`,
      ...[goal, task, n, f.file, f.kind, f.severity, f.text, now, `${claimKey({ goal, task, n })}:own:${i}`],
    );
  }
}

/** What needs a task that will not come is cancelled, and says so; a retry brings it back. */
export async function stopDependents(sql: Sql, goal: number, task: string, now: number): Promise<void> {
  const rows = await sql.all(
    `with recursive behind(id) as (select task from dep where goal = ? and needs = ? union select d.task from dep d join behind b on d.goal = ? and d.needs = b.id)
     select id from behind`,
    ...[goal, task, goal],
  );
  for (const row of rows) {
    await sql.run(
      "update task set state = 'cancelled', why = ?, since = ? where goal = ? and id = ? and state in ('ready', 'held')",
      ...[`needs ${task}, which did not succeed`, now, goal, text(row, 'id')],
    );
  }
}

export interface NewEvent {
  goal: number | null;
  actor: string;
  subject: string;
  kind: string;
  data: string | null;
  at: number;
}

/** Writes one event of a batch; in the transaction that is open, if one is. */
export async function addEvent(sql: Sql, e: NewEvent): Promise<void> {
  await sql.run(
    'insert into event (at, goal, actor, subject, kind, data) values (?, ?, ?, ?, ?, ?)',
    ...[e.at, e.goal, e.actor, e.subject, e.kind, e.data],
  );
}

/** Attempts of this host that hold their tasks and have not ended, the oldest claim first. */
export async function liveAttempts(sql: Sql, host: string, goal?: number): Promise<LiveAttempt[]> {
  const rows = await sql.all(
    `select a.*, t.spec, t.rate_hits, t.lost_hits from attempt a join task t on t.goal = a.goal and t.id = a.task and t.attempt = a.n
     where a.ended is null and t.state = 'active' and a.host = ? ${goal === undefined ? '' : 'and a.goal = ?'} order by a.claimed`,
    ...[host, ...(goal === undefined ? [] : [goal])],
  );
  return rows.map((row) => ({
    ...{ goal: number(row, 'goal'), task: text(row, 'task'), n: number(row, 'n'), spec: JSON.parse(text(row, 'spec')) },
    ...{ deadline: number(row, 'deadline'), claimed: number(row, 'claimed'), host, job: maybeText(row, 'job') },
    ...{ jobTry: number(row, 'job_try'), rateHits: number(row, 'rate_hits'), lostHits: number(row, 'lost_hits') },
    ...{ pid: maybeNumber(row, 'pid'), started: maybeNumber(row, 'started'), workspace: maybeNumber(row, 'workspace') },
    ...{ worktree: maybeText(row, 'worktree'), branch: maybeText(row, 'branch'), base: maybeText(row, 'base') },
  }));
}

/** How many tasks of a goal are in each state. */
export async function countTasks(sql: Sql, goal: number): Promise<Counts> {
  const counts: Counts = { held: 0, ready: 0, active: 0, done: 0, failed: 0, cancelled: 0 };
  const rows = await sql.all('select state, count(*) as n from task where goal = ? group by state', goal);
  for (const row of rows) counts[text(row, 'state') as keyof Counts] = number(row, 'n');
  return counts;
}

/** What the ended attempts of a goal took: US dollars and tokens as far as they are known, and how many did not tell their cost. */
export async function sumSpend(sql: Sql, goal: number): Promise<Spend> {
  const [row] = await sql.all(
    `select coalesce(sum(cost), 0) as cost, coalesce(sum(tokens), 0) as tokens, count(*) as ended,
     sum(case when cost is null and outcome not in ('rate', 'limit', 'lost') then 1 else 0 end) as unknown
     from attempt where goal = ? and ended is not null`,
    goal,
  );
  return { cost: number(row, 'cost'), tokens: number(row, 'tokens'), unknownCost: number(row, 'unknown'), ended: number(row, 'ended') };
}

/** SQL: everything that task `t` needs is done. */
export const NEEDS_MET = `not exists (select 1 from dep d join task p on p.goal = d.goal and p.id = d.needs where d.goal = t.goal and d.task = t.id and p.state <> 'done')`;
