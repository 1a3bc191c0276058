// A batch as its board shows it, made from the ledger and from what runs. Pure.
import type { BatchColumn, BatchRow, BatchSummary } from '../model/batch.ts';
import type { AttemptRow, Decision, Goal, TaskRow } from './ledger/rows.ts';

/** ms over which the rate of settling is taken. */
const RATE_SPAN = 5 * 60_000;

export interface BoardFacts {
  goal: Goal;
  tasks: readonly TaskRow[];
  attempts: readonly AttemptRow[];
  decisions: readonly Decision[];
  holds: readonly { provider: string; until: number; why: string }[];
  /** Attempts that ask for somebody, by task: workspace and question. */
  blocked: ReadonlyMap<string, { workspace: number | null; question: string }>;
  limit: number;
  runner: number;
  now: number;
}

/** The summary and every row. */
export function makeBoard(f: BoardFacts): { summary: BatchSummary; rows: BatchRow[] } {
  const last = new Map<string, AttemptRow>();
  for (const attempt of f.attempts) last.set(attempt.task, attempt);
  const open = new Map(f.decisions.filter((d) => d.answer === null && d.task !== null).map((d) => [d.task!, d]));
  const costs = Map.groupBy(f.attempts, (attempt) => attempt.task);
  const rows = f.tasks.map((task): BatchRow => {
    const blocked = f.blocked.get(task.id);
    const column = columnOf(task, blocked !== undefined || open.has(task.id));
    const known = (costs.get(task.id) ?? []).flatMap((attempt) => (attempt.cost === null ? [] : [attempt.cost]));
    const attempt = last.get(task.id);
    return {
      ...{ id: task.id, column, why: whyOf(task, f, blocked?.question ?? open.get(task.id)?.question), attempt: task.attempt },
      ...{ agent: task.spec.agent, since: task.state === 'active' ? (attempt?.started ?? task.since) : task.since },
      ...{
        cost: known.length === 0 ? null : known.reduce((a, b) => a + b, 0),
        workspace: blocked?.workspace ?? (task.state === 'active' ? (attempt?.workspace ?? null) : null),
      },
    };
  });
  return { summary: summarise(f, rows), rows };
}

function columnOf(task: TaskRow, needs: boolean): BatchColumn {
  if (needs) return 'needs';
  if (task.state === 'active') return 'running';
  if (task.state === 'done') return 'done';
  return task.state === 'failed' || task.state === 'cancelled' ? 'failed' : 'queued';
}

function whyOf(task: TaskRow, f: BoardFacts, question: string | undefined): string {
  if (question !== undefined) return question;
  if (task.state === 'held') return 'waits for the canary';
  if (task.state !== 'ready') return task.why ?? '';
  const hold = f.holds.find(({ provider }) => provider === task.spec.provider);
  if (hold) return `${hold.why}, until ${clock(hold.until)}`;
  if (task.runAfter > f.now) return task.why ?? 'waits';
  const missing = task.spec.needs.filter((need) => f.tasks.find((other) => other.id === need)?.state !== 'done');
  return missing.length > 0 ? `needs ${missing.slice(0, 3).join(', ')}` : '';
}

function clock(at: number): string {
  return new Date(at).toTimeString().slice(0, 5);
}

function summarise(f: BoardFacts, rows: readonly BatchRow[]): BatchSummary {
  const counts: BatchSummary['counts'] = { queued: 0, running: 0, needs: 0, failed: 0, done: 0 };
  for (const { column } of rows) counts[column]++;
  const settled = f.tasks.filter((task) => ['done', 'failed'].includes(task.state));
  const span = Math.min(RATE_SPAN, Math.max(1000, f.now - f.goal.created));
  const recent = settled.filter((task) => task.since > f.now - span).length;
  const rate = recent === 0 ? null : recent / (span / 60_000);
  const rest = counts.queued + counts.running;
  const known = f.attempts.filter((attempt) => attempt.cost !== null);
  const counted = f.attempts.filter((attempt) => attempt.tokens !== null);
  return {
    ...{ key: f.goal.uid, goal: f.goal.id, name: f.goal.name, repository: f.goal.repository, state: f.goal.state, why: f.goal.why ?? '' },
    ...{ limit: f.limit, slots: f.goal.settings.run.slots, counts, total: rows.length, rate },
    cost: known.length === 0 ? null : known.reduce((total, attempt) => total + attempt.cost!, 0),
    tokens: counted.length === 0 ? null : counted.reduce((total, attempt) => total + attempt.tokens!, 0),
    left: rate === null || rest === 0 ? null : Math.round((rest / rate) * 60_000),
    ...{ started: f.goal.created, runner: f.runner, gone: null },
  };
}
