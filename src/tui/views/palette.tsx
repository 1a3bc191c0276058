// The palette: every command by name, with its key.
import type { ReactElement } from 'react';
import { chordLabel } from '../input/chord.ts';
import { type Keymap, keysOf } from '../input/keymap.ts';
import type { CommandId } from '../input/keymap-table.ts';
import type { Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { paletteHits } from '../rows/picker-hits.ts';
import { type Line, spread } from '../spans.ts';
import type { OverlayOf } from '../store/overlay.ts';
import type { Theme } from '../theme.ts';
import { editorLines } from './editor-lines.ts';
import { Frame } from './frame.tsx';
import { windowTop } from './list-window.ts';

interface Props {
  rect: Rect;
  overlay: OverlayOf<'palette'>;
  keymap: Keymap;
  foot: Line;
  theme: Theme;
}

export function Palette({ rect, overlay, keymap, foot, theme }: Props): ReactElement {
  const inner = innerRect(rect);
  const hits = paletteHits(overlay.query.text);
  const rows = Math.max(0, inner.rows - 2);
  const top = windowTop(overlay.at, rows, hits.length);
  const query: Line = [{ text: ': ', color: 'key' }, ...editorLines(overlay.query, inner.cols - 2, 1, 'a command')[0]!];
  const list = hits.slice(top, top + rows).map(([id, row], index): Line => {
    const fill = top + index === overlay.at ? ({ ground: 'selected' } as const) : {};
    return spread(
      [{ text: ` ${row.title}` }, { text: `  ${row.group.toLowerCase()}`, color: 'faint' }],
      [{ text: ` ${keyText(keymap, id)} `, color: 'key' }],
      inner.cols,
      fill,
    );
  });
  const none: Line[] = hits.length === 0 ? [[{ text: ' nothing fits', color: 'muted' }]] : [];
  return <Frame rect={rect} title="commands" foot={foot} lines={[query, [], ...list, ...none]} theme={theme} />;
}

function keyText(keymap: Keymap, id: CommandId): string {
  const key = keysOf(keymap, 'prefix', id)[0];
  return key === undefined ? (keysOf(keymap, 'diff', id)[0] ?? '') : `${chordLabel(keymap.prefix)} ${key}`;
}
