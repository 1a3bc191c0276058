// What a yank copies: the selected lines, the cursor's line, its hunk as a patch, its path, its comment. Text only.
import { ownOf } from '../../model/own.ts';
import type { Hunk } from '../../model/review/changeset.ts';

import type { Side } from '../../model/review/comment.ts';
import { hunkPatch as patchOf } from '../../model/review/hunk-patch.ts';
import { lineNumber } from './move.ts';
import type { Row } from './rows.ts';
import { type DiffView, filesOf, rowsOf } from './view.ts';

/** What a key acts on: a file, and in it lines of one side or a hunk. */
export interface DiffTarget {
  path: string;
  side: Side;
  /** 1-based, inclusive; null for the file. */
  range: { start: number; end: number } | null;
  /** Text of the lines and up to three around them, unless it is very long. */
  seen?: { lines: string[]; before: string[]; after: string[] };
}

/** Characters up to which the text goes along. */
const SEEN_LIMIT = 20_000;
/** Lines around it. */
const SEEN_AROUND = 3;

function selectedRows(view: DiffView): readonly Row[] {
  const rows = rowsOf(view, view.cursor.file);
  const other = view.select?.file === view.cursor.file ? view.select.row : view.cursor.row;
  return rows.slice(Math.min(other, view.cursor.row), Math.max(other, view.cursor.row) + 1);
}

/** The side of a row that counts: the person's in a split, else the one that has the line. */
function sideOf(view: DiffView, row: Extract<Row, { kind: 'line' }>): Side {
  if (!row.right) return 'old';
  if (!row.left) return 'new';
  return row.left === row.right ? 'new' : view.side;
}

/** What a comment or the editor would be about; null where there is no file. */
export function targetOf(view: DiffView): DiffTarget | null {
  const { path, status } = filesOf(view)[view.cursor.file] ?? {};
  if (path === undefined) return null;
  const lines = selectedRows(view).filter((row) => row.kind === 'line');
  const at = rowsOf(view, view.cursor.file)[view.cursor.row];
  if (at?.kind === 'hunk' && lines.length === 0) return withSeen(view, hunkTarget(path, at.hunk));
  const last = lines.at(-1);
  if (!last) return { path, side: status === 'deleted' ? 'old' : 'new', range: null };
  // A selection of removed lines only is about the old side; of anything else about the new one.
  const side = lines.every((row) => sideOf(view, row) === 'old')
    ? 'old'
    : sideOf(view, last) === 'old' && lines.length === 1
      ? 'old'
      : 'new';
  const numbers = lines.map((row) => lineNumber(row, side)).filter((number) => number !== null);
  return withSeen(view, { path, side, range: { start: Math.min(...numbers), end: Math.max(...numbers) } });
}

/** Where an editor opens: at the target's first line, beside a removed line or a card at what stands there now; null without a file there. */
export function editorPlace(view: DiffView): { path: string; line: number | null } | null {
  const target = targetOf(view);
  const { file, row: at } = view.cursor;
  if (!target || filesOf(view)[file]?.status === 'deleted') return null;
  const rows = rowsOf(view, file);
  const { path, side, range } = target;
  if ((side === 'new' && range) || rows[at]?.kind === 'file') return { path, line: range?.start ?? null };
  const newLine = (row: Row) => (row.kind === 'line' ? lineNumber(row, 'new') : row.kind === 'gap' ? row.newFrom : null);
  const near = rows.find((row, i) => i >= at && newLine(row) !== null) ?? rows.findLast((row) => newLine(row) !== null);
  return { path, line: near ? newLine(near) : null };
}

/** The target, in the cursor's file, with the text that stands there on the screen. */
export function withSeen(view: DiffView, target: DiffTarget): DiffTarget {
  const { side, range } = target;
  if (!range) return target;
  const texts = new Map<number, string>();
  for (const row of rowsOf(view, view.cursor.file)) {
    const number = row.kind === 'line' ? lineNumber(row, side) : null;
    const near = number !== null && number >= range.start - SEEN_AROUND && number <= range.end + SEEN_AROUND;
    if (near && row.kind === 'line') texts.set(number, (side === 'old' ? row.left : row.right)!.text);
  }
  const seen = {
    lines: unbroken(texts, range.start, 1, range.end - range.start + 1),
    before: unbroken(texts, range.start - 1, -1, SEEN_AROUND).reverse(),
    after: unbroken(texts, range.end + 1, 1, SEEN_AROUND),
  };
  const whole = seen.lines.length === range.end - range.start + 1;
  const size = [...seen.lines, ...seen.before, ...seen.after].reduce((sum, text) => sum + text.length, 0);
  return whole && size <= SEEN_LIMIT ? { ...target, seen } : target;
}

/** Up to `count` texts from a line on, as far as none is missing. */
function unbroken(texts: ReadonlyMap<number, string>, from: number, step: 1 | -1, count: number): string[] {
  const found: string[] = [];
  for (let i = 0; i < count; i++) {
    const text = texts.get(from + i * step);
    if (text === undefined) break;
    found.push(text);
  }
  return found;
}

function hunkTarget(path: string, hunk: Hunk): DiffTarget {
  const side = hunk.newLines === 0 ? 'old' : 'new';
  const changed = hunk.lines.filter((line) => (side === 'new' ? line.kind === 'added' : line.kind === 'removed'));
  const lines = changed.length > 0 ? changed : hunk.lines;
  const numbers = lines.map((line) => (side === 'new' ? line.new : line.old)).filter((number) => number !== null);
  return { path, side, range: numbers.length > 0 ? { start: Math.min(...numbers), end: Math.max(...numbers) } : null };
}

/** The text to copy at the cursor: selection, line, hunk as a patch on its header, path on the file's, body on a comment. */
export function yankText(view: DiffView): string {
  const row = rowsOf(view, view.cursor.file)[view.cursor.row];
  const path = filesOf(view)[view.cursor.file]?.path ?? '';
  if (!row) return '';
  if (view.select)
    return selectedRows(view)
      .map((selected) => textOf(view, selected))
      .filter((text) => text !== null)
      .join('\n');
  if (row.kind === 'file') return path;
  if (row.kind === 'hunk') return hunkPatch(view, view.cursor.file, row.index) ?? '';
  return textOf(view, row) ?? '';
}

function textOf(view: DiffView, row: Row): string | null {
  if (row.kind === 'line') return (sideOf(view, row) === 'old' ? row.left : row.right)!.text;
  return row.kind === 'card' ? row.comment.body : null;
}

/** One hunk as a patch that git can apply; null where there is none. */
export function hunkPatch(view: DiffView, file: number, index: number): string | null {
  const changed = filesOf(view)[file];
  const diff = changed && ownOf(view.files, changed.path)?.diff;
  // The last one of a part may be cut.
  if (diff?.part && index === diff.hunks.length - 1) return null;
  return diff?.hunks[index] ? patchOf(diff, [index]) : null;
}
