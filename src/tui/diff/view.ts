// The state of one diff pane: the facts as they came, and where its person is in them. Plain and replaced whole, never changed in
// place; the rows of files are planned when somebody asks for them and kept beside it.

import type { CellTables } from '../../model/cell.ts';
import { dropOldest } from '../../model/drop-oldest.ts';
import { ownOf } from '../../model/own.ts';
import type { ChangedFile, Changeset, DiffLine, FileDiff, Hunk, Scope } from '../../model/review/changeset.ts';
import type { DiffSpot } from '../../model/review/diff-arrangement.ts';
import type { ShownComment } from '../store/begun-comments.ts';
import { type CommentPlaces, commentsIn } from './comment-places.ts';
import type { LinePair } from './pair-lines.ts';
import { type CardRow, type DraftPlace, type DraftRow, type FileView, type HunkRows, type Opened, planRows, type Row } from './rows.ts';
import type { Ranges } from './word-diff.ts';

/** A place in the stream: file by its index, row in the file, and row of the screen within a row that takes several. */
export interface Spot {
  file: number;
  row: number;
  sub: number;
}

/** A file's lines as they came, and what was asked for beyond them. */
export interface LoadedFile {
  diff: FileDiff | null;
  error: string | null;
  /** Changed since it was read: shown until its successor comes. */
  stale: boolean;
  opened: Readonly<Record<number, Opened>>;
  /** Hunks folded by hand. */
  shut: Readonly<Record<string, true>>;
  context: ReadonlyMap<number, string> | null;
  total: number | null;
  /** Asked to load in spite of its size; with all its lines as context. */
  load: boolean;
  whole: boolean;
}

/** Where comments stand in this scope, by id, where that is not where they stand in the default one; null: not in it. */
export type Places = Readonly<Record<number, ShownComment['place'] | null>>;

/** The end of a selection that stays. */
export interface Selection {
  file: number;
  row: number;
  /** Where it was begun: the same object while it lasts, however its rows shift. */
  begun: { file: number; row: number };
}

/** Where the cursor wants to be once its file has come. */
export type Wanted = { at: 'last' } | { at: 'line'; side: 'old' | 'new'; line: number } | { at: 'hunk'; last: boolean };

export interface Search {
  /** Never empty. */
  text: string;
  /** By path, in what was loaded and shown when it was last counted. */
  hits: Readonly<Record<string, number>>;
  /** A step that found no hit yet goes to the first that comes, unless the person has moved since. */
  seek: { by: 1 | -1; from: { file: number; row: number } } | null;
}

export interface DraftText {
  place: DraftPlace;
  /** Title of the card: "you · draft". */
  title: string;
  text: string;
  /** UTF-16 index of the caret in `text`. */
  caret: number;
  /** The row of it that its card began with when it was drawn last. */
  top?: number;
  keys: string;
}

export interface DiffView {
  cols: number;
  rows: number;
  changeset: Changeset | null;
  /** Why there is nothing to show: a plain folder, git failed, … */
  trouble: string | null;
  files: Readonly<Record<string, LoadedFile>>;
  viewed: Readonly<Record<string, string>>;
  /** All that there are, and as they stand in the scope shown. */
  given: readonly ShownComment[];
  comments: readonly ShownComment[];
  places: Places;
  /** Lines moved across files, by path, as far as they are known. */
  moved: Readonly<Record<string, { old: ReadonlySet<number>; new: ReadonlySet<number> }>>;
  draft: DraftText | null;
  /** Where the draft was begun; its own place follows its code when lines shift meanwhile. */
  draftBegun: DraftPlace | null;
  /** Folded or unfolded by hand; files not named here are folded when generated or viewed. */
  folds: Readonly<Record<string, boolean>>;
  scope: Scope;
  layout: 'auto' | 'split' | 'stack';
  wrap: boolean;
  ignoreWhitespace: boolean;
  /** Columns scrolled sideways. */
  left: number;
  tab: number;
  cursor: { file: number; row: number };
  top: Spot;
  wanted: Wanted | null;
  /** Where the person was when they left, until the window there has come or they go elsewhere. */
  comingBack: DiffSpot | null;
  /** Where the person was when their file was last shown, in this scope or another: until they move they come back there when it is again. */
  passing: DiffSpot | null;
  /** Other end of a selection, in the cursor's file; `side` in a split. */
  select: Selection | null;
  /** The side the person is on in a split. */
  side: 'old' | 'new';
  search: Search | null;
  list: FileListState | null;
  /** The file list shows paths, not a tree of folders. */
  flat: boolean;
  memo: Memo;
}

