// Search in the text and names of the stream: smart case, plain text. Counts what is loaded; what is not read yet is said, not guessed.
import { ownOf } from '../../model/own.ts';
import { jump, seek } from './move.ts';
import { showCursor } from './place.ts';
import type { Row } from './rows.ts';
import { type DiffView, filesOf, isFolded, isUnread, rowsOf } from './view.ts';
import type { Ranges } from './word-diff.ts';

/** Hits marked in one line: more than a screen shows. */
const HITS_IN_LINE = 500;

/** Ranges of `needle` in `text`: without regard to case unless it has a capital. */
export function findHits(text: string, needle: string): Ranges {
  if (needle === '') return [];
  const exact = /\p{Lu}/u.test(needle);
  const [where, what] = exact ? [text, needle] : [text.toLowerCase(), needle.toLowerCase()];
  // Lower-casing can change the length of exotic text: then only exact search gives true places.
  if (where.length !== text.length) return exact ? [] : findExact(text, needle);
  return findExact(where, what);
}

function findExact(text: string, needle: string): Ranges {
  const ranges: [number, number][] = [];
  for (let at = text.indexOf(needle); at >= 0 && ranges.length < HITS_IN_LINE; at = text.indexOf(needle, at + needle.length)) {
    ranges.push([at, at + needle.length]);
  }
  return ranges;
}

/** Texts of a row that search looks at. */
function searchable(view: DiffView, file: number, row: Row): string[] {
  switch (row.kind) {
    case 'file':
      return [filesOf(view)[file]!.path];
    case 'line':
      return row.left && row.right && row.left !== row.right ? [row.left.text, row.right.text] : [(row.right ?? row.left)!.text];
    case 'card':
      return [row.comment.body, ...row.comment.replies.map((reply) => reply.body)];
    default:
      return [];
  }
}

function hits(view: DiffView, file: number, row: Row, needle: string): number {
  return searchable(view, file, row).reduce((sum, text) => sum + findHits(text, needle).length, 0);
}

/** Starts or changes a search, or ends it by an empty text; the cursor stays until a step is asked for. */
export function setSearch(view: DiffView, text: string): DiffView {
  return showCursor(text === '' ? { ...view, search: null } : recount({ ...view, search: { text, hits: {}, seek: null } }));
}

/** Counts hits anew where rows may have changed: in one file, or in all. */
export function recount(view: DiffView, path?: string): DiffView {
  const { search } = view;
  if (!search) return view;
  const counted = filesOf(view).flatMap((file, index) =>
    path === undefined || file.path === path ? [[file.path, hitsInFile(view, index, search.text)] as const] : [],
  );
  const hits = Object.fromEntries(counted);
  return { ...view, search: { ...search, hits: path === undefined ? hits : { ...search.hits, ...hits } } };
}

function hitsInFile(view: DiffView, index: number, needle: string): number {
  const file = filesOf(view)[index]!;
  if (isFolded(view, file)) return findHits(file.path, needle).length;
  return rowsOf(view, index).reduce((sum, row) => sum + hits(view, index, row, needle), 0);
}

/** Hits in what is loaded and shown, and files still unread. */
export function searchCounts(view: DiffView): { hits: number; unread: number } {
  const files = filesOf(view);
  return {
    hits: files.reduce((sum, file) => sum + ((view.search && ownOf(view.search.hits, file.path)) ?? 0), 0),
    unread: files.filter((_file, index) => isUnread(view, index)).length,
  };
}

/** More lines have come: a step that waits for its first hit is made now if they have one. */
export function seekOn(view: DiffView): DiffView {
  const { search, cursor } = view;
  if (!search?.seek || !Object.values(search.hits).some((count) => count > 0)) return view;
  const { by, from } = search.seek;
  const settled = { ...view, search: { ...search, seek: null } };
  return from.file === cursor.file && from.row === cursor.row ? stepSearch(settled, by) : settled;
}

/** To the next or previous row with a hit, around the ends. */
export function stepSearch(view: DiffView, by: 1 | -1): DiffView {
  const needle = view.search?.text;
  if (!needle) return view;
  const found = seekHit(view, by, needle);
  if (found !== view) return found;
  const count = filesOf(view).length;
  for (let i = 0; i < count; i++) {
    const file = by > 0 ? i : count - 1 - i;
    const rows = rowsOf(view, file);
    const row =
      by > 0 ? rows.findIndex((r) => hits(view, file, r, needle) > 0) : rows.findLastIndex((r) => hits(view, file, r, needle) > 0);
    if (row >= 0) return jump(view, file, row);
  }
  return { ...view, search: { ...view.search!, seek: { by, from: view.cursor } } };
}

function seekHit(view: DiffView, by: 1 | -1, needle: string): DiffView {
  return seek(view, by, (row, file) => hits(view, file, row, needle) > 0, null);
}
