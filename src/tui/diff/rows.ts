// The rows of one file of a changeset, top to bottom: header, notes, comments on the file, gaps, hunks, lines, cards. Built for one
// file at a time when it comes into the window; knows no width and no colour.
import type { ChangedFile, DiffLine, FileDiff, FileNote, Hunk } from '../../model/review/changeset.ts';
import type { Side } from '../../model/review/comment.ts';
import { findMarked, type ShownComment } from '../store/begun-comments.ts';
import { type LinePair, pairLines } from './pair-lines.ts';

/** Unchanged lines that are not shown: before hunk `gap`, or behind the last one when `gap` is the number of hunks. */
export interface Gap {
  gap: number;
  /** First hidden line on both sides, 1-based. */
  oldFrom: number;
  newFrom: number;
  /** Lines hidden; null for the end of a file whose length is not known. */
  hidden: number | null;
}

/** One row. A 'line' has a removed or old line on the left, an added or new one on the right; in a stack only one of them, or the same. */
export type Row =
  | { kind: 'file' }
  | { kind: 'note'; note: FileNote }
  | { kind: 'hunk'; hunk: Hunk; index: number; shut: boolean }
  | ({ kind: 'gap' } & Gap)
  | { kind: 'line'; left: DiffLine | null; right: DiffLine | null; hunk: number }
  | { kind: 'card'; comment: ShownComment }
  | { kind: 'draft' }
  | { kind: 'wait'; text: string };

export type LineRow = Extract<Row, { kind: 'line' }>;

/** Lines opened in a gap: so many at its beginning and at its end. */
export interface Opened {
  top: number;
  bottom: number;
}

/** What is known of a file and what of it is to be shown. */
export interface FileView {
  file: ChangedFile;
  /** null while it has not come yet. */
  diff: FileDiff | null;
  /** Why it could not be read. */
  error: string | null;
  folded: boolean;
  split: boolean;
  comments: readonly ShownComment[];
  draft: DraftPlace | null;
  /** By gap. */
  opened: Readonly<Record<number, Opened>>;
  /** Text of opened lines by new-side line number; null when none has come. */
  context: ReadonlyMap<number, string> | null;
  /** Lines of the new side, when known. */
  total: number | null;
  /** Hunks folded by hand, by `hunkKey`. */
  shut: Readonly<Record<string, true>>;
  /** What was made of hunks before. */
  pairs: WeakMap<Hunk, LinePair[][]>;
  lines: WeakMap<Hunk, HunkRows>;
}

/** The rows of a hunk's lines at one place in its file: a refresh plans a long file anew and finds most of its rows here. */
export interface HunkRows {
  index: number;
  split: boolean;
  rows: readonly LineRow[];
}

/** A row of a comment's card. */
export interface CardRow {
  text: string;
  look: 'body' | 'old' | 'agent' | 'user' | 'suggestion';
}

/** A row of the draft, and the index in its text at which it begins. */
export interface DraftRow {
  text: string;
  index: number;
}

/** The line under which a draft is being written; null line: under the file header. */
export interface DraftPlace {
  path: string;
  side: Side;
  line: number | null;
}

/** The rows of a file, at least its header. */
export function planRows(view: FileView): Row[] {
  const rows: Row[] = [{ kind: 'file' }];
  if (view.folded) return rows;
  const cards = placeCards(view);
  pushCards(rows, cards.get('file'));
  if (view.error !== null) return [...rows, { kind: 'wait', text: view.error }];
  if (!view.diff) return [...rows, { kind: 'wait', text: 'reading…' }];
  // That it is too large is said with the key for it.
  for (const note of view.diff.notes) if (note.kind !== 'too-large') rows.push({ kind: 'note', note });
  if (view.diff.truncated) rows.push({ kind: 'wait', text: tooLarge(view.file, view.diff.hunks.length > 0) });
  view.diff.hunks.forEach((hunk, index) => {
    pushGap(rows, view, gapBefore(view.diff!, index), cards);
    const shut = view.shut[hunkKey(hunk)] === true;
    rows.push({ kind: 'hunk', hunk, index, shut });
    if (shut) pushCards(rows, cardsWithin(hunk, cards));
    else pushHunk(rows, hunk, index, view, cards);
  });
  if (view.diff.part) rows.push({ kind: 'wait', text: 'reading…' });
  else if (view.diff.truncated && view.diff.hunks.length > 0) rows.push({ kind: 'wait', text: '⋯ more lines are left out: L loads them' });
  const last = gapBehind(view);
  if (last) pushGap(rows, view, last, cards);
  for (const rest of cards.values()) pushCards(rows, rest);
  return rows;
}

