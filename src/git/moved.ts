// Marks lines that were only moved: a block of removed lines that appears again among the added ones, by git's rule that a block counts from
// 20 letters and digits on. Indentation may differ. Pure but for setting `moved` on the given lines.

import type { DiffLine, Hunk } from '../model/review/changeset.ts';

/** Letters and digits in a block before it counts as moved: a lone brace is not a move. */
const WEIGHT = 20;
/** Changed lines looked at; a larger change is no place to look for moves. */
const LINE_LIMIT = 50_000;

export function markMoved(hunks: readonly Hunk[]): void {
  const removed: DiffLine[] = [];
  const added: DiffLine[] = [];
  for (const hunk of hunks) {
    for (const line of hunk.lines) {
      if (line.kind === 'removed') removed.push(line);
      else if (line.kind === 'added') added.push(line);
    }
  }
  if (removed.length === 0 || added.length === 0 || removed.length + added.length > LINE_LIMIT) return;
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
