// The board of a batch: what runs, what waits and why, what failed, what needs somebody. Draws only the rows that are seen.

import type { BatchView } from '../../model/batch.ts';
import type { Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { boardHead, boardRow, boardTasks } from '../rows/board-rows.ts';
import type { Line } from '../spans.ts';
import type { Block } from './block.ts';
import { frame } from './frame.ts';
import { windowTop } from './list-window.ts';

interface Props {
  rect: Rect;
  view: BatchView | null;
  at: number;
  now: number;
  foot: Line;
}

export function board({ rect, view, at, now, foot }: Props): Block {
  const inner = innerRect(rect);
  if (!view) {
    const none: Line[] = [[{ text: 'No batch runs in this session. Start one: herd batch run tasks.toml', color: 'muted' }]];
    return frame(rect, { title: 'batch', foot, lines: none });
  }
  const tasks = boardTasks(view);
  const head = boardHead(view, inner.cols, now);
  const room = Math.max(0, inner.rows - head.length);
  const top = windowTop(at, room, tasks.length);
  const rows = tasks.slice(top, top + room).map((row, i) => boardRow(row, top + i === at, now, inner.cols));
  return frame(rect, { title: `batch ${view.summary.goal}`, foot, lines: [...head, ...rows] });
}