/** Names a hunk by its place on the old side, which stays while the new one is written on. */
export function hunkKey({ oldStart, oldLines }: Hunk): string {
  return `${oldStart},${oldLines}`;
}

/** Cards that hang on lines of a hunk, taken out of `cards`: a folded hunk still shows them. */
function cardsWithin(hunk: Hunk, cards: Cards): Row[] {
  return hunk.lines.flatMap((line) => [`old ${line.old}`, `new ${line.new}`].flatMap((key) => cards.get(key)?.splice(0) ?? []));
}

function tooLarge({ added, removed }: ChangedFile, begun: boolean): string {
  const size = added === null ? '' : ` (+${added} −${removed ?? 0})`;
  return `large change${size}${begun ? ', shown in part' : ''}: L loads it`;
}

type Cards = Map<string, Row[]>;

/** Cards by the line they hang on: 'new 12', 'old 7', 'file'. */
function placeCards(view: FileView): Cards {
  const cards: Cards = new Map();
  const put = (key: string, row: Row) => {
    const found = cards.get(key);
    if (found) found.push(row);
    else cards.set(key, [row]);
  };
  for (const comment of view.comments) {
    const { path, range, behind } = comment.place;
    const line = path !== view.file.path ? null : comment.begun ? begunAt(view, comment) : (range?.end ?? behind);
    put(line ? `${comment.anchor.side} ${line}` : 'file', { kind: 'card', comment });
  }
  const { draft } = view;
  if (draft) put(draft.line === null ? 'file' : `${draft.side} ${draft.line}`, { kind: 'draft' });
  return cards;
}

/** The last line of those that a comment was begun on, by what they said; as told where they are not known, null where others stand there. */
function begunAt({ diff, context }: FileView, { begun, anchor: { side, range } }: ShownComment): number | null {
  if (!range || !begun || begun.mark === null) return range?.end ?? null;
  const lines = new Map(side === 'new' ? context : []);
  for (const hunk of diff?.hunks ?? []) {
    for (const line of hunk.lines) {
      const number = side === 'new' ? line.new : line.old;
      if (number !== null) lines.set(number, line.text);
    }
  }
  const first = findMarked(lines, begun.mark, range.start, range.end - range.start + 1);
  if (first !== null) return first + range.end - range.start;
  return lines.has(range.start) && lines.has(range.end) ? null : range.end;
}

function pushCards(rows: Row[], cards: Row[] | undefined): void {
  if (!cards) return;
  rows.push(...cards);
  cards.length = 0;
}

function pushLine(rows: Row[], row: LineRow, cards: Cards): void {
  rows.push(row);
  if (cards.size === 0) return;
  if (row.left?.old) pushCards(rows, cards.get(`old ${row.left.old}`));
  if (row.right?.new) pushCards(rows, cards.get(`new ${row.right.new}`));
}

function pushHunk(rows: Row[], hunk: Hunk, index: number, view: FileView, cards: Cards): void {
  for (const row of linesOf(hunk, index, view)) pushLine(rows, row, cards);
}

