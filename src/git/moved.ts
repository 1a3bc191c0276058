// Marks lines that were only moved: a block of removed lines that appears again among the added ones, by git's rule that a block counts from
// 20 letters and digits on. Indentation may differ. Pure but for setting `moved` on the given lines.

import type { DiffLine, Hunk, MovedIn } from '../model/review/changeset.ts';

/** Letters and digits in a block before it counts as moved: a lone brace is not a move. */
const WEIGHT = 20;
/** Changed lines looked at; a larger change is no place to look for moves. */
export const MOVED_LIMIT = 50_000;

/** Between the lines of two files: follows no line and none follows it. */
const BETWEEN: DiffLine = { kind: 'context', old: null, new: Number.NaN, text: '' };

/** Marks moved lines of one file, or of several across them. */
export function markMoved(...files: readonly (readonly Hunk[])[]): void {
  const changed = (sum: number, { lines }: Hunk) => lines.reduce((n, { kind }) => (kind === 'context' ? n : n + 1), sum);
  if (files.flat().reduce(changed, 0) > MOVED_LIMIT) return;
  const removed: DiffLine[] = [];
  const added: DiffLine[] = [];
  for (const hunks of files) {
    for (const { lines } of hunks) {
      for (const line of lines) {
        if (line.kind === 'removed') removed.push(line);
        else if (line.kind === 'added') added.push(line);
      }
    }
    removed.push(BETWEEN);
    added.push(BETWEEN);
  }
  const places = new Map<string, number[]>();
  removed.forEach((line, i) => {
    const key = line.text.trim();
    if (key === '') return;
    const list = places.get(key);
    if (list) list.push(i);
    else places.set(key, [i]);
  });
  let i = 0;
  while (i < added.length) {
    const block = longest(removed, added, i, places);
    if (block && weight(added, i, block.length) >= WEIGHT) {
      for (let n = 0; n < block.length; n += 1) {
        added[i + n]!.moved = true;
        removed[block.from + n]!.moved = true;
      }
      i += block.length;
    } else i += 1;
  }
}

/** The moved lines of files whose lines are marked; files without any are left out. */
export function movedIn(files: readonly { path: string; hunks: readonly Hunk[] }[]): MovedIn[] {
  return files.flatMap(({ path, hunks }) => {
    const moved: MovedIn = { path, old: [], new: [] };
    for (const line of hunks.flatMap(({ lines }) => lines)) {
      if (!line.moved) continue;
      if (line.kind === 'removed') extend(moved.old, line.old!);
      else extend(moved.new, line.new!);
    }
    return moved.old.length + moved.new.length > 0 ? [moved] : [];
  });
}

function extend(ranges: [number, number][], line: number): void {
  const last = ranges.at(-1);
  if (last?.[1] === line - 1) last[1] = line;
  else ranges.push([line, line]);
}

/** Starts tried per line: a text that occurs a thousand times is no sign of a move. */
const STARTS = 16;

function longest(
  removed: DiffLine[],
  added: DiffLine[],
  at: number,
  places: ReadonlyMap<string, number[]>,
): { from: number; length: number } | null {
  let best: { from: number; length: number } | null = null;
  for (const from of places.get(added[at]!.text.trim())?.slice(0, STARTS) ?? []) {
    if (removed[from]!.moved) continue;
    let length = 1;
    while (
      joins(removed, from + length) &&
      joins(added, at + length) &&
      removed[from + length]!.text.trim() === added[at + length]!.text.trim()
    )
      length += 1;
    if (length > (best?.length ?? 0)) best = { from, length };
  }
  return best;
}

/** The line follows the one before it without a gap on its side. */
function joins(lines: DiffLine[], at: number): boolean {
  const [before, line] = [lines[at - 1], lines[at]];
  if (!before || !line || line.moved) return false;
  return line.old === null ? line.new === (before.new ?? 0) + 1 : line.old === (before.old ?? 0) + 1;
}

function weight(lines: DiffLine[], from: number, length: number): number {
  let n = 0;
  for (let i = from; i < from + length; i += 1) n += (lines[i]!.text.match(/[\p{L}\p{N}]/gu) ?? []).length;
  return n;
}
