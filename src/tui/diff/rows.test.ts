// The rows of a file are put together from those of its hunks that were made before: whatever changes, they are those of a plan made anew.
import { expect, test } from 'vitest';
import { bigFile, commentOn, diffOf, fileOf, hunkOf, viewOf } from '../../../test/support/diff-samples.ts';
import { createRandom } from '../../../test/support/random.ts';
import { applyDiff } from './intents.ts';
import { planRows } from './rows.ts';
import { type DiffView, isSplit, rowsOf } from './view.ts';

function plannedAnew(view: DiffView) {
  const { diff, opened, shut, context, total } = view.files.a!;
  const { comments } = view;
  const known = { pairs: new WeakMap(), lines: new WeakMap() };
  const shown = {
    diff,
    opened,
    shut,
    context,
    total,
    comments,
    error: null,
    folded: false,
    split: isSplit(view, 0),
    draft: null,
    ...known,
  };
  return planRows({ file: view.changeset!.files[0]!, ...shown });
}

test('after layouts, comments, folds and hunks that come and go', () => {
  const random = createRandom(5);
  const file = fileOf('a');
  const diff = diffOf(
    file,
    Array.from({ length: 12 }, (_, i) => hunkOf(100 * i + 10, 100 * i + 10, ` above ${i}\n-old ${i}\n-gone\n+new ${i}\n below`)),
  );
  const some = () => diff.hunks.filter(() => random(3) > 0);
  let view = viewOf([[file, diff]], 40);
  for (let step = 0; step < 300; step++) {
    const what = random(5);
    if (what === 0) view = applyDiff(view, { do: 'layout', layout: random(2) === 0 ? 'split' : 'stack' });
    if (what === 1) view = applyDiff(view, { do: 'take-file', path: 'a', diff: { ...diff, hunks: some() } });
    if (what === 2) view = applyDiff(view, { do: 'take-comments', comments: [commentOn(1, 'a', 10 + 100 * random(12), 'why')] });
    if (what === 3) view = applyDiff(view, { do: 'line', by: random(20) - 9 });
    if (what === 4) view = applyDiff(view, { do: 'fold-hunk' });
    expect(rowsOf(view, 0), `step ${step}`).toEqual(plannedAnew(view));
  }
});

test('rows of hunks that stayed are the same objects', () => {
  const [file, before] = bigFile('a', 5);
  const view = viewOf([[file, before]]);
  const old = rowsOf(view, 0);
  const hunks = before.hunks.map((hunk, i) =>
    i === 2 ? { ...hunk, lines: hunk.lines.map((line) => ({ ...line, text: 'other' })) } : hunk,
  );
  const now = rowsOf(applyDiff(view, { do: 'take-file', path: 'a', diff: { ...before, hunks } }), 0);
  const lines = (rows: typeof now) => rows.filter((row) => row.kind === 'line');
  const kept = lines(now).filter((row) => lines(old).includes(row));
  expect(kept.map((row) => row.hunk)).toEqual(lines(now).flatMap((row) => (row.hunk === 2 ? [] : [row.hunk])));
});

const draftless = { opened: {}, shut: {}, context: null, total: null, comments: [], error: null, folded: false, split: false, draft: null };
const planned = (more: object) => {
  const file = fileOf('a');
  const diff = diffOf(file, [hunkOf(10, 10, ' above\n-old\n+new\n 1\n 2\n 3')]);
  const rows = planRows({ file, diff, ...draftless, pairs: new WeakMap(), lines: new WeakMap(), ...more });
  return rows.map((row) => (row.kind === 'wait' ? row.text : row.kind === 'gap' ? `gap ${row.newFrom} ${row.hidden}` : row.kind));
};
const onFile = commentOn(1, 'a', 1, 'why?', { place: { placement: 'exact', path: 'a', range: null } });
const LINES = ['hunk', ...Array(6).fill('line')];

test.each<[string, object, string[]]>([
  ['its lines between gaps', {}, ['file', 'gap 1 9', ...LINES, 'gap 15 null']],
  ['folded: its header alone', { folded: true, comments: [onFile], error: 'no' }, ['file']],
  ['not read yet', { diff: null }, ['file', 'reading…']],
  ['not to be read, with the comments on it', { diff: null, error: 'it is locked', comments: [onFile] }, ['file', 'card', 'it is locked']],
  ['a comment on the whole stands below the header', { comments: [onFile] }, ['file', 'card', 'gap 1 9', ...LINES, 'gap 15 null']],
  [
    'lines opened at both ends of a gap, no more than it has',
    { opened: { 0: { top: 6, bottom: 6 } } },
    ['file', ...Array(9).fill('line'), ...LINES, 'gap 15 null'],
  ],
  [
    'lines opened behind the last hunk as far as they have come',
    {
      opened: { 1: { top: 20, bottom: 0 } },
      context: new Map([
        [15, 'x'],
        [16, 'y'],
      ]),
    },
    ['file', 'gap 1 9', ...LINES, 'line', 'line', 'gap 35 null'],
  ],
  ['nothing behind the last line', { total: 14 }, ['file', 'gap 1 9', ...LINES]],
])('a file shows %s', (_what, more, rows) => {
  expect(planned(more)).toEqual(rows);
});

test.each([
  [14, 'line 14'],
  [0, 'file'],
  [undefined, 'file'],
])('the card of code that is gone stands where that was: behind %s', (behind, expected) => {
  const file = fileOf('a');
  const diff = diffOf(file, [hunkOf(12, 12, ' one\n two\n three\n+four')]);
  const gone = { placement: 'gone' as const, path: 'a', range: null, ...(behind === undefined ? {} : { behind }) };
  const comment = { ...commentOn(1, 'a', 13, 'why'), place: gone };
  const view = applyDiff(viewOf([[file, diff]]), { do: 'take-comments', comments: [comment] });
  const rows = rowsOf(view, 0);
  const above = rows[rows.findIndex(({ kind }) => kind === 'card') - 1]!;
  expect(above.kind === 'line' ? `line ${above.right?.new}` : above.kind).toBe(expected);
});
