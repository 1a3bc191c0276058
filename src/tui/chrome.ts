// The chrome as cells: the lines of its views, drawn into a grid of the screen's size.
import { createGrid, type Grid } from '../model/cell.ts';
import { type Painter, put, slotsOf } from './diff/painter.ts';
import type { Span } from './spans.ts';
import { cellColor, type Theme } from './theme.ts';
import type { Block } from './views/block.ts';

export class Chrome {
  #shown = createGrid(0, 0);
  #spare = createGrid(0, 0);

  /** As drawn last. */
  get grid(): Grid {
    return this.#shown;
  }

  /** Draws the blocks, later ones above earlier ones. False when every cell is as it was: `grid` stays the same object then. */
  draw(cols: number, rows: number, blocks: readonly Block[], theme: Theme): boolean {
    const grid = blank(this.#spare, cols, rows);
    const slots = slotsOf(grid.tables);
    for (const { rect, lines } of blocks) {
      const painter = { grid, rect, slots };
      lines.forEach((line, y) => {
        line.reduce((x, span) => putSpan(painter, x, y, span, theme), 0);
      });
    }
    if (sameCells(grid, this.#shown)) return false;
    this.#spare = this.#shown;
    this.#shown = grid;
    return true;
  }
}

function putSpan(painter: Painter, x: number, y: number, { text, color, ground, ...flags }: Span, theme: Theme): number {
  const look = { fg: cellColor(theme, color ?? null), bg: cellColor(theme, ground ?? null), ...flags };
  return put(painter, x, y, painter.rect.cols, text, look);
}

/** The old grid's memory where the size is the same; tables never outlive a frame, so they do not grow. */
function blank(old: Grid, cols: number, rows: number): Grid {
  if (old.cols !== cols || old.rows !== rows) return createGrid(cols, rows);
  const { tables } = createGrid(0, 0);
  const row = createGrid(cols, 1).cells;
  for (let at = 0; at < old.cells.length; at += row.length) old.cells.set(row, at);
  return { ...old, tables };
}

function sameCells(a: Grid, b: Grid): boolean {
  const bytes = ({ cells }: Grid) => Buffer.from(cells.buffer, cells.byteOffset, cells.byteLength);
  const same = a.cols === b.cols && a.rows === b.rows && bytes(a).equals(bytes(b));
  return same && a.tables.clusters.join(' ') === b.tables.clusters.join(' ');
}
