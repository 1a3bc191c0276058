// Which characters of a removed line and of the added line that replaced it differ, by words. Bounded: long lines are compared at
// their ends first, and what is left is marked whole when it is too much to compare.

/** Half-open ranges of UTF-16 indexes, ascending. */
export type Ranges = readonly (readonly [from: number, to: number])[];

/** A word, a stretch of blanks, or one other character. */
export const TOKEN = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;
/** Tokens compared on each side; a table of 160,000 steps at most. */
const MOST_TOKENS = 400;
/** With less than this in common two lines are other lines, and marks on words would be noise. */
const LEAST_COMMON = 0.25;

/** The changed ranges on both sides; empty ones where the lines have too little in common to say. */
export function diffWords(old: string, now: string): { old: Ranges; new: Ranges } {
  const [head, tail] = commonEnds(old, now);
  const a = old.slice(head, old.length - tail);
  const b = now.slice(head, now.length - tail);
  const most = Math.max(old.length, now.length);
  if (most === 0 || (a === '' && b === '')) return { old: [], new: [] };
  const middle = compareMiddle(a, b);
  const common = head + tail + middle.common;
  if (common / most < LEAST_COMMON) return { old: [], new: [] };
  return { old: shifted(middle.old, head), new: shifted(middle.new, head) };
}

/** Lengths of the common start and end, moved back to where words begin and end. */
function commonEnds(a: string, b: string): [head: number, tail: number] {
  const least = Math.min(a.length, b.length);
  let head = 0;
  while (head < least && a.charCodeAt(head) === b.charCodeAt(head)) head++;
  let tail = 0;
  while (tail < least - head && a.charCodeAt(a.length - 1 - tail) === b.charCodeAt(b.length - 1 - tail)) tail++;
  while (head > 0 && (splitsWord(a, head) || splitsWord(b, head))) head--;
  while (tail > 0 && (splitsWord(a, a.length - tail) || splitsWord(b, b.length - tail))) tail--;
  return [head, tail];
}

const WORD = /[\p{L}\p{N}\p{M}_]/u;

/** Index `at` lies inside a word or a surrogate pair. */
function splitsWord(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const code = text.charCodeAt(at);
  return (code >= 0xdc00 && code <= 0xdfff) || (WORD.test(text[at - 1]!) && WORD.test(text[at]!));
}

function compareMiddle(a: string, b: string): { old: Ranges; new: Ranges; common: number } {
  const whole = { old: a ? [[0, a.length] as const] : [], new: b ? [[0, b.length] as const] : [], common: 0 };
  if (a === '' || b === '' || a.length > 20 * MOST_TOKENS || b.length > 20 * MOST_TOKENS) return whole;
  const x = a.match(TOKEN) ?? [];
  const y = b.match(TOKEN) ?? [];
  if (x.length > MOST_TOKENS || y.length > MOST_TOKENS) return whole;
  const { keptX, keptY, common } = commonTokens(x, y);
  return { old: changedRanges(x, keptX), new: changedRanges(y, keptY), common };
}

/** A longest common subsequence of tokens, by length of text; `common`: that length, in characters. */
export function commonTokens(x: readonly string[], y: readonly string[]): { keptX: Uint8Array; keptY: Uint8Array; common: number } {
  const width = y.length + 1;
  const best = new Uint32Array((x.length + 1) * width);
  for (let i = x.length - 1; i >= 0; i--) {
    for (let j = y.length - 1; j >= 0; j--) {
      const skip = Math.max(best[(i + 1) * width + j]!, best[i * width + j + 1]!);
      const take = x[i] === y[j] ? best[(i + 1) * width + j + 1]! + x[i]!.length : 0;
      best[i * width + j] = Math.max(skip, take);
    }
  }
  const keptX = new Uint8Array(x.length);
  const keptY = new Uint8Array(y.length);
  for (let i = 0, j = 0; i < x.length && j < y.length; ) {
    if (x[i] === y[j] && best[i * width + j] === best[(i + 1) * width + j + 1]! + x[i]!.length) keptX[i++] = keptY[j++] = 1;
    else if (best[(i + 1) * width + j]! >= best[i * width + j + 1]!) i++;
    else j++;
  }
  return { keptX, keptY, common: best[0]! };
}

/** Ranges of the tokens not kept; a blank between two changed words is taken in. */
function changedRanges(tokens: readonly string[], kept: Uint8Array): Ranges {
  const ranges: [number, number][] = [];
  let at = 0;
  tokens.forEach((token, i) => {
    const joins = kept[i] === 1 && /^\s+$/.test(token) && kept[i - 1] === 0 && kept[i + 1] === 0;
    if (kept[i] === 0 || joins) {
      const last = ranges.at(-1);
      if (last && last[1] === at) last[1] = at + token.length;
      else ranges.push([at, at + token.length]);
    }
    at += token.length;
  });
  return ranges;
}

function shifted(ranges: Ranges, by: number): Ranges {
  return ranges.map(([from, to]) => [from + by, to + by] as const);
}
