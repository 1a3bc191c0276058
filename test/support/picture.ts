// A grid as text that is equal exactly when two grids look the same, whatever their tables' order.
import { CELL_WORDS, CLUSTER, CODE_MASK, type Grid, LINK_SHIFT } from '../../src/model/cell.ts';

/** One line per row: each cell's text, colours and link, as text. */
export function picture(grid: Grid): string[] {
  return Array.from({ length: grid.rows }, (_, y) =>
    Array.from({ length: grid.cols }, (_, x) => cellText(grid, (y * grid.cols + x) * CELL_WORDS)).join('|'),
  );
}

function cellText({ cells, tables }: Grid, at: number): string {
  const [what, fg, bg, underline] = cells.subarray(at, at + CELL_WORDS) as unknown as [number, number, number, number];
  const code = what & CODE_MASK;
  const text = what & CLUSTER ? tables.clusters[code]! : code === 0 ? ' ' : String.fromCodePoint(code);
  const link = tables.links[what >>> LINK_SHIFT] ?? '';
  const style = [fg, bg, underline].map((word) => (word ? word.toString(16) : '')).join(',');
  return `${text}${style === ',,' ? '' : `{${style}}`}${link ? `<${link}>` : ''}`;
}
