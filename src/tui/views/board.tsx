// The board of a batch: what runs, what waits and why, what failed, what needs somebody. Draws only the rows that are seen.

import type { ReactElement } from 'react';
import type { BatchView } from '../../model/batch.ts';
import type { Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { boardHead, boardRow, boardTasks } from '../rows/board-rows.ts';
import type { Line } from '../spans.ts';
import type { Theme } from '../theme.ts';
import { Frame } from './frame.tsx';
import { windowTop } from './list-window.ts';

interface Props {
  rect: Rect;
  view: BatchView | null;
  at: number;
  now: number;
  foot: Line;
  theme: Theme;
}

export function Board({ rect, view, at, now, foot, theme }: Props): ReactElement {
  const inner = innerRect(rect);
  if (!view) {
    const none: Line[] = [[{ text: 'No batch runs in this session. Start one: herd batch run tasks.toml', color: 'muted' }]];
    return <Frame rect={rect} title="batch" foot={foot} lines={none} theme={theme} />;
  }
  const tasks = boardTasks(view);
  const head = boardHead(view, inner.cols, now);
  const room = Math.max(0, inner.rows - head.length);
  const top = windowTop(at, room, tasks.length);
  const rows = tasks.slice(top, top + room).map((row, i) => boardRow(row, top + i === at, now, inner.cols));
  return <Frame rect={rect} title={`batch ${view.summary.goal}`} foot={foot} lines={[...head, ...rows]} theme={theme} />;
}
