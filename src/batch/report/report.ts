// What a batch came to: goodput, cost against the canary, retries, findings. Every number is from the ledger; what is not known is null.
import type { Ledger } from '../ledger/ledger.ts';
import type { AttemptRow, Finding, Goal, TaskRow } from '../ledger/rows.ts';
import { median } from '../plan/advice.ts';

/** Events of a batch that are looked through. */
const EVENTS_MAX = 1_000_000;
const SEVERITIES: readonly Finding['severity'][] = ['error', 'warning', 'info'];
/** Rows, and lines that are none, shown as text; all are in the JSON. */
const ROWS_SHOWN = 20;
/** Characters of a row's text there. */
const TEXT_SHOWN = 160;

export interface Report {
  batch: number;
  name: string;
  state: string;
  why: string | null;
  base: { name: string; commit: string };
  /** ms that its runner worked on it. */
  time: number;
  tasks: { total: number; done: number; failed: number; cancelled: number; waiting: number; landed: number };
  attempts: number;
  cost: number | null;
  tokens: number | null;
  /** Attempts that did not say what they cost. */
  unknownCost: number;
  /** Tokens (agent seconds) of attempts whose patch is in a merged commit, by the share of added lines that is there, over all. Null before a merge. */
  tokenGoodput: number | null;
  timeGoodput: number | null;
  /** Cost over (median of the canary × tasks). */
  costRatio: number | null;
  /** Shares of attempts that were retries; of agent time that waited for limits; of attempts that ran out of time. */
  retryShare: number;
  limitShare: number;
  timeoutShare: number;
  findings: number;
  /** What reducers, tasks and herd itself have found, the worst first. */
  rows: Pick<Finding, 'task' | 'file' | 'line' | 'kind' | 'severity' | 'text' | 'needsDecision'>[];
  /** Lines of reducers that are no rows, with why. */
  rejectedRows: { task: string; why: string }[];
  findingsPerMerged: number | null;
  outOfScope: number;
  failedChecks: number;
  stale: number;
  decisions: { open: number; oldest: number | null };
  /** Those that did not succeed, with reasons. */
  failures: { task: string; outcome: string; why: string; attempts: number }[];
}

/** What a batch came to, from its ledger. `now`: ms since the epoch, for what still runs. */
export async function makeReport(ledger: Ledger, goal: Goal, now: number): Promise<Report> {
  const [tasks, attempts, findings, decisions, events] = [
    await ledger.tasks(goal.id),
    await ledger.attempts(goal.id),
    await ledger.findings(goal.id),
    await ledger.decisions(goal.id),
    await ledger.events(goal.id, 0, EVENTS_MAX),
  ];
  const work = tasks.filter((task) => task.stage === 'work');
  const ended = attempts.filter((attempt) => attempt.ended !== null);
  const share = (part: number, all: number) => (all === 0 ? 0 : part / all);
  const merged = work.filter((task) => (task.mergedShare ?? 0) > 0);
  const open = decisions.filter((decision) => decision.answer === null);
  const cost = total(ended.map((a) => a.cost));
  const canary = median(ended.filter((a) => a.outcome === 'ok' && work.some((t) => t.id === a.task && t.canary)).map((a) => a.cost));
  const agentTime = sum(ended.map(timeOf));
  const waited = sum(ended.map((a) => a.waited));
  const started = new Set<string>();
  const retries = attempts.filter((a) => started.has(a.task) || !started.add(a.task)).length;
  const is = (state: string) => work.filter((task) => task.state === state).length;
  return {
    ...{
      batch: goal.id,
      name: goal.name,
      state: goal.state,
      why: goal.why,
      base: { name: goal.baseName, commit: goal.baseCommit },
      time: goal.runMs,
    },
    tasks: {
      ...{ total: work.length, done: is('done'), failed: is('failed'), cancelled: is('cancelled') },
      ...{ waiting: is('ready') + is('held') + is('active'), landed: work.filter((task) => task.landed === 'applied').length },
    },
    ...{ attempts: attempts.length, cost, tokens: total(ended.map((a) => a.tokens)) },
    unknownCost: ended.filter((a) => a.cost === null && !['rate', 'limit', 'lost'].includes(a.outcome ?? '')).length,
    tokenGoodput: goodput(work, ended, (a) => a.tokens),
    timeGoodput: goodput(work, ended, timeOf),
    costRatio: cost === null || canary === null || canary === 0 || work.length === 0 ? null : cost / (canary * work.length),
    retryShare: share(retries, attempts.length),
    limitShare: share(waited, waited + agentTime),
    timeoutShare: share(ended.filter((a) => a.outcome === 'timeout').length, ended.length),
    findings: findings.length,
    rows: findings
      .map(({ task, file, line, kind, severity, text, needsDecision }) => ({ task, file, line, kind, severity, text, needsDecision }))
      .sort((one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity)),
    rejectedRows: events.filter(({ kind }) => kind === 'row-rejected').map(({ subject, data }) => ({ task: subject, why: data ?? '' })),
    findingsPerMerged: merged.length === 0 ? null : findings.length / merged.length,
    outOfScope: findings.filter((finding) => finding.kind === 'scope').length,
    failedChecks: ended.filter((a) => a.outcome === 'check').length,
    stale: ended.filter((a) => a.outcome === 'stale').length,
    decisions: { open: open.length, oldest: open.length === 0 ? null : now - Math.min(...open.map((d) => d.asked)) },
    failures: work
      .filter((task) => task.state === 'failed' || task.state === 'cancelled')
      .map((task) => ({ task: task.id, outcome: task.outcome ?? task.state, why: task.why ?? '', attempts: task.attempt })),
  };
}

