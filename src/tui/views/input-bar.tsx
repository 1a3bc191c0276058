// A question of one line above the status bar: search, rename, a typed answer.
import type { ReactElement } from 'react';
import type { Rect } from '../layout.ts';
import { editorRect } from '../overlay-geometry.ts';
import { fitLine, plain } from '../spans.ts';
import type { OverlayOf } from '../store/overlay.ts';
import type { Theme } from '../theme.ts';
import { editorLines } from './editor-lines.ts';
import { Lines } from './lines.tsx';

export function InputBar({ rect, overlay, theme }: { rect: Rect; overlay: OverlayOf<'input'>; theme: Theme }): ReactElement {
  const cols = editorRect(overlay, rect)?.cols ?? 1;
  const line = fitLine([{ text: ` ${plain(overlay.label)}  `, color: 'key' }, ...editorLines(overlay.editor, cols, 1)[0]!], rect.cols, {
    ground: 'selected',
  });
  return <Lines rect={rect} theme={theme} lines={[line]} />;
}
