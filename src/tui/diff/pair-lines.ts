// Pairs the removed lines of a change with the added ones that replaced them: in order, like with like.
import type { DiffLine } from '../../model/review/changeset.ts';
import { commonTokens, TOKEN } from './word-diff.ts';

export type LinePair = [removed: DiffLine | null, added: DiffLine | null];

/** Blocks up to this many combinations are paired by likeness; larger ones line by line. */
const MOST_COMBINATIONS = 1_024;
/** Combinations, and characters of a line, up to which words are compared: a block takes some milliseconds at most. */
const WORD_COMBINATIONS = 256;
const WORD_CHARS = 160;
/** As many lines on both sides that are as alike as this by their ends are pairs in order. */
const SURELY_LIKE = 0.6;
/** Likeness below which two lines are not a pair. */
const LEAST_LIKE = 0.35;

/** All lines of the block in order, paired; a line without a partner stands alone. */
export function pairLines(removed: readonly DiffLine[], added: readonly DiffLine[]): LinePair[] {
  if (removed.length === 0) return added.map((line) => [null, line]);
  if (added.length === 0) return removed.map((line) => [line, null]);
  if (removed.length * added.length > MOST_COMBINATIONS || areSurelyLike(removed, added)) return inOrder(removed, added);
  return closeUp(byLikeness(removed, added));
}

function areSurelyLike(removed: readonly DiffLine[], added: readonly DiffLine[]): boolean {
  return removed.length === added.length && removed.every(({ text }, i) => endsLikeness(text.trim(), added[i]!.text.trim()) >= SURELY_LIKE);
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
  const inWords = removed.length * added.length <= WORD_COMBINATIONS;
  const [old, now] = [removed, added].map((lines) => lines.map(({ text }) => wordsOf(text.trim(), inWords)));
  for (let i = removed.length - 1; i >= 0; i--) {
    for (let j = added.length - 1; j >= 0; j--) {
      const score = lineLikeness(old![i]!, now![j]!);
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

interface Words {
  text: string;
  /** Its tokens, blanks left out; none where they are too many. */
  tokens: readonly string[];
  /** Characters of them. */
  size: number;
}

function wordsOf(text: string, inWords: boolean): Words {
  const all = inWords && text.length <= WORD_CHARS ? (text.match(TOKEN) ?? []) : [];
  const tokens = all.filter((token) => token.trim() !== '');
  return { text, tokens, size: tokens.reduce((sum, token) => sum + token.length, 0) };
}

/** From 0 to 1: the share of words that stand in both in the same order, or of what both have at their ends, where a word itself was changed. */
function lineLikeness(x: Words, y: Words): number {
  const ends = endsLikeness(x.text, y.text);
  if (x.size === 0 || y.size === 0) return ends;
  return Math.max(ends, (2 * commonTokens(x.tokens, y.tokens).common) / (x.size + y.size));
}

/** Share of the longer text that is common start or end. */
function endsLikeness(x: string, y: string): number {
  const least = Math.min(x.length, y.length);
  if (least === 0) return x.length === y.length ? 1 : 0;
  let head = 0;
  while (head < least && x.charCodeAt(head) === y.charCodeAt(head)) head++;
  let tail = 0;
  while (tail < least - head && x.charCodeAt(x.length - 1 - tail) === y.charCodeAt(y.length - 1 - tail)) tail++;
  return (head + tail) / Math.max(x.length, y.length);
}
