// Styled lines as Ink writes them, against the cells they stand for.
import { expect, test } from 'vitest';
import { BOLD, CELL_WORDS, CLUSTER, COLOR_PALETTE, COLOR_RGB, createGrid, DIM, INVERSE, UNDERLINE_SHIFT } from '../model/cell.ts';
import { gridText } from './grid-text.ts';
import { writeStyled } from './styled-cells.ts';

function cells(line: string, cols = 8) {
  const grid = createGrid(cols, 1);
  writeStyled(grid, 0, line);
  return { grid, text: gridText(grid), look: (x: number) => [...grid.cells.subarray(x * CELL_WORDS + 1, (x + 1) * CELL_WORDS)] };
}

test.each<[string, number[]]>([
  ['\x1b[1mx', [BOLD, 0, 0]],
  ['\x1b[1;2mx', [BOLD, DIM, 0]],
  ['\x1b[1m\x1b[2m\x1b[22mx', [0, 0, 0]],
  ['\x1b[7;31mx', [INVERSE | COLOR_PALETTE | 1, 0, 0]],
  ['\x1b[38;2;1;2;3;48;5;200mx', [COLOR_RGB | 0x010203, COLOR_PALETTE | 200, 0]],
  ['\x1b[91;104mx', [COLOR_PALETTE | 9, COLOR_PALETTE | 12, 0]],
  ['\x1b[4mx', [0, 0, 1 << UNDERLINE_SHIFT]],
  ['\x1b[4:3mx', [0, 0, 3 << UNDERLINE_SHIFT]],
  ['\x1b[4m\x1b[24mx', [0, 0, 0]],
  ['\x1b[31m\x1b[39mx', [0, 0, 0]],
  ['\x1b[31mx\x1b[m', [COLOR_PALETTE | 1, 0, 0]],
  ['\x1b[2Kx', [0, 0, 0]],
])('%j', (line, look) => {
  expect(cells(line).text).toBe('x');
  expect(cells(line).look(0)).toEqual(look);
});

test('wide characters, clusters, links, the right edge', () => {
  expect(cells('漢字ab').text).toBe('漢字ab');
  expect(cells('abcdefg漢').text).toBe('abcdefg');
  expect(cells('0123456789').text).toBe('01234567');
  const marked = cells('e\u0301x');
  expect(marked.grid.cells[0]! & CLUSTER).toBeTruthy();
  expect(marked.text).toBe('e\u0301x');
  const linked = cells('\x1b]8;;https://a.example\x07ab\x1b]8;;\x07c');
  expect([0, 1, 2].map((x) => linked.grid.tables.links[linked.grid.cells[x * CELL_WORDS]! >>> 24])).toEqual([
    'https://a.example',
    'https://a.example',
    '',
  ]);
  expect(linked.text).toBe('abc');
});

test('a shorter line leaves nothing of the one before it', () => {
  const grid = createGrid(6, 1);
  writeStyled(grid, 0, '\x1b[41mabcdef');
  writeStyled(grid, 0, 'x');
  expect(gridText(grid)).toBe('x');
  expect([...grid.cells.subarray(CELL_WORDS + 1, 6 * CELL_WORDS)].filter((word) => word & COLOR_PALETTE)).toEqual([]);
});
