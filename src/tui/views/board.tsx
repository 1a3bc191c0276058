// The board of a batch: what runs, what waits and why, what failed, what needs somebody. Ink draws its head; its rows, some seven thousand
// cells that change with every key and twice a second, are cells like a pane's.
import type { ReactElement } from 'react';
import type { BatchView } from '../../model/batch.ts';
import type { Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { boardHead } from '../rows/board-rows.ts';
import type { Line } from '../spans.ts';
import type { Theme } from '../theme.ts';
import { Frame } from './frame.tsx';

interface Props {
  rect: Rect;
  view: BatchView | null;
  /** Batches were asked for, and nobody has answered yet. */
  asking: boolean;
  now: number;
  foot: Line;
  theme: Theme;
}

export function Board({ rect, view, asking, now, foot, theme }: Props): ReactElement {
  const inner = innerRect(rect);
  if (!view) {
    const text = asking ? 'asking the server …' : 'No batch runs in this session. Start one: herd batch run tasks.toml';
    const none: Line[] = [[{ text, color: 'muted' }]];
    return <Frame rect={rect} title="batch" foot={foot} lines={none} theme={theme} />;
  }
  const head = boardHead(view, inner.cols, now);
  const hollow = Math.max(0, inner.rows - head.length);
  return <Frame rect={rect} title={`batch ${view.summary.goal}`} foot={foot} lines={head} hollow={hollow} theme={theme} />;
}
