// The judge: @xterm/headless alone, with herd's width table, and its cells in words that two terminals can be compared by. What cannot
// be seen (the bold of a blank, palette 3 written as 33 or as 38;5;3) is no difference.
import { createRequire } from 'node:module';
import type { IBufferCell, Terminal } from '@xterm/headless';
import { clusters, properties, step, withoutLeadingJoiners } from '../../src/model/width.ts';

const require = createRequire(import.meta.url);

/** Parts of a cell that the public API leaves out; its own answers say that every link and every style left behind is an underline. */
interface Hidden {
  fg: number;
  extended: { _ext: number; urlId: number };
}
const UNDERLINE = 1 << 28;
interface Core {
  coreService: { isCursorHidden: boolean };
  _oscLinkService: { getLinkData(id: number): { uri: string } | undefined };
}

/** A terminal as a person might sit in; what it answers goes to `onReply`. */
export function bareTerminal(cols: number, rows: number, onReply: (text: string) => void = () => {}): Terminal {
  const headless = require('@xterm/headless') as typeof import('@xterm/headless');
  const terminal = new headless.Terminal({ cols, rows, scrollback: 1000, allowProposedApi: true, logLevel: 'off' });
  const wcwidth = (code: number) => (properties(code) & 3) as 0 | 1 | 2;
  terminal.unicode.register({ version: 'herd', wcwidth, charProperties: step });
  terminal.unicode.activeVersion = 'herd';
  terminal.onData(onReply);
  return terminal;
}

/** Parses `bytes` before it returns. */
export function feed(terminal: Terminal, bytes: Uint8Array | string): void {
  (terminal as unknown as { _core: { writeSync(bytes: Uint8Array | string): void } })._core.writeSync(bytes);
}

/** xterm.js forgets the address of a link whose first row has scrolled off, though cells still have it. */
const LOST_LINK = '(link)';

/** Half a wide character: drawn as a blank, of whatever look. */
const HALF = '(half)';

/** What is to be seen: one string a cell, and the cursor. */
export interface Picture {
  cells: string[][];
  cursor: string;
}

/** Cells in rows [0, rows) and columns [0, cols) of the viewport at the tail; `cursor` only if it is to be compared. */
export function pictureOf(terminal: Terminal): Picture {
  const core = (terminal as unknown as { _core: Core })._core;
  const buffer = terminal.buffer.active;
  const cells = Array.from({ length: terminal.rows }, (_, y) => {
    const line = buffer.getLine(buffer.baseY + y);
    return mended(Array.from({ length: terminal.cols }, (_, x) => cellWords(line?.getCell(x), core)));
  });
  const x = Math.min(buffer.cursorX, terminal.cols - 1);
  return { cells, cursor: core.coreService.isCursorHidden ? 'hidden' : `${x},${buffer.cursorY}` };
}

/** Halves of wide characters, which the parser leaves behind in places, are blanks. */
function mended(row: string[]): string[] {
  return row.map((cell, x) => {
    if (cell === '') return / w2 /.test(row[x - 1] ?? '') ? '' : HALF;
    return / w2 /.test(cell) && row[x + 1] !== '' ? HALF : cell;
  });
}

function cellWords(cell: IBufferCell | undefined, core: Core): string {
  if (!cell) return ' ';
  if (cell.getWidth() === 0) return '';
  const { fg, extended } = cell as unknown as Hidden;
  const text = cell.isInvisible() ? ' ' : seen(cell.getChars());
  const style = fg & UNDERLINE ? (extended._ext >>> 26) & 7 || 1 : 0;
  const lined = style !== 0 || cell.isStrikethrough() !== 0 || cell.isOverline() !== 0;
  const inked = text !== ' ' || lined || cell.isInverse() !== 0;
  const words = [text, `w${cell.getWidth()}`, `bg ${colour(cell.getBgColorMode(), cell.getBgColor())}`];
  if (cell.isInverse()) words.push('inverse');
  if (cell.isStrikethrough()) words.push('strike');
  if (cell.isOverline()) words.push('overline');
  if (style) words.push(`underline ${style} ${underline(extended._ext & 0x3ffffff)}`);
  if (inked) words.push(`fg ${colour(cell.getFgColorMode(), cell.getFgColor())}`);
  if (inked && cell.isBold()) words.push('bold');
  if (inked && cell.isDim()) words.push('dim');
  if (text !== ' ')
    for (const [name, on] of [
      ['italic', cell.isItalic()],
      ['blink', cell.isBlink()],
    ] as const)
      if (on) words.push(name);
  if (extended.urlId && text !== ' ') words.push(core._oscLinkService.getLinkData(extended.urlId)?.uri ?? LOST_LINK);
  return words.join(' ');
}

/** What a cell's text looks like: marks without a character stand on a blank, joiners and selectors alone are one. */
function seen(text: string): string {
  const [first] = clusters(withoutLeadingJoiners(text.replace(/^ (?=.)/u, '')));
  return first?.text ?? ' ';
}

/** 16 and 256 colours are one palette. */
function colour(mode: number, value: number): string {
  return mode === 0 ? 'default' : mode === 0x3000000 ? `#${value.toString(16)}` : String(value & 0xff);
}

function underline(word: number): string {
  const mode = word & 0x3000000;
  // SGR 59 leaves every bit set, which is no colour.
  return (word & 0x3ffffff) === 0x3ffffff ? 'default' : colour(mode, word & 0xffffff);
}

/** Where two pictures differ, at most `limit` places; empty when they are equal. */
export function diffPictures(want: Picture, got: Picture, limit = 5): string[] {
  const found: string[] = [];
  for (const [y, row] of want.cells.entries())
    for (const [x, cell] of row.entries())
      if (!same(cell, got.cells[y]?.[x]) && found.length < limit) found.push(`(${x}, ${y}): ${cell} | ${got.cells[y]?.[x]}`);
  if (want.cursor !== got.cursor) found.push(`cursor ${want.cursor} | ${got.cursor}`);
  return found;
}

function same(want: string, got: string | undefined): boolean {
  return (
    want === got ||
    (want === HALF && got?.startsWith(' ') === true) ||
    (want.endsWith(LOST_LINK) && got?.startsWith(want.slice(0, -LOST_LINK.length)) === true)
  );
}
