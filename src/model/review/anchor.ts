// Makes anchors and finds them again in the present files: by line map, by exact text in its context, by likeness of an edit in
// place. Never lands on other code: what is not found with good reason is gone.

import { placeByContext } from './by-context.ts';
import { placeByTrace, stoodBehind, together } from './by-trace.ts';
import type { Anchor, Comment, Side } from './comment.ts';
import { findReflowed, type Reflowed, type SqueezedFile, squeezeFile } from './reflow.ts';
import {
  allPlaces,
  CONTEXT_LINES,
  contextScore,
  enoughContext,
  fullContext,
  isTelling,
  type RangedAnchor,
  rangeAt,
  sameAt,
  sameText,
  tells,
} from './text-places.ts';
import { follow, makeTrace, type Trace, type Traced } from './trace.ts';

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
  memo?: WeakMap<readonly string[], Known>;
}

/** What is kept of an anchor besides itself. */
interface Kept {
  /** What the file looked like when it was made; without it only the lines around the anchor tell. */
  trace?: Trace | undefined;
  /** The file that it was last found in. */
  last?: string | null;
}

/** What was found out about a file's lines. */
export interface Known extends SqueezedFile {
  traced: Map<Trace, Traced>;
}

/** How far from its old line code in another form is looked for, in lines. */
const REACH = 5_000;

/** Makes an anchor on 1-based inclusive `range` of `lines`, and the trace by which it is found again. A refusal is one sentence. */
export function makeAnchor(
  target: { path: string; side: Side; range: { start: number; end: number } },
  lines: readonly string[],
  baseCommit: string | null,
): { anchor: Anchor; trace: Trace } | { refused: string } {
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
    trace: makeTrace(lines, target.range),
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
export function placeAnchor(anchor: Anchor, files: PresentFiles, { trace, last }: Kept = {}): Place {
  if (anchor.path === null) return { placement: 'exact', path: null, range: null };
  const { path, lines } = presentFile(anchor.path, anchor.side, files, last ?? null);
  if (lines === null) return placeInOther(anchor, files, null) ?? { placement: 'gone', path: anchor.path, range: null };
  const renamed = path !== anchor.path;
  if (anchor.range === null) return { placement: renamed ? 'moved' : 'exact', path, range: null };
  const found = placeRange({ ...anchor, range: anchor.range }, lines, files, trace);
  if (!('range' in found)) return placeInOther(anchor, files, path) ?? { placement: 'gone', path, range: null, ...found };
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

/** Under its own name, that it was renamed to, or that it had when it was last found; a file of the old side by the name it has now. */
function presentFile(
  path: string,
  side: Side,
  files: PresentFiles,
  last: string | null,
): { path: string; lines: readonly string[] | null } {
  const renamed = files.renamed(path);
  const names = side === 'old' ? [renamed, path] : [path, renamed, last];
  for (const name of names) {
    const lines = name === null ? null : files.lines(name, side);
    if (lines !== null) return { path: name!, lines };
  }
  return { path: renamed ?? path, lines: null };
}

type Found = { placement: Place['placement']; range: { start: number; end: number } };
/** Nothing is left of it; `behind` as in a place. */
type Lost = { behind?: number };

/** By the surest sign first: its text in its surroundings, in another form there, edited there; then its text alone. */
function placeRange(anchor: RangedAnchor, now: readonly string[], files: PresentFiles, trace: Trace | undefined): Found | Lost {
  const single = (anchor.twins ?? 0) === 0;
  const same = sameText(anchor, now);
  if (single && same?.alone && same.context === fullContext(anchor)) return { placement: 'exact', range: rangeAt(same.at, anchor) };
  const squeezed = squeezedOf(now, anchor, files);
  const traced = trace === undefined ? null : followed(trace, squeezed);
  const at = traced ? together(anchor, traced) : -1;
  if (at >= 0) return { placement: placementAt(anchor, now, at), range: rangeAt(at, anchor) };
  // What another old line became, or where that is not known another copy that was there before, is not it.
  const known = single || traced?.whole;
  const mayBe = (from: number, to: number) =>
    !traced || (known && now.slice(from, to).some((line, i) => line.trim() && traced.isNew(from + i)));
  const copy = traced ? sameText(anchor, now, (place) => mayBe(place, place + anchor.lines.length)) : same;
  if (copy && copy.context >= enoughContext(anchor)) return { placement: 'exact', range: rangeAt(copy.at, anchor) };
  const reflowed = anchor.lines.some(tells) ? findReflowed(anchor, squeezed).filter(({ range }) => mayBe(range.start - 1, range.end)) : [];
  const inForm = placeReflowed(anchor, reflowed);
  if (inForm) return inForm;
  const edited = traced ? placeByTrace(anchor, now, traced) : placeByContext(anchor, now, squeezed.lines);
  if (edited) return edited;
  const alone = known && isTelling(anchor);
  if (copy?.alone && alone) return { placement: 'moved', range: rangeAt(copy.at, anchor) };
  if (alone && reflowed.length === 1 && reflowed[0]!.whole) return { placement: 'changed', range: reflowed[0]!.range };
  const behind = traced && stoodBehind(anchor, traced);
  return behind === null ? {} : { behind };
}

/** What the anchor's lines are at a place that is theirs. */
function placementAt(anchor: RangedAnchor, now: readonly string[], at: number): Found['placement'] {
  if (!sameAt(now, at, anchor.lines)) return 'changed';
  return contextScore(anchor, now, at) >= enoughContext(anchor) ? 'exact' : 'moved';
}

/** Of a long file the lines around the anchor: a hundred thousand of them take a tenth of a second. */
function squeezedOf(lines: readonly string[], { range }: RangedAnchor, { memo }: PresentFiles): Known {
  if (lines.length > 2 * REACH) return { ...squeezeFile(lines, range.start - REACH, range.end + REACH), traced: new Map() };
  const known = memo?.get(lines) ?? { ...squeezeFile(lines), traced: new Map() };
  memo?.set(lines, known);
  return known;
}

function followed(trace: Trace, { prints, traced }: Known): Traced {
  const made = traced.get(trace) ?? follow(trace, prints);
  traced.set(trace, made);
  return made;
}

/** The same code in another form, where at least a third of what stood around it still does; the place with most of that, then the nearest. */
function placeReflowed(anchor: RangedAnchor, places: Reflowed[]): Found | null {
  const far = ({ range }: Reflowed) => Math.abs(range.start - anchor.range.start);
  const [best] = places.toSorted((a, b) => b.context - a.context || far(a) - far(b));
  return best && best.context >= 1 / 3 ? { placement: 'changed', range: best.range } : null;
}
