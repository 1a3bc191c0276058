// A question of one line above the status bar: search, rename, a typed answer.
import type { Rect } from '../layout.ts';
import { editorRect } from '../overlay-geometry.ts';
import { fitLine, plain } from '../spans.ts';
import type { OverlayOf } from '../store/overlay.ts';
import type { Block } from './block.ts';
import { editorLines } from './editor-lines.ts';

export function inputBar({ rect, overlay }: { rect: Rect; overlay: OverlayOf<'input'> }): Block {
  const cols = editorRect(overlay, rect)?.cols ?? 1;
  const line = fitLine([{ text: ` ${plain(overlay.label)}  `, color: 'key' }, ...editorLines(overlay.editor, cols, 1)[0]!], rect.cols, {
    ground: 'selected',
  });
  return { rect, lines: [line] };
}