/** A line of the file list: a folder (tree only) or a file by its index in the changeset. */
export interface ListLine {
  /** Folder path, or file path. */
  path: string;
  name: string;
  depth: number;
  file: number | null;
}

export interface FileListState {
  /** Path of the line under its cursor. */
  at: string | null;
  filter: string;
}

/** Rows planned so far; a cache only, dropped with the view. */
export interface Memo {
  /** By path, the newest and the one before it: a change of view compares the two. */
  rows: Map<string, { from: readonly unknown[]; rows: Row[] }[]>;
  wraps: WeakMap<DiffLine, { room: number; tab: number; height: number; starts: number[] | null }>;
  /** Lines that replaced each other, by hunk, and where the words of a pair differ. */
  pairs: WeakMap<Hunk, LinePair[][]>;
  partners: WeakMap<Hunk, Map<DiffLine, DiffLine>>;
  lines: WeakMap<Hunk, HunkRows>;
  words: WeakMap<DiffLine, Ranges>;
  /** What was found out about long lines: only printable ASCII, hits of the search. */
  plain: WeakMap<DiffLine, boolean>;
  hits: { needle: string; map: WeakMap<DiffLine, Ranges> };
  /** Rows of the cards of comments, and of the draft. */
  cards: WeakMap<ShownComment, { width: number; rows: readonly CardRow[] }>;
  draft: { text: string; width: number; rows: readonly DraftRow[] } | null;
  /** Clusters of the grid drawn into last. */
  slots: { tables: CellTables; map: Map<string, number> } | null;
  /** Which file each comment is shown in. */
  comments: CommentPlaces | null;
  /** The file list as it was planned last. */
  list: { from: readonly unknown[]; lines: readonly ListLine[] } | null;
}

/** Columns of the stream from which 'auto' shows old and new side by side. */
export const SPLIT_COLS = 112;
/** Files whose rows stay planned. */
const KEEP_PLANS = 64;
const NO_OPENED = {};
const NO_SHUT = {};

/** An empty pane of `cols` x `rows` cells. */
export function createDiffView(cols: number, rows: number, settings: Partial<Pick<DiffView, 'layout' | 'wrap' | 'tab'>> = {}): DiffView {
  return {
    cols,
    rows,
    changeset: null,
    trouble: null,
    files: {},
    viewed: {},
    given: [],
    comments: [],
    places: {},
    moved: {},
    draft: null,
    draftBegun: null,
    folds: {},
    scope: 'base',
    layout: 'auto',
    wrap: false,
    ignoreWhitespace: false,
    left: 0,
    tab: 4,
    cursor: { file: 0, row: 0 },
    top: { file: 0, row: 0, sub: 0 },
    wanted: null,
    comingBack: null,
    passing: null,
    select: null,
    side: 'new',
    search: null,
    list: null,
    flat: false,
    ...settings,
    memo: {
      rows: new Map(),
      wraps: new WeakMap(),
      pairs: new WeakMap(),
      partners: new WeakMap(),
      lines: new WeakMap(),
      words: new WeakMap(),
      plain: new WeakMap(),
      hits: { needle: '', map: new WeakMap() },
      cards: new WeakMap(),
      draft: null,
      slots: null,
      comments: null,
      list: null,
    },
  };
}

/** The files of the changeset as it was last read; none before the first reading. */
export function filesOf(view: DiffView): readonly ChangedFile[] {
  return view.changeset?.files ?? [];
}

