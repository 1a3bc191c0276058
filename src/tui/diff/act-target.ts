// What of a file is staged, unstaged or discarded: the selected lines, the hunk at the cursor, or on the file's header all of it.
import { hunkPatch } from '../../model/review/hunk-patch.ts';
import { loadedAt } from './show.ts';
import { type DiffView, filesOf, rowsOf } from './view.ts';

/** `patch`: of whole hunks, null for the whole file; `lines`: those of it that were selected, counted from 0. Or one clause of why not. */
export type ActTarget =
  | { what: 'file'; patch: null }
  | { what: 'hunk'; patch: string }
  | { what: 'lines'; patch: string; lines: number[] }
  | { what: 'refused'; why: string };

/** Characters of a patch that goes to the server; the rest of its frame is small. */
const PATCH_LIMIT = 1024 * 1024;

/** Null where the cursor is on neither a hunk nor a file. */
export function actTarget(view: DiffView): ActTarget | null {
  if (!filesOf(view)[view.cursor.file]) return null;
  if (view.select) return selectedLines(view);
  const rows = rowsOf(view, view.cursor.file);
  const at = rows.findLastIndex((row, i) => i <= view.cursor.row && (row.kind === 'hunk' || row.kind === 'gap'));
  const head = rows[at];
  if (head?.kind === 'gap') return null;
  return head?.kind === 'hunk' ? hunksOf(view, [head.index], (patch) => ({ what: 'hunk', patch })) : { what: 'file', patch: null };
}

function selectedLines(view: DiffView): ActTarget {
  const { cursor, select } = view;
  const [from, to] = [Math.min(cursor.row, select!.row), Math.max(cursor.row, select!.row)];
  const rows = rowsOf(view, cursor.file)
    .slice(from, to + 1)
    .filter((row) => row.kind === 'line');
  const chosen = new Set(rows.flatMap(({ left, right }) => [left, right]).filter((line) => line && line.kind !== 'context'));
  if (chosen.size === 0) return { what: 'refused', why: 'no changed line is selected' };
  const diff = loadedAt(view, filesOf(view)[cursor.file]!.path).diff!;
  const hunks = diff.hunks.flatMap((hunk, index) => (hunk.lines.some((line) => chosen.has(line)) ? [index] : []));
  const all = hunks.flatMap((index) => diff.hunks[index]!.lines);
  const lines = all.flatMap((line, index) => (chosen.has(line) ? [index] : []));
  return hunksOf(view, hunks, (patch) => ({ what: 'lines', patch, lines }));
}

function hunksOf(view: DiffView, hunks: number[], target: (patch: string) => ActTarget): ActTarget {
  const file = filesOf(view)[view.cursor.file]!;
  const { diff } = loadedAt(view, file.path);
  if (file.binary) return { what: 'refused', why: 'its lines were decoded for reading: act on the whole file, on its header' };
  // The last one of a part may be cut.
  const last = diff && hunks.includes(diff.hunks.length - 1);
  if (!diff || (diff.part && last)) return { what: 'refused', why: 'this hunk is still being read' };
  const patch = hunkPatch(diff, hunks);
  const whole = !(diff.truncated && last) && patch.length <= PATCH_LIMIT;
  return whole ? target(patch) : { what: 'refused', why: 'this hunk is too large: act on the whole file, on its header' };
}
