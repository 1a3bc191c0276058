// A multi-line text editor as data: text, caret, undo. Pure: every operation gives a new editor (the same one when nothing changed).
// Text holds '\n' as its only control character but tab; the caret stands between grapheme clusters, never inside one.

/** Most steps that can be taken back. */
const UNDO_STEPS = 200;
/** Longest text, in UTF-16 units: past it pastes are cut. Prompts are far shorter; the wire takes 8 MiB. */
export const MAX_TEXT = 1_000_000;

interface Snapshot {
  text: string;
  caret: number;
}

export interface Editor extends Snapshot {
  /** Column the caret wants on up and down, in cells; null after a sideways step. */
  goal: number | null;
  undo: Snapshot[];
  redo: Snapshot[];
  /** The last step typed a character: the next one joins its undo step. */
  typing: boolean;
  singleLine: boolean;
}

/** An editor that holds `text` as `cleanText` leaves it, its caret at the end and nothing to undo. */
export function createEditor(text = '', o: { singleLine?: boolean } = {}): Editor {
  const clean = cleanText(text, o.singleLine ?? false);
  return { text: clean, caret: clean.length, goal: null, undo: [], redo: [], typing: false, singleLine: o.singleLine ?? false };
}

/** Text as an editor holds it: line ends '\n', other control characters gone; one line when asked. */
export function cleanText(text: string, singleLine: boolean): string {
  const lines = text.replace(/\r\n?|\u2028|\u2029/g, '\n').replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '');
  return (singleLine ? lines.replace(/[\n\t]+/g, ' ') : lines).slice(0, MAX_TEXT);
}

/** Made at first use: the first one loads ICU's rules, several milliseconds that a client's first paint must not wait for. */
const lazily = <T>(make: () => T): (() => T) => {
  let made: T | null = null;
  return () => {
    made ??= make();
    return made;
  };
};
const segmenter = lazily(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));
const words = lazily(() => new Intl.Segmenter('en', { granularity: 'word' }));

/** Far enough for any cluster that terminals show as one, in UTF-16 units. */
const CLUSTER_REACH = 64;

function clusterBefore(text: string, at: number): number {
  if (at <= 0) return 0;
  const from = Math.max(0, text.lastIndexOf('\n', at - 1), at - CLUSTER_REACH);
  let last = from;
  for (const piece of segmenter().segment(text.slice(from, at))) last = from + piece.index;
  return last;
}

