import { expect, test } from 'vitest';
import { BLANK, CELL_WORDS, type Cursor, createGrid } from '../../model/cell.ts';
import { changedPart, cropCorner, cropInto, type Part } from './crop.ts';

const cursor = (x: number, y: number, visible = true): Cursor => ({ x, y, visible, shape: 'block', blink: false });
const full = { cols: 160, rows: 40 };
const view = { cols: 50, rows: 20 };

test.each([
  ['starts at the bottom left', cursor(3, 38), null, { x: 0, y: 20 }],
  ['stays at the bottom left while the cursor is inside', cursor(3, 25), null, { x: 0, y: 20 }],
  ['follows the cursor up', cursor(3, 5), null, { x: 0, y: 3 }],
  ['follows the cursor right', cursor(100, 38), null, { x: 53, y: 20 }],
  ['stays where it was while the cursor is inside', cursor(60, 10), { x: 40, y: 4 }, { x: 40, y: 4 }],
  ['a hidden cursor begins at the bottom', cursor(100, 2, false), null, { x: 0, y: 20 }],
  ['a hidden cursor leaves it where it was', cursor(100, 2, false), { x: 7, y: 3 }, { x: 7, y: 3 }],
  ['never past the edge', cursor(159, 39), null, { x: 110, y: 20 }],
])('%s', (_name, at, before, corner) => {
  expect(cropCorner(full, view, at, before)).toEqual(corner);
});

const part = (x: number, y: number, cols: number, rows: number): Part => ({ x, y, cols, rows });

test.each<[string, Part | null, { x: number; y: number }]>([
  ['what changed above', part(5, 4, 20, 2), { x: 0, y: 2 }],
  ['what changed to the right', part(60, 30, 30, 1), { x: 42, y: 20 }],
  ['nothing that is there already', part(10, 24, 20, 3), { x: 0, y: 20 }],
  ['rows that fit, whatever their width', part(0, 2, 160, 12), { x: 0, y: 0 }],
  ['no screen that was painted anew', part(0, 0, 160, 40), { x: 0, y: 20 }],
  ['nothing', null, { x: 0, y: 20 }],
])('with a hidden cursor it follows %s', (_name, changed, corner) => {
  expect(cropCorner(full, view, cursor(0, 0, false), null, changed)).toEqual(corner);
});

test('the part that changed', () => {
  const [before, after] = [createGrid(6, 5), createGrid(6, 5)];
  expect(changedPart(before.cells, after.cells, 6)).toBe(null);
  for (const [x, y] of [
    [4, 1],
    [2, 3],
  ] as const)
    after.cells[(y * 6 + x) * CELL_WORDS + 1] = 7;
  expect(changedPart(before.cells, after.cells, 6)).toEqual(part(2, 1, 3, 3));
});

test('copies the part', () => {
  const from = createGrid(4, 3);
  from.cells[(1 * 4 + 2) * CELL_WORDS] = BLANK + 1;
  const into = createGrid(2, 2);
  cropInto(from, into, { x: 2, y: 1 });
  expect([...into.cells].filter((_, i) => i % CELL_WORDS === 0)).toEqual([BLANK + 1, BLANK, BLANK, BLANK]);
});
