// The board of a batch as text, with a batch of two hundred tasks.
import { expect, test } from 'vitest';
import type { BatchColumn, BatchRow, BatchSummary } from '../../model/batch.ts';
import { boardHead, boardRow, boardTasks, newestBatch } from './board-rows.ts';

const NOW = 1_000_000;
const summary: BatchSummary = {
  ...{
    key: 'k',
    goal: 3,
    name: 'docs',
    repository: '/r',
    state: 'running',
    why: '',
    limit: 10,
    slots: 20,
    total: 200,
    rate: 12,
    cost: 1.5,
  },
  ...{
    tokens: null,
    left: 120_000,
    started: 5,
    runner: 1,
    gone: null,
    counts: { queued: 100, running: 20, needs: 1, failed: 9, done: 70 },
  },
};
const row = (id: string, column: BatchColumn, why = ''): BatchRow => ({
  ...{ id, column, why, attempt: 2, agent: 'pi', since: NOW - 60_000, cost: 0.25, workspace: null },
});
const text = (line: readonly { text: string }[]) => line.map((span) => span.text).join('');

test('says how it stands, and puts first what waits for somebody', () => {
  const view = {
    summary,
    rows: [row('a', 'done'), row('b', 'queued', 'needs a'), row('c', 'needs', 'which one?'), row('d', 'failed', 'exit code 3')],
  };
  expect(boardTasks(view).map(({ id }) => id)).toEqual(['c', 'd', 'b', 'a']);
  const head = boardHead(view, 100, NOW).map(text);
  expect(head[0]).toMatch(/^ docs {2}running .* 2m left · \$1\.50 · 12\.0 a minute · 10 of 20 slots $/);
  expect(head[1]).toBe(' · 100 queued  ◐ 20 running  ▲ 1 need you  ✕ 9 failed  ● 70 done ');
  expect(head[2]).toHaveLength(99);
  expect(text(boardRow(view.rows[2]!, true, NOW, 60))).toMatch(/^ ▲ c {2}which one\? .* attempt 2 \$0\.25 1m $/);
});

test('narrow, how it goes has a line of its own and counts are glyphs', () => {
  const head = boardHead({ summary, rows: [] }, 46, NOW).map(text);
  expect(head.map((line) => line.trimEnd())).toEqual([
    ' docs  running',
    ' 2m left · $1.50 · 12.0 a minute · 10 of 20 s…',
    ' · 100  ◐ 20  ▲ 1  ✕ 9  ● 70',
    expect.stringMatching(/^ ━+─+$/),
  ]);
});

test('a runner that is gone is said; the newest batch is shown', () => {
  const gone = { summary: { ...summary, gone: NOW - 5000 }, rows: [] };
  expect(text(boardHead(gone, 120, NOW)[0]!)).toMatch(/interrupted .* ago: herd batch resume/);
  expect(newestBatch({ a: gone, b: { summary: { ...summary, key: 'b', started: 9 }, rows: [] } })?.summary.key).toBe('b');
  expect(newestBatch({})).toBeNull();
});
