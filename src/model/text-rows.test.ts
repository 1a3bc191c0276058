// Cells of a view and places in the text lead to each other, also in lines that take several rows and beside the view.
import { describe, expect, it } from 'vitest';
import { cellOf, pointAt, type TextRows } from './text-rows.ts';

/** Lines 7 (from its cell 20 on), 8 (three rows of 10, the second one cell short for a wide character), 9. */
const rows: TextRows = {
  top: { line: 7, col: 20 },
  wraps: [
    { y: 2, col: 10 },
    { y: 3, col: 19 },
  ],
  left: 0,
};

describe('cells and places', () => {
  it.each([
    [0, 0, { line: 7, col: 20 }],
    [3, 1, { line: 8, col: 3 }],
    [3, 2, { line: 8, col: 13 }],
    [3, 3, { line: 8, col: 22 }],
    [3, 4, { line: 9, col: 3 }],
    [3, 5, { line: 10, col: 3 }],
  ])('column %i of row %i is %j', (x, y, place) => {
    expect(pointAt(rows, x, y)).toEqual(place);
    expect(cellOf(rows, place, 6)).toEqual({ x, y });
    expect(pointAt({ ...rows, left: 5 }, x, y)).toEqual({ line: place.line, col: place.col + 5 });
    expect(cellOf({ ...rows, left: 5 }, place, 6)).toEqual({ x: x - 5, y });
  });

  it.each([[{ line: 6, col: 0 }], [{ line: 7, col: 19 }], [{ line: 11, col: 0 }]])('%j is in no row', (place) =>
    expect(cellOf(rows, place, 4)).toBeNull(),
  );
});
