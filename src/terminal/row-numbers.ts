// Numbers for the rows of the normal screen and its scrollback, so that a reader keeps to the same text: a row's number stays while
// output scrolls it up and older rows are trimmed. A change of width wraps text anew: rows get fresh numbers, and old ones lead to
// the row that now holds their text.
import type { XBuffer, XLines } from './xterm.ts';

/** Earlier numberings that old places can still be led from. */
const MAX_EARLIER = 8;

/** Rows as text: which line of text each belongs to, and the column its cells start at in it. */
interface Layout {
  line: number[];
  col: number[];
  lines: number;
}

/** A numbering of the past: where its rows' text stands now. */
interface Earlier {
  first: number;
  to: number[];
}

export class RowNumbers {
  #lines: XLines | null = null;
  /** Number of the oldest row there is. */
  #first = 0;
  #earlier: Earlier[] = [];

  /** Takes note of a buffer whose rows were all replaced (a reset); to be called when it happens. */
  watch(buffer: XBuffer): void {
    if (buffer.lines === this.#lines) return;
    if (this.#lines) this.#first += this.#lines.length;
    this.#lines = buffer.lines;
    this.#earlier = [];
    const { lines } = buffer;
    lines.onTrim((count) => {
      if (lines === this.#lines) this.#first += count;
    });
  }

  /** Goes on with the numbering of a checkpoint, whose oldest row had the number `first`. */
  restart(buffer: XBuffer, first: number): void {
    this.watch(buffer);
    this.#first = first;
    this.#earlier = [];
  }

  /** Number of the row at `index` of the buffer. */
  number(index: number): number {
    return this.#first + index;
  }

  /** Runs a resize; renumbers when it may have wrapped text anew. */
  resize(buffer: XBuffer, colsChange: boolean, resize: () => void): void {
    if (!colsChange) return resize();
    const first = this.#first;
    const before = layoutOf(buffer.lines);
    resize();
    const trimmed = this.#first - first;
    const after = layoutOf(buffer.lines);
    this.#first = first + before.line.length + trimmed;
    const to = before.line.map((_, i) => this.#first + sameText(before, i, after, trimmed > 0));
    const older = this.#earlier.map((old) => ({ first: old.first, to: old.to.map((number) => to[number - first] ?? to[0] ?? 0) }));
    this.#earlier = [...older, { first, to }].slice(-MAX_EARLIER);
  }

  /** Index in the buffer of the row with this number, or of the nearest there still is. */
  index(number: number, buffer: XBuffer): number {
    const old = number < this.#first ? this.#earlier.findLast((numbering) => number >= numbering.first) : undefined;
    const now = old ? (old.to[number - old.first] ?? this.#first) : number;
    return Math.min(Math.max(now - this.#first, 0), buffer.lines.length - 1);
  }
}

function layoutOf(rows: XLines): Layout {
  const layout: Layout = { line: [], col: [], lines: 0 };
  for (let i = 0; i < rows.length; i++) {
    const joins = i > 0 && rows.get(i)!.isWrapped;
    if (!joins) layout.lines++;
    layout.line.push(layout.lines - 1);
    layout.col.push(joins ? layout.col[i - 1]! + rows.get(i - 1)!.length : 0);
  }
  return layout;
}

/** Index in `after` of the row that holds the start of row `i` of `before`; lines are counted from the end when rows fell off the top. */
function sameText(before: Layout, i: number, after: Layout, fromEnd: boolean): number {
  const line = before.line[i]! + (fromEnd ? after.lines - before.lines : 0);
  let at = Math.max(after.line.indexOf(Math.max(line, 0)), 0);
  while (after.line[at + 1] === after.line[at] && after.col[at + 1]! <= before.col[i]!) at++;
  return at;
}
