// A view as it was left, in a client that knows nothing yet: the facts come one by one, in any order.
import { expect, test } from 'vitest';
import {
  addedLines,
  bigFile,
  changesetOf,
  commentOn,
  diffOf,
  fileOf,
  gridText,
  hunkOf,
  viewOf,
} from '../../../test/support/diff-samples.ts';
import { createGrid } from '../../model/cell.ts';
import type { ChangedFile, FileDiff, Scope } from '../../model/review/changeset.ts';
import type { Comment } from '../../model/review/comment.ts';
import type { DiffArrangement } from '../../model/review/diff-arrangement.ts';
import { createTheme } from '../theme.ts';
import { arrangedView, arrangementOf } from './arrangement.ts';
import { drawDiff } from './draw.ts';
import { applyDiff, type DiffIntent } from './intents.ts';
import type { DiffView } from './view.ts';

type Files = [ChangedFile, FileDiff][];

const FILES: Files = [bigFile('a.ts', 3, 20), bigFile('b.ts', 2, 20), bigFile('c.ts', 3, 20)];
const press = (view: DiffView, ...intents: DiffIntent[]) => intents.reduce(applyDiff, view);
const file = (path: string): DiffIntent => ({ do: 'go', path, line: null, side: 'new' });
const line = (path: string, number: number): DiffIntent => ({ do: 'go', path, line: number, side: 'new' });

function shown(view: DiffView): string {
  const grid = createGrid(view.cols, view.rows);
  drawDiff(view, grid, { x: 0, y: 0, cols: view.cols, rows: view.rows }, createTheme({ dark: true, colors: 'true' }));
  return gridText(grid).join('\n');
}

/** As it goes over the wire and lies on the disk. */
const left = (view: DiffView): DiffArrangement => JSON.parse(JSON.stringify(arrangementOf(view)));

/** A client that comes: comments, the list of files, then their lines by `order`. */
function back(
  arrangement: DiffArrangement,
  files: Files,
  { rows = 20, cols = 60, order = [0, 1, 2], comments = [] as Comment[] } = {},
): DiffView {
  let view = press(
    arrangedView(80, 24, arrangement),
    { do: 'size', cols, rows },
    { do: 'take-comments', comments },
    { do: 'take-changeset', changeset: changesetOf(files.map(([one]) => one)), viewed: {} },
  );
  for (const at of order) view = press(view, { do: 'take-file', path: files[at]![0].path, diff: files[at]![1] });
  return view;
}

test.each<[string, DiffIntent[]]>([
  ['at the top', []],
  ['on a line of the first file', [line('a.ts', 125)]],
  ['on a line of the second', [line('b.ts', 20)]],
  ['scrolled so that two files are on the screen', [line('a.ts', 265), { do: 'scroll', by: 8 }]],
  ['on a header', [file('c.ts')]],
  ['at the end', [{ do: 'bottom' }]],
  ['on the last gap of a file', [file('c.ts'), { do: 'line', by: -1 }]],
  ['on a hunk', [line('b.ts', 20), { do: 'hunk', by: 1 }]],
  ['with a file folded', [file('b.ts'), { do: 'fold' }, line('c.ts', 120)]],
  ['with all folded', [{ do: 'fold-all' }, { do: 'line', by: 2 }]],
  ['with the list open', [line('b.ts', 20), { do: 'list' }]],
  ['flat, wrapped, side by side', [{ do: 'list-flat' }, { do: 'wrap' }, { do: 'layout', layout: 'split' }, line('b.ts', 120)]],
])('what is on the screen is there again, whatever comes first: %s', (_name, intents) => {
  const before = press(viewOf(FILES, 20, 100), ...intents);
  for (const order of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
  ]) {
    const after = back(left(before), FILES, { cols: 100, order });
    expect(shown(after)).toBe(shown(before));
    expect(arrangementOf(after)).toEqual(arrangementOf(before));
  }
});

test('lines that moved meanwhile are found by their text, in a renamed file too', () => {
  const before = press(viewOf(FILES, 20), line('b.ts', 135));
  expect(shown(before)).toMatch(/▌.*135.*line 104/);
  const more = { ...bigFile('b.ts', 2, 25)[1], file: fileOf('new/b.ts', { oldPath: 'b.ts', status: 'renamed' }) };
  const after = back(left(before), [FILES[0]!, [more.file, more], FILES[2]!]);
  expect(shown(after)).toMatch(/▌.*140.*line 104/);
  expect(
    shown(after)
      .split('\n')
      .findIndex((row) => row.includes('▌')),
  ).toBe(
    shown(before)
      .split('\n')
      .findIndex((row) => row.includes('▌')),
  );
});

