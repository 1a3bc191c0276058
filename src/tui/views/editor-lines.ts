// An editor's window as lines of exact width; the terminal's own cursor stands for the caret, so nothing is drawn for it.
import type { Editor } from '../editor.ts';
import { editorWindow } from '../overlay-geometry.ts';
import { cutText, fitLine, type Line } from '../spans.ts';

/** `rows` lines of `cols` cells; `empty` stands dim in an empty editor. */
export function editorLines(editor: Editor, cols: number, rows: number, empty = ''): Line[] {
  if (editor.text === '')
    return Array.from({ length: rows }, (_, row) => fitLine(row === 0 ? [{ text: empty, color: 'faint' }] : [], cols));
  const window = editorWindow(editor, cols, rows);
  return Array.from({ length: rows }, (_, row) => fitLine([{ text: cutText(window.rows[row]?.text ?? '', cols) }], cols));
}
