// Facts as they come: changesets, files, lines, comments. The person's place, folds and selection stay on what they showed.
import { ownOf } from '../../model/own.ts';
import type { ChangedFile, Changeset, FileDiff, Hunk, MovedIn, Scope } from '../../model/review/changeset.ts';
import type { ShownComment } from '../store/begun-comments.ts';
import { comeBack, spotOf } from './arrangement.ts';
import { lineNumber, settleWanted } from './move.ts';
import { keepPlace, screenRow } from './place.ts';
import { findRow } from './rows.ts';
import { recount, seekOn } from './search.ts';
import { loadedAt, setLoaded } from './show.ts';
import { type DiffView, fileIndex, filesOf, type LoadedFile, type Places, rowsOf, sameScope } from './view.ts';

/** A new reading of the changeset: files that changed are shown as they were until their lines come. */
export function takeChangeset(view: DiffView, changeset: Changeset, viewed: Readonly<Record<string, string>>, places: Places): DiffView {
  const old = view.changeset;
  const rebased = !old || old.base?.commit !== changeset.base?.commit || !sameScope(old.scope, changeset.scope);
  const before = new Map(filesOf(view).map((file) => [file.path, file]));
  const kept = changeset.files.map((file) => sameFile(before.get(file.path), file));
  const files = Object.fromEntries(
    kept.flatMap((file) => {
      const loaded = ownOf(view.files, file.path);
      if (!loaded) return [];
      const same = before.get(file.path) === file && !rebased;
      return [[file.path, same ? loaded : outdated(loaded, before.get(file.path), file, rebased)]];
    }),
  );
  // Line numbers of what changed are others now; the next answer says them.
  const moved = rebased
    ? {}
    : Object.fromEntries(
        kept.flatMap((file) => {
          const lines = before.get(file.path) === file && ownOf(view.moved, file.path);
          return lines ? [[file.path, lines]] : [];
        }),
      );
  const after = {
    ...view,
    changeset: { ...changeset, files: kept },
    trouble: null,
    files,
    viewed,
    moved,
    scope: changeset.scope,
    ...passedBy(view, kept, changeset.scope),
    places,
    comments: placed(view.given, places),
  };
  return comeBack(keepPlace(view, recount(after), 'top'));
}

/** The person's place where their file is not listed any more, and the way back where it is again: a branch was gone to and left, a stash put aside. */
function passedBy(view: DiffView, now: readonly ChangedFile[], scope: Scope): Pick<DiffView, 'passing' | 'comingBack'> {
  const lists = (files: readonly ChangedFile[], name: string) => fileIndex(files, name) >= 0;
  const before = filesOf(view);
  const here = before[view.cursor.file]?.path;
  const passing = view.passing ?? (here !== undefined && !lists(now, here) ? (view.comingBack ?? spotOf(view)) : null);
  const shown = passing && lists(now, passing.path) && !(sameScope(view.changeset?.scope, scope) && lists(before, passing.path));
  return { passing, comingBack: shown ? passing : view.comingBack };
}

/** The old object where nothing differs, so that what hangs on it stays. */
function sameFile(old: ChangedFile | undefined, now: ChangedFile): ChangedFile {
  return old && JSON.stringify(old) === JSON.stringify(now) ? old : now;
}

function outdated(loaded: LoadedFile, old: ChangedFile | undefined, now: ChangedFile, rebased: boolean): LoadedFile {
  const same = !rebased && old?.fingerprint === now.fingerprint && old.added === now.added && old.removed === now.removed;
  return same ? loaded : { ...loaded, stale: true };
}

/** The lines of a file. Opened gaps stay open where they still are. */
export function takeFile(view: DiffView, path: string, diff: FileDiff): DiffView {
  const loaded = loadedAt(view, path);
  const shared = loaded.diff ? { ...diff, hunks: shareHunks(loaded.diff.hunks, diff.hunks) } : diff;
  const sameText = loaded.diff && !loaded.stale;
  const change = {
    diff: shared,
    error: null,
    stale: isOutdated(view, path, diff),
    context: sameText ? loaded.context : null,
    total: sameText && loaded.total !== null ? loaded.total : (diff.total ?? null),
  };
  return seekOn(settle(view, recount(setLoaded(view, path, change), path)));
}

/** The answer is older than the listing, in which the file is another: it was written while it was read. */
function isOutdated({ changeset }: DiffView, path: string, diff: FileDiff): boolean {
  const listed = changeset?.files.find((file) => file.path === path);
  return listed !== undefined && diff.generation < changeset!.generation && diff.file.fingerprint !== listed.fingerprint;
}

