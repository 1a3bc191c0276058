// What a yank copies: the selected lines, the cursor's line, its hunk as a patch, its path, its comment. Text only.
import type { DiffLine, FileDiff, Hunk } from '../../model/review/changeset.ts';
import type { Side } from '../../model/review/comment.ts';
import { lineNumber } from './move.ts';
import type { Row } from './rows.ts';
import { type DiffView, filesOf, rowsOf } from './view.ts';

/** What a key acts on: a file, and in it lines of one side or a hunk. */
export interface DiffTarget {
  path: string;
  side: Side;
  /** 1-based, inclusive; null for the file. */
  range: { start: number; end: number } | null;
}

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
  const path = filesOf(view)[view.cursor.file]?.path;
  if (path === undefined) return null;
  const lines = selectedRows(view).filter((row) => row.kind === 'line');
  const at = rowsOf(view, view.cursor.file)[view.cursor.row];
  if (at?.kind === 'hunk' && lines.length === 0) return hunkTarget(path, at.hunk);
  const last = lines.at(-1);
  if (!last) return { path, side: 'new', range: null };
  // A selection of removed lines only is about the old side; of anything else about the new one.
  const side = lines.every((row) => sideOf(view, row) === 'old')
    ? 'old'
    : sideOf(view, last) === 'old' && lines.length === 1
      ? 'old'
      : 'new';
  const numbers = lines.map((row) => lineNumber(row, side)).filter((number) => number !== null);
  return { path, side, range: { start: Math.min(...numbers), end: Math.max(...numbers) } };
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

/** The hunk that the cursor is in or below; -1 where there is none. */
export function hunkAt(view: DiffView): number {
  const rows = rowsOf(view, view.cursor.file);
  for (let i = view.cursor.row; i >= 0; i--) {
    const row = rows[i]!;
    if (row.kind === 'hunk') return row.index;
    if (row.kind === 'gap' && i < view.cursor.row) return -1;
  }
  return -1;
}

/** One hunk as a patch that git can apply; null where there is none. */
export function hunkPatch(view: DiffView, file: number, index: number): string | null {
  const changed = filesOf(view)[file];
  const diff = changed && view.files[changed.path]?.diff;
  const hunk = diff?.hunks[index];
  return diff && hunk ? patchHead(diff) + patchBody(hunk) : null;
}

function patchHead({ file }: FileDiff): string {
  const old = quotePath(`a/${file.oldPath ?? file.path}`);
  const now = quotePath(`b/${file.path}`);
  const made = file.status === 'added' || file.status === 'untracked';
  const gone = file.status === 'deleted';
  const mode = made ? `new file mode ${file.newMode ?? '100644'}\n` : gone ? `deleted file mode ${file.oldMode ?? '100644'}\n` : '';
  return `diff --git ${old} ${now}\n${mode}--- ${made ? '/dev/null' : old}\n+++ ${gone ? '/dev/null' : now}\n`;
}

const PATCH_SIGNS = { context: ' ', added: '+', removed: '-' } as const;
const LINE_ENDS = { crlf: '\r\n', cr: '\r' } as const;

function patchBody(hunk: Hunk): string {
  const head = `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@${hunk.section ? ` ${hunk.section}` : ''}\n`;
  const line = ({ kind, text, eol, noNewline }: DiffLine) =>
    `${PATCH_SIGNS[kind]}${text}${noNewline ? '\n\\ No newline at end of file\n' : eol ? LINE_ENDS[eol] : '\n'}`;
  return head + hunk.lines.map(line).join('');
}

/** As git quotes: in double quotes with C escapes where a path has quotes, backslashes or controls. */
function quotePath(path: string): string {
  if (!/["\\\u0000-\u001f\u007f]/.test(path)) return path;
  const escaped = (char: string) => (char === '"' || char === '\\' ? `\\${char}` : `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return `"${path.replace(/["\\\u0000-\u001f\u007f]/g, escaped)}"`;
}
