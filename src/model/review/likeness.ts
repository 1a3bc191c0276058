// How alike two short texts are, from 0 to 1: the share of their characters that stand in both in the same order.

/** Characters compared at most; a longer text is judged by its beginning. Bounds the work to a quarter of a million steps. */
const COMPARED = 500;
/** Likeness that a text counts with which only had something put into it, however much. */
const GROWN = 0.95;

/** How much `now` looks like an edit of `then`, 0 to 1. */
export function editLikeness(then: string, now: string): number {
  const like = likeness(then, now);
  return like < GROWN && isGrown(then, now) ? GROWN : like;
}

/** 2 x longest common subsequence / total length, white space at the ends left out and runs of it taken as one space. */
export function likeness(a: string, b: string): number {
  const [x, y] = [squeeze(a), squeeze(b)];
  if (x === y) return 1;
  if (x.length === 0 || y.length === 0) return 0;
  const best = (2 * Math.min(x.length, y.length)) / (x.length + y.length);
  return best < 0.2 ? best : (2 * commonLength(x, y)) / (x.length + y.length);
}

/** `b` is `a` with one piece put in: what the two have in common at their ends is all of `a`. */
function isGrown(a: string, b: string): boolean {
  const [x, y] = [squeeze(a), squeeze(b)];
  if (x.length > y.length) return false;
  let head = 0;
  while (head < x.length && x[head] === y[head]) head++;
  return y.endsWith(x.slice(head));
}

function squeeze(text: string): string {
  return text
    .slice(0, 4 * COMPARED)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, COMPARED);
}

/** Length of the longest common subsequence, with equal ends taken off first. */
function commonLength(x: string, y: string): number {
  let head = 0;
  while (head < x.length && head < y.length && x[head] === y[head]) head++;
  let tail = 0;
  while (tail < x.length - head && tail < y.length - head && x[x.length - 1 - tail] === y[y.length - 1 - tail]) tail++;
  const width = y.length - head - tail;
  const row = new Uint16Array(width + 1);
  for (let i = head; i < x.length - tail; i++) {
    const code = x.charCodeAt(i);
    let diagonal = 0;
    for (let j = 1; j <= width; j++) {
      const above = row[j]!;
      row[j] = code === y.charCodeAt(head + j - 1) ? diagonal + 1 : Math.max(above, row[j - 1]!);
      diagonal = above;
    }
  }
  return head + tail + row[width]!;
}
