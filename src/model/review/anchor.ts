// Makes anchors and finds them again in the present files: by line map, by exact text in its context, by likeness of an edit in
// place. Never lands on other code: what is not found with good reason is gone.
import type { Anchor, Comment, Side } from './comment.ts';
import { isGrown, likeness } from './likeness.ts';
import { mapLines } from './line-map.ts';
import { findReflowed, type Reflowed, type SqueezedFile, squeeze, squeezeFile } from './reflow.ts';

export type Place = Comment['place'];

/** The files as they stand now, as far as anchors need them. */
export interface PresentFiles {
  /** Lines of a file on one side; null when it is not there (or is binary). */
  lines(path: string, side: Side): readonly string[] | null;
  /** The present path of a file that was renamed since; null when it was not. */
  renamed(path: string): string | null;
  /** Other files that code which is not found may have gone to: those of the changeset. */
  others?: readonly string[];
  /** Keeps what was found out about lines while these files are as they are. */
  memo?: WeakMap<readonly string[], SqueezedFile>;
  /** Lines as they were when the comment was made, where somebody still has them. */
  earlier?(path: string, side: Side): readonly string[] | null;
}

/** Lines of context kept on each side of an anchor. */
export const CONTEXT_LINES = 3;
/** An anchor of fewer characters than this says too little to be searched for through a whole file. */
const TELLING = 8;
/** Likeness from which an edited text counts as the same code… */
const ALIKE = 0.7;
/** …and where the lines right before and right after it are still there. */
const ALIKE_BETWEEN_NEIGHBOURS = 0.4;
/** Likeness that a text counts with which only had something put into it, however much. */
const GROWN = 0.95;
/** How far from its old line an edited text is looked for without its neighbours, in lines. */
const NEAR = 40;
/** How far from its old line code in another form is looked for, in lines. */
const REACH = 5_000;

/** Makes an anchor on 1-based inclusive `range` of `lines`. A refusal is one sentence. */
export function makeAnchor(
  target: { path: string; side: Side; range: { start: number; end: number } },
  lines: readonly string[],
  baseCommit: string | null,
): { anchor: Anchor } | { refused: string } {
  const { start, end } = target.range;
  if (!Number.isInteger(start) || !Number.isInteger(end) || start < 1 || end < start) {
    return { refused: `Lines ${start}-${end} are not a range.` };
  }
  if (end > lines.length) return { refused: `${target.path} has ${lines.length} lines on the ${target.side} side, not ${end}.` };
  return {
    anchor: {
      ...target,
      lines: lines.slice(start - 1, end),
      before: lines.slice(Math.max(0, start - 1 - CONTEXT_LINES), start - 1),
      after: lines.slice(end, end + CONTEXT_LINES),
      baseCommit,
      twins: allPlaces(lines.slice(start - 1, end), lines).length - 1,
    },
  };
}

/** What a person saw when they began to write: the lines and up to three on either side. */
export interface SeenLines {
  lines: string[];
  before: string[];
  after: string[];
}

/** Where lines that were seen at `range` stand in the present text, in the same surroundings; null when they are no longer there. */
export function findSeen(
  range: { start: number; end: number },
  seen: SeenLines,
  now: readonly string[],
): { start: number; end: number } | null {
  const anchor = { path: '', side: 'new' as const, range, ...seen, baseCommit: null };
  const { placement, range: found } = placeAnchor(anchor, { lines: () => now, renamed: () => null });
  if (found && placement === 'exact') return found;
  return sameAt(now, range.start - 1, seen.lines) ? range : null;
}

/**
 * Where an anchor stands now. 'exact': the same text in the same context, whatever its line number is now; 'moved': the same text in
 * other surroundings or in a renamed file; 'changed': edited in place; 'gone': not found.
 */
export function placeAnchor(anchor: Anchor, files: PresentFiles): Place {
  if (anchor.path === null) return { placement: 'exact', path: null, range: null };
  const { path, lines } = presentFile(anchor.path, anchor.side, files);
  if (lines === null) return placeInOther(anchor, files, null) ?? { placement: 'gone', path: anchor.path, range: null };
  const renamed = path !== anchor.path;
  if (anchor.range === null) return { placement: renamed ? 'moved' : 'exact', path, range: null };
  const found = placeRange({ ...anchor, range: anchor.range }, lines, files);
  if (!found) return placeInOther(anchor, files, path) ?? { placement: 'gone', path, range: null };
  return { placement: renamed && found.placement === 'exact' ? 'moved' : found.placement, path, range: found.range };
}

