// Finds out whether full rows moved up or down since the last frame: a log's new line, a page of a full-width pane. Rows only, never columns.

import { BLANK } from '../model/cell.ts';

/** Rows [top, bottom] moved by `by`: positive means text went up. */
export interface Scroll {
  top: number;
  bottom: number;
  by: number;
}

/** Rows that must fit after the move and do not before: a scroll costs about 20 bytes, a row of text more than that. */
const MIN_GAIN = 4;

/** The scroll that saves most rows, or null. Both are rows of 4-word cells; only rows `first` to `last` differ. */
export function findScroll(next: Uint32Array, shown: Uint32Array, cols: number, first: number, last: number): Scroll | null {
  if (last - first < MIN_GAIN) return null;
  const width = cols * 4;
  const after = hashes(next, first, last, width);
  const before = hashes(shown, first, last, width);
  const blank = blankHash(width);
  const bottom = last - first;
  let best: Scroll | null = null;
  let gain = MIN_GAIN - 1;
  for (const by of candidates(after, before, blank)) {
    let saved = 0;
    for (let y = 0; y <= bottom; y++) {
      const from = y + by;
      const fits = from >= 0 && from <= bottom ? after[y] === before[from] : after[y] === blank;
      if (fits && after[y] !== blank) saved++;
      // A row that is right now and would be wrong then has to be written again.
      if (!fits && after[y] === before[y]) saved--;
    }
    if (saved > gain) {
      gain = saved;
      best = { top: first, bottom: last, by };
    }
  }
  return best;
}

/** Distances at which the first changed rows that hold text are found again. */
function candidates(after: Int32Array, before: Int32Array, blank: number): Set<number> {
  const where = new Map<number, number>();
  for (let y = 0; y < before.length; y++) if (before[y] !== blank) where.set(before[y]!, y);
  const found = new Set<number>();
  for (let y = 0; y < after.length && found.size < 4; y++) {
    const from = where.get(after[y]!);
    if (from !== undefined && from !== y && after[y] !== blank) found.add(from - y);
  }
  return found;
}

/** FNV-1a over text and colour of rows `first` to `last`. A clash only costs bytes: rows are compared cell by cell afterwards. */
function hashes(cells: Uint32Array, first: number, last: number, width: number): Int32Array {
  const out = new Int32Array(last - first + 1);
  for (let y = 0, i = first * width; y < out.length; y++) {
    let hash = 0x811c9dc5 | 0;
    for (const end = i + width; i < end; i += 4) hash = Math.imul(hash ^ cells[i]! ^ (cells[i + 1]! << 7), 0x01000193);
    out[y] = hash;
  }
  return out;
}

function blankHash(width: number): number {
  const row = new Uint32Array(width);
  for (let i = 0; i < width; i += 4) row[i] = BLANK;
  return hashes(row, 0, 0, width)[0]!;
}
