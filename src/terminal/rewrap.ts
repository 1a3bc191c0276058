// Text laid out for a view that is narrower than its terminal: lines are wrapped at words, and what only frames them (rules, borders,
// padding) is left out where it does not fit. Places stay those of the text, so such a view scrolls, marks and searches as any other.
import type { Grid, TextPoint } from '../model/cell.ts';
import { CLUSTER, CODE_MASK } from '../model/cell.ts';
import { blankFrom, drawLine } from './draw.ts';
import { LINE_CELLS } from './history.ts';
import type { PlacedRow } from './history-pages.ts';
import type { LinkTable } from './links.ts';
import { joinedCells } from './pack-row.ts';
import type { TextSpace } from './text-space.ts';
import { X_WORDS } from './xterm.ts';

/** Steps longer than this are counted in the terminal's rows: nobody sees the difference, and the rows between need no layout. */
const LONG_STEP = 2000;
const WIDTH_BITS = 3 << 22;
/** Box drawing and block elements. */
const [BOX_FIRST, BOX_LAST] = [0x2500, 0x259f];

/** A row of the view: cells [col, end) of a line, whose rows in the terminal's width are `from`. */
export interface NarrowRow extends TextPoint {
  end: number;
  from: readonly PlacedRow[];
}

export class Rewrap {
  readonly #space: TextSpace;
  readonly #cols: () => number;

  /** `cols`: the terminal's width. */
  constructor(space: TextSpace, cols: () => number) {
    this.#space = space;
    this.#cols = cols;
  }

  /** `count` rows of `width` cells from the one that holds a place on; fewer at the end of the text, none when it is gone. */
  rows(at: TextPoint, width: number, count: number): NarrowRow[] {
    const cols = this.#cols();
    for (let wanted = count + Math.ceil(at.col / cols) + 1; ; wanted *= 2) {
      const source = this.#space.rows({ line: at.line, col: 0 }, wanted) ?? [];
      const rows = wrapLines(source, cols, width);
      const found = rows.slice(holding(rows, at), holding(rows, at) + count);
      if (found.length === count || source.length < wanted) return found;
    }
  }

  /** The place of the row `by` rows below (negative: above) the one that holds a place; the oldest at the top, null past the end. */
  move(at: TextPoint, width: number, by: number): TextPoint | null {
    if (Math.abs(by) > LONG_STEP) return this.#space.move(at, by);
    if (by >= 0) return place(this.rows(at, width, by + 1)[by]);
    const floor = this.#space.floor(at);
    let rows = this.#line(at.line, width);
    let index = holding(rows, at);
    for (let line = at.line - 1; index < -by && line >= floor; line--) {
      const above = this.#line(line, width);
      rows = [...above, ...rows];
      index += above.length;
    }
    return place(rows[Math.max(0, index + by)]);
  }

  #line(line: number, width: number): NarrowRow[] {
    const cols = this.#cols();
    const source = this.#space.rows({ line, col: 0 }, Math.ceil(LINE_CELLS / cols) + 1) ?? [];
    return wrapLines(
      source.filter((row) => row.line === line),
      cols,
      width,
    );
  }
}

/** The row that holds a place: the last that begins at or before it. 0 when all begin behind it. */
export function holding(rows: readonly TextPoint[], { line, col }: TextPoint): number {
  return Math.max(
    0,
    rows.findLastIndex((row) => row.line < line || (row.line === line && row.col <= col)),
  );
}

/** Draws rows into a grid from its first row on; the rest of it becomes blank. */
export function drawNarrow(rows: readonly NarrowRow[], into: Grid, cols: number, links: LinkTable): void {
  for (let y = 0; y < into.rows; y++) {
    blankFrom(into, y, 0);
    const narrow = rows[y];
    for (const [i, { row, col }] of narrow?.from.entries() ?? []) {
      const { col: start, end } = narrow!;
      const from = Math.max(0, start - col);
      const to = Math.min(heldCells(narrow!.from, i, cols), end - col);
      if (from < to) drawLine(row, into, y, links, from, to, col + from - start);
    }
  }
}

/** Whole lines, each as the rows it takes at a width; `source` in order, `cols` wide. */
function wrapLines(source: readonly PlacedRow[], cols: number, width: number): NarrowRow[] {
  const wrapped: NarrowRow[] = [];
  for (let i = 0; i < source.length; ) {
    const { line } = source[i]!;
    let next = i + 1;
    while (source[next]?.line === line) next++;
    const from = source.slice(i, next);
    for (const [col, end] of cuts(contents(from, cols), width)) wrapped.push({ line, col, end, from });
    i = next;
  }
  return wrapped;
}

/** Cells of the line that row `i` of its rows holds. */
function heldCells(rows: readonly PlacedRow[], i: number, cols: number): number {
  const { row } = rows[i]!;
  const next = rows[i + 1]?.row;
  return next ? joinedCells(row, next, cols) : Math.min(cols, row.length);
}

/** The first word of each cell of a line. */
function contents(rows: readonly PlacedRow[], cols: number): Uint32Array {
  const cells = new Uint32Array(rows.length * cols);
  let length = 0;
  for (const [i, { row }] of rows.entries()) {
    const held = heldCells(rows, i, cols);
    for (let x = 0; x < held; x++) cells[length++] = row._data[x * X_WORDS]!;
  }
  return cells.subarray(0, length);
}

/** Where the rows of a line begin and end. */
function cuts(cells: Uint32Array, width: number): [from: number, to: number][] {
  let text = cells.length;
  while (text > 0 && isFrame(cells[text - 1]!)) text--;
  const rows: [number, number][] = [];
  let from = 0;
  while (text - from > width) {
    // Never in the midst of a wide character.
    let to = from + width;
    if ((cells[to]! & WIDTH_BITS) === 0) to = Math.max(from + 1, to - 1);
    let next = to;
    if (!isBlank(cells[to]!)) {
      // After the last blank, unless the word is as long as half of the row.
      while (next > from + (width >> 1) && !isBlank(cells[next - 1]!)) next--;
      if (isBlank(cells[next - 1]!)) to = next;
      else next = to;
    }
    while (next < text && isBlank(cells[next]!)) next++;
    rows.push([from, to]);
    from = next;
  }
  rows.push([from, Math.min(cells.length, from + width)]);
  return rows;
}

function isBlank(content: number): boolean {
  const code = content & CODE_MASK;
  return (content & CLUSTER) === 0 && (code === 0 || code === 0x20) && (content & WIDTH_BITS) !== 0;
}

/** Blanks, and lines and blocks that boxes and rules are drawn with. */
function isFrame(content: number): boolean {
  const code = content & CODE_MASK;
  return isBlank(content) || ((content & CLUSTER) === 0 && code >= BOX_FIRST && code <= BOX_LAST);
}

function place(row: NarrowRow | undefined): TextPoint | null {
  return row ? { line: row.line, col: row.col } : null;
}
