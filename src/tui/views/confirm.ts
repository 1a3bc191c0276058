// Asks before what cannot be taken back: what would be lost, in lines, and the keys.
import { type Keymap, keysOf } from '../input/keymap.ts';
import type { CommandId } from '../input/keymap-table.ts';
import type { Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { cutText, type Line, plain, type Span } from '../spans.ts';
import type { OverlayOf } from '../store/overlay.ts';
import type { Block } from './block.ts';
import { frame } from './frame.ts';

export function confirmBox({ rect, overlay, keymap }: { rect: Rect; overlay: OverlayOf<'confirm'>; keymap: Keymap }): Block {
  const inner = innerRect(rect);
  const lines = overlay.lines.map((text): Line => [{ text: cutText(plain(text), inner.cols) }]);
  const choices: [CommandId, string][] = [
    ['dialog.yes', overlay.yes],
    ...(overlay.other ? ([['dialog.other', overlay.other]] as [CommandId, string][]) : []),
    ['dialog.no', 'leave it'],
  ];
  const foot = choices.flatMap(([command, word], index): Span[] => [
    { text: `${index > 0 ? '  ' : ''}${keysOf(keymap, 'dialog', command)[0] ?? ''}`, color: 'key' },
    { text: ` ${word}`, color: 'barText' },
  ]);
  return frame(rect, { title: plain(overlay.title), foot, lines: [[], ...lines], border: 'accent' });
}
