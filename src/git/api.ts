// What the git room offers to the server: plain shapes and one interface. Implemented by createGit in git.ts.

import type { Changeset, CommitFacts, FileDiff, MovedIn, Scope } from '../model/review/changeset.ts';

/** The repository a folder is in. Paths are absolute and real. */
export interface Repository {
  /** Shared git directory; the identity of the repository. */
  commonDir: string;
  /** Git directory of the worktree asked about (the common one in the main worktree and in a bare layout's root). */
  gitDir: string;
  /** Top of the worktree asked about; null in a bare repository. */
  worktree: string | null;
  /** Folder that stands for the whole: the main worktree, or the folder that holds the bare directory. */
  main: string;
  bare: boolean;
  /** Branch of the worktree, null when detached; set on an unborn branch too. */
  branch: string | null;
  /** Full commit id of HEAD; null on an unborn branch. */
  head: string | null;
}

export interface BaseChoice {
  /** A ref name as chosen, or a commit id. */
  name: string;
  commit: string;
  /** One clause: "the branch you are on", … */
  why: string;
}

export interface WorktreeFacts {
  path: string;
  /** Short name; null when detached or bare. */
  branch: string | null;
  /** Full commit id; null when unborn or bare. */
  head: string | null;
  main: boolean;
  bare: boolean;
  /** Reason, '' when locked without one; null when not locked. */
  locked: string | null;
  /** Why git would prune it; null when it stands. */
  prunable: string | null;
}

export interface AddRequest {
  /** Any folder of the repository; its branch is the default base. */
  from: string;
  /** New or existing branch; without it a name is made from `name`. */
  branch?: string;
  /** Ref or commit to start a new branch from; default: where `from` stands. */
  base?: string;
  /** Folder that gets the new worktree; default `<repository>.worktrees` beside it. */
  root?: string;
  /** Take another root when the default cannot be written (the user's data folder). */
  fallbackRoot?: string;
  /** Leave large files as pointers: run no content filters while filling the worktree. */
  skipFilters?: boolean;
  signal?: AbortSignal;
}

export interface AddedWorktree {
  path: string;
  branch: string;
  /** The branch was made by this call. */
  created: boolean;
  base: BaseChoice;
  /** Sentences for the user: another name was taken, pointers instead of large files, submodules not filled. */
  notes: string[];
}

/** What removing a worktree would destroy. */
export interface Loss {
  modified: number;
  untracked: number;
  conflicted: number;
  /** Commits reachable from nowhere else. */
  commits: number;
  /** Submodules and nested repositories that hold changes or commits of their own. */
  inner: string[];
  /** "1 modified, 2 untracked, 1 commit only here"; '' when nothing is lost. */
  text: string;
}

export interface RemoveOptions {
  /** Save what would be lost to a ref, then remove. */
  discard?: boolean;
  keepBranch?: boolean;
  /** A folder of the repository, for a worktree whose own folder is gone. */
  repository?: string;
}

export interface RemovedWorktree {
  removed: string;
  /** Ref that holds what was discarded; null when nothing was lost. */
  savedRef: string | null;
  branchDeleted: boolean;
  notes: string[];
}

export interface ChangesQuery {
  scope: Scope;
  /** As recorded for the workspace; null: chosen anew (the default base). */
  base?: { name: string; commit: string } | null;
  ignoreWhitespace?: boolean;
  /** For scopes turn, look and round: commit id from snapshots, see Snapshots. */
  snapshot?: { commit: string; dir: string } | null;
  signal?: AbortSignal;
}

export interface FileQuery extends ChangesQuery {
  /** Lines around a change; default 3. */
  context?: number;
  /** Show all lines however many. */
  load?: boolean;
  /** Only the first lines, so many or a few more, for a first frame. */
  rows?: number;
  /** Lines before those. */
  after?: number;
  /** Revision of the diff that the asker holds: answered with pieces where what changed fits in `rows`. */
  held?: string;
}

/** Hunks of a diff, by their index, as it was told by its revision. */
export interface SeenHunks {
  revision: string;
  hunks: readonly number[];
}

/** Reads the changes of one worktree; keeps what it learned of file contents between readings. One scan at a time. */
export interface Changes {
  readonly worktree: string;
  /** A new reading; joins one that runs for the same query. Rejects with GitError; nothing is cached then. */
  readChangeset(q: ChangesQuery): Promise<Changeset>;
  /** The last good reading of the scope, if any. */
  last(scope: Scope): Changeset | null;
  readFileDiff(path: string, q: FileQuery): Promise<FileDiff>;
  /**
   * Hunks that were shown, as a patch of whole hunks: of what is read now, where it is what was told as `revision` of the same query. Rejects
   * with 'moved-on', 'output-too-large'.
   */
  patchOfHunks(path: string, q: FileQuery, seen: SeenHunks): Promise<Buffer>;
  /** Lines of one side, 1-based inclusive. */
  readLines(path: string, side: 'old' | 'new', from: number, to: number, q: ChangesQuery): Promise<{ lines: string[]; total: number }>;
  /** Patch text of a file or of the whole scope; binary files as git's one-line remark, with `binary` as what makes them. */
  patch(q: ChangesQuery, o?: { path?: string; binary?: boolean }): Promise<string>;
  /** Lines moved across the files of the last reading, whose generation is said. */
  moved(q: ChangesQuery): Promise<{ moved: MovedIn[]; generation: number }>;
  /** Commits since the base, newest first; at most `limit` (200). */
  commits(q: ChangesQuery, limit?: number): Promise<CommitFacts[]>;
  /** Identity of a file's present content and mode, as in ChangedFile.fingerprint. */
  fingerprint(path: string): Promise<string>;
}