function linesOf(hunk: Hunk, index: number, { split, pairs, lines }: FileView): readonly LineRow[] {
  const made = lines.get(hunk);
  if (made?.index === index && made.split === split) return made.rows;
  const rows: LineRow[] = [];
  const push = (left: DiffLine | null, right: DiffLine | null) => rows.push({ kind: 'line', left, right, hunk: index });
  const paired = split ? pairsOf(hunk, pairs) : null;
  let block = 0;
  eachBlock(hunk.lines, (from, middle, to) => {
    if (from === to) push(hunk.lines[from]!, hunk.lines[from]!);
    else if (paired) for (const [left, right] of paired[block++]!) push(left, right);
    else for (let k = from; k < to; k++) push(k < middle ? hunk.lines[k]! : null, k < middle ? null : hunk.lines[k]!);
  });
  lines.set(hunk, { index, split, rows });
  return rows;
}

/** The pairs of each block of changes of a hunk, in order; kept in `known`. */
export function pairsOf(hunk: Hunk, known: WeakMap<Hunk, LinePair[][]>): LinePair[][] {
  const made = known.get(hunk);
  if (made) return made;
  const pairs: LinePair[][] = [];
  eachBlock(hunk.lines, (from, middle, to) => {
    if (to > from) pairs.push(pairLines(hunk.lines.slice(from, middle), hunk.lines.slice(middle, to)));
  });
  known.set(hunk, pairs);
  return pairs;
}

/** Calls for each context line (from = to) and each block of removed lines [from, middle) followed by added ones [middle, to). */
function eachBlock(lines: readonly DiffLine[], visit: (from: number, middle: number, to: number) => void): void {
  for (let i = 0; i < lines.length; ) {
    const from = i;
    while (lines[i]?.kind === 'removed') i++;
    const middle = i;
    while (lines[i]?.kind === 'added') i++;
    visit(from, middle, i);
    if (i === from) i++;
  }
}

function pushGap(rows: Row[], view: FileView, gap: Gap | null, cards: Cards): void {
  if (!gap || gap.hidden === 0) return;
  const opened = view.opened[gap.gap] ?? { top: 0, bottom: 0 };
  const top = gap.hidden === null ? opened.top : Math.min(opened.top, gap.hidden);
  const bottom = gap.hidden === null ? 0 : Math.min(opened.bottom, gap.hidden - top);
  pushContext(rows, view, gap, 0, top, cards);
  const hidden = gap.hidden === null ? null : gap.hidden - top - bottom;
  if (hidden !== 0) {
    rows.push({ kind: 'gap', gap: gap.gap, oldFrom: gap.oldFrom + top, newFrom: gap.newFrom + top, hidden });
    for (const [key, waiting] of cards) if (hangsWithin(key, gap, top, hidden)) pushCards(rows, waiting);
  }
  if (gap.hidden !== null) pushContext(rows, view, gap, gap.hidden - bottom, gap.hidden, cards);
}

function hangsWithin(key: string, gap: Gap, skip: number, hidden: number | null): boolean {
  const [side, line] = key.split(' ');
  const offset = Number(line) - (side === 'old' ? gap.oldFrom : gap.newFrom) - skip;
  return offset >= 0 && (hidden === null || offset < hidden);
}

function pushContext(rows: Row[], view: FileView, gap: Gap, from: number, to: number, cards: Cards): void {
  for (let k = from; k < to; k++) {
    const text = view.context?.get(gap.newFrom + k);
    if (text === undefined && gap.hidden === null) return;
    const line: DiffLine = { kind: 'context', old: gap.oldFrom + k, new: gap.newFrom + k, text: text ?? '…' };
    pushLine(rows, { kind: 'line', left: line, right: line, hunk: gap.gap }, cards);
  }
}

/** First line behind a hunk; a side without lines stands at its line, not before it. */
function behind(start: number, lines: number): number {
  return lines === 0 ? start + 1 : start + lines;
}

