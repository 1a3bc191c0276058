// Cells as plain text, for what stays on the main screen when herd leaves it. Never carries controls or looks.
import { CELL_WORDS, CLUSTER, CODE_MASK, type Grid, WIDTH_SHIFT } from '../model/cell.ts';

/** The rows without trailing blanks, and without blank rows at the end. */
export function gridText(grid: Grid): string {
  const lines: string[] = [];
  for (let y = 0; y < grid.rows; y++) {
    let line = '';
    for (let x = 0; x < grid.cols; x++) line += cellText(grid, (y * grid.cols + x) * CELL_WORDS);
    lines.push(line.trimEnd());
  }
  while (lines.at(-1) === '') lines.pop();
  return lines.join('\n');
}

function cellText(grid: Grid, i: number): string {
  const word = grid.cells[i]!;
  const code = word & CODE_MASK;
  if (((word >>> WIDTH_SHIFT) & 3) === 0) return code === 0 ? '' : ' ';
  const text = word & CLUSTER ? (grid.tables.clusters[code] ?? ' ') : String.fromCodePoint(code || 32);
  return text.replace(/[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, ' ');
}
