// Where lines of text stand in a file, and how much of what stood around them stands there too.
import type { Anchor } from './comment.ts';

/** An anchor on lines. */
export type RangedAnchor = Anchor & { range: { start: number; end: number } };

/** Lines of context kept on each side of an anchor. */
export const CONTEXT_LINES = 3;
/** An anchor of fewer characters than this says too little to be searched for through a whole file. */
const TELLING = 8;

/** A place of an anchor's very lines: 0-based, with the context that stands there as well; `alone`: no other place is as good. */
export interface TextPlace {
  at: number;
  context: number;
  alone: boolean;
}

/** The place of the anchor's lines whose surroundings are most like the old ones, then the nearest; of those that `may` be it. */
export function sameText(anchor: RangedAnchor, now: readonly string[], may: (at: number) => unknown = () => true): TextPlace | null {
  const places = allPlaces(anchor.lines, now)
    .filter(may)
    .map((at) => ({ at, context: contextScore(anchor, now, at) }));
  const far = (at: number) => Math.abs(at - (anchor.range.start - 1));
  places.sort((a, b) => b.context - a.context || far(a.at) - far(b.at));
  const best = places[0];
  return best ? { ...best, alone: places.length === 1 || best.context > places[1]!.context } : null;
}

/** 0-based indexes at which `lines` stand in `now`. */
export function allPlaces(lines: readonly string[], now: readonly string[]): number[] {
  const places: number[] = [];
  const first = lines[0];
  if (first === undefined) return places;
  for (let at = now.indexOf(first); at >= 0; at = now.indexOf(first, at + 1)) if (sameAt(now, at, lines)) places.push(at);
  return places;
}

export function sameAt(now: readonly string[], at: number, lines: readonly string[]): boolean {
  return at + lines.length <= now.length && lines.every((line, i) => now[at + i] === line);
}

/** Context lines that stand where they stood; a file's beginning or end counts as one. */
export function contextScore(anchor: Anchor, now: readonly string[], at: number): number {
  const { before, after, lines } = anchor;
  let score = 0;
  before.forEach((line, i) => {
    if (now[at - before.length + i] === line) score++;
  });
  after.forEach((line, i) => {
    if (now[at + lines.length + i] === line) score++;
  });
  if (before.length < CONTEXT_LINES && at === before.length) score++;
  if (after.length < CONTEXT_LINES && at + lines.length + after.length === now.length) score++;
  return score;
}

/** Score of surroundings that are all as they were. */
export function fullContext({ before, after }: Anchor): number {
  return before.length + after.length + (before.length < CONTEXT_LINES ? 1 : 0) + (after.length < CONTEXT_LINES ? 1 : 0);
}

/** Score from which the surroundings count as the same: a third of what there can be, at least one. */
export function enoughContext(anchor: Anchor): number {
  return Math.max(1, Math.ceil(fullContext(anchor) / 3));
}

/** The 1-based range of an anchor whose first line stands at a 0-based index. */
export function rangeAt(index: number, { lines }: Anchor): { start: number; end: number } {
  return { start: index + 1, end: index + lines.length };
}

/** Long enough to be known by itself. */
export function isTelling({ lines }: Anchor): boolean {
  return lines.join('').replace(/\s+/g, '').length >= TELLING;
}

/** A line that is not blank and not only brackets. */
export function tells(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}
