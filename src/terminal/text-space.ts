// One stretch of a terminal's text without a seam: lines of a history, then the live rows of a buffer, or no live rows. Places are
// (line, cell); rows come at the terminal's width whether they are live or not. Live rows are numbered by counting: a resize that wraps
// them anew changes no line's number.
import type { TextPoint } from '../model/cell.ts';
import { CUT, LINE_CELLS, type Lines } from './history.ts';
import { type HistoryPages, PAGE_LINES, type PlacedRow } from './history-pages.ts';
import type { LinkTable } from './links.ts';
import type { Looks } from './looks.ts';
import { joinedCells, RowPacker, trimmedCells } from './pack-row.ts';
import { plainText } from './plain-text.ts';
import type { XBuffer } from './xterm.ts';

/** A row of the text by where it is: in a page of the history, or among the live rows. */
type Spot = { page: number; index: number } | { live: number };

export interface TextSpaceOptions {
  history: Lines;
  pages: HistoryPages;
  links: LinkTable;
  looks: Looks;
  /** The live rows; null while there are none. */
  buffer(): XBuffer | null;
  cols(): number;
}

/** Lines of text with the number of the first. */
export interface LineRun {
  first: number;
  /** SGR text; one that begins with `CUT` goes on with the line before it. */
  lines: string[];
}

export class TextSpace {
  readonly #o: TextSpaceOptions;

  constructor(options: TextSpaceOptions) {
    this.#o = options;
  }

  get history(): Lines {
    return this.#o.history;
  }

  /** Oldest line to scroll to from a place: histories that the program erased are left alone unless the place is in one. */
  floor(at: TextPoint | null): number {
    const { first, since } = this.history;
    return at && at.line < since ? first : since;
  }

  /** Line of the last live row; of the last line of the history when there are none. */
  get last(): number {
    const buffer = this.#o.buffer();
    if (!buffer) return Math.max(this.history.first, this.history.lines - 1);
    return this.liveStart(buffer.lines.length - 1).line;
  }

  /** The place of the first cell of a live row. */
  liveStart(index: number): TextPoint {
    let { line, col } = this.#firstLive();
    const lines = this.#o.buffer()!.lines;
    const cols = this.#o.cols();
    // Without an object a row: this runs for every frame.
    for (let i = 1; i <= index; i++) {
      const row = lines.get(i)!;
      col = row.isWrapped ? col + joinedCells(lines.get(i - 1)!, row, cols) : LINE_CELLS;
      if (col < LINE_CELLS) continue;
      line++;
      col = 0;
    }
    return { line, col };
  }

  /** `count` rows from the row with this place on; fewer at the end, null when its text is gone or it is not above the tail. */
  rows(at: TextPoint, count: number): PlacedRow[] | null {
    let spot = this.#find(at);
    const found: PlacedRow[] = [];
    while (spot && found.length < count) {
      if ('live' in spot) return [...found, ...this.liveRows(spot.live, count - found.length)];
      const page = this.#page(spot.page);
      for (let i = spot.index; i < page.length && found.length < count; i++) found.push(page[i]!);
      spot = this.#after(spot);
    }
    return found.length > 0 ? found : null;
  }

  /** Live rows from an index on. */
  liveRows(index: number, count: number): PlacedRow[] {
    const buffer = this.#o.buffer();
    if (!buffer) return [];
    const rows: PlacedRow[] = [];
    let place = this.liveStart(index);
    for (let i = index; i < Math.min(buffer.lines.length, index + count); i++) {
      if (i > index) place = this.#below(place, i);
      rows.push({ row: buffer.lines.get(i)!, ...place });
    }
    return rows;
  }

  /** The row of the live rows from `top` on that holds a place, and the cell in it; null when it is in none of them. */
  cellOf(at: TextPoint, top: number): { x: number; y: number } | null {
    const spot = this.#find(at);
    if (!spot || !('live' in spot) || spot.live < top) return null;
    const start = this.liveStart(spot.live);
    return start.line === at.line ? { x: at.col - start.col, y: spot.live - top } : null;
  }

