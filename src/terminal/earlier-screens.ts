// The screens that programs on the alternate screen showed, for looking back and searching: such programs repaint in place, nothing
// scrolls off. A screen is kept when new output comes after it has stood still for a moment, as a person could read it then, and most
// of its rows were not on the screen kept before. What stood for less, or changed less, is not kept: this is a memory of screens, not
// a recording.
import { History } from './history.ts';
import type { HistoryFolder } from './history-blocks.ts';
import type { LinkTable } from './links.ts';
import type { Looks } from './looks.ts';
import { trimmedCells } from './pack-row.ts';
import { X_WORDS, type XBuffer, type XLine } from './xterm.ts';

/** ms for which a screen must have stood still. */
const REST = 400;
/** Blocks kept per terminal: 4 MiB, some thousand screens. */
const BLOCKS = 8;
/** Line below each screen: its own rows keep the numbers they had while they were live. */
const RULE = '\x1b[2m── later ──\x1b[m';

export class EarlierScreens {
  readonly history: History;
  #kept = new Set<number>();
  /** When output came last; null: none has. */
  #last: number | null = null;

  constructor(folder: HistoryFolder | null, stream: string, links: LinkTable, looks: Looks) {
    this.history = new History(folder, stream, links, looks, BLOCKS);
  }

  /** No output has come for a moment before `now`. */
  rested(now: number): boolean {
    return this.#last !== null && now - this.#last >= REST;
  }

  /** Output is about to change the screen, at `now` (ms of any clock). `screen`: the alternate screen's rows when it is shown, else null. */
  before(screen: XBuffer | null, cols: number, now: number): void {
    const rested = this.rested(now);
    this.#last = now;
    if (!screen || !rested || !this.history.keeps) return;
    const { rows, prints } = readRows(screen, cols);
    const fresh = prints.filter((print) => !this.#kept.has(print)).length;
    if (fresh * 2 > prints.length) this.#keep(rows, prints, cols);
  }

  /** Keeps the screen as it is now, for someone who is marking text on it; the number of its first line, null where nothing is kept. */
  keep(screen: XBuffer, cols: number): number | null {
    if (!this.history.keeps) return null;
    const { rows, prints } = readRows(screen, cols);
    const first = this.history.lines;
    this.#keep(rows, prints, cols);
    return first;
  }

  #keep(rows: readonly XLine[], prints: readonly number[], cols: number): void {
    this.#kept = new Set(prints);
    for (const [y, row] of rows.entries()) this.history.row(row, rows[y + 1], cols);
    this.history.note(RULE);
    void this.history.flush();
  }
}

/** The rows of a screen, and a number for the text of each that has some. */
function readRows(screen: XBuffer, cols: number): { rows: XLine[]; prints: number[] } {
  const rows: XLine[] = [];
  for (let y = 0; y < screen.lines.length; y++) rows.push(screen.lines.get(y)!);
  return { rows, prints: rows.map((row) => fingerprint(row, cols)).filter((print) => print !== 0) };
}

/** A number for the text of a row; 0 for an empty one. */
function fingerprint(row: XLine, cols: number): number {
  const data = row._data;
  const end = trimmedCells(row, cols) * X_WORDS;
  let hash = end === 0 ? 0 : 0x811c9dc5;
  for (let i = 0; i < end; i += X_WORDS) hash = Math.imul(hash ^ data[i]!, 0x01000193);
  return hash;
}
