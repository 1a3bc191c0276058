// The list of files beside the stream or over it.
import { describe, expect, test } from 'vitest';
import { bigFile, diffOf, fileOf, hunkOf, viewOf } from '../../../test/support/diff-samples.ts';
import type { Hunk } from '../../model/review/changeset.ts';
import { listLines } from './file-list.ts';
import { applyDiff, type DiffIntent } from './intents.ts';
import { type DiffView, filesOf, isSplit, rowsOf } from './view.ts';

const press = (view: DiffView, ...intents: DiffIntent[]) => intents.reduce(applyDiff, view);
const at = ({ cursor, ...view }: DiffView) =>
  `${filesOf({ cursor, ...view })[cursor.file]!.path} ${rowsOf({ cursor, ...view }, cursor.file)[cursor.row]!.kind}`;

describe('file list', () => {
  const deep = () => viewOf([bigFile('src/a/one', 1), bigFile('src/b/two', 1)], 12, 120);
  const names = (view: DiffView) => listLines(view).map(({ name }) => name);

  test('is a tree or flat, and stays what it was made', () => {
    const tree = press(deep(), { do: 'list' });
    expect(names(tree)).toEqual(['src/', 'a/', 'one', 'b/', 'two']);
    const flat = press(tree, { do: 'list-flat' });
    expect(names(flat)).toEqual(['src/a/one', 'src/b/two']);
    expect(names(press(flat, { do: 'list' }, { do: 'list' }))).toEqual(['src/a/one', 'src/b/two']);
    expect(names(press(deep(), { do: 'list-flat' }))).toEqual(['src/a/one', 'src/b/two']);
  });

  test('folders with one folder in them share a line, and a repository in the worktree has its name', () => {
    const paths = ['a/b/c/one', 'a/b/c/two', 'd/e/three', 'd/f/g/four', 'd/f/g/h/five', 'inner/repository/', 'top'];
    const lines = listLines(press(viewOf(paths.map((path) => bigFile(path, 1))), { do: 'list' }));
    expect(lines.map(({ name, depth }) => `${'  '.repeat(depth)}${name}`)).toEqual([
      'a/b/c/',
      '  one',
      '  two',
      'd/',
      '  e/',
      '    three',
      '  f/g/',
      '    four',
      '    h/',
      '      five',
      'inner/',
      '  repository/',
      'top',
    ]);
  });

  test('old stands beside new only where the list leaves room for both', () => {
    expect(isSplit(deep(), 0)).toBe(true);
    expect(isSplit(press(deep(), { do: 'list' }), 0)).toBe(false);
    expect(isSplit(press(deep(), { do: 'size', cols: 160, rows: 12 }, { do: 'list' }), 0)).toBe(true);
  });

  test.each(['added', 'untracked', 'deleted', 'modified', 'renamed'] as const)(
    'a file that is %s has the room of both sides if it has one only',
    (status) => {
      const [file, diff] = bigFile('a', 1);
      const view = viewOf(
        [
          [
            { ...file, status },
            { ...diff, file: { ...file, status } },
          ],
        ],
        12,
        120,
      );
      const twoSided = status === 'modified' || status === 'renamed';
      expect(isSplit(view, 0)).toBe(twoSided);
      expect(rowsOf(view, 0).some((row) => row.kind === 'line' && row.left === null)).toBe(true);
      expect(isSplit(press(view, { do: 'layout', layout: 'split' }), 0)).toBe(true);
    },
  );

  test('a file that was empty has the room of both sides too', () => {
    const file = fileOf('a');
    const view = (...hunks: Hunk[]) => viewOf([[file, diffOf(file, hunks)]], 12, 120);
    expect(isSplit(view(hunkOf(0, 1, '+a\n+b')), 0)).toBe(false);
    expect(isSplit(view(hunkOf(1, 0, '-a\n-b')), 0)).toBe(false);
    expect(isSplit(view(hunkOf(1, 1, '+a\n b')), 0)).toBe(true);
    expect(isSplit(view(hunkOf(1, 0, '-a'), hunkOf(0, 1, '+b')), 0)).toBe(true);
  });

  test.each([
    [60, null],
    [120, 'src/b/two'],
  ])('a click in a pane of %i columns shows the file', (cols, list) => {
    const open = press(deep(), { do: 'size', cols, rows: 12 }, { do: 'list' });
    const view = press(open, { do: 'list-pick', line: listLines(open).at(-1)! });
    expect([at(view), view.list?.at ?? null]).toEqual(['src/b/two file', list]);
    expect(press(open, { do: 'list-pick', line: listLines(open)[0]! })).toBe(open);
  });
});
