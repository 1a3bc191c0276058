// What a batch knows beyond handing out tasks: goals, plans, findings, decisions, verdicts, events, asks, holds. Over any database that
// speaks Sql. What agents or people said is only ever added.

import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BatchState } from '../../model/batch.ts';
import { addEvent, NEEDS_MET, stopDependents } from '../queue/settle.ts';
import type { Plan } from '../task.ts';
import {
  type Artifact,
  type Ask,
  type AttemptRow,
  asAttempt,
  asGoal,
  asTask,
  type Decision,
  type Finding,
  type Goal,
  type LoggedEvent,
  type NewFinding,
  type Settings,
  type TaskRow,
} from './rows.ts';
import { LedgerError, marks, maybeNumber, maybeText, number, type Sql, text } from './sql.ts';

export class Ledger {
  readonly sql: Sql;
  readonly #now: () => number;

  constructor(sql: Sql, now: () => number) {
    this.sql = sql;
    this.#now = now;
  }

  async createGoal(o: {
    uid: string;
    plan: Plan;
    repository: string;
    base: { name: string; commit: string };
    session: string;
    yes: boolean;
    file: { name: string; text: string };
  }): Promise<Goal> {
    const { tasks: _, ...settings } = o.plan;
    const id = await this.sql.tx(async (tx) => {
      const [row] = await tx.all(
        `insert into goal (uid, name, repository, base_name, base_commit, state, created, settings, session, file)
         values (?, ?, ?, ?, ?, 'checking', ?, ?, ?, ?) returning id`,
        ...[o.uid, o.plan.name, o.repository, o.base.name, o.base.commit, this.#now()],
        ...[JSON.stringify({ ...settings, yes: o.yes }), o.session, o.file.name],
      );
      const goal = number(row, 'id');
      await tx.run('insert into plan (goal, version, at, file, text) values (?, 1, ?, ?, ?)', goal, this.#now(), o.file.name, o.file.text);
      const { cost, tokens, time, failureShare } = o.plan.stop;
      for (const [kind, cap] of Object.entries({ cost, tokens, time, failureShare })) {
        if (cap !== null) await tx.run('insert into budget (goal, kind, cap) values (?, ?, ?)', goal, kind, cap);
      }
      await addEvent(tx, { goal, actor: 'person', subject: 'goal', kind: 'made', data: o.file.name, at: this.#now() });
      return goal;
    });
    return (await this.goal(id))!;
  }

  async goals(repository?: string): Promise<Goal[]> {
    const rows = repository
      ? await this.sql.all('select * from goal where repository = ? order by id desc', repository)
      : await this.sql.all('select * from goal order by id desc');
    return rows.map(asGoal);
  }

  async goal(id: number): Promise<Goal | null> {
    const [row] = await this.sql.all('select * from goal where id = ?', id);
    return row ? asGoal(row) : null;
  }

  /** Only if it is in one of the states `from`, where given: what a person said meanwhile stands. False when it was not. */
  async setState(goal: number, state: BatchState, why: string | null, from?: readonly BatchState[]): Promise<boolean> {
    const ended = ['done', 'cancelled', 'stopped'].includes(state) ? this.#now() : null;
    return this.sql.tx(async (tx) => {
      const [row] = await tx.all(
        `update goal set ended = ended where id = ? ${from ? `and state in (${marks(from)})` : ''} returning state, why`,
        goal,
        ...(from ?? []),
      );
      if (!row) return false;
      if (text(row, 'state') === state && maybeText(row, 'why') === why) return true;
      await tx.run('update goal set state = ?, why = ?, ended = ? where id = ?', state, why, ended, goal);
      await addEvent(tx, { goal, actor: 'runner', subject: 'goal', kind: state, data: why, at: this.#now() });
      return true;
    });
  }

  /** Nothing is left to do; false when somebody wants more of it, or has paused it. */
  async finish(goal: number): Promise<boolean> {
    const changed = await this.sql.tx(async (tx) => {
      const done = await tx.run(
        `update goal set state = 'done', why = null, ended = ? where id = ? and state in ('running', 'reducing', 'done')
         and not exists (select 1 from task t where t.goal = goal.id and (t.state = 'active' or (t.state = 'ready' and ${NEEDS_MET})))`,
        ...[this.#now(), goal],
      );
      if (done > 0) await addEvent(tx, { goal, actor: 'runner', subject: 'goal', kind: 'done', data: null, at: this.#now() });
      return done;
    });
    return changed > 0;
  }

  async setSettings(goal: number, settings: Settings): Promise<void> {
    await this.sql.run('update goal set settings = ? where id = ?', JSON.stringify(settings), goal);
  }

  async addRunTime(goal: number, ms: number): Promise<void> {
    await this.sql.run('update goal set run_ms = run_ms + ? where id = ?', Math.round(ms), goal);
  }

  async tasks(goal: number): Promise<TaskRow[]> {
    return (await this.sql.all('select * from task where goal = ? order by seq', goal)).map(asTask);
  }

  async needs(goal: number): Promise<{ task: string; needs: string }[]> {
    const rows = await this.sql.all('select task, needs from dep where goal = ?', goal);
    return rows.map((row) => ({ task: text(row, 'task'), needs: text(row, 'needs') }));
  }

  async attempts(goal: number): Promise<AttemptRow[]> {
    return (await this.sql.all('select * from attempt where goal = ? order by claimed, task, n', goal)).map(asAttempt);
  }

  async artifacts(goal: number): Promise<Artifact[]> {
    const rows = await this.sql.all('select * from artifact where goal = ? order by id', goal);
    return rows.map((row) => ({
      ...{ task: text(row, 'task'), attempt: number(row, 'attempt'), kind: text(row, 'kind'), path: text(row, 'path') },
      ...{ sha256: text(row, 'sha256'), size: number(row, 'size') },
    }));
  }

  /** Brings files here that other hosts have made. Nothing where there is only one host. */
  async fetchFiles(goal: number, dir: string): Promise<void> {
    for (const row of await this.sql.all('select path from blob where goal = ?', goal)) {
      const file = join(dir, text(row, 'path'));
      if (existsSync(file)) continue;
      const [blob] = await this.sql.all('select data from blob where goal = ? and path = ?', goal, text(row, 'path'));
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.new`, Buffer.from(text(blob!, 'data'), 'base64'), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    }
  }

  /** Lets tasks that wait for a yes be claimed. */
  async release(goal: number, who: string): Promise<void> {
    await this.sql.tx(async (tx) => {
      await tx.run("update task set state = 'ready', since = ? where goal = ? and state = 'held'", this.#now(), goal);
      await addEvent(tx, { goal, actor: who, subject: 'goal', kind: 'released', data: null, at: this.#now() });
    });
  }

  /** Failed and cancelled tasks (or those named) may be tried again, with their retries anew; what was cancelled behind them too. */
  async retry(goal: number, ids: readonly string[] | null, who: string): Promise<string[]> {
    return this.sql.tx(async (tx) => {
      const which =
        ids === null ? "state in ('failed', 'cancelled')" : `state in ('failed', 'cancelled', 'done') and id in (${marks(ids)})`;
      const rows = await tx.all(`select id from task where goal = ? and ${which}`, goal, ...(ids ?? []));
      const chosen = rows.map((row) => text(row, 'id'));
      for (const id of chosen) {
        await tx.run(
          "update task set state = 'ready', why = null, run_after = 0, rate_hits = 0, lost_hits = 0, won_attempt = null, since = ?, job = null where goal = ? and id = ?",
          ...[this.#now(), goal, id],
        );
        await addEvent(tx, { goal, actor: who, subject: id, kind: 'retry', data: null, at: this.#now() });
      }
      if (ids !== null) {
        await tx.run(
          `update task set state = 'ready', why = null, since = ? where goal = ? and state = 'cancelled' and why like 'needs %' and not exists
           (select 1 from dep d join task p on p.goal = d.goal and p.id = d.needs where d.goal = task.goal and d.task = task.id and p.state in ('failed', 'cancelled'))`,
          ...[this.#now(), goal],
        );
      }
      return chosen;
    });
  }

  /** Everything (or the task named, and what needs it) that has not begun is cancelled. */
  async cancelWaiting(goal: number, why: string, task?: string): Promise<void> {
    await this.sql.tx(async (tx) => {
      const cancelled = await tx.run(
        `update task set state = 'cancelled', why = ?, since = ? where goal = ? and state in ('ready', 'held') ${task ? 'and id = ?' : ''}`,
        ...[why, this.#now(), goal, ...(task ? [task] : [])],
      );
      if (task && cancelled > 0) await stopDependents(tx, goal, task, this.#now());
    });
  }

  /** Tasks that could run once their time comes: not held, nothing missing. */
  async waiting(goal: number, stage: string | null): Promise<{ count: number; next: number | null }> {
    const [row] = await this.sql.all(
      `select count(*) as n, min(t.run_after) as next from task t where t.goal = ? and t.state = 'ready' ${stage === null ? '' : 'and t.stage = ?'} and ${NEEDS_MET}`,
      ...[goal, ...(stage === null ? [] : [stage])],
    );
    const count = number(row, 'n');
    return { count, next: count > 0 ? number(row, 'next') : null };
  }

  async hold(provider: string, until: number, why: string): Promise<void> {
    await this.sql.run(
      `insert into hold (provider, until, why) values (?, ?, ?) on conflict (provider) do update set until = excluded.until, why = excluded.why
       where excluded.until > hold.until`,
      ...[provider, until, why],
    );
  }

  async holds(): Promise<{ provider: string; until: number; why: string }[]> {
    const rows = await this.sql.all('select * from hold where until > ?', this.#now());
    return rows.map((row) => ({ provider: text(row, 'provider'), until: number(row, 'until'), why: text(row, 'why') }));
  }

  /** Something a person wants of the runner; taken at its next look. */
  async ask(goal: number, kind: string, data: string | null, actor: string): Promise<void> {
    await this.sql.tx(async (tx) => {
      // In line with a runner that is about to leave.
      await tx.run('update goal set why = why where id = ?', goal);
      await tx.run('insert into ask (goal, kind, data, actor, at) values (?, ?, ?, ?, ?)', goal, kind, data, actor, this.#now());
      await addEvent(tx, { goal, actor, subject: 'goal', kind: `asked-${kind}`, data, at: this.#now() });
    });
  }

  async asks(goal: number): Promise<Ask[]> {
    const rows = await this.sql.all('select * from ask where goal = ? and done is null order by id', goal);
    return rows.map((row) => ({ id: number(row, 'id'), kind: text(row, 'kind'), data: maybeText(row, 'data'), actor: text(row, 'actor') }));
  }

  async answered(ask: number): Promise<void> {
    await this.sql.run('update ask set done = ? where id = ?', this.#now(), ask);
  }

  /** Rows of a reducer, and a decision for each that needs one; all or nothing. Rows that are there stay as they are. */
  async addFindings(goal: number, rows: readonly NewFinding[]): Promise<void> {
    await this.sql.tx(async (tx) => {
      for (const f of rows) {
        const [made] = await tx.all(
          `insert into finding (goal, task, attempt, reducer, file, kind, severity, line, text, needs_decision, at, mark)
           values (?, ?, null, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing returning id`,
          ...[goal, f.task, f.reducer, f.file, f.kind, f.severity, f.line, f.text, f.needsDecision ? 1 : 0, this.#now(), f.mark],
        );
        if (!made || !f.needsDecision) continue;
        await tx.run(
          'insert into decision (goal, finding, task, question, options, asked, unblocks) values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing',
          ...[goal, number(made, 'id'), f.task, f.text, JSON.stringify(['accept', 'reject']), this.#now(), f.task],
        );
      }
    });
  }

  async findings(goal: number): Promise<Finding[]> {
    const rows = await this.sql.all('select * from finding where goal = ? order by id', goal);
    return rows.map((row) => ({
      ...{ id: number(row, 'id'), task: text(row, 'task'), reducer: maybeText(row, 'reducer'), file: maybeText(row, 'file') },
      ...{ kind: text(row, 'kind'), severity: text(row, 'severity') as Finding['severity'], line: maybeNumber(row, 'line') },
      ...{ text: text(row, 'text'), needsDecision: number(row, 'needs_decision') === 1 },
    }));
  }

  async decisions(goal: number): Promise<Decision[]> {
    const rows = await this.sql.all('select * from decision where goal = ? order by id', goal);
    return rows.map((row) => ({
      ...{ id: number(row, 'id'), finding: maybeNumber(row, 'finding'), task: maybeText(row, 'task'), question: text(row, 'question') },
      ...{ options: JSON.parse(text(row, 'options')) as string[], answer: maybeText(row, 'answer'), who: maybeText(row, 'who') },
      ...{ asked: number(row, 'asked'), at: maybeNumber(row, 'at'), unblocks: maybeText(row, 'unblocks') },
    }));
  }

  /** A person's answer; 'reject' also rejects the task it is about. Throws LedgerError when there is no such open decision. */
  async decide(goal: number, id: number, answer: string, who: string): Promise<void> {
    await this.sql.tx(async (tx) => {
      const [row] = await tx.all(
        'update decision set answer = ?, who = ?, at = ? where goal = ? and id = ? returning task',
        ...[answer, who, this.#now(), goal, id],
      );
      if (!row) throw new LedgerError('not-found', `There is no decision ${id}.`, 'See: herd batch decide');
      const task = maybeText(row, 'task');
      if (task && answer === 'reject')
        await tx.run("update task set verdict = 'rejected', verdict_by = ? where goal = ? and id = ?", who, goal, task);
      await addEvent(tx, { goal, actor: who, subject: `decision ${id}`, kind: 'decided', data: answer, at: this.#now() });
    });
  }

  async setVerdict(goal: number, task: string, verdict: 'accepted' | 'rejected' | null, who: string): Promise<boolean> {
    return this.sql.tx(async (tx) => {
      const changed = await tx.run('update task set verdict = ?, verdict_by = ? where goal = ? and id = ?', verdict, who, goal, task);
      if (changed) await addEvent(tx, { goal, actor: who, subject: task, kind: verdict ?? 'undecided', data: null, at: this.#now() });
      return changed > 0;
    });
  }

  /** What landing made of a task: 'applied' with its commit, 'conflict', 'breaks', 'left-out'. */
  async setLanded(goal: number, task: string, landed: string | null, commit: string | null, why: string | null): Promise<void> {
    await this.sql.tx(async (tx) => {
      await tx.run('update task set landed = ?, landed_commit = ? where goal = ? and id = ?', landed, commit, goal, task);
      if (landed) await addEvent(tx, { goal, actor: 'landing', subject: task, kind: landed, data: why, at: this.#now() });
    });
  }

  async setMergedShare(goal: number, task: string, share: number): Promise<void> {
    await this.sql.run('update task set merged_share = ? where goal = ? and id = ?', share, goal, task);
  }

  async addCheckpoint(goal: number, worktree: string, base: string, head: string, note: string): Promise<void> {
    await this.sql.run(
      'insert into checkpoint (goal, worktree, base, head, note, at) values (?, ?, ?, ?, ?, ?)',
      ...[goal, worktree, base, head, note, this.#now()],
    );
  }

  async lastCheckpoint(goal: number, note: string): Promise<{ worktree: string; base: string; head: string } | null> {
    const [row] = await this.sql.all('select * from checkpoint where goal = ? and note = ? order by id desc limit 1', goal, note);
    return row ? { worktree: text(row, 'worktree'), base: text(row, 'base'), head: text(row, 'head') } : null;
  }

  async event(goal: number | null, actor: string, subject: string, kind: string, data: string | null): Promise<void> {
    await addEvent(this.sql, { goal, actor, subject, kind, data, at: this.#now() });
  }

  async events(goal: number, since = 0, limit = 1000): Promise<LoggedEvent[]> {
    const rows = await this.sql.all('select * from event where goal = ? and seq > ? order by seq limit ?', goal, since, limit);
    return rows.map((row) => ({
      ...{ seq: number(row, 'seq'), at: number(row, 'at'), actor: text(row, 'actor'), subject: text(row, 'subject') },
      ...{ kind: text(row, 'kind'), data: maybeText(row, 'data') },
    }));
  }

  /** Its sign of life; draining hosts claim nothing new. */
  async seen(host: string, draining: boolean): Promise<void> {
    await this.sql.run('update host set seen = ?, draining = ? where name = ?', this.#now(), draining ? 1 : 0, host);
  }

  async dropHost(host: string): Promise<void> {
    await this.sql.run('delete from host where name = ?', host);
  }
}
