// Finds an edited anchor by what the whole file looked like when it was made: what stands between two lines that are still there is what
// stood between them before, and a line that is another old one is never taken for the anchor's.
import { editLikeness } from './likeness.ts';
import { type RangedAnchor, tells } from './text-places.ts';
import type { Traced } from './trace.ts';

/** Likeness from which what stands between two lines that are still there counts as an edit of what stood there. */
const ALIKE = 0.5;
/** By how much a line must be more like the old one than any other there. */
const PLAIN = 0.1;
/** Comparisons of two lines at most for one anchor: each takes up to a quarter of a million steps, a thousandth of that for most code. */
const COMPARISONS = 1_000;

interface Edited {
  placement: 'changed';
  range: { start: number; end: number };
}

/** Lines [from, to) that are gone from the old file, by their place in its trace, and those that stand in their place now. */
interface Gap {
  old: [from: number, to: number];
  now: [from: number, to: number];
}

/** Index of the anchor's first line when all its lines are there one behind the other, in whatever form; -1 when not. */
export function together(anchor: RangedAnchor, { map, from }: Traced): number {
  const first = anchor.range.start - from;
  const at = map[first]!;
  return at >= 0 && anchor.lines.every((_, i) => map[first + i] === at + i) ? at : -1;
}

/** From the first to the last of the anchor's lines that are there, edited or not; null when none is. */
export function placeByTrace(anchor: RangedAnchor, now: readonly string[], traced: Traced): Edited | null {
  const { map } = traced;
  const first = anchor.range.start - traced.from;
  const last = first + anchor.lines.length - 1;
  const places = anchor.lines.flatMap((line, i) => (map[first + i]! >= 0 && tells(line) ? [map[first + i]!] : []));
  const gap = gapAround(traced, first, now.length);
  if (map[first]! < 0) places.push(...inGap(anchor, now, first, gap));
  if (map[last]! < 0 && (map[first]! >= 0 || gap.old[1] <= last))
    places.push(...inGap(anchor, now, first, gapAround(traced, last, now.length)));
  return places.length === 0 ? null : { placement: 'changed', range: { start: Math.min(...places) + 1, end: Math.max(...places) + 1 } };
}

/** The line behind which the anchor's lines stood, 1-based, 0 for the beginning; null when what stood before them is gone as well. */
export function stoodBehind(anchor: RangedAnchor, { map, from }: Traced): number | null {
  for (let i = anchor.range.start - from - 1; i >= 0; i--) if (map[i]! >= 0) return map[i]! + 1;
  return from === 1 ? 0 : null;
}

function gapAround({ map }: Traced, at: number, end: number): Gap {
  let from = at;
  while (from > 0 && map[from - 1]! < 0) from--;
  let to = at + 1;
  while (to < map.length && map[to]! < 0) to++;
  return { old: [from, to], now: [from > 0 ? map[from - 1]! + 1 : 0, to < map.length ? map[to]! : end] };
}

/** Places of the anchor's lines in a gap that has some of them; `first` is the first of them in the trace. */
function inGap(anchor: RangedAnchor, now: readonly string[], first: number, { old, now: present }: Gap): number[] {
  const [from, to] = present;
  if (from >= to) return [];
  const [begin, end] = [old[0] - first, old[1] - first];
  const isOwn = begin >= 0 && end <= anchor.lines.length;
  // All that went is the anchor's: what stands there now is what became of it, in however many lines.
  const all = () => editLikeness(anchor.lines.slice(begin, end).join('\n'), now.slice(from, to).join('\n'));
  if (isOwn && all() >= ALIKE) return [from, to - 1];
  const known = knownLines(anchor).filter(({ at, text }) => at >= begin && at < end && tells(text));
  if (known.length * (to - from) > COMPARISONS) return [];
  const worth = known.map(({ text }) =>
    now.slice(from, to).map((line) => {
      const like = tells(line) ? editLikeness(text, line) : 0;
      return like >= ALIKE ? like : 0;
    }),
  );
  // As many lines as before were edited where they stand. Else one that others are as much like could be any of them.
  const inPlace = end - begin === to - from && known.every(({ at }, k) => worth[k]![at - begin]! > 0);
  const pairs = inPlace ? known.map(({ at }, k) => [k, at - begin] as const) : bestPairs(worth).filter(([k, j]) => isPlain(worth[k]!, j));
  return pairs.flatMap(([k, j]) => (known[k]!.at >= 0 && known[k]!.at < anchor.lines.length ? [from + j] : []));
}

function isPlain(likes: readonly number[], at: number): boolean {
  return likes.every((like, j) => j === at || likes[at]! - like >= PLAIN);
}

/** The lines whose text is remembered, `at` lines from the anchor's first. */
function knownLines({ before, lines, after }: RangedAnchor): { at: number; text: string }[] {
  return [...before, ...lines, ...after].map((text, i) => ({ at: i - before.length, text }));
}

/** Pairs (row, column) of the most worth in all, both growing; what is worth nothing is no pair. */
function bestPairs(worth: readonly (readonly number[])[]): [row: number, column: number][] {
  const columns = worth[0]?.length ?? 0;
  const best = Array.from({ length: worth.length + 1 }, () => new Float64Array(columns + 1));
  for (let i = worth.length - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const pair = worth[i]![j]! > 0 ? worth[i]![j]! + best[i + 1]![j + 1]! : 0;
      best[i]![j] = Math.max(best[i + 1]![j]!, best[i]![j + 1]!, pair);
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < worth.length && j < columns; ) {
    if (best[i]![j] === best[i + 1]![j]) i++;
    else if (best[i]![j] === best[i]![j + 1]) j++;
    else pairs.push([i++, j++]);
  }
  return pairs;
}
