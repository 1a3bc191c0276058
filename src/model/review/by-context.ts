// Finds an edited anchor by the few lines around it that were kept with it, where nothing else is known of the file that it was made on.
import { editLikeness, likeness } from './likeness.ts';
import { squeeze } from './reflow.ts';
import { allPlaces, isTelling, type RangedAnchor, rangeAt, tells } from './text-places.ts';

/** Likeness from which an edited text counts as the same code… */
const ALIKE = 0.7;
/** …and where the lines right before and right after it are still there. */
const ALIKE_BETWEEN_NEIGHBOURS = 0.4;
/** How far from its old line an edited text is looked for without its neighbours, in lines. */
const NEAR = 40;

interface Edited {
  placement: 'exact' | 'changed';
  range: { start: number; end: number };
}

/** `squeezed`: the lines of `now` without their form. */
export function placeByContext(anchor: RangedAnchor, now: readonly string[], squeezed: readonly string[]): Edited | null {
  return placeByNeighbours(anchor, now, squeezed) ?? placeByLikeness(anchor, now, squeezed);
}

/** What now stands between the line before and the line after, when both are found together, in whatever form. */
function placeByNeighbours(anchor: RangedAnchor, now: readonly string[], squeezed: readonly string[]): Edited | null {
  const before = anchor.before.findLast(tells);
  const after = anchor.after.find(tells);
  if (before === undefined || after === undefined) return null;
  const gapBefore = anchor.before.length - 1 - anchor.before.lastIndexOf(before);
  const gapAfter = anchor.after.indexOf(after);
  const longest = 3 * anchor.lines.length + 20;
  const [above, below] = [squeeze(before), squeeze(after)];
  let best: Edited | null = null;
  let distance = Number.POSITIVE_INFINITY;
  for (let i = squeezed.indexOf(above); i >= 0; i = squeezed.indexOf(above, i + 1)) {
    const from = i + gapBefore;
    const j = squeezed.indexOf(below, from + 1);
    if (j < 0 || j - gapAfter - from - 1 > longest) continue;
    const found = changedBetween(anchor, now, from, j - gapAfter);
    const far = Math.abs(from + 2 - anchor.range.start);
    if (found && far < distance) [best, distance] = [found, far];
  }
  return best;
}

/** The most alike run of as many lines near the old place that still has one of its telling neighbours, in whatever form. */
function placeByLikeness(anchor: RangedAnchor, now: readonly string[], squeezed: readonly string[]): Edited | null {
  const text = anchor.lines.join('\n');
  if (!isTelling(anchor)) return null;
  const count = anchor.lines.length;
  const around = neighboursOf(anchor);
  let best = { at: -1, like: ALIKE };
  const middle = anchor.range.start - 1;
  for (let at = Math.max(0, middle - NEAR); at <= Math.min(now.length - count, middle + NEAR); at++) {
    if (!around.some(({ by, line }) => squeezed[at + by] === line)) continue;
    // One of the lines there was a neighbour of the anchor: so it is no edit of it, however alike the lines of a list are.
    if (around.some(({ line, own }) => !own && squeezed.slice(at, at + count).includes(line))) continue;
    const like = editLikeness(text, now.slice(at, at + count).join('\n'));
    if (like > best.like || (like === best.like && best.at < 0)) best = { at, like };
  }
  return best.at < 0 ? null : { placement: 'changed', range: rangeAt(best.at, anchor) };
}

/** The telling lines around an anchor without their form, `by` lines from its first; `own`: one of its own lines says the same. */
function neighboursOf({ before, after, lines }: RangedAnchor): { by: number; line: string; own: boolean }[] {
  const own = lines.map(squeeze);
  const all = [
    ...before.map((line, i) => ({ by: i - before.length, text: line })),
    ...after.map((line, i) => ({ by: lines.length + i, text: line })),
  ];
  return all.filter(({ text }) => tells(text)).map(({ by, text }) => ({ by, line: squeeze(text), own: own.includes(squeeze(text)) }));
}

/** Lines strictly between two indexes: the anchor's own among them, or an edit of it when they are alike enough. */
function changedBetween(anchor: RangedAnchor, now: readonly string[], before: number, after: number): Edited | null {
  const lines = now.slice(before + 1, after);
  const whole = allPlaces(anchor.lines, lines)[0];
  if (whole !== undefined) return { placement: 'exact', range: rangeAt(before + 1 + whole, anchor) };
  if (lines.length === 0 || likeness(anchor.lines.join('\n'), lines.join('\n')) < ALIKE_BETWEEN_NEIGHBOURS) return null;
  return { placement: 'changed', range: { start: before + 2, end: after } };
}