  /** The first cell of the row that is `by` rows below (negative: above) a place's; the oldest at the top, null at the tail. */
  move(at: TextPoint | null, by: number): TextPoint | null {
    const tail = this.#o.buffer()?.ybase ?? 0;
    const from = at ? this.#find(at) : { live: tail };
    const spot = from && (by < 0 ? this.#up(from, -by, this.floor(at)) : this.#down(from, by));
    if (!spot || ('live' in spot && spot.live >= tail)) return null;
    return this.#placeOf(spot);
  }

  /** The nearest place there is. */
  clamp(at: TextPoint): TextPoint {
    const first = this.history.first;
    return at.line < first ? { line: first, col: 0 } : at;
  }

  /** Lines [from, from + count), history and live rows joined. */
  read(from: number, count: number): LineRun {
    const { history } = this;
    const first = Math.max(from, history.first);
    const wanted = from + count - first;
    if (wanted <= 0) return { first, lines: [] };
    const old = history.read(first, wanted);
    const live = first + wanted > history.lines - (history.open > 0 ? 1 : 0) ? this.#liveLines() : { first: history.lines, lines: [] };
    return join({ first, lines: old }, live, first, wanted);
  }

  /** All lines from `from` on, a block at a time; others work in between. */
  async *scan(from: number): AsyncGenerator<LineRun> {
    const { history } = this;
    for await (const { first, text } of history.scan(from)) {
      const lines = text.split('\n');
      // What stands behind the last line end goes on in the live rows, and comes with them.
      lines.pop();
      const begin = Math.max(first, from);
      if (begin < first + lines.length) yield { first: begin, lines: lines.slice(begin - first) };
    }
    const open = history.open > 0 ? history.lines - 1 : history.lines;
    const { first, lines } = this.read(Math.max(from, open), this.last - open + 1);
    if (lines.length > 0) yield { first, lines };
  }

  /** The lines that the live rows are in, whole. */
  liveLines(): LineRun {
    const { line } = this.#firstLive();
    return this.read(line, this.last - line + 1);
  }

  /** The live rows as lines; the first may be the rest of the history's last. */
  #liveLines(): LineRun {
    const buffer = this.#o.buffer();
    const first = this.#firstLive();
    if (!buffer) return { first: first.line, lines: [] };
    const cols = this.#o.cols();
    const packer = new RowPacker((number) => this.#o.links.get(number), this.#o.looks);
    const lines: string[] = [];
    let place = first;
    if (this.history.open >= LINE_CELLS && buffer.lines.get(0)?.isWrapped) packer.byte(CUT.charCodeAt(0));
    for (let i = 0; i < buffer.lines.length; i++) {
      const row = buffer.lines.get(i)!;
      // Behind the end the list gives the oldest row again.
      const next = i + 1 < buffer.lines.length ? buffer.lines.get(i + 1) : undefined;
      const goesOn = next?.isWrapped === true;
      packer.row(row, goesOn ? joinedCells(row, next, cols) : trimmedCells(row, cols), !goesOn);
      const below = next && this.#below(place, i + 1);
      if (below && below.line === place.line) {
        place = below;
        continue;
      }
      lines.push(packer.take().toString());
      if (below && goesOn) packer.byte(CUT.charCodeAt(0));
      if (below) place = below;
    }
    return { first: first.line, lines };
  }

  #firstLive(): TextPoint {
    const { lines, open } = this.history;
    const joins = open > 0 && open < LINE_CELLS && this.#o.buffer()?.lines.get(0)?.isWrapped === true;
    return joins ? { line: lines - 1, col: open } : { line: lines, col: 0 };
  }

  /** Place of live row `i`, given that of the row above. */
  #below(above: TextPoint, i: number): TextPoint {
    const { lines } = this.#o.buffer()!;
    const row = lines.get(i)!;
    if (!row.isWrapped) return { line: above.line + 1, col: 0 };
    const col = above.col + joinedCells(lines.get(i - 1)!, row, this.#o.cols());
    return col < LINE_CELLS ? { line: above.line, col } : { line: above.line + 1, col: 0 };
  }

  /** The row that holds a place; null when its text is gone. */
  #find(at: TextPoint): Spot | null {
    if (at.line < this.history.first) return null;
    const start = this.#firstLive();
    const buffer = this.#o.buffer();
    if (buffer && (at.line > start.line || (at.line === start.line && at.col >= start.col))) {
      let live = 0;
      for (let i = 1, place = start; i < buffer.lines.length; i++) {
        place = this.#below(place, i);
        if (place.line > at.line || (place.line === at.line && place.col > at.col)) break;
        live = i;
      }
      return { live };
    }
    const number = Math.floor(at.line / PAGE_LINES);
    const index = this.#page(number).findLastIndex(({ line, col }) => line < at.line || (line === at.line && col <= at.col));
    return index === -1 ? null : { page: number, index };
  }

  #page(number: number): PlacedRow[] {
    return this.#o.pages.page(number, this.#o.cols());
  }

  #placeOf(spot: Spot): TextPoint {
    if ('live' in spot) return this.liveStart(spot.live);
    const { line, col } = this.#page(spot.page)[spot.index]!;
    return { line, col };
  }

  /** First row of the page or buffer behind the one that a spot is in. */
  #after({ page }: { page: number }): Spot | null {
    if ((page + 1) * PAGE_LINES < this.history.lines) return { page: page + 1, index: 0 };
    return this.#o.buffer() ? { live: 0 } : null;
  }

  #down(from: Spot, by: number): Spot | null {
    let spot: Spot | null = from;
    let left = by;
    while (spot && !('live' in spot)) {
      const { length } = this.#page(spot.page);
      if (spot.index + left < length) return { page: spot.page, index: spot.index + left };
      left -= length - spot.index;
      spot = this.#after(spot);
    }
    return spot && { live: spot.live + left };
  }

  #up(from: Spot, by: number, floor: number): Spot {
    let spot = from;
    let left = by;
    if ('live' in spot) {
      if (left <= spot.live) return { live: spot.live - left };
      if (this.history.lines <= floor) return { live: 0 };
      left -= spot.live + 1;
      const page = Math.floor((this.history.lines - 1) / PAGE_LINES);
      spot = { page, index: this.#page(page).length - 1 };
    }
    while (spot.index < left) {
      const page: number = spot.page - 1;
      if (page * PAGE_LINES + PAGE_LINES <= floor) break;
      left -= spot.index + 1;
      spot = { page, index: this.#page(page).length - 1 };
    }
    const top = this.#page(spot.page).findIndex(({ line }) => line >= floor);
    return { page: spot.page, index: Math.max(top, spot.index - left) };
  }
}

/** Two runs as one, `wanted` lines from `first` on; a line that is in both is joined. */
function join(old: LineRun, live: LineRun, first: number, wanted: number): LineRun {
  const lines = [...old.lines];
  for (const [i, line] of live.lines.entries()) {
    const at = live.first + i - first;
    if (at < 0 || at >= wanted) continue;
    lines[at] = at < lines.length ? lines[at] + line : line;
  }
  return { first, lines };
}

/** Lines as plain text; a line that was cut is one again. */
export function joinPlain(lines: readonly string[]): string {
  let text = '';
  for (const [i, line] of lines.entries()) text += (i > 0 && !line.startsWith(CUT) ? '\n' : '') + plainText(line);
  return text;
}
