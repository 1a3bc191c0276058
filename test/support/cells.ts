// Compares screens cell by cell: what both show, where they first differ, in words a failing test can print.
import { CELL_WORDS, CLUSTER, CODE_MASK, createGrid, type Grid, LINK_SHIFT, WIDTH_SHIFT } from '../../src/model/cell.ts';
import { UNKNOWN_OUTER } from '../../src/model/outer.ts';
import { Screen, type ScreenOptions } from '../../src/terminal/screen.ts';

/** A screen for tests, and what it said. */
export function testScreen(cols: number, rows: number, options: Partial<ScreenOptions> = {}): TestScreen {
  const replies: string[] = [];
  const facts: Parameters<ScreenOptions['onFact']>[0][] = [];
  const screen = new Screen({
    ...{ cols, rows, outer: () => UNKNOWN_OUTER, version: '0.0.0' },
    onReply: (bytes) => replies.push(Buffer.from(bytes).toString('latin1')),
    onFact: (fact) => facts.push(fact),
    ...options,
  });
  return { screen, replies, facts };
}

export interface TestScreen {
  screen: Screen;
  /** One string (latin1) per reply. */
  replies: string[];
  facts: Parameters<ScreenOptions['onFact']>[0][];
}

/** The screen's viewport at its own size. */
export function drawn(screen: Screen): Grid {
  const grid = createGrid(screen.cols, screen.rows);
  screen.draw(grid, null);
  return grid;
}

/** Rows of a grid as text, spacers left out, trailing blanks cut. */
export function gridText(grid: Grid): string[] {
  return Array.from({ length: grid.rows }, (_, y) => {
    let text = '';
    for (let x = 0; x < grid.cols; x++) text += cellText(grid, x, y);
    return text.trimEnd();
  });
}

/** Text of one cell; '' for a spacer. */
export function cellText(grid: Grid, x: number, y: number): string {
  const word = grid.cells[(y * grid.cols + x) * CELL_WORDS]!;
  if (((word >>> WIDTH_SHIFT) & 3) === 0) return '';
  const code = word & CODE_MASK;
  return word & CLUSTER ? grid.tables.clusters[code]! : String.fromCodePoint(code || 32);
}

/** One cell with its looks and link spelt out, independent of the grid's tables. */
export function cellKey(grid: Grid, x: number, y: number): string {
  const at = (y * grid.cols + x) * CELL_WORDS;
  const word = grid.cells[at]!;
  const looks = [1, 2, 3].map((i) => grid.cells[at + i]!.toString(16)).join(' ');
  return `${JSON.stringify(cellText(grid, x, y))} w${(word >>> WIDTH_SHIFT) & 3} ${looks} ${grid.tables.links[word >>> LINK_SHIFT] ?? ''}`;
}

/** Where two grids differ, at most `limit` places; empty when they are equal. */
export function diffGrids(a: Grid, b: Grid, limit = 5): string[] {
  if (a.cols !== b.cols || a.rows !== b.rows) return [`sizes ${a.cols}x${a.rows} and ${b.cols}x${b.rows}`];
  const found: string[] = [];
  for (let y = 0; y < a.rows && found.length < limit; y++) {
    for (let x = 0; x < a.cols && found.length < limit; x++) {
      const left = cellKey(a, x, y);
      const right = cellKey(b, x, y);
      if (left !== right) found.push(`(${x}, ${y}): ${left} | ${right}`);
    }
  }
  return found;
}

/** Where two screens differ in cells, cursor, title or modes. */
export function diffScreens(a: Screen, b: Screen, limit = 5): string[] {
  const found = diffGrids(drawn(a), drawn(b), limit);
  const state = (screen: Screen) => {
    const { cursor, top, atTail } = screen.draw(createGrid(1, 1), null);
    return { cursor, top, atTail, title: screen.title, modes: screen.modes, synchronized: screen.synchronized };
  };
  const left = JSON.stringify(state(a));
  const right = JSON.stringify(state(b));
  return left === right ? found : [...found, `${left} | ${right}`];
}
