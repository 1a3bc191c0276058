// The comments of a session: in memory for reading, in the ledger before anybody hears "saved". Every change is an event.
import { findSeen, makeAnchor, placeAnchor } from '../../model/review/anchor.ts';
import { type Changeset, commitOfScope, type Scope } from '../../model/review/changeset.ts';
import { type Anchor, CLOSED_WORKSPACE, type Comment, type CommentState, type Placement } from '../../model/review/comment.ts';
import { addComment, applyIntent, type CommentIntent, type CommentOutcome } from '../../model/review/comment-life.ts';
import type { Store } from '../../store/store.ts';
import type { CommentTarget, ServerEvent } from '../../wire/requests.ts';
import { Refusal } from '../refusal.ts';
import { readPresentFiles, wholeFile } from './present-files.ts';
import type { Review } from './review.ts';

/** Lines of code shown around a comment, each side; and at most in all. */
const EXCERPT_AROUND = 2;
const EXCERPT_MAX = 40;

export interface CommentsOptions {
  store: Store;
  now(): number;
  emit(event: ServerEvent): void;
  /** A comment was saved in place of `before`, or removed (null). */
  onChange(before: Comment, after: Comment | null): Promise<void>;
  /** Counts of this workspace changed. */
  onCount(workspace: number): void;
}

export class Comments {
  readonly #o: CommentsOptions;
  readonly #all = new Map<number, Comment>();
  /** Of workspaces that were closed: they wait for their worktree to be opened again. */
  readonly #left = new Map<number, Comment>();
  readonly #excerpts = new Map<number, string[]>();

  constructor(o: CommentsOptions) {
    this.#o = o;
  }

