// Help: every key by group, in as many columns as fit, filtered by what is typed. Made from the keymap, so it cannot be wrong.
import type { ReactElement } from 'react';
import type { Keymap } from '../input/keymap.ts';
import type { Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { helpLines } from '../rows/help-rows.ts';
import type { Line } from '../spans.ts';
import type { OverlayOf } from '../store/overlay.ts';
import type { Theme } from '../theme.ts';
import { editorLines } from './editor-lines.ts';
import { Frame } from './frame.tsx';

interface Props {
  rect: Rect;
  overlay: OverlayOf<'help'>;
  keymap: Keymap;
  foot: Line;
  theme: Theme;
}

export function Help({ rect, overlay, keymap, foot, theme }: Props): ReactElement {
  const inner = innerRect(rect);
  const rows = Math.max(0, inner.rows - 2);
  const all = helpLines(keymap, overlay.query.text, inner.cols, rows);
  const top = Math.max(0, Math.min(overlay.at, all.length - rows));
  const query: Line = [{ text: '/ ', color: 'key' }, ...editorLines(overlay.query, inner.cols - 2, 1, 'type to search')[0]!];
  const more: Line = all.length > rows ? [{ text: `${top + 1}-${Math.min(all.length, top + rows)} of ${all.length}`, color: 'muted' }] : [];
  return <Frame rect={rect} title="keys" note={more} foot={foot} lines={[query, [], ...all.slice(top, top + rows)]} theme={theme} />;
}
