// Asks before what cannot be taken back: what would be lost, in lines, and the keys.
import type { ReactElement } from 'react';
import { type Keymap, keysOf } from '../input/keymap.ts';
import type { CommandId } from '../input/keymap-table.ts';
import type { Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { cutText, type Line, lineCells, plain, type Span } from '../spans.ts';
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
  // A foot that is too long would not be drawn at all: what does not fit is left out, from the end.
  let foot: Span[] = [];
  for (const [command, word] of choices) {
    const key: Span = { text: `${foot.length > 0 ? '  ' : ''}${keysOf(keymap, 'dialog', command)[0] ?? ''}`, color: 'key' };
    const next = [...foot, key, { text: ` ${word}`, color: 'barText' } satisfies Span];
    if (lineCells(next) > inner.cols - 2) break;
    foot = next;
  }
  return <Frame rect={rect} title={plain(overlay.title)} foot={foot} lines={[[], ...lines]} border="accent" theme={theme} />;
}
