// Everything that keys, mouse and facts can do to a diff pane, as one table of intents and one pure function. No intent asks for
// data: what is missing is told by `needsOf`.
import type { Changeset, FileDiff, MovedIn, Scope } from '../../model/review/changeset.ts';
import type { Side } from '../../model/review/comment.ts';
import type { ShownComment } from '../store/begun-comments.ts';
import { spotOf } from './arrangement.ts';
import { draftWindow } from './cards.ts';
import { moveList, openLine, setList, toggleFlat, toggleList } from './file-list.ts';
import { goTo, moveComments, moveFiles, moveHunks, moveLines, movePages, moveToEnd, moveToStart, scrollBy } from './move.ts';
import { keepPlace, placeCursor, screenRow, showCursor } from './place.ts';
import { setSearch, stepSearch } from './search.ts';
import { loadLarge, openGap, relayout, toggleFold, toggleFoldAll, toggleHunk, toggleViewed, toggleWhole } from './show.ts';
import { takeChangeset, takeComments, takeFailure, takeFile, takeLines, takeMoved, takeTrouble } from './take.ts';
import {
  type DiffView,
  type DraftText,
  type FileListState,
  isSplit,
  type ListLine,
  type Places,
  rowsOf,
  type Spot,
  streamRows,
} from './view.ts';

export type DiffIntent =
  | { do: 'size'; cols: number; rows: number }
  // Moving
  | { do: 'line' | 'page' | 'half' | 'scroll' | 'sideways'; by: number }
  | { do: 'hunk' | 'file' | 'comment'; by: 1 | -1 }
  | { do: 'top' | 'bottom' }
  | { do: 'go'; path: string | null; line: number | null; side: Side; card?: number | undefined }
  | { do: 'click'; spot: Spot; side: Side; extend: boolean }
  // Showing
  | { do: 'fold' | 'fold-hunk' | 'fold-all' | 'viewed' | 'whole-file' | 'load' | 'wrap' | 'whitespace' | 'select' | 'cancel' }
  | { do: 'context'; whole: boolean }
  | { do: 'layout'; layout: DiffView['layout'] }
  | { do: 'scope'; scope: Scope }
  | { do: 'side'; side: Side }
  // Searching
  | { do: 'search'; text: string }
  | { do: 'search-step'; by: 1 | -1 }
  // File list
  | { do: 'list' | 'list-flat' }
  | { do: 'list-move'; by: number }
  | { do: 'list-pick'; line: ListLine }
  | { do: 'list-set'; change: Partial<FileListState> }
  // Facts
  | { do: 'take-changeset'; changeset: Changeset; viewed: Readonly<Record<string, string>>; places?: Places }
  | { do: 'take-file'; path: string; diff: FileDiff }
  | { do: 'take-failure'; path: string; of: 'file' | 'lines'; error: string }
  | { do: 'take-lines'; path: string; from: number; lines: readonly string[]; total: number }
  | { do: 'take-moved'; moved: readonly MovedIn[] }
  | { do: 'take-comments'; comments: readonly ShownComment[] }
  | { do: 'take-draft'; draft: DraftText | null }
  | { do: 'take-trouble'; trouble: string | null };

/** Columns of one step sideways. */
const SIDEWAYS = 8;

/** The view after an intent. Unchanged views are the same object where nothing moved. */
export function applyDiff(before: DiffView, intent: DiffIntent): DiffView {
  // Whoever moves or changes something wants to be there.
  const stays = !(before.comingBack || before.passing) || intent.do === 'size' || intent.do === 'scope' || intent.do.startsWith('take-');
  const view = stays ? before : { ...before, comingBack: null, passing: null };
  switch (intent.do) {
    case 'size':
      return intent.cols === view.cols && intent.rows === view.rows
        ? view
        : showDraft(relayout(view, { cols: intent.cols, rows: intent.rows }));
    case 'line':
      return view.list ? moveList(view, intent.by) : moveLines(view, intent.by);
    case 'page':
      return view.list ? moveList(view, intent.by * (view.rows - 1)) : movePages(view, intent.by * Math.max(1, streamRows(view) - 2));
    case 'half':
      return movePages(view, intent.by * Math.max(1, Math.floor(streamRows(view) / 2)));
    case 'scroll':
      return scrollBy(view, intent.by);
    case 'sideways':
      return sideways(view, intent.by);
    case 'hunk':
      return moveHunks(view, intent.by);
    case 'file':
      return moveFiles(view, intent.by);
    case 'comment':
      return moveComments(view, intent.by);
    case 'top':
      return moveToStart(view);
    case 'bottom':
      return moveToEnd(view);
    case 'go':
      return goTo(view, intent.path, intent.line, intent.side, intent.card);
    case 'click':
      return click(view, intent);
    case 'side':
      return { ...view, side: intent.side };
    case 'search':
      return setSearch(view, intent.text);
    case 'search-step':
      return stepSearch(view, intent.by);
    case 'list':
      return keepPlace(view, toggleList(view), 'cursor');
    case 'list-flat':
      return keepPlace(view, toggleFlat(view), 'cursor');
    case 'list-move':
      return moveList(view, intent.by);
    case 'list-pick':
      return openLine(view, intent.line);
    case 'list-set':
      return setList(view, intent.change);
    default:
      return 'by' in intent ? view : showOrTake(view, intent);
  }
}

