// Rows as text, made once for as long as their cells stay the same: a screen that is looked at again and again changes few rows. The same
// cells give the same object.
import type { ScreenLine } from '../model/screen-text.ts';
import { lineText } from './screen-text.ts';
import { X_COMBINED, X_EMPTY, X_WORDS, type XLine } from './xterm.ts';

/** Screens' worth of rows after which those not seen since are forgotten. */
const KEPT = 4;

interface Known {
  check: number;
  wrapped: boolean;
  line: ScreenLine;
}

/** A row to be read; `wrapped`: the row below continues it. */
export interface RowCells {
  line: XLine;
  cols: number;
  wrapped: boolean;
}

export class RowTexts {
  #lines: readonly ScreenLine[] = [];
  /** Rows by the first hash of their words: a row that has moved, or comes back, is known again. Those of before are forgotten in time. */
  #known = new Map<number, Known>();
  #before = new Map<number, Known>();

  /**
   * All rows of a screen of `rows` rows; only those of which `changed` is true, and those on which a text goes on that began there, may be
   * others than at the last reading. The same array as then when none is.
   */
  read(changed: (y: number) => boolean, rows: number, cells: (y: number) => RowCells): readonly ScreenLine[] {
    const before = this.#lines.length === rows ? this.#lines : null;
    let lines: ScreenLine[] | null = before ? null : [];
    let here = changed(0);
    for (let y = 0; y < rows; y++) {
      const row = here || before === null ? cells(y) : null;
      const next = y + 1 < rows && (changed(y + 1) || (here && row!.wrapped));
      // The row above a changed one may end otherwise: whether it goes on stands in the row below.
      if (row || next) {
        const line = this.#row(row ?? cells(y));
        if (line !== before?.[y]) {
          lines ??= [...before!];
          lines[y] = line;
        }
      }
      here = next;
    }
    if (this.#known.size > rows * KEPT) {
      this.#before = this.#known;
      this.#known = new Map();
    }
    if (lines) this.#lines = lines;
    return this.#lines;
  }

  #row({ line, cols, wrapped }: RowCells): ScreenLine {
    const data = line._data;
    let end = Math.min(cols, line.length) * X_WORDS;
    // Blank cells of default looks at the end of a row say nothing, and most rows end in many.
    while (end > 0 && data[end - 3] === X_EMPTY && data[end - 2] === 0 && data[end - 1] === 0) end -= X_WORDS;
    // Two hashes of 32 bits (FNV-1a and one that turns as it goes): both the same for other cells is out of the question.
    let hash = 0x811c9dc5;
    let check = end;
    let combined = 0;
    for (let i = 0; i < end; i += X_WORDS) {
      const content = data[i]!;
      combined |= content;
      const looks = data[i + 1]! ^ Math.imul(data[i + 2]!, 0x85ebca6b);
      hash = Math.imul(Math.imul(hash ^ content, 0x01000193) ^ looks, 0x01000193);
      check = Math.imul(((check << 5) | (check >>> 27)) ^ content ^ looks, 0x9e3779b1);
    }
    const filled = end / X_WORDS;
    if (combined & X_COMBINED) return lineText(line, filled, wrapped);
    const known = this.#known.get(hash);
    if (known?.check === check && known.wrapped === wrapped) return known.line;
    const old = this.#before.get(hash);
    const entry = old?.check === check && old.wrapped === wrapped ? old : { check, wrapped, line: lineText(line, filled, wrapped) };
    this.#known.set(hash, entry);
    return entry.line;
  }
}