/** Null before anything was merged, and when no attempt told its amount. */
function goodput(work: readonly TaskRow[], ended: readonly AttemptRow[], amount: (attempt: AttemptRow) => number | null): number | null {
  const all = total(ended.map(amount));
  if (all === null || all === 0 || work.every((task) => task.mergedShare === null)) return null;
  const won = new Map(work.map((task) => [`${task.id} ${task.wonAttempt}`, task.mergedShare ?? 0]));
  return sum(ended.map((attempt) => (amount(attempt) ?? 0) * (won.get(`${attempt.task} ${attempt.n}`) ?? 0))) / all;
}

function timeOf(attempt: AttemptRow): number {
  return attempt.started === null || attempt.ended === null ? 0 : Math.max(0, attempt.ended - attempt.started);
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}

function total(values: readonly (number | null)[]): number | null {
  const known = values.filter((value): value is number => value !== null);
  return known.length === 0 ? null : sum(known);
}

/** Goodput below which a report warns. */
const GOODPUT_LOW = 0.5;

/** The report as `herd batch report` prints it. */
export function reportText(r: Report): string {
  const percent = (value: number | null) => (value === null ? 'not known' : `${Math.round(value * 100)} %`);
  const lines = [
    `batch ${r.batch} ${r.name}: ${r.state}${r.why ? ` (${r.why})` : ''}`,
    `base            ${r.base.name} ${r.base.commit.slice(0, 12)}`,
    `tasks           ${r.tasks.total}: ${r.tasks.done} done, ${r.tasks.failed} failed, ${r.tasks.cancelled} cancelled, ${r.tasks.waiting} waiting, ${r.tasks.landed} landed`,
    `time            ${(r.time / 60_000).toFixed(1)} min, ${r.attempts} attempts`,
    `cost            ${r.cost === null ? 'unknown' : `$${r.cost.toFixed(3)}`}${r.unknownCost > 0 ? ` (${r.unknownCost} attempts did not say)` : ''}, ${r.tokens === null ? 'tokens unknown' : `${r.tokens} tokens`}`,
    `goodput         tokens ${percent(r.tokenGoodput)}, time ${percent(r.timeGoodput)}${r.tokenGoodput === null ? ' (nothing merged yet)' : ''}`,
    `cost ratio      ${r.costRatio === null ? 'not known' : `${r.costRatio.toFixed(2)}x of what the canary promised`}`,
    `retries         ${percent(r.retryShare)} of attempts, ${percent(r.limitShare)} of time waited for limits, ${percent(r.timeoutShare)} timed out`,
    `findings        ${r.findings}${r.findingsPerMerged === null ? '' : `, ${r.findingsPerMerged.toFixed(2)} per merged task`}; ${r.outOfScope} out of scope, ${r.failedChecks} failed checks, ${r.stale} stale`,
    `decisions       ${r.decisions.open} open${r.decisions.oldest === null ? '' : `, the oldest for ${Math.round(r.decisions.oldest / 60_000)} min`}`,
  ];
  if (r.tokenGoodput !== null && r.tokenGoodput < GOODPUT_LOW) lines.push(`! Less than half of what was paid for is in the result.`);
  const rows = r.rows.map(({ severity, task, file, line, text, needsDecision }) => {
    const place = file === null ? '' : `  ${file}${line === null ? '' : `:${line}`}`;
    return `${severity}  ${task}${place}  ${oneLine(text)}${needsDecision ? ' (needs a decision)' : ''}`;
  });
  lines.push(...listed('found:', rows));
  lines.push(
    ...listed(
      '! lines of reducers that are no rows:',
      r.rejectedRows.map(({ task, why }) => `${task}  ${oneLine(why)}`),
    ),
  );
  if (r.failures.length > 0) lines.push('not done:');
  for (const f of r.failures) lines.push(`  ${f.task}  ${f.outcome}  ${f.why}${f.attempts > 1 ? ` (${f.attempts} attempts)` : ''}`);
  return lines.join('\n');
}

function listed(title: string, rows: readonly string[]): string[] {
  if (rows.length === 0) return [];
  const more = rows.length > ROWS_SHOWN ? [`  and ${rows.length - ROWS_SHOWN} more: herd batch report --json`] : [];
  return [title, ...rows.slice(0, ROWS_SHOWN).map((row) => `  ${row}`), ...more];
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > TEXT_SHOWN ? `${line.slice(0, TEXT_SHOWN)}…` : line;
}
