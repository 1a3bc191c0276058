// The comments of a session: in memory for reading, in the ledger before anybody hears "saved". Every change is an event.
import { type PresentFiles, placeAnchor } from '../../model/review/anchor.ts';
import { type Changeset, commitOfScope } from '../../model/review/changeset.ts';
import { type Anchor, CLOSED_WORKSPACE, type Comment, type CommentState, type Placement } from '../../model/review/comment.ts';
import { addComment, applyIntent, type CommentIntent, type CommentOutcome } from '../../model/review/comment-life.ts';
import type { Trace } from '../../model/review/trace.ts';
import type { Store, Written } from '../../store/store.ts';
import type { CommentTarget, ServerEvent } from '../../wire/requests.ts';
import { Refusal } from '../refusal.ts';
import { anchorTarget } from './anchored.ts';
import { readPresentFiles } from './present-files.ts';
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
  /** By which each is found again: kept beside them, as nobody else needs it. */
  readonly #traces = new Map<number, Trace>();

  constructor(o: CommentsOptions) {
    this.#o = o;
  }

  async load(): Promise<void> {
    for (const { trace, ...comment } of await this.#o.store.comments()) {
      (comment.left === undefined ? this.#all : this.#left).set(comment.id, comment);
      if (trace !== undefined) this.#traces.set(comment.id, trace);
    }
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
    const { anchor, place, trace } = await anchorTarget(target, review);
    const id = await this.#o.store.nextId('comment');
    if (trace !== undefined) this.#traces.set(id, trace);
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
    this.#traces.delete(id);
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
      const failed = await this.#keep(left);
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
      if (!this.#left.has(id)) this.#traces.delete(id);
    }
  }

  /** Finds the anchors of a workspace's open comments in the present files. */
  async replace(workspace: number, changeset: Changeset, review: Review): Promise<void> {
    const open = this.of(workspace).filter((comment) => comment.anchor.path !== null && comment.state !== 'resolved');
    if (open.length === 0) return;
    const files = await readPresentFiles(open, changeset, review);
    const places = new Map(open.map((comment) => [comment.id, this.#place(comment, files)]));
    const lost = open.filter(({ id, anchor }) => places.get(id)!.placement === 'gone' && anchor.side === 'new' && anchor.lines.length > 0);
    if (lost.length > 0) await files.readOthers(lost.map(({ anchor }) => anchor));
    for (const comment of lost) places.set(comment.id, this.#place(comment, files));
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
      others.map((comment) => {
        const place = this.#place(comment, files);
        return [comment.id, place.placement === 'gone' ? null : place];
      }),
    );
  }

  async #save(comment: Comment): Promise<Comment> {
    this.#all.set(comment.id, comment);
    const failed = await this.#keep(comment);
    this.#o.emit({ event: 'comment', comment });
    this.#o.onCount(comment.workspace);
    if (failed) throw failed;
    return comment;
  }

  #place({ id, anchor, place }: Comment, files: PresentFiles): Comment['place'] {
    return placeAnchor(anchor, files, { trace: this.#traces.get(id), last: place.path });
  }

  #keep(comment: Comment): Promise<Written> {
    const trace = this.#traces.get(comment.id);
    return this.#o.store.putComment(trace === undefined ? comment : { ...comment, trace });
  }
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