  async load(): Promise<void> {
    for (const comment of await this.#o.store.comments()) (comment.left === undefined ? this.#all : this.#left).set(comment.id, comment);
  }

  of(workspace: number): Comment[] {
    return [...this.#all.values()].filter((comment) => comment.workspace === workspace);
  }

  all(): Comment[] {
    return [...this.#all.values()];
  }

  waiting(): Comment[] {
    return [...this.#left.values()];
  }

  get(id: number): Comment {
    const comment = this.#all.get(id);
    if (!comment) throw new Refusal('not-found', `There is no comment ${id}.`, 'herd comment list shows all.');
    return comment;
  }

  find(id: number): Comment | undefined {
    return this.#all.get(id);
  }

  counts(workspace: number): Record<CommentState, number> & Partial<Record<Placement, number>> {
    const counts: Record<CommentState, number> & Partial<Record<Placement, number>> = {
      draft: 0,
      queued: 0,
      sent: 0,
      addressed: 0,
      resolved: 0,
    };
    for (const comment of this.of(workspace)) {
      counts[comment.state]++;
      const { placement } = comment.place;
      if (placement !== 'exact' && comment.state !== 'resolved') counts[placement] = (counts[placement] ?? 0) + 1;
    }
    return counts;
  }

  /** The code a comment is about as it stands now, the lines around it included. */
  excerpt(comment: Comment): string[] {
    return this.#excerpts.get(comment.id) ?? comment.anchor.lines.slice(0, EXCERPT_MAX);
  }

  /** Anchors and saves a new comment. `review` is null for a workspace without a worktree, where only the whole can be commented. */
  async add(
    workspace: number,
    target: CommentTarget,
    given: { body: string; author: 'user' | 'agent'; suggestion?: string; source?: string },
    review: Review | null,
  ): Promise<Comment> {
    const { anchor, place } = await this.#anchor(target, review);
    const id = await this.#o.store.nextId('comment');
    return this.#save({ ...accepted(addComment({ id, workspace, anchor, ...given }, this.#o.now())), ...(place ? { place } : {}) });
  }

  async apply(id: number, intent: CommentIntent): Promise<Comment> {
    const before = this.get(id);
    const after = accepted(applyIntent(before, intent, this.#o.now()));
    if (after === before) return before;
    const saved = await this.#save(after);
    await this.#o.onChange(before, saved);
    return saved;
  }

  async nextReplyId(): Promise<number> {
    return this.#o.store.nextId('reply');
  }

  async remove(id: number): Promise<void> {
    if (this.#left.delete(id)) {
      const failed = await this.#o.store.removeComment(id);
      this.#o.emit({ event: 'comment.gone', id, workspace: CLOSED_WORKSPACE });
      if (failed) throw failed;
      return;
    }
    const comment = this.get(id);
    this.#all.delete(id);
    this.#excerpts.delete(id);
    const failed = await this.#o.store.removeComment(id);
    this.#o.emit({ event: 'comment.gone', id, workspace: comment.workspace });
    this.#o.onCount(comment.workspace);
    await this.#o.onChange(comment, null);
    if (failed) throw failed;
  }

  /** Its workspace is being closed: they wait for the worktree at `path` to be opened again. On disk when this resolves; how many. */
  async leave(workspace: number, path: string): Promise<number> {
    const own = this.of(workspace);
    for (const comment of own) {
      // Its prompt goes with the workspace's queue.
      const state = comment.state === 'queued' ? 'draft' : comment.state;
      const left = { ...comment, state, workspace: CLOSED_WORKSPACE, left: path };
      const failed = await this.#o.store.putComment(left);
      if (failed) throw failed;
      this.#left.set(comment.id, left);
    }
    return own.length;
  }

  /** Takes up what a closed workspace on the same worktree left. */
  async takeUp(workspace: number, path: string): Promise<void> {
    for (const { left, ...comment } of [...this.#left.values()]) {
      if (left !== path) continue;
      await this.#save({ ...comment, workspace });
      this.#left.delete(comment.id);
    }
  }

  forget(workspace: number): void {
    for (const { id } of this.of(workspace)) {
      this.#all.delete(id);
      this.#excerpts.delete(id);
    }
  }

  /** Finds the anchors of a workspace's open comments in the present files. */
  async replace(workspace: number, changeset: Changeset, review: Review): Promise<void> {
    const open = this.of(workspace).filter((comment) => comment.anchor.path !== null && comment.state !== 'resolved');
    if (open.length === 0) return;
    const files = await readPresentFiles(open, changeset, review);
    const places = new Map(open.map(({ id, anchor }) => [id, placeAnchor(anchor, files)]));
    const lost = open.filter(({ id, anchor }) => places.get(id)!.placement === 'gone' && anchor.side === 'new' && anchor.lines.length > 0);
    if (lost.length > 0) await files.readOthers(lost.map(({ anchor }) => anchor));
    for (const { id, anchor } of lost) places.set(id, placeAnchor(anchor, files));
    for (const [id, place] of places) {
      const comment = this.#all.get(id);
      if (!comment) continue;
      this.#excerpts.set(id, cut(place.path === null ? null : files.lines(place.path, comment.anchor.side), place.range, comment.anchor));
      await this.apply(id, { do: 'place', place });
    }
  }

  /** Where a workspace's comments stand in a changeset that is not the default one: those that stand elsewhere there, null for not at all. */
  async placesIn(workspace: number, changeset: Changeset, review: Review): Promise<Record<number, Comment['place'] | null>> {
    // Only a commit and the index have another new side; the old side is another in each.
    const fixed = changeset.scope === 'staged' || commitOfScope(changeset.scope) !== null;
    const others = this.of(workspace).filter(({ anchor }) => anchor.path !== null && (fixed || anchor.side === 'old'));
    const files = await readPresentFiles(others, changeset, review, changeset.scope);
    return Object.fromEntries(
      others.map(({ id, anchor }) => {
        const place = placeAnchor(anchor, files);
        return [id, place.placement === 'gone' ? null : place];
      }),
    );
  }

  /** `place` is set where the comment does not stand at its anchor from the beginning. */
  async #anchor(target: CommentTarget, review: Review | null): Promise<{ anchor: Anchor; place?: Comment['place'] }> {
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
    return scope === 'base' ? made : carry(made.anchor, lines, scope, review);
  }

  async #save(comment: Comment): Promise<Comment> {
    this.#all.set(comment.id, comment);
    const failed = await this.#o.store.putComment(comment);
    this.#o.emit({ event: 'comment', comment });
    this.#o.onCount(comment.workspace);
    if (failed) throw failed;
    return comment;
  }
}

/** An anchor on another scope's lines, on the default scope's where the same lines stand there; else left on its own, and placed as far as may be. */
async function carry(anchor: Anchor, then: string[], scope: Scope, review: Review): Promise<{ anchor: Anchor; place?: Comment['place'] }> {
  const carried = await placeHere(anchor, review, then);
  const commit = commitOfScope(scope);
  return 'place' in carried && commit !== null ? { ...carried, anchor: { ...anchor, commit } } : carried;
}

/** An anchor from another worktree or another herd, told by the code it is about where that came with it, else by its lines' numbers. */
async function settle(target: CommentTarget, path: string, review: Review): Promise<{ anchor: Anchor; place?: Comment['place'] }> {
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
async function placeHere(anchor: Anchor, review: Review, then?: string[]): Promise<{ anchor: Anchor; place?: Comment['place'] }> {
  const { path, side, baseCommit } = anchor;
  const now = await wholeFile(review, path!, side).catch(() => null);
  const place = placeAnchor(anchor, {
    lines: (other) => (other === path ? now : null),
    renamed: () => null,
    ...(then ? { earlier: () => then } : {}),
  });
  const same = place.placement === 'exact' || place.placement === 'moved';
  const made = same && now && place.range ? makeAnchor({ path: path!, side, range: place.range }, now, baseCommit) : null;
  return made && 'anchor' in made ? made : { anchor, place };
}

function accepted(outcome: CommentOutcome): Comment {
  if ('comment' in outcome) return outcome.comment;
  const { code, message, hint } = outcome.refused;
  throw new Refusal(code, message, hint);
}

function cut(lines: readonly string[] | null, range: { start: number; end: number } | null, anchor: Anchor): string[] {
  if (!lines || !range) return anchor.lines.slice(0, EXCERPT_MAX);
  return lines.slice(Math.max(0, range.start - 1 - EXCERPT_AROUND), range.end + EXCERPT_AROUND).slice(0, EXCERPT_MAX);
}
