// What of the stream is shown and how: folds, gaps, whole files, layout, wrapping, the file list. The cursor keeps its text.
import { ownOf } from '../../model/own.ts';
import { keepPlace, showCursor } from './place.ts';
import { type Gap, gapBefore, gapBehind, hunkKey, type Opened } from './rows.ts';
import { type DiffView, filesOf, isFolded, isViewed, type LoadedFile, rowsOf } from './view.ts';

/** Lines opened at a time: half at either end of a gap between hunks. */
const CONTEXT_STEP = 20;

const UNREAD: LoadedFile = {
  diff: null,
  error: null,
  stale: false,
  opened: {},
  shut: {},
  context: null,
  total: null,
  load: false,
  whole: false,
};

/** The file at an index as far as it has come. */
export function loadedAt(view: DiffView, path: string): LoadedFile {
  return ownOf(view.files, path) ?? UNREAD;
}

export function setLoaded(view: DiffView, path: string, change: Partial<LoadedFile>): DiffView {
  return { ...view, files: { ...view.files, [path]: { ...loadedAt(view, path), ...change } } };
}

/** Folds or unfolds the cursor's file; folding puts the cursor on its header. */
export function toggleFold(view: DiffView, index = view.cursor.file): DiffView {
  const file = filesOf(view)[index];
  if (!file) return view;
  return setFold(view, index, !isFolded(view, file));
}

function setFold(view: DiffView, index: number, folded: boolean): DiffView {
  const file = filesOf(view)[index]!;
  const at = folded && view.cursor.file === index ? { ...view, cursor: { file: index, row: 0 }, select: null } : view;
  const onIt = folded && view.top.file === index ? { ...at, top: { file: index, row: 0, sub: 0 } } : at;
  return keepPlace(showCursor(onIt), { ...onIt, folds: { ...view.folds, [file.path]: folded } }, 'cursor');
}

/** Folds or unfolds the hunk that the cursor is in; folding puts the cursor on its head. */
export function toggleHunk(view: DiffView): DiffView {
  const file = filesOf(view)[view.cursor.file];
  const rows = rowsOf(view, view.cursor.file);
  const at = rows.findLastIndex((row, i) => i <= view.cursor.row && row.kind === 'hunk');
  const head = rows[at];
  if (!file || head?.kind !== 'hunk') return view;
  const key = hunkKey(head.hunk);
  const { [key]: before, ...others } = loadedAt(view, file.path).shut;
  const there = { ...view, cursor: { file: view.cursor.file, row: at }, select: null };
  return keepPlace(there, setLoaded(there, file.path, { shut: before ? others : { ...others, [key]: true } }), 'cursor');
}

/** Folds all files, or unfolds all when all are folded. */
export function toggleFoldAll(view: DiffView): DiffView {
  const folded = filesOf(view).some((file) => !isFolded(view, file));
  const folds = Object.fromEntries(filesOf(view).map((file) => [file.path, folded]));
  const { file } = view.cursor;
  const at = folded ? { ...view, cursor: { file, row: 0 }, select: null } : view;
  return keepPlace(at, { ...at, folds }, 'cursor');
}

/** Marks the cursor's file as viewed or not; a viewed one folds, and the cursor goes on to the next file. */
export function toggleViewed(view: DiffView): DiffView {
  const { file: index } = view.cursor;
  const file = filesOf(view)[index];
  if (!file) return view;
  const { [file.path]: _own, ...others } = view.viewed;
  const { [file.path]: _fold, ...folds } = view.folds;
  if (isViewed(view, file)) return keepPlace(view, { ...view, viewed: others, folds }, 'cursor');
  const marked = { ...view, viewed: { ...view.viewed, [file.path]: file.fingerprint } };
  const folded = setFold(marked, index, true);
  const next = Math.min(index + 1, filesOf(view).length - 1);
  return showCursor({ ...folded, folds, cursor: { file: next, row: 0 } });
}

/** Opens the gap under the cursor or the nearest one below it in its file: some lines, or all. */
export function openGap(view: DiffView, whole: boolean): DiffView {
  const file = filesOf(view)[view.cursor.file];
  const rows = rowsOf(view, view.cursor.file);
  const here = rows.findIndex((row, i) => i >= view.cursor.row && row.kind === 'gap');
  const row = rows[here >= 0 ? here : rows.findLastIndex((candidate) => candidate.kind === 'gap')];
  if (!file || row?.kind !== 'gap') return view;
  const loaded = loadedAt(view, file.path);
  const opened = openMore(loaded.opened[row.gap] ?? { top: 0, bottom: 0 }, row.hidden, row.gap, loaded, whole);
  return keepPlace(view, setLoaded(view, file.path, { opened: { ...loaded.opened, [row.gap]: opened } }), 'top');
}

