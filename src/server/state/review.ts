// One workspace's changes: the changeset per scope, kept until the worktree changes, its size, its pictures for "last turn" and "last
// look". A failed or slow reading leaves the last good one standing with its age; nothing here waits on the hot path.

import type { Changes, ChangesQuery, FileQuery, Git, SnapshotKind, Snapshots, Watch } from '../../git/api.ts';
import { dropOldest } from '../../model/drop-oldest.ts';
import type { Changeset, FileDiff, Scope } from '../../model/review/changeset.ts';
import type { Side } from '../../model/review/comment.ts';
import type { DiffSize } from '../../model/workspace.ts';

/** Quiet time after a write before the worktree is pictured, ms: an agent's burst of edits is over by then. */
const PICTURE_AFTER = 1000;

/** ms of a reading after which its age is told: a person would have looked for the change by then. */
const SLOW = 1500;

/** ms after a reading that failed until the next, doubled each time; no event may tell that git works again. */
const RETRY = { first: 1000, longest: 60_000 };

/** Most changesets kept; each is one scope with or without whitespace. */
const KEPT = 12;

export interface ReviewOptions {
  workspace: number;
  path: string;
  git: Git;
  now(): number;
  /** As recorded for the workspace. */
  base(): { name: string; commit: string } | null;
  /** The agent is in a turn: no picture of rest may be taken, or the next turn would begin in its middle. */
  busy(): boolean;
  /** The default scope reads otherwise than before; `files` that changed, null when unknown. */
  onChange(changeset: Changeset, files: string[] | null): void;
  onTrouble(text: string | null): void;
  /** `size` tells of a slow reading, or no longer. */
  onSlow(): void;
}

export class Review {
  readonly changes: Changes;
  size: DiffSize = { files: 0, added: 0, removed: 0, at: null };
  readonly #o: ReviewOptions;
  readonly #pictures: Snapshots;
  readonly #watch: Watch;
  readonly #kept = new Map<string, { version: string; changeset: Changeset }>();
  /** Counts writes to the worktree, and pictures that a scope begins at: taking one changes no other scope. */
  #epoch = 0;
  #pictured = 0;
  /** What `onChange` was called for last; null: it is called after the next reading in any case. */
  #told: string | null = null;
  #refreshing: Promise<void> | null = null;
  #again = false;
  #files: Set<string> | null = new Set();
  #pictureTimer: NodeJS.Timeout | null = null;
  #retryTimer: NodeJS.Timeout | null = null;
  #retryAfter = RETRY.first;
  #closed = false;

  constructor(o: ReviewOptions) {
    this.#o = o;
    this.changes = o.git.changes(o.path);
    this.#pictures = o.git.snapshots(o.path, o.workspace);
    this.#watch = o.git.watch(o.path, (change) => this.#changed(change.files));
    // What was written before may have come too late for the first reading, and no event tells of it.
    void this.#watch.ready.then(() => this.#stale(null));
  }

  /** The changes of a scope; read anew only when the worktree changed since. Rejects with GitError. */
  async changeset(scope: Scope = 'base', ignoreWhitespace = false): Promise<Changeset> {
    const key = JSON.stringify([scope, ignoreWhitespace]);
    const kept = this.#kept.get(key);
    const version = pictureOf(scope) === null ? `${this.#epoch}` : `${this.#epoch} ${this.#pictured}`;
    if (kept?.version === version) return kept.changeset;
    try {
      const changeset = await this.changes.readChangeset(await this.query(scope, ignoreWhitespace));
      this.#keep(key, version, changeset);
      return changeset;
    } catch (error) {
      if (kept) return { ...kept.changeset, error: (error as Error).message };
      throw error;
    }
  }

  async fileDiff(path: string, o: Partial<Omit<FileQuery, 'base' | 'snapshot' | 'signal'>>): Promise<FileDiff> {
    const { scope = 'base', ignoreWhitespace = false, ...what } = o;
    return this.changes.readFileDiff(path, { ...(await this.query(scope, ignoreWhitespace)), ...what });
  }

  async lines(path: string, side: Side, from: number, to: number, scope: Scope = 'base'): Promise<{ lines: string[]; total: number }> {
    return this.changes.readLines(path, side, from, to, await this.query(scope, false));
  }

