// Where the lines of an older text stand in a newer one, from lines that occur once in both and what is equal around them.
// Says nothing about a line rather than guess.

/** For each line of `then` (0-based) its index in `now`, or -1 where it is not known to have survived. Increasing where known. */
export function mapLines(then: readonly string[], now: readonly string[]): Int32Array {
  const map = new Int32Array(then.length).fill(-1);
  let head = 0;
  while (head < then.length && head < now.length && then[head] === now[head]) map[head] = head++;
  let tail = 0;
  const shorter = Math.min(then.length, now.length) - head;
  while (tail < shorter && then[then.length - 1 - tail] === now[now.length - 1 - tail]) {
    tail++;
    map[then.length - tail] = now.length - tail;
  }
  for (const [i, j] of increasing(uniquePairs(then, now, head, tail))) grow(map, then, now, i, j);
  return map;
}

/** Pairs (then, now) of lines that occur exactly once on either side between head and tail, in the order of `then`. */
function uniquePairs(then: readonly string[], now: readonly string[], head: number, tail: number): [number, number][] {
  const seen = onceIn(now, head, now.length - tail);
  const own = onceIn(then, head, then.length - tail);
  const pairs: [number, number][] = [];
  for (const [text, i] of own) {
    const j = seen.get(text);
    if (i >= 0 && j !== undefined && j >= 0) pairs.push([i, j]);
  }
  return pairs;
}

/** Index of each line's only occurrence, -1 where it occurs again. */
function onceIn(lines: readonly string[], from: number, to: number): Map<string, number> {
  const found = new Map<string, number>();
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

/** Marks a pair and the equal lines next to it in both directions. */
function grow(map: Int32Array, then: readonly string[], now: readonly string[], i: number, j: number): void {
  for (let k = 0; i + k < then.length && map[i + k] === -1 && then[i + k] === now[j + k]; k++) map[i + k] = j + k;
  for (let k = 1; i - k >= 0 && map[i - k] === -1 && j - k >= 0 && then[i - k] === now[j - k]; k++) map[i - k] = j - k;
}
