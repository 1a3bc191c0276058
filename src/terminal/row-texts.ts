// Rows as text, made once for as long as their cells stay the same: a screen that is looked at again and again changes few rows. The same
// cells give the same object.
import type { ScreenLine } from '../model/screen-text.ts';
import { lineText } from './screen-text.ts';
import { X_WORDS, type XLine } from './xterm.ts';

/** The cell holds more than one code point, which the words do not tell. */
const COMBINED = 1 << 21;

interface Known {
  check: number;
  wrapped: boolean;
  line: ScreenLine;
}

export class RowTexts {
  /** Rows of the last screen, by the first hash of their words. */
  #known = new Map<number, Known>();
  #next = new Map<number, Known>();

  /** One row of the screen that is being read. */
  row(line: XLine, cols: number, wrapped: boolean): ScreenLine {
    const data = line._data;
    const end = Math.min(cols, line.length) * X_WORDS;
    // Two hashes of 32 bits (FNV-1a and one that turns as it goes): both the same for other cells is out of the question.
    let hash = 0x811c9dc5;
    let check = end;
    let combined = 0;
    for (let i = 0; i < end; i += X_WORDS) {
      const content = data[i]!;
      combined |= content;
      hash = Math.imul(hash ^ content, 0x01000193);
      check = Math.imul(((check << 5) | (check >>> 27)) ^ content, 0x9e3779b1);
      const looks = data[i + 1]! ^ Math.imul(data[i + 2]!, 0x85ebca6b);
      hash = Math.imul(hash ^ looks, 0x01000193);
      check = Math.imul(((check << 5) | (check >>> 27)) ^ looks, 0x9e3779b1);
    }
    if (combined & COMBINED) return lineText(line, cols, wrapped);
    const known = this.#next.get(hash) ?? this.#known.get(hash);
    const fits = known?.check === check && known.wrapped === wrapped;
    const entry = fits ? known : { check, wrapped, line: lineText(line, cols, wrapped) };
    this.#next.set(hash, entry);
    return entry.line;
  }

  /** The screen has been read: rows that are no longer on it are forgotten. */
  done(): void {
    this.#known = this.#next;
    this.#next = new Map();
  }
}
