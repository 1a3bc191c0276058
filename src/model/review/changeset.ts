// A changeset: what a worktree holds against a base. Plain data, parsed from git in git/, shown in tui/diff/.

/** `round`: since the comments of that round were sent. */
export type Scope = 'base' | 'uncommitted' | 'staged' | 'turn' | 'look' | { commit: string } | { round: number };

/** The commit of a scope that is one commit's diff; null for every other. */
export function commitOfScope(scope: Scope): string | null {
  return typeof scope === 'object' && 'commit' in scope ? scope.commit : null;
}

/** One commit since the base. */
export interface CommitFacts {
  commit: string;
  short: string;
  subject: string;
  /** The whole message, at most some thousand characters. */
  message: string;
  author: string;
  /** ms since the epoch. */
  at: number;
  /** Whether it is a merge (shown against its first parent). */
  merge: boolean;
}

export type FileStatus = 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'type-changed' | 'unmerged' | 'untracked';

/** A changed file without its lines; cheap to list for thousands of files. Paths are relative to the worktree, '/' separated. */
export interface ChangedFile {
  path: string;
  /** Set for renames and copies. */
  oldPath?: string;
  status: FileStatus;
  /** Rename or copy likeness, percent. */
  similarity?: number;
  /** Lines; null for binary files. */
  added: number | null;
  removed: number | null;
  oldMode?: string;
  newMode?: string;
  /** Where the change stands; a file can be in several. */
  committed: boolean;
  staged: boolean;
  unstaged: boolean;
  binary?: boolean;
  submodule?: { old: string | null; new: string | null; commits: number | null; dirty: boolean };
  /** Sizes in bytes, where known. */
  oldSize?: number;
  newSize?: number;
  /** Known to the old side but, under this name, not to the index: renamed without telling git, or taken out of the index. */
  loose?: boolean;
  /** Folded by default: gitattributes linguist-generated, lock files. */
  generated?: boolean;
  /** Identity of the file's new content and mode; `viewed` is undone when it changes. */
  fingerprint: string;
}

export interface Changeset {
  scope: Scope;
  /** What the old side is: a ref name as chosen, and the commit it stood for when read; `gone`: there is no such ref any more. */
  base: { name: string; commit: string; recorded: string; moved: boolean; gone?: boolean } | null;
  /** Current branch, null when detached; short hash of HEAD, null on an unborn branch. */
  branch: string | null;
  head: string | null;
  files: ChangedFile[];
  added: number;
  removed: number;
  /** Counts up with every refresh that changed something. */
  generation: number;
  /** ms since the epoch when read; error of the last try, if it failed. */
  at: number;
  error?: string;
  /** Of the commit that is the scope: the first line of its message. */
  subject?: string;
  /** What git is in the middle of: "rebasing 2/5". */
  operation?: string;
  /** What the listing leaves out, in clauses. */
  notes?: string[];
}

export type LineKind = 'context' | 'added' | 'removed';

/** One diff line. Line numbers are 1-based; null on the side where the line is not. `text` has no line end. */
export interface DiffLine {
  kind: LineKind;
  old: number | null;
  new: number | null;
  text: string;
  /** Set on the last line of a side that has no final newline. */
  noNewline?: boolean;
  /** The line end differs from "\n": 'crlf' or 'cr'. */
  eol?: 'crlf' | 'cr';
  /** Moved from or to elsewhere in the changeset. */
  moved?: boolean;
}

/** Lines of a file that were moved, within it or to or from another: ranges of lines, inclusive, of either side. */
export interface MovedIn {
  path: string;
  old: [from: number, to: number][];
  new: [from: number, to: number][];
}

export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** Text behind the second @@: the enclosing function. */
  section: string;
  lines: DiffLine[];
}

/** A hunk without its lines. */
export type HunkHead = Omit<Hunk, 'lines'>;

/**
 * Of a diff, for somebody who holds an earlier reading of it. `keep`: lines [from, to) of the reading held, counted over all its hunks; a hunk
 * whose first line is among them comes with its head. Line numbers of both sides grow by `old` and `new`. No line is kept twice. Else lines
 * as they are: of a new hunk with `head`, without it of the hunk before them.
 */
export type DiffPiece = { keep: [from: number, to: number]; old: number; new: number } | { head?: HunkHead; lines: DiffLine[] };

/** A note in place of or above the lines: what a person must know that lines do not show. */
export interface FileNote {
  kind:
    | 'binary'
    | 'mode'
    | 'eol'
    | 'final-newline'
    | 'encoding'
    | 'too-large'
    | 'submodule'
    | 'symlink'
    | 'type-change'
    | 'conflict'
    | 'empty'
    | 'whitespace'
    | 'unreadable'
    | 'nested-repository';
  text: string;
}

export interface FileDiff {
  file: ChangedFile;
  hunks: Hunk[];
  /** Names the hunks, those of other parts included; for asking what changed since. */
  revision?: string;
  /** What `hunks`, empty then, are made of, for who asked with the revision held. */
  pieces?: DiffPiece[];
  notes: FileNote[];
  /** Too large: lines are left out until asked for with `load`. */
  truncated: boolean;
  /** Lines of the new side, where known. */
  total?: number;
  /** Only the beginning, as was asked for; the rest comes when asked for without a number of rows. */
  part?: boolean;
  generation: number;
}
