// The attention queue: as an overlay on wide screens, as the whole screen on narrow ones.
import type { Workspace } from '../../model/workspace.ts';
import type { Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { attentionRows } from '../rows/attention-rows.ts';
import type { Line } from '../spans.ts';
import type { Block } from './block.ts';
import { frame } from './frame.ts';

interface Props {
  rect: Rect;
  workspaces: readonly Workspace[];
  at: number | null;
  now: number;
}

export function attentionOverlay({ rect, workspaces, at, now, foot }: Props & { foot: Line }): Block {
  const inner = innerRect(rect);
  const rows = attentionRows(workspaces, at, now, inner.cols, inner.rows);
  const lines = workspaces.length > 0 ? rows.map(({ line }) => line) : [[{ text: 'Nobody needs you.', color: 'muted' } as const]];
  return frame(rect, {
    title: 'needs you',
    note: workspaces.length > 0 ? [{ text: `${workspaces.length}`, color: 'muted' }] : [],
    foot,
    lines,
  });
}

export function attentionScreen({ rect, workspaces, at, now }: Props): Block {
  const rows = attentionRows(workspaces, at, now, rect.cols, rect.rows);
  return { rect, lines: rows.map(({ line }) => line) };
}
