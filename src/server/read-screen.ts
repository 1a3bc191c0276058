// A terminal's text for scripts: the rows of its screen, or the last lines of all it has printed; plain, or with SGR for colours.
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
import { CUT } from '../terminal/history.ts';
import { plainText } from '../terminal/plain-text.ts';
import type { Screen } from '../terminal/screen.ts';
import { linesFrom, TEXT_MAX } from './find-in-screen.ts';

/** The rows of the screen; with `lines` that many of the last lines, what has scrolled off included. Trailing blanks are left out. */
export async function readScreen(screen: Screen, o: { lines?: number; ansi?: boolean }): Promise<string> {
  if (o.lines !== undefined) return lastLines(screen, o.lines, o.ansi === true);
  const grid = createGrid(screen.cols, screen.rows);
  screen.draw(grid, null);
  return Array.from({ length: grid.rows }, (_, y) => (o.ansi ? ansiRow(grid, y) : plainRow(grid, y))).join('\n');
}

/** The last lines as they were printed, however they wrap; fewer when they are more than one reply holds. */
async function lastLines(screen: Screen, count: number, ansi: boolean): Promise<string> {
  const { text, screens } = screen.lineRanges();
  const [first, end] = screen.modes.alternate ? screens : text;
  const lines: string[] = [];
  // Blank rows below the text are none of the lines asked for.
  for await (const { packed } of linesFrom(screen, Math.max(first, end - count - screen.rows), end)) {
    const own = packed.startsWith(CUT) ? packed.slice(1) : packed;
    const shown = ansi ? own : plainText(own);
    if (packed.startsWith(CUT) && lines.length > 0) lines.push(lines.pop() + shown);
    else lines.push(shown);
  }
  const trimmed = lines.map((line) => line.trimEnd());
  while (trimmed.at(-1) === '') trimmed.pop();
  const kept: string[] = [];
  let room = TEXT_MAX;
  for (let line = trimmed.pop(); line !== undefined && kept.length < count && room > line.length; line = trimmed.pop()) {
    kept.push(line);
    room -= line.length + 1;
  }
  return kept.reverse().join('\n');
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
