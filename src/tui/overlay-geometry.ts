// How large each overlay wants to be and where its editor stands in it: one place, so that views, mouse and the terminal's own cursor agree.

import { caretCell, type Editor, editorRows, scrollRow } from './editor.ts';
import type { OverlaySize, Rect } from './layout.ts';
import { attentionHeight } from './rows/attention-rows.ts';
import { explainRows } from './rows/explain-lines.ts';
import { clusterCells, textCells } from './spans.ts';
import { attentionQueue } from './store/attention.ts';
import { editorOf, isChoice, type NewField, type Overlay } from './store/overlay.ts';
import type { ClientState } from './store/state.ts';

/** Border and a blank on either side; border above and below. */
const FRAME_COLS = 4;
const FRAME_ROWS = 2;

/** What is inside an overlay's frame. */
export function innerRect(rect: Rect): Rect {
  return { x: rect.x + 2, y: rect.y + 1, cols: Math.max(1, rect.cols - FRAME_COLS), rows: Math.max(0, rect.rows - FRAME_ROWS) };
}

/** Sizes that do not jump while one types: lists keep theirs by what there is, not by what fits the query. */
export function overlaySize(overlay: Overlay, state: ClientState): OverlaySize {
  const centre = (cols: number, rows: number): OverlaySize => ({
    cols: Math.min(cols, state.cols - 2),
    rows: rows + FRAME_ROWS,
    place: 'centre',
  });
  switch (overlay.kind) {
    case 'workspaces':
      return centre(84, Math.max(6, Math.min(18, state.workspaces.length + 2)));
    case 'palette':
      return centre(64, 18);
    case 'help':
      return centre(154, state.rows);
    case 'attention':
      return centre(ATTENTION_COLS, Math.max(3, Math.min(state.rows - 8, attentionRows(state))));
    case 'new':
      return centre(80, 13 + Math.min(3, overlay.form.worktrees.length));
    case 'prompt':
    case 'commit':
      return centre(92, 11);
    case 'comment':
      return { cols: Math.min(92, state.cols - 2), rows: FRAME_ROWS + Math.min(4, overlay.excerpt.length) + 6, place: 'bottom' };
    case 'preview':
      return centre(
        104,
        Math.min(
          state.rows - 6,
          Math.max(10, editorRows(overlay.editor.text, Math.min(104, state.cols - 2) - FRAME_COLS, clusterCells).length + 1),
        ),
      );
    case 'queue':
    case 'comments':
      return centre(96, Math.min(state.rows - 8, 18));
    case 'board':
      return centre(120, state.rows - 6);
    case 'explain':
      return centre(
        EXPLAIN_COLS,
        Math.min(
          state.rows - 6,
          Math.max(LEAST_EXPLAINED, explainRows(overlay.lines ?? [], Math.min(EXPLAIN_COLS, state.cols - 2) - FRAME_COLS).length),
        ),
      );
    case 'confirm':
      return centre(CONFIRM_COLS, overlay.lines.length + CONFIRM_MORE);
    case 'input':
      return { cols: state.cols, rows: 1, place: 'bottom' };
  }
}

/** Columns of a confirmation, and its rows beside the lines it says. */
const CONFIRM_COLS = 68;
const CONFIRM_MORE = 3;

/** What a confirmation can say whole on this screen, in cells. */
export function confirmRoom({ cols, rows }: ClientState): { cols: number; rows: number } {
  return { cols: Math.min(CONFIRM_COLS, cols - 2) - FRAME_COLS, rows: rows - FRAME_ROWS - CONFIRM_MORE };
}

/** Columns of lines to read, and their rows at least: what comes in a moment seldom makes it grow. */
const EXPLAIN_COLS = 104;
const LEAST_EXPLAINED = 12;
const ATTENTION_COLS = 92;

function attentionRows(state: ClientState): number {
  return attentionHeight(attentionQueue(state), Math.min(ATTENTION_COLS, state.cols - 2) - FRAME_COLS);
}

/** Width of the labels in the dialog for a new workspace. */
export const LABEL_COLS = 13;
/** Rows of that dialog's fields from the inner top. */
export const FIELD_ROW: Record<NewField, number> = { repository: 0, name: 1, base: 2, agent: 3, prompt: 5 };
export const PROMPT_FIELD_ROWS = 5;

/** Where the text that is typed stands; null when nothing is typed there. */
export function editorRect(overlay: Overlay, rect: Rect): Rect | null {
  const inner = innerRect(rect);
  switch (overlay.kind) {
    case 'workspaces':
    case 'palette':
    case 'help':
      return { x: inner.x + 2, y: inner.y, cols: Math.max(1, inner.cols - 2), rows: 1 };
    case 'new': {
      const { field } = overlay.form;
      if (isChoice(field)) return null;
      const rows = field === 'prompt' ? PROMPT_FIELD_ROWS : 1;
      return { x: inner.x + LABEL_COLS, y: inner.y + FIELD_ROW[field], cols: Math.max(1, inner.cols - LABEL_COLS), rows };
    }
    case 'prompt':
    case 'commit':
    case 'preview':
      return inner;
    case 'comment': {
      const above = Math.min(4, overlay.excerpt.length);
      return { ...inner, y: inner.y + above, rows: Math.max(1, inner.rows - above) };
    }
    case 'input': {
      const label = textCells(overlay.label) + 3;
      return { x: rect.x + label, y: rect.y, cols: Math.max(1, rect.cols - label - 1), rows: 1 };
    }
    default:
      return null;
  }
}

export interface EditorWindow {
  /** Rows of text as shown, and where the caret is in them (cells from the editor's top left). */
  rows: { text: string; start: number }[];
  caret: { x: number; y: number };
  /** Rows above and below the window. */
  above: number;
  below: number;
}

/** The part of an editor that a window of cells shows: always the part with the caret. One line scrolls sideways, more lines wrap. */
export function editorWindow(editor: Editor, cols: number, rows: number): EditorWindow {
  if (editor.singleLine) return lineWindow(editor, cols);
  const all = editorRows(editor.text, cols, clusterCells);
  const caret = caretCell(editor, all, clusterCells);
  const top = scrollRow(Math.max(0, caret.row - rows + 1), caret.row, rows, all.length);
  const shown = all.slice(top, top + rows).map(({ start, end }) => ({ text: editor.text.slice(start, end).replaceAll('\t', '  '), start }));
  return {
    rows: shown,
    caret: { x: Math.min(caret.col, cols - 1), y: caret.row - top },
    above: top,
    below: Math.max(0, all.length - top - rows),
  };
}

function lineWindow(editor: Editor, cols: number): EditorWindow {
  const before = textCells(editor.text.slice(0, editor.caret));
  let start = 0;
  const segments = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(editor.text);
  for (const { index } of segments) {
    start = index;
    if (before - textCells(editor.text.slice(0, index)) < cols) break;
  }
  const x = textCells(editor.text.slice(start, editor.caret));
  return { rows: [{ text: editor.text.slice(start), start }], caret: { x: Math.min(x, cols - 1), y: 0 }, above: 0, below: 0 };
}

/** The cell of the screen where the person types in an overlay; null when they do not. */
export function overlayCaret(overlay: Overlay, rect: Rect): { x: number; y: number } | null {
  const editor = editorOf(overlay);
  const at = editorRect(overlay, rect);
  if (!editor || !at || at.rows < 1) return null;
  const { caret } = editorWindow(editor, at.cols, at.rows);
  return { x: at.x + caret.x, y: at.y + caret.y };
}
