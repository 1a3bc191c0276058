// Search in the text and names of the stream: smart case, plain text. Counts what is loaded; what is not read yet is said, not guessed.
import { jump, seek } from './move.ts';
import type { Row } from './rows.ts';
import { type DiffView, filesOf, isFolded, rowsOf } from './view.ts';
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

/** Starts or changes a search; the cursor stays until a step is asked for. */
export function setSearch(view: DiffView, text: string, typing: boolean): DiffView {
  let count = 0;
  let unread = 0;
  filesOf(view).forEach((file, index) => {
    if (isFolded(view, file) && text !== '') count += findHits(file.path, text).length;
    else if (text !== '') for (const row of rowsOf(view, index)) count += hits(view, index, row, text);
    if (!isFolded(view, file) && !view.files[file.path]?.diff) unread++;
  });
  return { ...view, search: { text, typing, hits: count, unread } };
}

/** To the next or previous row with a hit, around the ends. */
export function stepSearch(view: DiffView, by: 1 | -1): DiffView {
  const needle = view.search?.text;
  if (!needle) return view;
  const fold = view.search?.typing ? { ...view, search: { ...view.search, typing: false } } : view;
  const found = seekHit(fold, by, needle);
  if (found !== fold) return found;
  const count = filesOf(fold).length;
  for (let i = 0; i < count; i++) {
    const file = by > 0 ? i : count - 1 - i;
    const rows = rowsOf(fold, file);
    const row =
      by > 0 ? rows.findIndex((r) => hits(fold, file, r, needle) > 0) : rows.findLastIndex((r) => hits(fold, file, r, needle) > 0);
    if (row >= 0) return jump(fold, file, row);
  }
  return fold;
}

function seekHit(view: DiffView, by: 1 | -1, needle: string): DiffView {
  return seek(view, by, (row, file) => hits(view, file, row, needle) > 0, null);
}