/** Sideways in long lines; between old and new side where both are shown, at the left edge. */
function sideways(view: DiffView, by: number): DiffView {
  const side = by < 0 ? 'old' : 'new';
  if (isSplit(view, view.cursor.file) && view.side !== side && (view.wrap || view.left === 0)) return { ...view, side };
  return view.wrap ? view : { ...view, left: Math.max(0, view.left + by * SIDEWAYS) };
}

function showOrTake(view: DiffView, intent: DiffIntent): DiffView {
  switch (intent.do) {
    case 'fold':
      return toggleFold(view);
    case 'fold-hunk':
      return toggleHunk(view);
    case 'fold-all':
      return toggleFoldAll(view);
    case 'viewed':
      return toggleViewed(view);
    case 'whole-file':
      return toggleWhole(view);
    case 'load':
      return loadLarge(view);
    case 'context':
      return openGap(view, intent.whole);
    case 'layout':
      return relayout(view, { layout: intent.layout });
    case 'wrap':
      return relayout(view, { wrap: !view.wrap });
    case 'whitespace':
      return stale({ ...view, ignoreWhitespace: !view.ignoreWhitespace });
    case 'scope':
      return { ...view, scope: intent.scope, comingBack: null, passing: view.passing ?? view.comingBack ?? spotOf(view) };
    case 'select':
      return { ...view, select: view.select ? null : { ...view.cursor, begun: view.cursor } };
    case 'cancel':
      return cancel(view);
    default:
      return take(view, intent);
  }
}

function take(view: DiffView, intent: DiffIntent): DiffView {
  switch (intent.do) {
    case 'take-changeset':
      return takeChangeset(view, intent.changeset, intent.viewed, intent.places ?? {});
    case 'take-file':
      return takeFile(view, intent.path, intent.diff);
    case 'take-failure':
      return takeFailure(view, intent.path, intent.of, intent.error);
    case 'take-lines':
      return takeLines(view, intent.path, intent.from, intent.lines, intent.total);
    case 'take-moved':
      return takeMoved(view, intent.moved);
    case 'take-comments':
      return takeComments(view, intent.comments);
    case 'take-draft':
      return takeDraft(view, intent.draft);
    case 'take-trouble':
      return takeTrouble(view, intent.trouble);
    default:
      return view;
  }
}

/** All lines are read again; they stay on the screen until then. */
function stale(view: DiffView): DiffView {
  const files = Object.fromEntries(Object.entries(view.files).map(([path, file]) => [path, { ...file, stale: true }]));
  return { ...view, files };
}

/** Drops the innermost thing that is open: selection, search, list. */
function cancel(view: DiffView): DiffView {
  if (view.select) return { ...view, select: null };
  if (view.search) return { ...view, search: null };
  return view.list ? keepPlace(view, { ...view, list: null }, 'cursor') : view;
}

function click(view: DiffView, { spot, side, extend }: Extract<DiffIntent, { do: 'click' }>): DiffView {
  const row = rowsOf(view, spot.file)[spot.row];
  if (!row) return view;
  const cursor = { file: spot.file, row: spot.row };
  const select = extend ? (view.select ?? { ...view.cursor, begun: view.cursor }) : null;
  const there = { ...view, cursor, side, wanted: null, select: select?.file === spot.file ? select : null };
  if (extend) return there;
  if (row.kind === 'file') return toggleFold(there, spot.file);
  return row.kind === 'gap' ? openGap(there, false) : there;
}

/** The draft's card is kept in the window, all of it, while it is written. */
function takeDraft(view: DiffView, draft: DraftText | null): DiffView {
  const same = draft && view.draft && JSON.stringify(view.draftBegun) === JSON.stringify(draft.place);
  const placed = same && view.draft ? { ...draft, place: view.draft.place, top: view.draft.top ?? 0 } : draft;
  const taken = keepPlace(view, { ...view, draft: placed, draftBegun: draft?.place ?? null }, 'top');
  return placed ? showDraft({ ...taken, draft: { ...placed, top: draftWindow(taken).top } }) : taken;
}

function showDraft(view: DiffView): DiffView {
  const { cursor } = view;
  if (!view.draft) return view;
  const row = rowsOf(view, cursor.file).findIndex((candidate) => candidate.kind === 'draft');
  if (row < 0) return view;
  const top = view.top.file === cursor.file && view.top.row === row ? { ...view.top, sub: 0 } : view.top;
  const shown = showCursor({ ...view, top, cursor: { file: cursor.file, row } });
  const lowest = streamRows(shown) - draftWindow(shown).rows.length - 2;
  return { ...((screenRow(shown) ?? 0) > lowest ? placeCursor(shown, lowest) : shown), cursor };
}