  /** What git is asked for a scope. */
  async query(scope: Scope, ignoreWhitespace: boolean): Promise<ChangesQuery> {
    const picture = pictureOf(scope);
    const snapshot = picture && (await this.#pictures.at(picture));
    return { scope, base: this.#o.base(), ignoreWhitespace, snapshot };
  }

  /** Reads the default scope again; joins a reading under way and repeats it once if something changed meanwhile. */
  refresh(): Promise<void> {
    if (this.#refreshing) {
      this.#again = true;
      return this.#refreshing;
    }
    this.#refreshing = this.#refresh();
    return this.#refreshing;
  }

  /** A person turns from the workspace: "since last look" starts here. */
  async look(): Promise<void> {
    await this.#pictures.take('look').catch(() => null);
    this.#pictured++;
  }

  /** Comments of a round are on their way: "the change since" starts here. A picture that fails leaves that scope without one. */
  async roundSent(round: number): Promise<void> {
    await this.#pictures.take(`round-${round}`).catch(() => null);
  }

  /** The agent begins a turn: "last turn" starts from the worktree as it last was at rest, until the next turn begins. */
  async turnBegan(): Promise<void> {
    if (this.#pictureTimer) clearTimeout(this.#pictureTimer);
    this.#pictureTimer = null;
    await this.#pictures.beginTurn().catch(() => null);
    if (this.#closed) return;
    this.#pictured++;
    this.#told = null;
    await this.refresh();
  }

  /** The agent came to rest: the next picture may be taken. */
  turnEnded(): void {
    this.#pictureSoon();
  }

  invalidate(): void {
    this.#epoch++;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#pictureTimer) clearTimeout(this.#pictureTimer);
    if (this.#retryTimer) clearTimeout(this.#retryTimer);
    await this.#watch.close();
  }

  async #refresh(): Promise<void> {
    do {
      this.#again = false;
      const files = this.#files;
      this.#files = new Set();
      const slow = setTimeout(() => this.#tellSlow(true), SLOW).unref();
      try {
        const changeset = await this.changeset();
        if (this.#closed) break;
        const { error, added, removed, at } = changeset;
        this.size = { ...this.size, files: changeset.files.length, added, removed, at, error };
        this.#o.onTrouble(null);
        this.#retry(changeset.error !== undefined);
        // Most looks find nothing new: the one after the last write, the one a minute. Nobody is woken for them.
        const news = JSON.stringify([changeset.generation, changeset.error]);
        if (news === this.#told) continue;
        this.#told = news;
        this.#o.onChange(changeset, files && [...files]);
      } catch (error) {
        if (this.#closed) break;
        this.#told = null;
        const { code, message } = error as { code?: string; message: string };
        this.size = { ...this.size, error: message };
        const gone = code === 'not-a-repository' || code === 'not-found';
        this.#o.onTrouble(gone ? 'its worktree is gone' : message);
        this.#retry(!gone);
      } finally {
        clearTimeout(slow);
        this.#tellSlow(false);
      }
    } while (this.#again && !this.#closed);
    // In the same step as the last look at `again`: whoever asks from now on begins anew.
    this.#refreshing = null;
  }

  #tellSlow(slow: boolean): void {
    if (slow === (this.size.slow === true) || this.#closed) return;
    const { slow: _slow, ...size } = this.size;
    this.size = slow ? { ...size, slow } : size;
    this.#o.onSlow();
  }

  #changed(files: string[] | null): void {
    this.#stale(files);
    this.#pictureSoon();
  }

  #stale(files: string[] | null): void {
    if (this.#closed) return;
    this.#epoch++;
    if (files === null) this.#files = null;
    else for (const file of files) this.#files?.add(file);
    void this.refresh();
  }

  #retry(failed: boolean): void {
    if (this.#retryTimer) clearTimeout(this.#retryTimer);
    this.#retryTimer = null;
    if (!failed) this.#retryAfter = RETRY.first;
    if (!failed || this.#closed) return;
    this.#retryTimer = setTimeout(() => this.#changed([]), this.#retryAfter).unref();
    this.#retryAfter = Math.min(2 * this.#retryAfter, RETRY.longest);
  }

  #pictureSoon(): void {
    if (this.#pictureTimer) clearTimeout(this.#pictureTimer);
    if (this.#closed || this.#o.busy()) return;
    this.#pictureTimer = setTimeout(() => void this.#picture(), PICTURE_AFTER);
  }

  async #picture(): Promise<void> {
    this.#pictureTimer = null;
    if (this.#closed || this.#o.busy()) return;
    await this.#pictures.take('rest').catch(() => null);
  }

  #keep(key: string, version: string, changeset: Changeset): void {
    this.#kept.delete(key);
    this.#kept.set(key, { version, changeset });
    dropOldest(this.#kept, KEPT);
  }
}

/** The picture of the worktree that a scope begins at; null for one between commits. */
function pictureOf(scope: Scope): SnapshotKind | null {
  if (typeof scope === 'object') return 'round' in scope ? `round-${scope.round}` : null;
  return scope === 'turn' || scope === 'look' ? scope : null;
}