function clusterAfter(text: string, at: number): number {
  for (const piece of segmenter().segment(text.slice(at, at + CLUSTER_REACH))) return at + piece.segment.length;
  return at;
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function wordBefore(text: string, at: number): number {
  const start = lineStart(text, at);
  if (at === start) return Math.max(0, at - 1);
  let found = start;
  for (const piece of words().segment(text.slice(start, at))) if (piece.isWordLike) found = start + piece.index;
  return found;
}

function wordAfter(text: string, at: number): number {
  const end = lineEnd(text, at);
  if (at === end) return Math.min(text.length, at + 1);
  for (const piece of words().segment(text.slice(at, end))) if (piece.isWordLike) return at + piece.index + piece.segment.length;
  return end;
}

/** Operations by the names of the keymap's edit commands. */
export type EditName =
  | 'newline'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'word-left'
  | 'word-right'
  | 'line-start'
  | 'line-end'
  | 'start'
  | 'end'
  | 'delete-left'
  | 'delete-right'
  | 'delete-word-left'
  | 'delete-word-right'
  | 'delete-to-end'
  | 'delete-to-start'
  | 'undo'
  | 'redo';

/** Cells a cluster takes (0-2). */
export type ClusterWidth = (cluster: string) => number;

/** The editor after an operation. `view` is how it is shown: needed by up and down, which go by rows on the screen. */
export function edit(editor: Editor, name: EditName, view: { cols: number; width: ClusterWidth }): Editor {
  const { text, caret } = editor;
  switch (name) {
    case 'newline':
      return editor.singleLine ? editor : insert(editor, '\n');
    case 'left':
      return move(editor, clusterBefore(text, caret));
    case 'right':
      return move(editor, clusterAfter(text, caret));
    case 'up':
      return moveRow(editor, -1, view);
    case 'down':
      return moveRow(editor, 1, view);
    case 'word-left':
      return move(editor, wordBefore(text, caret));
    case 'word-right':
      return move(editor, wordAfter(text, caret));
    case 'line-start':
      return move(editor, lineStart(text, caret));
    case 'line-end':
      return move(editor, lineEnd(text, caret));
    case 'start':
      return move(editor, 0);
    case 'end':
      return move(editor, text.length);
    case 'delete-left':
      return replace(editor, clusterBefore(text, caret), caret, '');
    case 'delete-right':
      return replace(editor, caret, clusterAfter(text, caret), '');
    case 'delete-word-left':
      return replace(editor, wordBefore(text, caret), caret, '');
    case 'delete-word-right':
      return replace(editor, caret, wordAfter(text, caret), '');
    case 'delete-to-end':
      return replace(editor, caret, lineEnd(text, caret) === caret ? Math.min(text.length, caret + 1) : lineEnd(text, caret), '');
    case 'delete-to-start':
      return replace(editor, lineStart(text, caret), caret, '');
    case 'undo':
      return travel(editor, 'undo', 'redo');
    case 'redo':
      return travel(editor, 'redo', 'undo');
  }
}

/** Typed or pasted text at the caret. Typing joins one undo step up to a blank; a paste is a step of its own. */
export function insert(editor: Editor, raw: string, o: { paste?: boolean } = {}): Editor {
  const room = MAX_TEXT - editor.text.length;
  const text = cleanText(raw, editor.singleLine).slice(0, Math.max(0, room));
  if (text === '') return editor;
  const joins = editor.typing && !o.paste && !/\s/.test(text);
  const next = replace(editor, editor.caret, editor.caret, text, joins);
  return { ...next, typing: !o.paste && text !== '\n' };
}

/** The whole text replaced, as one step that can be taken back. */
export function replaceText(editor: Editor, raw: string): Editor {
  const text = cleanText(raw, editor.singleLine);
  return text === editor.text ? editor : replace(editor, 0, editor.text.length, text);
}

/** The caret at a place in the text, moved to the nearest cluster's start; a mouse click. */
export function placeCaret(editor: Editor, at: number): Editor {
  return move(editor, Math.max(0, Math.min(editor.text.length, at)));
}

function move(editor: Editor, caret: number): Editor {
  if (caret === editor.caret && editor.goal === null && !editor.typing) return editor;
  return { ...editor, caret, goal: null, typing: false };
}

function replace(editor: Editor, from: number, to: number, text: string, joins = false): Editor {
  if (from === to && text === '') return editor;
  const { undo, ...rest } = editor;
  return {
    ...rest,
    text: editor.text.slice(0, from) + text + editor.text.slice(to),
    caret: from + text.length,
    goal: null,
    typing: false,
    undo: joins ? undo : [...undo.slice(1 - UNDO_STEPS), { text: editor.text, caret: editor.caret }],
    redo: [],
  };
}

function travel(editor: Editor, from: 'undo' | 'redo', to: 'undo' | 'redo'): Editor {
  const back = editor[from].at(-1);
  if (!back) return editor;
  const here = { text: editor.text, caret: editor.caret };
  return { ...editor, ...back, goal: null, typing: false, [from]: editor[from].slice(0, -1), [to]: [...editor[to], here] };
}

/** A row on the screen: the text from `start` to `end` (UTF-16 units). `soft` rows go on in the next. */
export interface EditorRow {
  start: number;
  end: number;
  soft: boolean;
}

/** The text in rows of at most `cols` cells, broken after blanks where there are some. There is always one row at least. */
export function editorRows(text: string, cols: number, width: ClusterWidth): EditorRow[] {
  const rows: EditorRow[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    wrapLine(line, at, Math.max(1, cols), width, rows);
    at += line.length + 1;
  }
  return rows;
}

function wrapLine(line: string, offset: number, cols: number, width: ClusterWidth, rows: EditorRow[]): void {
  let start = 0;
  let used = 0;
  let breakAt = 0;
  let usedAtBreak = 0;
  for (const { segment, index } of segmenter().segment(line)) {
    const cells = cellsOf(segment, width);
    if (used + cells > cols && index > start) {
      const cut = breakAt > start ? breakAt : index;
      rows.push({ start: offset + start, end: offset + cut, soft: true });
      used = cut === index ? 0 : used - usedAtBreak;
      start = cut;
    }
    used += cells;
    if (segment === ' ' || segment === '\t') {
      breakAt = index + 1;
      usedAtBreak = used;
    }
  }
  rows.push({ start: offset + start, end: offset + line.length, soft: false });
}

/** A tab shows as this many blanks in an editor. */
export const TAB_CELLS = 2;

function cellsOf(cluster: string, width: ClusterWidth): number {
  return cluster === '\t' ? TAB_CELLS : width(cluster);
}

/** Cells of a text without line breaks. */
export function cellsIn(text: string, width: ClusterWidth): number {
  let cells = 0;
  for (const { segment } of segmenter().segment(text)) cells += cellsOf(segment, width);
  return cells;
}

/** Where the caret is shown: row and column in cells. At a soft break it stands at the start of the next row. */
export function caretCell(editor: Snapshot, rows: EditorRow[], width: ClusterWidth): { row: number; col: number } {
  const row = rows.findIndex(({ start, end, soft }) => editor.caret >= start && (soft ? editor.caret < end : editor.caret <= end));
  const at = rows[Math.max(0, row)]!;
  return { row: Math.max(0, row), col: cellsIn(editor.text.slice(at.start, editor.caret), width) };
}

/** The place in the text nearest to a cell, for clicks and for up and down. */
export function textAt(text: string, rows: EditorRow[], row: number, col: number, width: ClusterWidth): number {
  const at = rows[Math.max(0, Math.min(rows.length - 1, row))]!;
  let used = 0;
  let place = at.start;
  for (const { segment, index } of segmenter().segment(text.slice(at.start, at.end))) {
    const cells = cellsOf(segment, width);
    place = at.start + index;
    if (used + cells > col) return place;
    used += cells;
    place += segment.length;
  }
  return at.soft ? clusterBefore(text, at.end) : place;
}

function moveRow(editor: Editor, by: number, view: { cols: number; width: ClusterWidth }): Editor {
  const rows = editorRows(editor.text, view.cols, view.width);
  const here = caretCell(editor, rows, view.width);
  const row = here.row + by;
  if (row < 0) return move(editor, 0);
  if (row >= rows.length) return move(editor, editor.text.length);
  const goal = editor.goal ?? here.col;
  return { ...editor, caret: textAt(editor.text, rows, row, goal, view.width), goal, typing: false };
}

/** First row to show so that the caret is in a window of `height` rows, moving the window as little as need be. */
export function scrollRow(top: number, caretRow: number, height: number, total: number): number {
  const low = Math.max(0, caretRow - height + 1);
  return Math.max(0, Math.min(Math.max(low, Math.min(top, caretRow)), Math.max(0, total - height)));
}
