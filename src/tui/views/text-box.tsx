// A box to write in: prompts, comments, the review before it is sent. Lines of context may stand above the text.
import type { ReactElement } from 'react';
import type { Editor } from '../editor.ts';
import type { Rect } from '../layout.ts';
import { editorWindow, innerRect } from '../overlay-geometry.ts';
import { cutText, type Line, plain } from '../spans.ts';
import type { ColorName, Theme } from '../theme.ts';
import { editorLines } from './editor-lines.ts';
import { Frame } from './frame.tsx';

interface Props {
  rect: Rect;
  title: string;
  /** Lines above the text, at most four: the code a comment is about. */
  context: readonly string[];
  editor: Editor;
  empty: string;
  /** What is being done with the text; null: it can be written on. */
  busy: string | null;
  foot: Line;
  border?: ColorName;
  theme: Theme;
}

export function TextBox({ rect, title, context, editor, empty, busy, foot, border, theme }: Props): ReactElement {
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
  const note: Line = busy !== null ? [{ text: busy, color: 'working' }] : hidden ? [{ text: hidden, color: 'muted' }] : [];
  return (
    <Frame
      rect={rect}
      title={title}
      note={note}
      foot={foot}
      lines={[...above, ...editorLines(editor, inner.cols, rows, empty)]}
      border={border}
      theme={theme}
    />
  );
}
