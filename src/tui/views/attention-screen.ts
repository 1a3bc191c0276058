// The list of workspaces, what waits first, as the whole screen of narrow terminals.
import type { Workspace } from '../../model/workspace.ts';
import type { Rect } from '../layout.ts';
import { attentionRows } from '../rows/attention-rows.ts';
import type { Block } from './block.ts';

interface Props {
  rect: Rect;
  workspaces: readonly Workspace[];
  at: number | null;
  now: number;
}

export function attentionScreen({ rect, workspaces, at, now }: Props): Block {
  const rows = attentionRows(workspaces, at, now, rect.cols, rect.rows);
  return { rect, lines: rows.map(({ line }) => line) };
}
