// Lines of the history laid out as rows of a given width, a page of lines at a time: the lines go through a parser of their own, so they
// wrap and look as they did when they were live. Keeps a few pages; holds nothing until someone looks back.
import { CUT, type Lines } from './history.ts';
import { type LinkTable, watchLinks } from './links.ts';
import { joinedCells } from './pack-row.ts';
import { createEmulator, type Emulator, type XCore, type XLine } from './xterm.ts';

/** Lines laid out together: a screen is one or two pages. */
export const PAGE_LINES = 64;
/** Pages kept: what two readers have before them, and the pages around it. */
const PAGES = 6;
/** Rows of the parser; lines above them stand in its scrollback. */
const ROWS = 24;

/** A row and the place of its first cell in the text. */
export interface PlacedRow {
  row: XLine;
  line: number;
  col: number;
}

interface Page {
  number: number;
  cols: number;
  /** End of the history when it was laid out, for a page that the end is in; else null. */
  end: string | null;
  rows: PlacedRow[];
}

export class HistoryPages {
  readonly #history: Lines;
  readonly #links: LinkTable;
  #emulator: Emulator | null = null;
  #pages: Page[] = [];

  constructor(history: Lines, links: LinkTable) {
    this.#history = history;
    this.#links = links;
  }

  /** Rows of lines [number * PAGE_LINES, …) at a width, as many lines as there are. */
  page(number: number, cols: number): PlacedRow[] {
    const { lines, open } = this.#history;
    const end = lines < (number + 1) * PAGE_LINES || (open > 0 && lines === (number + 1) * PAGE_LINES) ? `${lines} ${open}` : null;
    const known = this.#pages.find((page) => page.number === number && page.cols === cols);
    if (known?.end === end && known) return known.rows;
    const first = Math.max(number * PAGE_LINES, this.#history.first);
    const rows = this.#layOut(first, this.#history.read(first, (number + 1) * PAGE_LINES - first), cols);
    this.#pages = [{ number, cols, end, rows }, ...this.#pages.filter((page) => page !== known)].slice(0, PAGES);
    return rows;
  }

  /** Forgets what was laid out. */
  clear(): void {
    this.#pages = [];
  }

  dispose(): void {
    this.clear();
    this.#emulator?.terminal.dispose();
    this.#emulator = null;
  }

  #layOut(first: number, lines: string[], cols: number): PlacedRow[] {
    if (lines.length === 0) return [];
    const { terminal, core } = this.#parser(cols, lines);
    feed(core, lines);
    const buffer = core.buffers.normal;
    const rows: PlacedRow[] = [];
    for (let y = 0, line = first - 1, col = 0; y <= buffer.ybase + buffer.y; y++) {
      const row = buffer.lines.get(y)!;
      const before = rows.at(-1);
      if (row.isWrapped && before) col += joinedCells(before.row, row, cols);
      else {
        line++;
        col = 0;
      }
      rows.push({ row, line, col });
    }
    // The rows are the page's now: the parser gets new ones.
    terminal.reset();
    return rows;
  }

  /** The parser at a width, empty, with room for all rows that the lines can take. */
  #parser(cols: number, lines: string[]): Emulator {
    const rows = lines.reduce((sum, line) => sum + 1 + Math.ceil((2 * line.length) / Math.max(1, cols - 1)), 0);
    const room = Math.ceil(rows / 1024) * 1024;
    const known = this.#emulator;
    if (known && known.core.cols === cols && (known.terminal.options.scrollback ?? 0) >= room) return known;
    known?.terminal.dispose();
    const made = createEmulator(cols, ROWS, room);
    watchLinks(made, this.#links);
    this.#emulator = made;
    return made;
  }
}

/** Background behind the end of a line's text. */
const BACKGROUND = /(?:\x1b\[[\d;:]*m\x1b\[\d+X)+\x1b\[m$/;

function feed(core: XCore, lines: string[]): void {
  const parse = (text: string) => void core._inputHandler.parse(Buffer.from(text));
  let text = '';
  for (const [i, line] of lines.entries()) {
    text += `${i > 0 ? '\r\n' : ''}${line.startsWith(CUT) ? line.slice(1) : line}`;
    const background = line.endsWith('X\x1b[m') ? BACKGROUND.exec(line)?.[0] : undefined;
    if (!background) continue;
    parse(text.slice(0, -background.length));
    // Behind a full row there is nothing to erase, and the parser would erase its last cell.
    text = core.buffers.normal.x < core.cols ? background : '';
  }
  parse(text);
}
