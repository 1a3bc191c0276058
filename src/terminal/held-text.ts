// Text as someone reads it who has left the tail: what the program may still change stands there as it was when they left, whatever is
// written over it since. Its lines keep their numbers; what scrolled off before, and what has been printed behind it, is read where it is.
import type { TextPoint } from '../model/cell.ts';
import { type HistoryBlock, LINE_CELLS, type Lines } from './history.ts';
import { HistoryPages } from './history-pages.ts';
import type { LinkTable } from './links.ts';
import type { Looks } from './looks.ts';
import { Rewrap } from './rewrap.ts';
import { TextSpace } from './text-space.ts';

/** UTF-16 units of kept lines at which the older ones are let go: some twenty screens in colour. */
const KEPT_MAX = 4 * 1024 * 1024;

export interface HeldTextOptions {
  /** The text that is read, as it goes on. */
  text: TextSpace;
  /** Number of its stretch's first line. */
  base: number;
  links: LinkTable;
  looks: Looks;
  cols(): number;
}

export class HeldText {
  readonly base: number;
  /** The text as it is read: lines only, no live rows. */
  readonly space: TextSpace;
  readonly narrow: Rewrap;
  readonly #lines: HeldLines;
  readonly #pages: HistoryPages;

  constructor({ text, base, links, looks, cols }: HeldTextOptions) {
    this.base = base;
    this.#lines = new HeldLines(text);
    this.#pages = new HistoryPages(this.#lines, links);
    this.space = new TextSpace({ history: this.#lines, pages: this.#pages, links, looks, buffer: () => null, cols });
    this.narrow = new Rewrap(this.space, cols);
  }

  /** What has been printed since is there too, and stays as it is now. */
  keep(): void {
    this.#lines.keep();
  }

  /** A place in the last row. */
  get end(): TextPoint {
    return { line: this.space.last, col: LINE_CELLS };
  }

  dispose(): void {
    this.#pages.dispose();
  }
}

/** Lines of a text up to its end at a moment, those that were live then as they were. */
class HeldLines implements Lines {
  readonly #text: TextSpace;
  readonly #since: number;
  #kept = new Map<number, string>();
  #size = 0;
  /** All lines are ended: nothing goes on in live rows. */
  readonly open = 0;
  lines = 0;

  constructor(text: TextSpace) {
    this.#text = text;
    this.#since = text.history.since;
    this.keep();
  }

  get first(): number {
    return this.#text.history.first;
  }

  /** What the program has erased since is not erased here. */
  get since(): number {
    return Math.max(this.#since, this.first);
  }

  /** Lines that are kept already stay as they are. */
  keep(): void {
    const { first, lines } = this.#text.liveLines();
    if (this.#size > KEPT_MAX) {
      this.#kept.clear();
      this.#size = 0;
    }
    for (const [i, line] of lines.entries()) {
      if (this.#kept.has(first + i)) continue;
      this.#kept.set(first + i, line);
      this.#size += line.length;
    }
    this.lines = Math.max(this.lines, first + lines.length);
  }

  read(from: number, count: number): string[] {
    const wanted = Array.from({ length: Math.max(0, Math.min(from + count, this.lines) - from) }, (_, i) => this.#kept.get(from + i));
    if (!wanted.includes(undefined)) return wanted as string[];
    const now = this.#text.read(from, wanted.length);
    return wanted.map((line, i) => line ?? now.lines[from + i - now.first] ?? '');
  }

  async *scan(from: number): AsyncGenerator<HistoryBlock> {
    let at = from;
    for await (const { first, lines } of this.#text.scan(from)) {
      at = Math.min(this.lines, first + lines.length);
      if (at <= first) return;
      yield block(
        first,
        lines.slice(0, at - first).map((line, i) => this.#kept.get(first + i) ?? line),
      );
    }
    if (at < this.lines) yield block(at, this.read(at, this.lines - at));
  }
}

function block(first: number, lines: readonly string[]): HistoryBlock {
  return { first, text: `${lines.join('\n')}\n` };
}
