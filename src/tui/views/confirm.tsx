// Asks before what cannot be taken back: what would be lost, in lines, and the keys.
import type { ReactElement } from 'react';
import { type Keymap, keysOf } from '../input/keymap.ts';
import type { CommandId } from '../input/keymap-table.ts';
import type { Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { cutText, type Line, plain, type Span } from '../spans.ts';
import type { OverlayOf } from '../store/overlay.ts';
import type { Theme } from '../theme.ts';
import { Frame } from './frame.tsx';

export function Confirm({
  rect,
  overlay,
  keymap,
  theme,
}: {
  rect: Rect;
  overlay: OverlayOf<'confirm'>;
  keymap: Keymap;
  theme: Theme;
}): ReactElement {
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
  return <Frame rect={rect} title={plain(overlay.title)} foot={foot} lines={[[], ...lines]} border="accent" theme={theme} />;
}
