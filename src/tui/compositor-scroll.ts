// Finds out whether full rows moved up or down since the last frame: a log's new line, a page of a full-width pane. Rows only, never columns.

/** Rows [top, bottom] moved by `by`: positive means text went up. */
export interface Scroll {
  top: number;
  bottom: number;
  by: number;
}

/** Rows that must fit after the move and do not before: a scroll costs about 20 bytes, a row of text more than that. */
const MIN_GAIN = 4;

/** The scroll that saves most rows, or null. Both are rows of 4-word cells. */
export function findScroll(next: Uint32Array, shown: Uint32Array, cols: number, rows: number): Scroll | null {
  const width = cols * 4;
  const after = hashes(next, rows, width);
  const before = hashes(shown, rows, width);
  let top = 0;
  let bottom = rows - 1;
  while (top < rows && after[top] === before[top]) top++;
  while (bottom > top && after[bottom] === before[bottom]) bottom--;
  if (bottom - top < MIN_GAIN) return null;
  const blank = blankHash(width);
  let best: Scroll | null = null;
  let gain = MIN_GAIN - 1;
  const distances = candidates(after, before, top, bottom, blank);
  for (const by of distances) {
    let saved = 0;
    for (let y = top; y <= bottom; y++) {
      const from = y + by;
      const fits = from >= top && from <= bottom ? after[y] === before[from] : after[y] === blank;
      if (fits && after[y] !== blank) saved++;
      // A row that is right now and would be wrong then has to be written again.
      if (!fits && after[y] === before[y]) saved--;
    }
    if (saved > gain) {
      gain = saved;
      best = { top, bottom, by };
    }
  }
  return best;
}

/** Distances at which the first changed rows that hold text are found again. */
function candidates(after: Int32Array, before: Int32Array, top: number, bottom: number, blank: number): Set<number> {
  const where = new Map<number, number>();
  for (let y = top; y <= bottom; y++) if (before[y] !== blank) where.set(before[y]!, y);
  const found = new Set<number>();
  for (let y = top; y <= bottom && found.size < 4; y++) {
    const from = where.get(after[y]!);
    if (from !== undefined && from !== y && after[y] !== blank) found.add(from - y);
  }
  return found;
}

/** FNV-1a over the words of each row. A clash only costs bytes: rows are compared cell by cell afterwards. */
function hashes(cells: Uint32Array, rows: number, width: number): Int32Array {
  const out = new Int32Array(rows);
  for (let y = 0, i = 0; y < rows; y++) {
    let hash = 0x811c9dc5 | 0;
    for (const end = i + width; i < end; i++) hash = Math.imul(hash ^ cells[i]!, 0x01000193);
    out[y] = hash;
  }
  return out;
}

function blankHash(width: number): number {
  const row = new Uint32Array(width);
  for (let i = 0; i < width; i += 4) row[i] = 32 | (1 << 22);
  return hashes(row, 1, width)[0]!;
}
