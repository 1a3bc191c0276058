// A box to write in: prompts, comments, the review before it is sent. Lines of context may stand above the text.
import type { Editor } from '../editor.ts';
import type { Rect } from '../layout.ts';
import { editorWindow, innerRect } from '../overlay-geometry.ts';
import { cutText, type Line, plain } from '../spans.ts';
import type { ColorName } from '../theme.ts';
import type { Block } from './block.ts';
import { editorLines } from './editor-lines.ts';
import { frame } from './frame.ts';

interface Props {
  rect: Rect;
  title: string;
  /** Lines above the text, at most four: the code a comment is about. */
  context: readonly string[];
  editor: Editor;
  empty: string;
  busy: boolean;
  foot: Line;
  border?: ColorName;
}

export function textBox({ rect, title, context, editor, empty, busy, foot, border }: Props): Block {
  const inner = innerRect(rect);
  const above = context.slice(0, 4).map(
    (text): Line => [
      { text: '▏ ', color: 'faint' },
      { text: cutText(plain(text.replaceAll('\t', '  ')), inner.cols - 2), color: 'muted' },
    ],
  );
  const rows = Math.max(0, inner.rows - above.length);
  const window = editorWindow(editor, inner.cols, Math.max(1, rows));
  const hidden = [...(window.above > 0 ? [`↑ ${window.above}`] : []), ...(window.below > 0 ? [`↓ ${window.below}`] : [])].join('  ');
  const note: Line = busy ? [{ text: 'sending …', color: 'working' }] : hidden ? [{ text: hidden, color: 'muted' }] : [];
  return frame(rect, { title, note, foot, lines: [...above, ...editorLines(editor, inner.cols, rows, empty)], border });
}
