// A terminal's rows as text for scripts: plain, or with SGR for colours.
import {
  BLINK,
  BOLD,
  CELL_WORDS,
  CLUSTER,
  CODE_MASK,
  COLOR_PALETTE,
  COLOR_RGB,
  createGrid,
  DIM,
  type Grid,
  INVERSE,
  INVISIBLE,
  ITALIC,
  STRIKE,
  UNDERLINE_SHIFT,
  WIDTH_SHIFT,
} from '../model/cell.ts';
import type { Screen } from '../terminal/screen.ts';

/** Most lines given at once: 100,000 of 200 columns are some 20 MB of text and 300 MB of cells. */
const LINES_MAX = 100_000;

/** The screen, or its last `lines` rows with what has scrolled off included. Trailing blanks of rows are left out. */
export function readScreen(screen: Screen, o: { lines?: number; ansi?: boolean }): string {
  const lines = Math.min(o.lines ?? screen.rows, LINES_MAX);
  const grid = createGrid(screen.cols, Math.max(lines, screen.rows));
  const above = Math.max(0, lines - screen.rows);
  const tail = screen.draw(createGrid(screen.cols, screen.rows), null);
  const got = above > 0 ? screen.draw(grid, { line: Math.max(0, tail.top.line - above), col: 0 }) : screen.draw(grid, null);
  const rows = Math.min(grid.rows, screen.rows + tail.top.line - got.top.line);
  const texts = Array.from({ length: rows }, (_, y) => (o.ansi ? ansiRow(grid, y) : plainRow(grid, y)));
  if (o.lines === undefined) return texts.join('\n');
  while (texts.length > 0 && texts.at(-1) === '') texts.pop();
  return texts.slice(-lines).join('\n');
}

/** All rows there are as plain text; `first` is the line of the first. */
export function rowTexts(screen: Screen): { first: number; rows: string[] } {
  const tail = screen.draw(createGrid(screen.cols, screen.rows), null);
  const above = Math.min(LINES_MAX, tail.top.line);
  const grid = createGrid(screen.cols, above + screen.rows);
  const { top } = screen.draw(grid, { line: tail.top.line - above, col: 0 });
  const count = screen.rows + tail.top.line - top.line;
  return { first: top.line, rows: Array.from({ length: count }, (_, y) => plainRow(grid, y)) };
}

function plainRow(grid: Grid, y: number): string {
  let text = '';
  for (let x = 0; x < grid.cols; x++) text += cellText(grid, (y * grid.cols + x) * CELL_WORDS);
  return text.trimEnd();
}

function ansiRow(grid: Grid, y: number): string {
  let text = '';
  let look = '0';
  let blanks = '';
  for (let x = 0; x < grid.cols; x++) {
    const at = (y * grid.cols + x) * CELL_WORDS;
    const own = cellText(grid, at);
    if (own === '') continue;
    const wanted = sgr(grid, at);
    if (own === ' ' && wanted === '0' && look === '0') {
      blanks += own;
      continue;
    }
    text += blanks;
    blanks = '';
    if (wanted !== look) text += `\x1b[${wanted}m`;
    look = wanted;
    text += own;
  }
  return look === '0' ? text : `${text}\x1b[0m`;
}

function cellText(grid: Grid, at: number): string {
  const word = grid.cells[at]!;
  if ((word >>> WIDTH_SHIFT) % 4 === 0) return '';
  if (word & CLUSTER) return grid.tables.clusters[word & CODE_MASK] ?? ' ';
  const code = word & CODE_MASK;
  return code === 0 ? ' ' : String.fromCodePoint(code);
}

/** SGR parameters from the reset state. */
function sgr(grid: Grid, at: number): string {
  const [fg, bg, line] = [grid.cells[at + 1]!, grid.cells[at + 2]!, grid.cells[at + 3]!];
  const out = ['0'];
  if (fg & BOLD) out.push('1');
  if (bg & DIM) out.push('2');
  if (bg & ITALIC) out.push('3');
  if ((line >>> UNDERLINE_SHIFT) & 7) out.push('4');
  if (fg & BLINK) out.push('5');
  if (fg & INVERSE) out.push('7');
  if (fg & INVISIBLE) out.push('8');
  if (fg & STRIKE) out.push('9');
  out.push(...colour(fg, 38), ...colour(bg, 48));
  return out.join(';');
}

function colour(word: number, base: 38 | 48): string[] {
  const value = word & 0xffffff;
  const mode = word & COLOR_RGB;
  if (mode === COLOR_RGB) return [`${base};2;${value >> 16};${(value >> 8) & 255};${value & 255}`];
  return mode === COLOR_PALETTE ? [`${base};5;${value & 255}`] : [];
}