/** Columns of the file list: beside the stream in a wide pane, over it in a narrow one. */
export function listCols(view: DiffView): number {
  if (!view.list) return 0;
  return view.cols >= 90 ? Math.min(42, Math.floor(view.cols / 3)) : 0;
}

/** Columns of the stream: what the file list leaves. */
export function paneCols(view: DiffView): number {
  return Math.max(1, view.cols - listCols(view));
}

/** Rows of the stream: all but the search's line at the bottom. */
export function streamRows({ rows, search }: DiffView): number {
  return Math.max(0, rows - (search ? 1 : 0));
}

/** Old stands beside new in the file at `index`. A file with one side only has the room of both, unless a split is asked for. */
export function isSplit(view: DiffView, index: number): boolean {
  if (view.layout !== 'auto') return view.layout === 'split';
  const file = filesOf(view)[index];
  if (!file || paneCols(view) < SPLIT_COLS || file.status === 'added' || file.status === 'untracked' || file.status === 'deleted')
    return false;
  const [only, more] = ownOf(view.files, file.path)?.diff?.hunks ?? [];
  // A file that was empty or is empty now.
  return !only || more !== undefined || (only.oldStart > 0 && only.newStart > 0);
}

/** Index of the file of this name, or of the one that it was renamed to; -1 where neither is listed. */
export function fileIndex(files: readonly ChangedFile[], name: string): number {
  return files.findIndex(({ path, oldPath }) => path === name || oldPath === name);
}

/** The same scope, and of the same commit or round. */
export function sameScope(a: Scope | undefined, b: Scope | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The person has marked the file as viewed and it has not changed since. */
export function isViewed(view: DiffView, file: ChangedFile): boolean {
  return ownOf(view.viewed, file.path) === file.fingerprint;
}

/** Lines of the file at `index` are still to come, or some of them. */
export function isUnread(view: DiffView, index: number): boolean {
  const file = filesOf(view)[index];
  if (!file || isFolded(view, file)) return false;
  const loaded = ownOf(view.files, file.path);
  return loaded?.diff ? loaded.diff.part === true : !loaded?.error;
}

/** Only the file's header is shown: folded by hand, else because it is generated or viewed. */
export function isFolded(view: DiffView, file: ChangedFile): boolean {
  return ownOf(view.folds, file.path) ?? (file.generated === true || isViewed(view, file));
}

/** The rows of the file at `index`: planned on first use, kept until something they show changes. */
export function rowsOf(view: DiffView, index: number): readonly Row[] {
  const file = filesOf(view)[index];
  if (!file) return [];
  const loaded = ownOf(view.files, file.path);
  const draft = view.draft?.place.path === file.path ? view.draft.place : null;
  const comments = commentsIn(view, index);
  const shown: FileView = {
    file,
    diff: loaded?.diff ?? null,
    error: loaded?.error ?? null,
    folded: isFolded(view, file),
    split: isSplit(view, index),
    comments,
    draft,
    opened: loaded?.opened ?? NO_OPENED,
    shut: loaded?.shut ?? NO_SHUT,
    context: loaded?.context ?? null,
    total: loaded?.total ?? null,
    pairs: view.memo.pairs,
    lines: view.memo.lines,
  };
  const from = [
    file.status,
    // Its counts are in the rows of what is too large.
    shown.diff?.truncated ? file : null,
    shown.diff,
    shown.error,
    shown.folded,
    shown.split,
    comments,
    draft,
    shown.opened,
    shown.shut,
    shown.context,
    shown.total,
  ];
  return planned(view.memo, file.path, from, shown);
}

function planned(memo: Memo, path: string, from: readonly unknown[], shown: FileView): readonly Row[] {
  const kept = memo.rows.get(path) ?? [];
  const same = kept.find((plan) => plan.from.every((value, i) => value === from[i]));
  if (same) return same.rows;
  const rows = planRows(shown);
  memo.rows.delete(path);
  memo.rows.set(path, [{ from, rows }, ...kept.slice(0, 1)]);
  dropOldest(memo.rows, KEEP_PLANS);
  return rows;
}
