// Where the lines of an older text stand in a newer one, from lines that occur once in both and what is equal around them, and the same
// again between two lines that are known. Says nothing about a line rather than guess.

/** A line, or a number that stands for what it says. */
type Line = string | number;

/** Stretches [from, to) of both texts; `first`: what comes before them in both is the same place, `last`: so is what comes behind. */
interface Stretch {
  old: [number, number];
  now: [number, number];
  first: boolean;
  last: boolean;
  depth: number;
}

/** How often a stretch is divided into others: bounds the work on texts made to be slow. */
const DEPTH = 12;

/**
 * For each line of `then` (0-based) its index in `now`, or -1 where it is not known to have survived. Increasing where known. `ends`: the
 * two texts begin, and end, at the same place.
 */
export function mapLines(then: readonly Line[], now: readonly Line[], ends = { first: true, last: true }): Int32Array {
  const map = new Int32Array(then.length).fill(-1);
  const stretches: Stretch[] = [{ old: [0, then.length], now: [0, now.length], ...ends, depth: 0 }];
  for (let stretch = stretches.pop(); stretch; stretch = stretches.pop()) {
    trim(map, then, now, stretch);
    const known = stretch.depth < DEPTH ? increasing(uniquePairs(then, now, stretch)) : [];
    for (const [i, j] of known) map[i] = j;
    if (known.length > 0) stretches.push(...between(stretch, known));
  }
  return map;
}

/** Marks what is equal at the ends of a stretch, and takes it off. */
function trim(map: Int32Array, then: readonly Line[], now: readonly Line[], stretch: Stretch): void {
  const { old: a, now: b, first, last } = stretch;
  while (first && a[0] < a[1] && b[0] < b[1] && then[a[0]] === now[b[0]]) map[a[0]++] = b[0]++;
  while (last && a[0] < a[1] && b[0] < b[1] && then[a[1] - 1] === now[b[1] - 1]) map[--a[1]] = --b[1];
}

/** What lies between known pairs of lines, where both texts have something there. */
function between({ old, now, first, last, depth }: Stretch, known: readonly [number, number][]): Stretch[] {
  return [...known, [old[1], now[1]] as const].flatMap(([toOld, toNow], at): Stretch[] => {
    const before = known[at - 1];
    const [fromOld, fromNow] = before ? [before[0] + 1, before[1] + 1] : [old[0], now[0]];
    if (fromOld >= toOld || fromNow >= toNow) return [];
    const ends = { first: before ? true : first, last: at < known.length ? true : last };
    return [{ old: [fromOld, toOld], now: [fromNow, toNow], ...ends, depth: depth + 1 }];
  });
}

/** Pairs (then, now) of lines that occur exactly once on either side of a stretch, in the order of `then`. */
function uniquePairs(then: readonly Line[], now: readonly Line[], stretch: Stretch): [number, number][] {
  const own = onceIn(then, stretch.old);
  const seen = own.size > 0 ? onceIn(now, stretch.now) : own;
  const pairs: [number, number][] = [];
  for (const [text, i] of own) {
    const j = seen.get(text);
    if (i >= 0 && j !== undefined && j >= 0) pairs.push([i, j]);
  }
  return pairs;
}

/** Index of each line's only occurrence, -1 where it occurs again. */
function onceIn(lines: readonly Line[], [from, to]: [number, number]): Map<Line, number> {
  const found = new Map<Line, number>();
  for (let i = from; i < to; i++) found.set(lines[i]!, found.has(lines[i]!) ? -1 : i);
  return found;
}

/** The longest subsequence in which both indexes increase (patience sorting). */
function increasing(pairs: [number, number][]): [number, number][] {
  const tops: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(([, j], at) => {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tops[middle]!]![1] < j) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? tops[low - 1]! : -1;
    tops[low] = at;
  });
  const chain: [number, number][] = [];
  for (let at = tops.at(-1) ?? -1; at >= 0; at = before[at]!) chain.push(pairs[at]!);
  return chain.reverse();
}