/** The gap before hunk `index`; null when nothing is hidden there. */
export function gapBefore(diff: FileDiff, index: number): Gap | null {
  const hunk = diff.hunks[index]!;
  const previous = diff.hunks[index - 1];
  const newFrom = previous ? behind(previous.newStart, previous.newLines) : 1;
  const oldFrom = previous ? behind(previous.oldStart, previous.oldLines) : 1;
  const newTo = hunk.newLines === 0 ? hunk.newStart : hunk.newStart - 1;
  const hidden = newTo - newFrom + 1;
  return hidden > 0 ? { gap: index, oldFrom, newFrom, hidden } : null;
}

/** The gap behind the last hunk; null where the file has none (new, deleted, without text). */
export function gapBehind({ file, diff, total }: Pick<FileView, 'file' | 'diff' | 'total'>): Gap | null {
  const last = diff?.hunks.at(-1);
  if (!diff || !last || diff.truncated || diff.part || !hasBothSides(file) || (total === null && reachesEnd(last))) return null;
  const newFrom = behind(last.newStart, last.newLines);
  const oldFrom = behind(last.oldStart, last.oldLines);
  const hidden = total === null ? null : Math.max(0, total - newFrom + 1);
  return hidden === 0 ? null : { gap: diff.hunks.length, oldFrom, newFrom, hidden };
}

/** Lines of context that git gives behind a change where the file has them. */
const CONTEXT = 3;

/** The hunk shows the file's last line: fewer lines of context than there would be, all of them (a whole file), or no newline at its end. */
function reachesEnd({ lines }: Hunk): boolean {
  const change = lines.findLastIndex((line) => line.kind !== 'context');
  return lines.length - 1 - change !== CONTEXT || lines.at(-1)?.noNewline === true;
}

function hasBothSides({ status }: ChangedFile): boolean {
  return status !== 'added' && status !== 'deleted' && status !== 'untracked';
}

/** Two rows, of a file before and after a refresh, that stand for the same thing. */
function sameThing(a: Row, b: Row): boolean {
  if (a.kind === 'line')
    return b.kind === 'line' && isOld(a) === isOld(b) && (isOld(a) ? a.left?.old === b.left?.old : a.right?.new === b.right?.new);
  if (a.kind === 'hunk') return b.kind === 'hunk' && a.hunk.newStart === b.hunk.newStart && a.hunk.section === b.hunk.section;
  if (a.kind === 'gap') return b.kind === 'gap' && a.gap === b.gap;
  if (a.kind === 'card') return b.kind === 'card' && a.comment.id === b.comment.id;
  return a.kind === b.kind;
}

function isOld(row: LineRow): boolean {
  return row.right === null;
}

function lineText(row: Row): string | null {
  return row.kind === 'line' ? (row.right ?? row.left)!.text : null;
}

/** Index in `after` of the row that `before[at]` was: the nearest with its text, else by its key, else the nearest place. */
export function findRow(before: readonly Row[], at: number, after: readonly Row[]): number {
  const row = before[at];
  if (!row || at === 0) return 0;
  const text = lineText(row);
  const same = nearest(after, at, (other) => sameThing(row, other) && lineText(other) === text);
  if (same >= 0) return same;
  if (text !== null && text.trim() !== '') {
    const moved = nearest(after, at, (other) => lineText(other) === text && sameSide(row, other));
    if (moved >= 0) return moved;
  }
  const place = nearest(after, at, (other) => sameThing(row, other));
  return place >= 0 ? place : Math.min(at, after.length - 1);
}

function sameSide(a: Row, b: Row): boolean {
  return a.kind === 'line' && b.kind === 'line' && isOld(a) === isOld(b);
}

function nearest(rows: readonly Row[], at: number, test: (row: Row) => boolean): number {
  for (let far = 0; far <= Math.max(at, rows.length - at); far++) {
    const [low, high] = [rows[at - far], rows[at + far]];
    if (low && test(low)) return at - far;
    if (high && test(high)) return at + far;
  }
  return -1;
}
