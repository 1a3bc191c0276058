import { expect, test } from 'vitest';
import { CELL_WORDS, COLOR_MASK, createGrid, INVERSE } from '../model/cell.ts';
import { type Selection, withHits, withSelection } from './selection.ts';

const rows = { top: { line: 5, col: 0 }, wraps: [], left: 0 };
const ground = { hit: 0x1000001, at: 0x1000002 };
const hits = [
  { line: 5, col: 1, length: 2 },
  { line: 6, col: 0, length: 3 },
];

test('hits have a ground each, and what is selected is inverted without it', () => {
  const plain = createGrid(4, 2);
  const selection: Selection = { terminal: 1, anchor: { line: 5, col: 2 }, head: { line: 6, col: 1 }, shape: 'characters' };
  const shown = withSelection(withHits(plain, hits, hits[1], rows, ground), selection, rows, plain);
  const looks = Array.from({ length: 8 }, (_, i) => {
    const [fg, bg] = [shown.cells[i * CELL_WORDS + 1]!, shown.cells[i * CELL_WORDS + 2]! & COLOR_MASK];
    return fg & INVERSE ? (bg === 0 ? 's' : 'S') : bg === ground.hit ? 'h' : bg === ground.at ? 'a' : '.';
  });
  expect(looks.join('')).toBe('.hss' + 'ssa.');
  expect(plain.cells).toEqual(createGrid(4, 2).cells);
});
