// The attention queue as an overlay.
import type { ReactElement } from 'react';
import type { Workspace } from '../../model/workspace.ts';
import type { Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { attentionRows } from '../rows/attention-rows.ts';
import type { Line } from '../spans.ts';
import type { Theme } from '../theme.ts';
import { Frame } from './frame.tsx';

interface Props {
  rect: Rect;
  workspaces: readonly Workspace[];
  at: number | null;
  now: number;
  foot: Line;
  theme: Theme;
}

export function AttentionOverlay({ rect, workspaces, at, now, foot, theme }: Props): ReactElement {
  const inner = innerRect(rect);
  const rows = attentionRows(workspaces, at, now, inner.cols, inner.rows);
  const lines = workspaces.length > 0 ? rows.map(({ line }) => line) : [[{ text: 'Nobody needs you.', color: 'muted' } as const]];
  return (
    <Frame
      rect={rect}
      title="needs you"
      note={workspaces.length > 0 ? [{ text: `${workspaces.length}`, color: 'muted' }] : []}
      foot={foot}
      lines={lines}
      theme={theme}
    />
  );
}
