// What of a file is staged, unstaged or discarded: the selected lines, the hunk at the cursor, or on the file's header all of it.
import type { SeenHunks } from '../../wire/requests.ts';
import { WHOLE_CONTEXT } from './needs.ts';
import { loadedAt } from './show.ts';
import { type DiffView, filesOf, rowsOf } from './view.ts';

/** `seen`: null for the whole file; `count`: lines that were selected. Or one clause of why not. */
export type ActTarget =
  | { what: 'file'; seen: null }
  | { what: 'hunk'; seen: SeenHunks }
  | { what: 'lines'; seen: SeenHunks; count: number }
  | { what: 'refused'; why: string };

/** Null where the cursor is on neither a hunk nor a file. */
export function actTarget(view: DiffView): ActTarget | null {
  if (!filesOf(view)[view.cursor.file]) return null;
  if (view.select) return selectedLines(view);
  const rows = rowsOf(view, view.cursor.file);
  const at = rows.findLastIndex((row, i) => i <= view.cursor.row && (row.kind === 'hunk' || row.kind === 'gap'));
  const head = rows[at];
  if (head?.kind === 'gap') return null;
  return head?.kind === 'hunk' ? hunksOf(view, [head.index], (seen) => ({ what: 'hunk', seen })) : { what: 'file', seen: null };
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
  const lines: [from: number, to: number][] = [];
  for (const [index, line] of hunks.flatMap((hunk) => diff.hunks[hunk]!.lines).entries()) {
    const last = lines.at(-1);
    if (!chosen.has(line)) continue;
    if (last?.[1] === index) last[1] = index + 1;
    else lines.push([index, index + 1]);
  }
  return hunksOf(view, hunks, (seen) => ({ what: 'lines', seen: { ...seen, lines }, count: chosen.size }));
}

function hunksOf(view: DiffView, hunks: number[], target: (seen: SeenHunks) => ActTarget): ActTarget {
  const file = filesOf(view)[view.cursor.file]!;
  const { diff, load, whole } = loadedAt(view, file.path);
  if (file.binary) return { what: 'refused', why: 'its lines were decoded for reading: act on the whole file, on its header' };
  if (file.status === 'type-changed') return { what: 'refused', why: 'the kind of the file has changed: act on all of it, on its header' };
  if (diff?.revision === undefined) return { what: 'refused', why: 'this hunk is still being read' };
  return target({ revision: diff.revision, hunks, load, ...(whole ? { context: WHOLE_CONTEXT } : {}) });
}
