// A batch's board as rows of text: how it stands, a bar, then its tasks by what they need from a person. Pure; views draw it, commands look
// up the task under the cursor in the same order.
import { BATCH_COLUMNS, type BatchColumn, type BatchRow, type BatchSummary, type BatchView } from '../../model/batch.ts';
import { ageText } from '../agent-look.ts';
import { fitLine, type Line, lineCells, plain, type Span, spread } from '../spans.ts';
import type { ColorName } from '../theme.ts';

/** What waits for somebody first, what is done last. */
const ORDER: readonly BatchColumn[] = ['needs', 'failed', 'running', 'queued', 'done'];
const LOOKS: Record<BatchColumn, [glyph: string, word: string, color: ColorName]> = {
  needs: ['▲', 'need you', 'warning'],
  failed: ['✕', 'failed', 'error'],
  running: ['◐', 'running', 'working'],
  queued: ['·', 'queued', 'muted'],
  done: ['●', 'done', 'success'],
};

/** The newest batch; null when none is known. */
export function newestBatch(batches: Readonly<Record<string, BatchView>> | null): BatchView | null {
  return Object.values(batches ?? {}).reduce<BatchView | null>(
    (best, view) => (best && best.summary.started >= view.summary.started ? best : view),
    null,
  );
}

/** Its tasks in the order of the board. */
export function boardTasks(view: BatchView): BatchRow[] {
  return ORDER.flatMap((column) => view.rows.filter((row) => row.column === column));
}

/** Name and state, how it goes (in a line of its own where they do not fit into one), counts (glyphs alone where words do not fit), the bar. */
export function boardHead({ summary: s }: BatchView, cols: number, now: number): Line[] {
  const state = s.gone === null ? s.state : `interrupted ${ageText(s.gone, now)} ago: herd batch resume`;
  // What is missed least comes last: it is cut first.
  const facts = [
    s.left === null ? null : `${ageText(now - s.left, now)} left`,
    s.cost === null ? 'cost unknown' : `$${s.cost.toFixed(2)}`,
    s.rate === null ? null : `${s.rate.toFixed(1)} a minute`,
    `${s.limit} of ${s.slots} slots`,
  ].filter((fact) => fact !== null);
  const title: Line = [
    { text: ` ${plain(s.name)}`, bold: true },
    { text: `  ${state}${s.why ? ` · ${plain(s.why)}` : ''} `, color: 'muted' },
  ];
  const how: Line = [{ text: ` ${facts.join(' · ')} `, color: 'muted' }];
  const inOne = lineCells(title) + lineCells(how) <= cols;
  return [...(inOne ? [spread(title, how, cols)] : [fitLine(title, cols), fitLine(how, cols)]), countsLine(s, cols), bar(s, cols)];
}

function countsLine({ counts }: BatchSummary, cols: number): Line {
  const line = (words: boolean): Line =>
    BATCH_COLUMNS.filter((column) => counts[column] > 0).map((column) => {
      const [glyph, word, color] = LOOKS[column];
      return { text: ` ${glyph} ${counts[column]}${words ? ` ${word}` : ''} `, color };
    });
  return lineCells(line(true)) <= cols ? line(true) : line(false);
}

/** Done, failed, running as parts of the whole width. */
function bar(s: BatchSummary, cols: number): Line {
  const width = Math.max(0, cols - 2);
  const cells = (n: number) => Math.round((n / Math.max(1, s.total)) * width);
  const parts = [
    ['done', cells(s.counts.done)],
    ['failed', cells(s.counts.failed)],
    ['running', cells(s.counts.running + s.counts.needs)],
  ] as const;
  let left = width;
  const spans = parts.map(([column, wanted]): Span => {
    const taken = Math.min(left, wanted);
    left -= taken;
    return { text: '━'.repeat(taken), color: LOOKS[column][2] };
  });
  return [{ text: ' ' }, ...spans, { text: '─'.repeat(left), color: 'faint' }];
}

/** A task of a batch as one row of `cols` cells; `at`: the cursor is on it, `now`: ms since the epoch. */
export function boardRow(row: BatchRow, at: boolean, now: number, cols: number): Line {
  const [glyph, , color] = LOOKS[row.column];
  const right: Span[] = [
    { text: row.attempt > 1 ? ` attempt ${row.attempt}` : '', color: 'muted' },
    { text: row.cost === null ? '' : ` $${row.cost.toFixed(2)}`, color: 'muted' },
    { text: ` ${ageText(row.since, now)} `, color: 'muted' },
  ];
  return spread(
    [{ text: ` ${glyph} `, color }, { text: plain(row.id) }, { text: row.why ? `  ${plain(row.why)}` : '', color: 'muted' }],
    right,
    cols,
    at ? { ground: 'selected' } : {},
  );
}
