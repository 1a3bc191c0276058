// Where the cursor is decides what a key for staging acts on.
import { expect, test } from 'vitest';
import { diffOf, fileOf, hunkOf, viewOf } from '../../../test/support/diff-samples.ts';
import type { ChangedFile, FileDiff } from '../../model/review/changeset.ts';
import { actTarget } from './act-target.ts';
import { applyDiff, type DiffIntent } from './intents.ts';
import { WHOLE_CONTEXT } from './needs.ts';

const first = hunkOf(5, 5, ' a\n-b\n-c\n+B\n d');
const second = hunkOf(20, 19, ' x\n+y\n z');
const view = (file: Partial<ChangedFile> = {}, diff: Partial<FileDiff> = {}) => {
  const listed = fileOf('m', file);
  return viewOf([[listed, diffOf(listed, [first, second], { revision: 'one', ...diff })]], 30);
};
// file, gap, @0, a, -b, -c, +B, d, gap, @1, x, +y, z
const target = (v = view(), ...intents: DiffIntent[]) => actTarget(intents.reduce(applyDiff, v));
const down = (by: number): DiffIntent => ({ do: 'line', by });
const select: DiffIntent = { do: 'select' };

test('on the header the file, in a hunk the hunk, between hunks nothing', () => {
  expect(target()).toEqual({ what: 'file', seen: null });
  expect(target(view(), { do: 'fold' })).toEqual({ what: 'file', seen: null });
  expect(target(view(), down(1))).toBeNull();
  expect(target(view(), down(8))).toBeNull();
  const seen = { revision: 'one', hunks: [1], load: false };
  for (const by of [9, 10, 12]) expect(target(view(), down(by))).toEqual({ what: 'hunk', seen });
});

test.each([
  ['stack', 4, 2, 3, [[1, 4]]],
  ['stack', 6, 0, 1, [[3, 4]]],
  // Old beside new: b and B are one row.
  [
    'split',
    4,
    0,
    2,
    [
      [1, 2],
      [3, 4],
    ],
  ],
  [
    'stack',
    6,
    5,
    2,
    [
      [3, 4],
      [6, 7],
    ],
  ],
] as const)('selected lines, %s from row %i on, %i more: %i', (layout, from, more, count, lines) => {
  const found = target(view(), { do: 'layout', layout }, down(from), select, down(more));
  expect(found).toMatchObject({ what: 'lines', count, seen: { lines } });
});

test('a selection without a changed line, decoded text and what is not read yet are refused', () => {
  expect(target(view(), down(3), select)).toMatchObject({ what: 'refused' });
  expect(target(view({ binary: true }), down(4))).toMatchObject({ what: 'refused' });
  expect(target(view({}, { revision: undefined }), down(4))).toMatchObject({ what: 'refused' });
});

test('a hunk of which only the beginning is shown is named as it was asked for', () => {
  const seen = { revision: 'one', hunks: [1] };
  for (const cut of [{ part: true }, { truncated: true }]) expect(target(view({}, cut), down(11))).toMatchObject({ what: 'hunk', seen });
  expect(target(view({}, { truncated: true }), { do: 'load' }, down(11))).toMatchObject({ seen: { ...seen, load: true } });
  expect(target(view(), { do: 'whole-file' }, down(4))).toMatchObject({ seen: { context: WHOLE_CONTEXT } });
});