test('where the line is gone, its neighbour; where the file is, the top', () => {
  const before = press(viewOf(FILES, 20), line('b.ts', 125));
  const other = fileOf('b.ts');
  const changed: Files = [FILES[0]!, [other, diffOf(other, [hunkOf(100, 100, addedLines(40, 9000))])], FILES[2]!];
  expect(shown(back(left(before), changed))).toMatch(/▌.*125 \+ line 9025/);
  const gone = back(left(before), [FILES[0]!, FILES[2]!], { order: [0, 1] });
  expect([gone.cursor, gone.top]).toEqual([
    { file: 0, row: 0 },
    { file: 0, row: 0, sub: 0 },
  ]);
});

test('cards above the place, which come first, do not move it', () => {
  const comments = [commentOn(1, 'b.ts', 115, 'one\ntwo\nthree')];
  const before = press(viewOf(FILES, 20), { do: 'take-comments', comments }, line('b.ts', 120));
  expect(shown(back(left(before), FILES, { comments }))).toBe(shown(before));
});

test('a key pressed before all has come is obeyed, and the place is told anew only then', () => {
  const arrangement = left(press(viewOf(FILES, 20), line('c.ts', 120)));
  const coming = back(arrangement, FILES, { order: [] });
  expect(arrangementOf(coming)).toBeNull();
  const moved = press(coming, { do: 'top' });
  const whole = FILES.reduce((view, [{ path }, diff]) => press(view, { do: 'take-file', path, diff }), moved);
  expect(arrangementOf(whole)).toMatchObject({ at: null });
});

test('folds of files that are gone are not kept', () => {
  const view = press(viewOf(FILES, 20), file('b.ts'), { do: 'fold' });
  const without = press(view, { do: 'take-changeset', changeset: changesetOf([FILES[0]![0]]), viewed: {} });
  expect([arrangementOf(view)?.folds, arrangementOf(without)?.folds]).toEqual([{ 'b.ts': true }, {}]);
});

/** Through a scope of some of the files, with their lines. */
function through(view: DiffView, scope: Scope, files: Files): DiffView {
  const come = files.map(([{ path }, diff]): DiffIntent => ({ do: 'take-file', path, diff }));
  const changeset = changesetOf(
    files.map(([one]) => one),
    { scope },
  );
  return press(view, { do: 'scope', scope }, { do: 'take-changeset', changeset, viewed: {} }, ...come);
}

test('through scopes that do not show the place, also empty ones and such as cannot be read, and back', () => {
  const view = press(viewOf(FILES, 20, 60), line('b.ts', 120), { do: 'scroll', by: 4 });
  const before = shown(view);
  const only = through(view, 'uncommitted', [FILES[2]!]);
  expect(shown(only)).toContain('c.ts');
  const empty = through(only, 'staged', []);
  const none = press(empty, { do: 'scope', scope: 'turn' }, { do: 'take-trouble', trouble: 'No turn has started yet.' });
  expect(shown(through(none, 'base', FILES))).toBe(before);
  // Who has moved there is where they are.
  const moved = press(only, line('c.ts', 120));
  expect(shown(through(moved, 'base', FILES))).toContain(shown(moved).split('\n').at(5));
});

test('what was gone for a while, as on another branch, is come back to', () => {
  const view = press(viewOf(FILES, 20, 60), line('b.ts', 120), { do: 'scroll', by: 4 });
  const list = (files: Files): DiffIntent => ({ do: 'take-changeset', changeset: changesetOf(files.map(([one]) => one)), viewed: {} });
  const lines = FILES.map(([{ path }, diff]): DiffIntent => ({ do: 'take-file', path, diff }));
  for (const without of [[], [FILES[0]!, FILES[2]!]])
    expect(shown(press(view, list(without), list(without), list(FILES), ...lines))).toBe(shown(view));
  const moved = press(view, list([FILES[0]!, FILES[2]!]), line('c.ts', 120));
  expect(press(moved, list(FILES), ...lines).cursor.file).toBe(2);
});
