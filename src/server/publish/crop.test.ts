import { expect, test } from 'vitest';
import { BLANK, CELL_WORDS, type Cursor, createGrid } from '../../model/cell.ts';
import { cropCorner, cropInto } from './crop.ts';

const cursor = (x: number, y: number, visible = true): Cursor => ({ x, y, visible, shape: 'block', blink: false });
const full = { cols: 160, rows: 40 };
const view = { cols: 50, rows: 20 };

test.each([
  ['starts at the bottom left', cursor(3, 38), null, { x: 0, y: 20 }],
  ['follows the cursor up', cursor(3, 5), null, { x: 0, y: 3 }],
  ['follows the cursor right', cursor(100, 38), null, { x: 53, y: 20 }],
  ['stays where it was while the cursor is inside', cursor(60, 10), { x: 40, y: 4 }, { x: 40, y: 4 }],
  ['a hidden cursor shows the bottom', cursor(100, 2, false), { x: 7, y: 3 }, { x: 7, y: 20 }],
  ['never past the edge', cursor(159, 39), null, { x: 110, y: 20 }],
])('%s', (_name, at, before, corner) => {
  expect(cropCorner(full, view, at, before)).toEqual(corner);
});

test('copies the part', () => {
  const from = createGrid(4, 3);
  from.cells[(1 * 4 + 2) * CELL_WORDS] = BLANK + 1;
  const into = createGrid(2, 2);
  cropInto(from, into, { x: 2, y: 1 });
  expect([...into.cells].filter((_, i) => i % CELL_WORDS === 0)).toEqual([BLANK + 1, BLANK, BLANK, BLANK]);
});
