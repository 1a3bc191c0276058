// Where the cursor is decides what a key for staging acts on.
import { expect, test } from 'vitest';
import { diffOf, fileOf, hunkOf, viewOf } from '../../../test/support/diff-samples.ts';
import type { ChangedFile, FileDiff } from '../../model/review/changeset.ts';
import { actTarget } from './act-target.ts';
import { applyDiff, type DiffIntent } from './intents.ts';

const first = hunkOf(5, 5, ' a\n-b\n-c\n+B\n d');
const second = hunkOf(20, 19, ' x\n+y\n z');
const view = (file: Partial<ChangedFile> = {}, diff: Partial<FileDiff> = {}) => {
  const listed = fileOf('m', file);
  return viewOf([[listed, diffOf(listed, [first, second], diff)]], 30);
};
// file, gap, @0, a, -b, -c, +B, d, gap, @1, x, +y, z
const target = (v = view(), ...intents: DiffIntent[]) => actTarget(intents.reduce(applyDiff, v));
const down = (by: number): DiffIntent => ({ do: 'line', by });
const select: DiffIntent = { do: 'select' };

test('on the header the file, in a hunk the hunk, between hunks nothing', () => {
  expect(target()).toEqual({ what: 'file', patch: null });
  expect(target(view(), { do: 'fold' })).toEqual({ what: 'file', patch: null });
  expect(target(view(), down(1))).toBeNull();
  expect(target(view(), down(8))).toBeNull();
  const patch = 'diff --git a/m b/m\n--- a/m\n+++ b/m\n@@ -20,2 +19,3 @@\n x\n+y\n z\n';
  for (const by of [9, 10, 12]) expect(target(view(), down(by))).toEqual({ what: 'hunk', patch });
});

test.each([
  ['stack', 4, 2, [1, 2, 3]],
  ['stack', 6, 0, [3]],
  // Old beside new: b and B are one row.
  ['split', 4, 0, [1, 3]],
  ['stack', 6, 5, [3, 6]],
] as const)('selected lines, %s from row %i on, %i more', (layout, from, more, lines) => {
  const found = target(view(), { do: 'layout', layout }, down(from), select, down(more));
  expect(found).toMatchObject({ what: 'lines', lines });
});

test('a selection without a changed line, decoded text and what has not come whole are refused', () => {
  expect(target(view(), down(3), select)).toMatchObject({ what: 'refused' });
  expect(target(view({ binary: true }), down(4))).toMatchObject({ what: 'refused' });
  expect(target(view({}, { truncated: true }), down(11))).toMatchObject({ what: 'refused' });
  expect(target(view({}, { part: true }), down(11))).toMatchObject({ what: 'refused' });
  expect(target(view({}, { truncated: true }), down(4))).toMatchObject({ what: 'hunk' });
});