/** rest: the worktree as the agent last left it at rest; turn: as its last turn found it; look: as a person last left it. */
export type SnapshotKind = 'rest' | 'turn' | 'look' | `round-${number}`;

/** Rolling pictures of one worktree in a private repository; the user's index, objects, refs and HEAD are never written. */
export interface Snapshots {
  /** Takes a picture and points `kind` at it; the commit id, or the last one when nothing changed. */
  take(kind: SnapshotKind): Promise<{ commit: string; dir: string }>;
  /** Points 'turn' at the last picture of rest; without one, at a new picture. */
  beginTurn(): Promise<void>;
  /** Where `kind` points; null before the first. */
  at(kind: SnapshotKind): Promise<{ commit: string; dir: string } | null>;
}

export interface HunkRequest {
  path: string;
  patch: string | Buffer;
  action: 'stage' | 'unstage' | 'discard';
  fingerprint: string;
  /** It was seen without changes of whitespace: none that is not in it is staged. */
  ignoreWhitespace?: boolean;
  /** Only these lines of the patch, ranges [from, to) counted from 0 through all its hunks, context included. */
  lines?: [from: number, to: number][];
}

/** A whole file of a listing: `fingerprint` as it was seen there. */
export interface FileRequest {
  path: string;
  action: 'stage' | 'unstage' | 'discard';
  fingerprint: string;
}

export interface Change {
  /** Paths relative to the worktree that were written, at most 1,000; null: unknown or too many. */
  files: string[] | null;
  /** HEAD, the index or a ref moved. */
  git: boolean;
  /** 'events', 'poll' (no watcher could be had), 'check' (the slow safety check). */
  by: 'events' | 'poll' | 'check';
}

export interface Watch extends AsyncDisposable {
  /** Resolves when the tree is observed. */
  readonly ready: Promise<void>;
  /** Set when events could not be had: one clause. */
  readonly degraded: string | null;
  close(): Promise<void>;
}

export interface AttemptWorktree {
  /** Main folder of the repository. */
  repository: string;
  /** A branch that does not exist. */
  branch: string;
  /** Full commit id. */
  commit: string;
  /** Path of a worktree of `prepare` that becomes this one. */
  prepared?: string;
  root?: string;
  fallbackRoot?: string;
}

/** A worktree that no branch is in yet; `name`, a branch's, is the asker's own and never used again. */
export interface PreparedWorktree extends Omit<AttemptWorktree, 'branch' | 'prepared'> {
  name: string;
}

/** Worktrees that a program makes and removes by the hundred; see worktree-attempt.ts. */
export interface AttemptWorktrees {
  /** Rejects with GitError; 'branch-in-use' names the worktree that the branch is in already, 'not-prepared' that `prepared` cannot be used. */
  add(request: AttemptWorktree): Promise<{ path: string; notes: string[] }>;
  /** Writes the files ahead of an `add`, which then takes milliseconds. */
  prepare(request: PreparedWorktree): Promise<{ path: string; notes: string[] }>;
  /** Takes the worktree and its branch away, whatever is in it. */
  remove(o: { repository: string; path: string; branch?: string }): Promise<void>;
}

export interface Git {
  /** "2.39.5"; rejects with 'git-missing' or 'git-too-old'. */
  version(): Promise<string>;
  /** From any folder, also one inside a bare layout; rejects with 'not-a-repository', 'unsafe-owner'. */
  findRepository(path: string): Promise<Repository>;
  /** For a worktree that has no recorded base. */
  defaultBase(worktree: string): Promise<BaseChoice | null>;
  /** A ref or commit the user named; rejects with 'unknown-revision'. */
  resolveBase(worktree: string, name: string): Promise<BaseChoice>;
  listWorktrees(path: string): Promise<WorktreeFacts[]>;
  addWorktree(request: AddRequest): Promise<AddedWorktree>;
  /** What would be lost. */
  inspectWorktree(path: string): Promise<Loss>;
  /** Without `discard` rejects with 'would-lose' (detail: Loss) when something would be; with it saves to a ref first. */
  removeWorktree(path: string, o?: RemoveOptions): Promise<RemovedWorktree>;
  pruneWorktrees(path: string): Promise<void>;
  /** For programs that make worktrees by the hundred; see worktree-attempt.ts. */
  readonly attempts: AttemptWorktrees;
  changes(worktree: string): Changes;
  /** Drops what was learned of a worktree, and the pictures of its workspace, which is closed for good. Never rejects. */
  forget(worktree: string, workspace: number): Promise<void>;
  /** Drops the pictures that there are now of all workspaces but these: a server that died did not come to it. Goes on once it resolves. */
  forgetOthers(workspaces: readonly number[]): Promise<void>;
  snapshots(worktree: string, workspace: number): Snapshots;
  applyHunk(worktree: string, request: HunkRequest): Promise<{ undoRef: string | null }>;
  /** A whole file; discard takes it back to the old side of `q`. */
  applyFile(worktree: string, request: FileRequest, q: ChangesQuery): Promise<{ undoRef: string | null }>;
  /** Takes the newest discard in the worktree back; the files it wrote. */
  undo(worktree: string): Promise<string[]>;
  /** With the user's hooks, of what is staged. */
  commit(worktree: string, message: string, o?: { amend?: boolean }): Promise<{ commit: string }>;
  watch(worktree: string, onChange: (change: Change) => void): Watch;
  dispose(): Promise<void>;
}
