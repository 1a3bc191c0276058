// Tasks from the ledger's own rows: for one host and one supervisor, where claiming is one statement in the transaction that records it.
// Leases are not needed here: whoever opens the ledger as its supervisor owns every attempt in it.
import { TAKING_STATES } from '../../model/batch.ts';
import { marks, type Sql, text } from '../ledger/sql.ts';
import { claimKey } from '../task.ts';
import type { Queue } from './queue.ts';
import {
  countTasks,
  insertTasks,
  liveAttempts,
  NEEDS_MET,
  noteStarted,
  type RetryRules,
  settleTask,
  sumSpend,
  takeTask,
} from './settle.ts';

export interface SqliteQueueOptions {
  sql: Sql;
  now(): number;
  rules(goal: number): RetryRules;
}

/** Does not own `sql`: whoever opened it closes it. */
export function createSqliteQueue({ sql, now, rules }: SqliteQueueOptions): Queue {
  return {
    enqueue: (goal, tasks) => sql.tx(async (tx) => void (await insertTasks(tx, goal, tasks, now()))),
    claim: (goal, n, host, lease) =>
      sql.tx(async (tx) => {
        const at = now();
        const ready = await tx.all(
          `select t.id from task t join goal g on g.id = t.goal where t.goal = ? and t.state = 'ready' and t.run_after <= ?
           and g.state in (${marks(TAKING_STATES)}) and t.provider not in (select provider from hold where until > ?) and ${NEEDS_MET}
           order by t.priority desc, t.seq limit ?`,
          ...[goal, at, ...TAKING_STATES, at, n],
        );
        const claims = [];
        for (const row of ready) {
          const claim = await takeTask(tx, goal, text(row, 'id'), { from: ['ready'], host, now: at, lease, job: null, jobTry: 0 });
          if (claim) claims.push(claim);
        }
        return claims;
      }),
    started: (claim, started) => noteStarted(sql, claim, started),
    renew: async (claims) => new Set(claims.map(claimKey)),
    settle: (claim, outcome, result) => sql.tx((tx) => settleTask(tx, claim, outcome, result, rules(claim.goal), now())),
    live: (host, goal) => liveAttempts(sql, host, goal),
    counts: (goal) => countTasks(sql, goal),
    spend: (goal) => sumSpend(sql, goal),
    reconcile: async () => 0,
    close: async () => {},
  };
}
