// Layouts of panes: kept over restarts, forgotten with their workspace, checked where they come from.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PaneArrangement } from '../../model/panes.ts';
import { type DiffArrangement, MAX_FOLDS } from '../../model/review/diff-arrangement.ts';
import { arrangementShape, diffArrangementShape } from '../arrangement-shapes.ts';
import { Misfit } from '../schema.ts';
import { Layouts } from './layouts.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'herd-layouts-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const open = () =>
  Layouts.open(dir, 0, (error) => {
    throw error;
  });
const beside: PaneArrangement = {
  tree: { split: 'beside', ratio: 0.4, first: { pane: 1 }, second: { pane: 'diff' } },
  focus: 'diff',
  zoom: false,
};

const diff: DiffArrangement = {
  ...{ scope: { round: 2 }, layout: 'split', wrap: true, ignoreWhitespace: false, list: { at: 'a.ts' }, flat: true },
  folds: { 'a.ts': true, 'b.ts': false },
  at: { path: 'b.ts', side: 'old', line: { number: 7, text: 'seven', off: -2 }, row: 12 },
};

test('what was arranged and looked at last is there again', async () => {
  const { layouts } = await open();
  layouts.arrange(1, { ...beside, zoom: true });
  layouts.arrange(1, beside);
  layouts.arrange(2, beside);
  layouts.arrangeDiff(1, diff);
  layouts.arrangeDiff(2, { ...diff, at: null });
  layouts.select(2);
  layouts.forget(2);
  layouts.select(1);
  await layouts.close();
  const again = await open();
  expect([again.layouts.panes, again.layouts.diffs, again.layouts.selected, again.notice]).toEqual([{ 1: beside }, { 1: diff }, 1, null]);
});

test('texts begun are there again, without those that ended, of a closed workspace, or too much to keep', async () => {
  const { layouts } = await open();
  layouts.keepDraft(1, '1:prompt', 'begun');
  layouts.keepDraft(1, '1:prompt', 'gone on with');
  layouts.keepDraft(2, '2:prompt', 'closed');
  layouts.keepDraft(1, '1:commit', 'committed');
  layouts.keepDraft(1, '1:commit', null);
  layouts.forget(2);
  await layouts.close();
  const again = (await open()).layouts;
  expect(again.drafts).toEqual({ '1:prompt': 'gone on with' });
  for (let i = 0; i < 3; i++) again.keepDraft(1, `1:edit:${i}`, `${i}`.repeat(1024 * 1024));
  expect(Object.keys(again.drafts)).toEqual(['1:edit:1', '1:edit:2']);
  for (let i = 0; i < 300; i++) again.keepDraft(1, `1:reply:${i}`, 'x');
  expect(Object.keys(again.drafts).length).toBe(200);
  await again.close();
});

test('a file of a newer herd is kept aside, and named', async () => {
  const newer = JSON.stringify({ generation: 7, layout: { version: 2, selected: null, panes: {} } });
  writeFileSync(join(dir, 'layout.json'), newer);
  const { layouts, notice } = await open();
  expect(layouts.panes).toEqual({});
  const kept = /kept as (\S+),/.exec(notice!)![1]!;
  expect(readFileSync(join(dir, kept), 'utf8')).toBe(newer);
});

test.each<[string, unknown]>([
  ['no tree', { focus: 1, zoom: false }],
  ['a pane that is none', { tree: { pane: 'x' }, focus: 1, zoom: false }],
  ['a share beyond the whole', { ...beside, tree: { ...beside.tree, ratio: 1.5 } }],
  [
    'splits without end',
    {
      ...beside,
      tree: Array(40)
        .fill(0)
        .reduce((tree) => ({ ...beside.tree, first: tree }), { pane: 1 }),
    },
  ],
])('%s is refused', (_what, value) => {
  expect(() => arrangementShape(value)).toThrow(Misfit);
});

test('splits nest as deep as any screen shows, and no deeper', () => {
  const nested = (depth: number): unknown =>
    depth === 0 ? { pane: 1 } : { split: 'beside', ratio: 0.5, first: { pane: 'diff' }, second: nested(depth - 1) };
  const arranged = (depth: number) => ({ tree: nested(depth), focus: 1, zoom: false });
  expect(arrangementShape(arranged(32))).toEqual(arranged(32));
  expect(() => arrangementShape(arranged(33))).toThrow('nested at most 32 deep');
});

test.each<[string, unknown]>([
  ['no looks', { scope: 'base', at: null }],
  ['a scope that is none', { ...diff, scope: 'everything' }],
  ['a side that is none', { ...diff, at: { ...diff.at, side: 'both' } }],
  ['a text instead of folds', { ...diff, folds: 'all' }],
  ['a fold that is neither', { ...diff, folds: { 'a.ts': 1 } }],
  ['folds without end', { ...diff, folds: Object.fromEntries(Array.from({ length: MAX_FOLDS + 1 }, (_, i) => [`${i}`, true])) }],
])('%s is refused as a diff', (_what, value) => {
  expect(() => diffArrangementShape(value)).toThrow(Misfit);
});