function openMore(opened: Opened, hidden: number | null, gap: number, { diff }: LoadedFile, whole: boolean): Opened {
  const ends = gap === 0 ? 'bottom' : gap === diff?.hunks.length ? 'top' : 'both';
  if (whole || (hidden !== null && hidden <= CONTEXT_STEP)) return { top: opened.top + (hidden ?? WHOLE), bottom: opened.bottom };
  if (ends === 'bottom') return { ...opened, bottom: opened.bottom + CONTEXT_STEP };
  if (ends === 'top') return { ...opened, top: opened.top + CONTEXT_STEP };
  return { top: opened.top + CONTEXT_STEP / 2, bottom: opened.bottom + CONTEXT_STEP / 2 };
}

/** Most lines that are opened for one to be seen, and lines shown around it. */
const SEEN = { most: 2000, around: 3 };

/** Opens a gap of the file at `index` as far as a hidden line of it, from the nearer end; unchanged where that is far. */
export function openLineGap(view: DiffView, index: number, side: 'old' | 'new', line: number): DiffView {
  const file = filesOf(view)[index]!;
  const offsetIn = (row: Gap) => line - (side === 'old' ? row.oldFrom : row.newFrom);
  const row = rowsOf(view, index).findLast((candidate) => candidate.kind === 'gap' && offsetIn(candidate) >= 0);
  if (row?.kind !== 'gap' || (row.hidden !== null && offsetIn(row) >= row.hidden)) return view;
  const loaded = loadedAt(view, file.path);
  const { top, bottom } = loaded.opened[row.gap] ?? { top: 0, bottom: 0 };
  const down = offsetIn(row) + 1 + SEEN.around;
  const up = row.hidden === null ? Number.POSITIVE_INFINITY : row.hidden - offsetIn(row) + SEEN.around;
  if (Math.min(down, up) > SEEN.most) return view;
  const opened = down <= up ? { top: top + down, bottom } : { top, bottom: bottom + up };
  return setLoaded(view, file.path, { opened: { ...loaded.opened, [row.gap]: opened } });
}

/** Lines asked for when the end of a file is opened whole and its length is not known. */
const WHOLE = 10_000;

/** Shows the cursor's file with all its lines, or with the usual context again. */
export function toggleWhole(view: DiffView): DiffView {
  const file = filesOf(view)[view.cursor.file];
  if (!file) return view;
  const { whole } = loadedAt(view, file.path);
  return setLoaded(view, file.path, { whole: !whole, stale: true, opened: {} });
}

/** Asks for the lines of a file that was too large. */
export function loadLarge(view: DiffView): DiffView {
  const file = filesOf(view)[view.cursor.file];
  if (!file || !loadedAt(view, file.path).diff?.truncated) return view;
  return setLoaded(view, file.path, { load: true, stale: true });
}

/** Changes how rows are laid out, with the cursor on its row of the screen. */
export function relayout(view: DiffView, change: Partial<Pick<DiffView, 'layout' | 'wrap' | 'cols' | 'rows' | 'list'>>): DiffView {
  return keepPlace(view, { ...view, ...change, left: change.wrap ? 0 : view.left }, 'cursor');
}

/** Lines of opened gaps whose text has not come: the first missing stretch of a file. */
export function missingLines(view: DiffView, index: number): { from: number; to: number } | null {
  const file = filesOf(view)[index];
  const loaded = file && ownOf(view.files, file.path);
  if (!file || !loaded?.diff) return null;
  for (const [key, opened] of Object.entries(loaded.opened)) {
    const number = Number(key);
    const gap =
      number < loaded.diff.hunks.length ? gapBefore(loaded.diff, number) : gapBehind({ file, diff: loaded.diff, total: loaded.total });
    if (!gap) continue;
    const top = gap.hidden === null ? opened.top : Math.min(opened.top, gap.hidden);
    const first = firstMissing(loaded, gap.newFrom, gap.newFrom + top);
    if (first !== null) return { from: first, to: gap.newFrom + top - 1 };
    if (gap.hidden === null) continue;
    const end = gap.newFrom + gap.hidden;
    const bottom = firstMissing(loaded, end - Math.min(opened.bottom, gap.hidden - top), end);
    if (bottom !== null) return { from: bottom, to: end - 1 };
  }
  return null;
}

function firstMissing({ context }: LoadedFile, from: number, to: number): number | null {
  for (let line = from; line < to; line++) if (!context?.has(line)) return line;
  return null;
}