/**
 * The same telling lines in the same context in one other file, and in one only, that did not have them before: they went there. `own` is
 * the file that they are no longer in; where it is still there more of the surroundings must have gone with them.
 */
function placeInOther(anchor: Anchor, files: PresentFiles, own: string | null): Place | null {
  const { range } = anchor;
  if (!range || anchor.side === 'old' || !isTelling(anchor)) return null;
  const enough = own === null ? enoughContext(anchor) : Math.ceil((anchor.before.length + anchor.after.length) / 2);
  const standsIn = (lines: readonly string[] | null) => {
    const same = lines && sameText({ ...anchor, range }, lines);
    return same && same.context >= Math.max(1, enough) ? same : null;
  };
  const places = (files.others ?? []).flatMap((path): Place[] => {
    const there = path === own ? null : standsIn(files.lines(path, 'new'));
    return there && !standsIn(files.lines(path, 'old'))
      ? [{ placement: 'moved', path, range: rangeAt(there.at, { ...anchor, range }) }]
      : [];
  });
  return places.length === 1 ? places[0]! : null;
}

function presentFile(path: string, side: Side, files: PresentFiles): { path: string; lines: readonly string[] | null } {
  const own = files.lines(path, side);
  if (own !== null) return { path, lines: own };
  const renamed = files.renamed(path);
  return renamed === null ? { path, lines: null } : { path: renamed, lines: files.lines(renamed, side) };
}

type RangedAnchor = Anchor & { range: { start: number; end: number } };
type Found = { placement: Place['placement']; range: { start: number; end: number } };

function placeRange(anchor: RangedAnchor, now: readonly string[], files: PresentFiles): Found | null {
  const then = files.earlier?.(anchor.path!, anchor.side) ?? null;
  const mapped = then && placeByMap(anchor, then, now);
  if (mapped) return mapped;
  const same = sameText(anchor, now);
  if (same && same.context >= enoughContext(anchor)) return { placement: 'exact', range: rangeAt(same.at, anchor) };
  const squeezed = squeezedOf(now, anchor, files);
  const reflowed = anchor.lines.some(tells) ? findReflowed(anchor, squeezed) : [];
  const inForm = placeReflowed(anchor, reflowed);
  if (inForm) return inForm;
  const edited = placeByNeighbours(anchor, now, squeezed.lines) ?? placeByLikeness(anchor, now, squeezed.lines);
  if (edited) return edited;
  const alone = (anchor.twins ?? 0) === 0 && isTelling(anchor);
  if (same?.alone && alone) return { placement: 'moved', range: rangeAt(same.at, anchor) };
  return alone && reflowed.length === 1 && reflowed[0]!.whole ? { placement: 'changed', range: reflowed[0]!.range } : null;
}

/** Of a long file the lines around the anchor: a hundred thousand of them take a tenth of a second. */
function squeezedOf(lines: readonly string[], { range }: RangedAnchor, { memo }: PresentFiles): SqueezedFile {
  if (lines.length > 2 * REACH) return squeezeFile(lines, range.start - REACH, range.end + REACH);
  const squeezed = memo?.get(lines) ?? squeezeFile(lines);
  memo?.set(lines, squeezed);
  return squeezed;
}

/** The same code in another form, where at least a third of what stood around it still does; the place with most of that, then the nearest. */
function placeReflowed(anchor: RangedAnchor, places: Reflowed[]): Found | null {
  const far = ({ range }: Reflowed) => Math.abs(range.start - anchor.range.start);
  const [best] = places.toSorted((a, b) => b.context - a.context || far(a) - far(b));
  return best && best.context >= 1 / 3 ? { placement: 'changed', range: best.range } : null;
}

/** By the diff between then and now: certain where the first and last line, or the lines around them, survived. */
function placeByMap(anchor: RangedAnchor, then: readonly string[], now: readonly string[]): Found | null {
  const { start, end } = anchor.range;
  if (!sameAt(then, start - 1, anchor.lines)) return null;
  const map = mapLines(then, now);
  const first = map[start - 1]!;
  if (first >= 0 && sameAt(now, first, anchor.lines)) {
    return { placement: contextScore(anchor, now, first) >= enoughContext(anchor) ? 'exact' : 'moved', range: rangeAt(first, anchor) };
  }
  const before = start >= 2 ? map[start - 2]! : -1;
  const after = end < then.length ? map[end]! : now.length;
  if ((before < 0 && start >= 2) || after <= before + 1) return null;
  return changedBetween(anchor, now, before, after, ALIKE_BETWEEN_NEIGHBOURS);
}

