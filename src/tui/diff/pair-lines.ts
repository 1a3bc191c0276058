// Pairs the removed lines of a change with the added ones that replaced them: in order, by likeness where the counts differ.
import type { DiffLine } from '../../model/review/changeset.ts';

export type LinePair = [removed: DiffLine | null, added: DiffLine | null];

/** Blocks up to this many combinations are paired by likeness; larger ones line by line. */
const MOST_COMBINATIONS = 1_024;
/** Likeness below which two lines are not a pair. */
const LEAST_LIKE = 0.4;

/** All lines of the block in order, paired; a line without a partner stands alone. */
export function pairLines(removed: readonly DiffLine[], added: readonly DiffLine[]): LinePair[] {
  if (removed.length === 0) return added.map((line) => [null, line]);
  if (added.length === 0) return removed.map((line) => [line, null]);
  if (removed.length === added.length || removed.length * added.length > MOST_COMBINATIONS) return inOrder(removed, added);
  return closeUp(byLikeness(removed, added));
}

/** Lines without a partner that stand next to each other, side by side: fewer rows, and nothing is claimed by it. */
function closeUp(pairs: readonly LinePair[]): LinePair[] {
  const rows: LinePair[] = [];
  let lonely: { removed: DiffLine[]; added: DiffLine[] } = { removed: [], added: [] };
  const flush = () => {
    rows.push(...inOrder(lonely.removed, lonely.added));
    lonely = { removed: [], added: [] };
  };
  for (const [removed, added] of pairs) {
    if (removed && added) {
      flush();
      rows.push([removed, added]);
    } else if (removed) lonely.removed.push(removed);
    else if (added) lonely.added.push(added);
  }
  flush();
  return rows;
}

function inOrder(removed: readonly DiffLine[], added: readonly DiffLine[]): LinePair[] {
  const count = Math.max(removed.length, added.length);
  return Array.from({ length: count }, (_, i) => [removed[i] ?? null, added[i] ?? null]);
}

/** The order-keeping pairing with the highest sum of likeness. */
function byLikeness(removed: readonly DiffLine[], added: readonly DiffLine[]): LinePair[] {
  const width = added.length + 1;
  const best = new Float64Array((removed.length + 1) * width);
  const like = new Float64Array(removed.length * added.length);
  const [old, now] = [removed.map(({ text }) => text.trim()), added.map(({ text }) => text.trim())];
  for (let i = removed.length - 1; i >= 0; i--) {
    for (let j = added.length - 1; j >= 0; j--) {
      const score = roughLikeness(old[i]!, now[j]!);
      like[i * added.length + j] = score;
      const pair = score >= LEAST_LIKE ? best[(i + 1) * width + j + 1]! + score : 0;
      best[i * width + j] = Math.max(pair, best[(i + 1) * width + j]!, best[i * width + j + 1]!);
    }
  }
  const pairs: LinePair[] = [];
  let i = 0;
  let j = 0;
  while (i < removed.length && j < added.length) {
    const score = like[i * added.length + j]!;
    const here = best[i * width + j]!;
    if (score >= LEAST_LIKE && here === best[(i + 1) * width + j + 1]! + score) pairs.push([removed[i++]!, added[j++]!]);
    else if (here === best[(i + 1) * width + j]!) pairs.push([removed[i++]!, null]);
    else pairs.push([null, added[j++]!]);
  }
  while (i < removed.length) pairs.push([removed[i++]!, null]);
  while (j < added.length) pairs.push([null, added[j++]!]);
  return pairs;
}

/** Share of the longer text that is common start or end: linear, good enough to pair edits. */
function roughLikeness(x: string, y: string): number {
  const least = Math.min(x.length, y.length);
  if (least === 0) return x.length === y.length ? 1 : 0;
  let head = 0;
  while (head < least && x.charCodeAt(head) === y.charCodeAt(head)) head++;
  let tail = 0;
  while (tail < least - head && x.charCodeAt(x.length - 1 - tail) === y.charCodeAt(y.length - 1 - tail)) tail++;
  return (head + tail) / Math.max(x.length, y.length);
}