/** Hunks that are as they were stay the same objects: what was found out about their lines holds. */
function shareHunks(old: readonly Hunk[], now: readonly Hunk[]): Hunk[] {
  const held = new Set(old);
  const known = new Map(old.map((hunk) => [hunk.oldStart, hunk]));
  return now.map((hunk) => {
    const before = held.has(hunk) ? undefined : known.get(hunk.oldStart);
    return before && before.newStart === hunk.newStart && sameHunk(before, hunk) ? before : hunk;
  });
}

function sameHunk(a: Hunk, b: Hunk): boolean {
  if (a.lines.length !== b.lines.length || a.section !== b.section) return false;
  return a.lines.every((line, i) => {
    const other = b.lines[i]!;
    const { kind, text, noNewline, eol, moved } = line;
    return text === other.text && kind === other.kind && noNewline === other.noNewline && eol === other.eol && moved === other.moved;
  });
}

/** A file, or lines of it, could not be read: one clause. Opened gaps close again, or they would be asked for for ever. */
export function takeFailure(view: DiffView, path: string, of: 'file' | 'lines', error: string): DiffView {
  if (of === 'lines') return keepPlace(view, setLoaded(view, path, { opened: {} }), 'top');
  const { diff } = loadedAt(view, path);
  if (!diff) return settle(view, setLoaded(view, path, { error, stale: false }));
  return settle(view, setLoaded(view, path, { diff: diff.part ? { ...diff, part: false, truncated: true } : diff, stale: false }));
}

/** Lines of the new side from line `from`, for opened gaps; `total` is the file's length. */
export function takeLines(view: DiffView, path: string, from: number, lines: readonly string[], total: number): DiffView {
  if (lines.length === 0) return takeFailure(view, path, 'lines', '');
  const context = new Map(loadedAt(view, path).context);
  lines.forEach((text, i) => {
    context.set(from + i, text);
  });
  return comeBack(keepPlace(view, setLoaded(view, path, { context, total }), 'top'));
}

/** Ranges of moved lines, ends included, as sets of lines by file. */
export function takeMoved(view: DiffView, moved: readonly MovedIn[]): DiffView {
  const lines = (ranges: MovedIn['old']) =>
    new Set(ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i)));
  return { ...view, moved: Object.fromEntries(moved.map((file) => [file.path, { old: lines(file.old), new: lines(file.new) }])) };
}

export function takeComments(view: DiffView, comments: readonly ShownComment[]): DiffView {
  return comeBack(keepPlace(view, { ...view, given: comments, comments: placed(comments, view.places) }, 'top'));
}

function placed(comments: readonly ShownComment[], places: Places): readonly ShownComment[] {
  if (Object.keys(places).length === 0) return comments;
  return comments.flatMap((comment) => {
    const place = places[comment.id];
    return place === null ? [] : [place ? { ...comment, place } : comment];
  });
}

/** The changeset could not be read: one sentence. Files of another scope than the one asked for are no longer shown. */
export function takeTrouble(view: DiffView, trouble: string | null): DiffView {
  if (trouble === null || sameScope(view.scope, view.changeset?.scope)) return { ...view, trouble };
  return keepPlace(view, { ...view, trouble, changeset: null }, 'top');
}

/** The draft's line by its text, so that its card stays under the code it is about. */
function followDraft(before: DiffView, after: DiffView): DiffView {
  const place = before.draft?.place;
  const index = place ? filesOf(before).findIndex((file) => file.path === place.path) : -1;
  if (!before.draft || !place || place.line === null || index < 0 || filesOf(after)[index]?.path !== place.path) return after;
  const [old, now] = [rowsOf(before, index), rowsOf(after, index)];
  const at = old.findIndex((row) => row.kind === 'line' && lineNumber(row, place.side) === place.line);
  const row = at < 0 || old === now ? undefined : now[findRow(old, at, now)];
  const line = row?.kind === 'line' ? lineNumber(row, place.side) : null;
  return line === null || line === place.line ? after : { ...after, draft: { ...before.draft, place: { ...place, line } } };
}

function settle(before: DiffView, changed: DiffView): DiffView {
  const after = followDraft(before, changed);
  if (after.wanted) return settleWanted(after, screenRow(before) ?? Math.floor(after.rows / 3));
  return comeBack(keepPlace(before, after, 'top'));
}
