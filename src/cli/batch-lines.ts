// Batches as verbs print them: one line, the tasks that matter, what a canary says about the rest.
import type { Estimate } from '../batch/plan/advice.ts';
import { type BatchRow, type BatchSummary, GOING_STATES } from '../model/batch.ts';
import { age, columns, plain } from './output.ts';

const GLYPHS: Record<BatchRow['column'], string> = { queued: '·', running: '◐', needs: '▲', failed: '✕', done: '●' };

/** "batch 3 docs · running · 12 of 20 done · …" */
export function summaryLine(s: BatchSummary, runner: number | null): string {
  const { counts } = s;
  const parts = [
    `batch ${s.goal} ${s.name}`,
    runner === null && GOING_STATES.includes(s.state) ? `interrupted while ${s.state}` : s.state,
    `${counts.done} of ${s.total} done`,
    ...(counts.running ? [`${counts.running} running`] : []),
    ...(counts.queued ? [`${counts.queued} queued`] : []),
    ...(counts.needs ? [`${counts.needs} need you`] : []),
    ...(counts.failed ? [`${counts.failed} failed`] : []),
    ...(s.limit < s.slots && runner !== null ? [`${s.limit} of ${s.slots} slots`] : []),
    s.cost === null ? 'cost unknown' : `$${s.cost.toFixed(2)}`,
    ...(s.left !== null && runner !== null ? [`${age(s.left)} left`] : []),
  ];
  return plain(`${parts.join(' · ')}${s.why ? `\n  ${s.why}` : ''}`);
}

/** Those that are not simply done; all with `all`. */
export function taskLines(rows: readonly BatchRow[], now: number, all: boolean): string {
  const shown = rows.filter((row) => all || row.column !== 'done');
  const order = ['needs', 'failed', 'running', 'queued', 'done'];
  shown.sort((a, b) => order.indexOf(a.column) - order.indexOf(b.column));
  return columns(
    shown.map((row) => [
      `  ${GLYPHS[row.column]} ${plain(row.id)}`,
      row.column,
      row.attempt > 1 ? `attempt ${row.attempt}` : '',
      age(now - row.since),
      plain(row.why),
    ]),
  );
}

/** What the canary took and the rest will probably take; what no agent told is unknown, never 0. */
export function estimateLines(e: Estimate): string {
  const unknown = (value: number | null, text: (value: number) => string) => (value === null ? 'unknown' : text(value));
  return [
    `The canary: ${unknown(e.passRate, (rate) => `${Math.round(rate * 100)} % passed`)}; a task takes ${unknown(e.each.time, age)} and costs ${unknown(e.each.cost, (c) => `$${c.toFixed(3)}`)}.`,
    `The other ${e.tasks} tasks: about ${unknown(e.time, age)}, cost ${unknown(e.cost, (c) => `$${c.toFixed(2)}`)}, tokens ${unknown(e.tokens, (t) => String(t))}.`,
  ].join('\n');
}