/** The same lines, at the place whose surroundings are most like the old ones; `alone`: no other place is as good. */
function sameText(anchor: RangedAnchor, now: readonly string[]): { at: number; context: number; alone: boolean } | null {
  const places = allPlaces(anchor.lines, now).map((at) => ({ at, context: contextScore(anchor, now, at) }));
  const far = (at: number) => Math.abs(at - (anchor.range.start - 1));
  places.sort((a, b) => b.context - a.context || far(a.at) - far(b.at));
  const best = places[0];
  return best ? { ...best, alone: places.length === 1 || best.context > places[1]!.context } : null;
}

function isTelling(anchor: Anchor): boolean {
  return anchor.lines.join('').replace(/\s+/g, '').length >= TELLING;
}

/** What now stands between the line before and the line after, when both are found together, in whatever form. */
function placeByNeighbours(anchor: RangedAnchor, now: readonly string[], squeezed: readonly string[]): Found | null {
  const before = anchor.before.findLast(tells);
  const after = anchor.after.find(tells);
  if (before === undefined || after === undefined) return null;
  const gapBefore = anchor.before.length - 1 - anchor.before.lastIndexOf(before);
  const gapAfter = anchor.after.indexOf(after);
  const longest = 3 * anchor.lines.length + 20;
  const [above, below] = [squeeze(before), squeeze(after)];
  let best: Found | null = null;
  let distance = Number.POSITIVE_INFINITY;
  for (let i = squeezed.indexOf(above); i >= 0; i = squeezed.indexOf(above, i + 1)) {
    const from = i + gapBefore;
    const j = squeezed.indexOf(below, from + 1);
    if (j < 0 || j - gapAfter - from - 1 > longest) continue;
    const found = changedBetween(anchor, now, from, j - gapAfter, ALIKE_BETWEEN_NEIGHBOURS);
    const far = Math.abs(from + 2 - anchor.range.start);
    if (found && far < distance) [best, distance] = [found, far];
  }
  return best;
}

/** The most alike run of as many lines near the old place that still has one of its telling neighbours, in whatever form. */
function placeByLikeness(anchor: RangedAnchor, now: readonly string[], squeezed: readonly string[]): Found | null {
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
    const present = now.slice(at, at + count).join('\n');
    const like = Math.max(likeness(text, present), isGrown(text, present) ? GROWN : 0);
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
function changedBetween(anchor: RangedAnchor, now: readonly string[], before: number, after: number, alike: number): Found | null {
  const lines = now.slice(before + 1, after);
  const whole = allPlaces(anchor.lines, lines)[0];
  if (whole !== undefined) return { placement: 'exact', range: rangeAt(before + 1 + whole, anchor) };
  if (lines.length === 0 || likeness(anchor.lines.join('\n'), lines.join('\n')) < alike) return null;
  return { placement: 'changed', range: { start: before + 2, end: after } };
}

function rangeAt(index: number, anchor: RangedAnchor): { start: number; end: number } {
  return { start: index + 1, end: index + anchor.lines.length };
}

function allPlaces(lines: readonly string[], now: readonly string[]): number[] {
  const places: number[] = [];
  const first = lines[0];
  if (first === undefined) return places;
  for (let at = now.indexOf(first); at >= 0; at = now.indexOf(first, at + 1)) if (sameAt(now, at, lines)) places.push(at);
  return places;
}

function sameAt(now: readonly string[], at: number, lines: readonly string[]): boolean {
  return at + lines.length <= now.length && lines.every((line, i) => now[at + i] === line);
}

/** Context lines that stand where they stood; a file's beginning or end counts as one. */
function contextScore(anchor: RangedAnchor, now: readonly string[], at: number): number {
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

/** Score from which the surroundings count as the same: a third of what there can be, at least one. */
function enoughContext({ before, after }: Anchor): number {
  const ends = (before.length < CONTEXT_LINES ? 1 : 0) + (after.length < CONTEXT_LINES ? 1 : 0);
  return Math.max(1, Math.ceil((before.length + after.length + ends) / 3));
}

/** A line that is not blank and not only brackets. */
function tells(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}
