// Files that are called as what every object has: shown, folded, marked and searched as any other.
import { expect, test } from 'vitest';
import { changesetOf, diffOf, fileOf, gridText, hunkOf } from '../../../test/support/diff-samples.ts';
import { createGrid } from '../../model/cell.ts';
import { createTheme } from '../theme.ts';
import { drawDiff } from './draw.ts';
import { applyDiff } from './intents.ts';
import { needsOf } from './needs.ts';
import { searchCounts } from './search.ts';
import { createDiffView, isFolded, isViewed, rowsOf } from './view.ts';

const names = ['__proto__', 'constructor', 'toString', 'plain'];

test('whatever a file is called, it is read, shown, folded, marked as viewed, searched and read again', () => {
  const files = names.map((name) => fileOf(name));
  let view = applyDiff(createDiffView(60, 40), { do: 'take-changeset', changeset: changesetOf(files), viewed: {} });
  expect(files.map((file) => [isFolded(view, file), isViewed(view, file)])).toEqual(names.map(() => [false, false]));
  expect(needsOf(view).map(({ path }) => path)).toEqual(names);
  expect(files.map((_file, i) => rowsOf(view, i).map(({ kind }) => kind))).toEqual(names.map(() => ['file', 'wait']));
  const change = hunkOf(1, 1, '-old\n+new');
  for (const file of files) view = applyDiff(view, { do: 'take-file', path: file.path, diff: diffOf(file, [change]) });
  expect(needsOf(view)).toEqual([]);
  view = applyDiff(view, { do: 'search', text: 'new' });
  expect(searchCounts(view)).toEqual({ hits: 4, unread: 0 });
  view = applyDiff(view, { do: 'take-changeset', changeset: changesetOf(files, { generation: 2 }), viewed: {} });
  expect(needsOf(view)).toEqual([]);
  expect(searchCounts(view).hits).toBe(4);
  const grid = createGrid(60, 40);
  drawDiff(view, grid, { x: 0, y: 0, cols: 60, rows: 40 }, createTheme({ dark: true, colors: 'true' }));
  for (const name of names) expect(gridText(grid).filter((row) => row.includes(name))).toHaveLength(1);
});
