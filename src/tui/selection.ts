// A selection of text in a terminal's view: which cells it covers, and how they look. Places are logical lines of the terminal's text
// (history included), so a selection stays on its text while the view scrolls or wraps anew.
import { BLANK, CELL_WORDS, CLUSTER, CODE_MASK, COLOR_MASK, type Grid, INVERSE, WIDTH_SHIFT } from '../model/cell.ts';
import { pointAt, type TextRows } from '../model/text-rows.ts';
import type { TextPoint } from '../wire/requests.ts';

/** Where a search found something. */
export interface Hit extends TextPoint {
  length: number;
}

export interface Selection {
  terminal: number;
  anchor: TextPoint;
  head: TextPoint;
  shape: 'characters' | 'lines' | 'block';
}

/** First and last place, in reading order. */
export function ordered({ anchor, head }: Selection): [TextPoint, TextPoint] {
  const forward = anchor.line < head.line || (anchor.line === head.line && anchor.col <= head.col);
  return forward ? [anchor, head] : [head, anchor];
}

/** Columns [from, to) that a selection covers in a row whose first cell is at `start`; null when it does not reach it. */
export function coveredColumns(selection: Selection, start: TextPoint, cols: number): [from: number, to: number] | null {
  const [first, last] = ordered(selection);
  const { line } = start;
  if (line < first.line || line > last.line) return null;
  if (selection.shape === 'lines') return [0, cols];
  const column = (col: number) => Math.max(0, Math.min(cols, col - start.col));
  const [left, right] = selection.shape === 'block' ? [Math.min(first.col, last.col), Math.max(first.col, last.col)] : [null, null];
  const from = left !== null ? column(left) : line === first.line ? column(first.col) : 0;
  const to = right !== null ? column(right + 1) : line === last.line ? column(last.col + 1) : cols;
  return from < to ? [from, to] : null;
}

/**
 * A copy of a view's grid with the selection inverted. `rows` says which text is in the grid's rows, `plain` is the grid without what a
 * search put under it: its grounds inverted could not be read.
 */
export function withSelection(grid: Grid, selection: Selection, rows: TextRows, plain = grid): Grid {
  const cells = new Uint32Array(grid.cells);
  for (let y = 0; y < grid.rows; y++) {
    const covered = coveredColumns(selection, pointAt(rows, 0, y), grid.cols);
    if (!covered) continue;
    for (let x = covered[0]; x < covered[1]; x++) {
      const at = (y * grid.cols + x) * CELL_WORDS;
      cells[at + 1]! ^= INVERSE;
      cells[at + 2] = plain.cells[at + 2]!;
    }
  }
  return { ...grid, cells };
}

/** A copy of a view's grid with a ground under each hit of a search, another under the one at hand. Hits in the order of the text. */
export function withHits(grid: Grid, hits: readonly Hit[], at: Hit | undefined, rows: TextRows, ground: { hit: number; at: number }): Grid {
  const cells = new Uint32Array(grid.cells);
  for (let y = 0; y < grid.rows; y++) {
    const start = pointAt(rows, 0, y);
    const below = pointAt(rows, 0, y + 1);
    const end = below.line === start.line ? Math.min(grid.cols, below.col - start.col) : grid.cols;
    for (let i = firstIn(hits, start.line); hits[i]?.line === start.line; i++) {
      const { col, length } = hits[i]!;
      const colour = hits[i] === at ? ground.at : ground.hit;
      for (let x = Math.max(0, col - start.col); x < Math.min(end, col + length - start.col); x++) {
        const word = (y * grid.cols + x) * CELL_WORDS + 2;
        cells[word] = (cells[word]! & ~COLOR_MASK) | colour;
      }
    }
  }
  return { ...grid, cells };
}

/** Index of the first hit in a line or behind it. */
function firstIn(hits: readonly Hit[], line: number): number {
  let [low, high] = [0, hits.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hits[middle]!.line < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Text of a row of a grid with the column of each UTF-16 unit. */
export function rowText(grid: Grid, y: number): { text: string; columns: number[] } {
  let text = '';
  const columns: number[] = [];
  let before = 1;
  for (let x = 0; x < grid.cols; x++) {
    const word = grid.cells[(y * grid.cols + x) * CELL_WORDS] ?? BLANK;
    const taken = (word >>> WIDTH_SHIFT) & 3;
    const spacer = taken === 0 && before === 2;
    before = taken;
    if (spacer) continue;
    const code = word & CODE_MASK;
    const piece = word & CLUSTER ? (grid.tables.clusters[code] ?? ' ') : code === 0 ? ' ' : String.fromCodePoint(code);
    for (let i = 0; i < piece.length; i++) columns.push(x);
    text += piece;
  }
  return { text, columns };
}

/** What belongs together for a double click: names, paths, addresses. */
const WORD = /[\p{L}\p{N}_\-./~@:+#%&=?]/u;

/** Columns [from, to] of the word at a column; the cell alone where there is none. */
export function wordAt(grid: Grid, x: number, y: number): { from: number; to: number; text: string } {
  const { text, columns } = rowText(grid, y);
  const at = Math.max(
    0,
    columns.findLastIndex((column) => column <= x),
  );
  let from = at;
  let to = at;
  if (WORD.test(text[at] ?? ' ')) {
    while (from > 0 && WORD.test(text[from - 1]!)) from--;
    while (to < text.length - 1 && WORD.test(text[to + 1]!)) to++;
    while (to > from && /[.:?]/.test(text[to]!)) to--;
  }
  return { from: columns[from] ?? x, to: columns[to] ?? x, text: text.slice(from, to + 1) };
}

/** 'src/a.ts:12' or 'src/a.ts:12:5' as a place in a file. */
export function fileReference(text: string): { path: string; line: number } | null {
  const match = /^(?:\.\/)?([\w@.+~/-]*[\w/-]+\.[\w-]+|[\w@.+~-]+\/[\w@.+~/-]+):(\d+)(?::\d+)?$/.exec(text);
  return match ? { path: match[1]!, line: Number(match[2]) } : null;
}
