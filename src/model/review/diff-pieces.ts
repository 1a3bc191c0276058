// A diff told to somebody who holds an earlier reading of it: what stayed by its place there, what is new by its lines.
import type { DiffLine, DiffPiece, Hunk, HunkHead } from './changeset.ts';

/** The hunks that the pieces make; null when they do not fit what is held. Hunks that stayed where they were are the same objects. */
export function applyPieces(held: readonly Hunk[], pieces: readonly DiffPiece[]): Hunk[] | null {
  const out: Hunk[] = [];
  const starts = startsOf(held);
  const total = starts.at(-1)!;
  let kept = 0;
  // The last hunk when it is of this call's making and may grow; one that is held must not.
  let open: Hunk | null = null;
  const add = (head: HunkHead | null, lines: readonly DiffLine[]): boolean => {
    if (head) {
      open = { ...head, lines: [...lines] };
      out.push(open);
      return true;
    }
    const last = out.at(-1);
    if (!last) return false;
    if (last !== open) {
      open = { ...last, lines: [...last.lines] };
      out[out.length - 1] = open;
    }
    for (const line of lines) open.lines.push(line);
    return true;
  };
  for (const piece of pieces) {
    if (!('keep' in piece)) {
      if (!add(piece.head ?? null, piece.lines)) return null;
      continue;
    }
    const [from, to] = piece.keep;
    kept += to - from;
    if (!(from >= 0 && from < to && to <= total && kept <= total)) return null;
    for (let at = indexAt(starts, from); at < held.length && starts[at]! < to; at++) {
      const hunk = held[at]!;
      const [first, end] = [Math.max(0, from - starts[at]!), Math.min(hunk.lines.length, to - starts[at]!)];
      const whole = first === 0 && end === hunk.lines.length;
      if (whole && piece.old === 0 && piece.new === 0) out.push(hunk);
      else if (!add(first === 0 ? shiftedHead(hunk, piece) : null, shiftLines(hunk.lines.slice(first, end), piece))) return null;
    }
  }
  return out;
}

/** Number of lines before each hunk, and of all. */
function startsOf(hunks: readonly Hunk[]): number[] {
  const starts = [0];
  for (const { lines } of hunks) starts.push(starts.at(-1)! + lines.length);
  return starts;
}

/** The hunk that line `line` of all is in. */
function indexAt(starts: readonly number[], line: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle + 1]! <= line) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Shift {
  old: number;
  new: number;
}

function shiftedHead({ oldStart, newStart, oldLines, newLines, section }: Hunk, by: Shift): HunkHead {
  return { oldStart: oldStart + by.old, oldLines, newStart: newStart + by.new, newLines, section };
}

/** The lines with their numbers grown; the same lines where nothing grows. */
export function shiftLines(lines: DiffLine[], by: Shift): DiffLine[] {
  if (by.old === 0 && by.new === 0) return lines;
  return lines.map((line) => ({
    ...line,
    old: line.old === null ? null : line.old + by.old,
    new: line.new === null ? null : line.new + by.new,
  }));
}
