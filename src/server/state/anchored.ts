// Anchors a new comment: on the lines that were seen, in the scope they were seen in, or by the code that came with it from elsewhere.
import { findSeen, makeAnchor, type Place, placeAnchor } from '../../model/review/anchor.ts';
import { commitOfScope, type Scope } from '../../model/review/changeset.ts';
import type { Anchor } from '../../model/review/comment.ts';
import type { Trace } from '../../model/review/trace.ts';
import type { CommentTarget } from '../../wire/requests.ts';
import { Refusal } from '../refusal.ts';
import { wholeFile } from './present-files.ts';
import type { Review } from './review.ts';

/** `place` is set where the comment does not stand at its anchor from the beginning; `trace` where it is on lines that were read. */
export interface Anchored {
  anchor: Anchor;
  place?: Place;
  trace?: Trace;
}

/** Anchors a comment. Throws a Refusal where there is no such place, or no longer what was seen there. */
export async function anchorTarget(target: CommentTarget, review: Review | null): Promise<Anchored> {
  const { path, side, scope = 'base' } = target;
  const nowhere: Anchor = { path, side, range: null, lines: [], before: [], after: [], baseCommit: null };
  if (path === null) return { anchor: nowhere };
  if (!review)
    throw new Refusal('no-repository', 'This workspace has no worktree: only the whole can be commented.', 'Use "." in place of a file.');
  if (target.foreign) return settle(target, path, review);
  const lines = await wholeFile(review, path, side, scope);
  const baseCommit = (await review.changeset()).base?.commit ?? null;
  if (target.range === null) return { anchor: { ...nowhere, baseCommit } };
  const range = target.seen ? findSeen(target.range, target.seen, lines) : target.range;
  if (!range) throw new Refusal('changed', `That place of ${path} has changed since you saw it.`, 'Look again; your text is kept.');
  const made = makeAnchor({ path, side, range }, lines, baseCommit);
  if ('refused' in made) throw new Refusal('no-such-line', made.refused);
  return scope === 'base' ? made : carry(made, scope, review);
}

/** An anchor on another scope's lines, on the default scope's where the same lines stand there; else left on its own, and placed as far as may be. */
async function carry({ anchor, trace }: Anchored, scope: Scope, review: Review): Promise<Anchored> {
  const carried = await placeHere(anchor, review, trace);
  const commit = commitOfScope(scope);
  return 'place' in carried && commit !== null ? { ...carried, anchor: { ...anchor, commit } } : carried;
}

/** An anchor from another worktree or another herd, told by the code it is about where that came with it, else by its lines' numbers. */
async function settle(target: CommentTarget, path: string, review: Review): Promise<Anchored> {
  const { side, range, seen = { lines: [], before: [], after: [] } } = target;
  const baseCommit = (await review.changeset()).base?.commit ?? null;
  const anchor: Anchor = { path, side, range, ...seen, baseCommit };
  const now = await wholeFile(review, path, side).catch(() => null);
  if (now && range && seen.lines.length === 0) {
    const made = makeAnchor({ path, side, range }, now, baseCommit);
    if ('anchor' in made) return made;
  }
  return placeHere(anchor, review);
}

/** Made anew on the default scope's lines where the same text stands; else as it is, with the place that is found for it. */
async function placeHere(anchor: Anchor, review: Review, trace?: Trace): Promise<Anchored> {
  const { path, side, baseCommit } = anchor;
  const now = await wholeFile(review, path!, side).catch(() => null);
  const place = placeAnchor(anchor, { lines: (other) => (other === path ? now : null), renamed: () => null }, { trace });
  const same = place.placement === 'exact' || place.placement === 'moved';
  const made = same && now && place.range ? makeAnchor({ path: path!, side, range: place.range }, now, baseCommit) : null;
  return made && 'anchor' in made ? made : { anchor, place, ...(trace === undefined ? {} : { trace }) };
}
