// Rows of overlays that Ink does not draw: too many cells, too often.
import type { Layout, Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { boxedOverlays } from '../present.ts';
import { boardHead, boardRow, boardTasks, newestBatch } from '../rows/board-rows.ts';
import type { ClientState } from '../store/state.ts';
import type { Block } from './block.ts';
import { framedLine } from './frame-lines.ts';
import { windowTop } from './list-window.ts';

/** Per overlay of the layout its rows, frame included; null where Ink draws all of it. */
export function overlayRows({ state, layout }: { state: ClientState; layout: Layout }): (Block | null)[] {
  return boxedOverlays(state, layout).map((overlay, index) => {
    const rect = layout.overlays[index];
    return overlay.kind === 'board' && rect ? boardRows(state, rect, overlay.at) : null;
  });
}

/** The tasks of the board that are seen, below its head. */
function boardRows({ batches, now }: ClientState, rect: Rect, at: number): Block | null {
  const view = newestBatch(batches);
  if (!view) return null;
  const inner = innerRect(rect);
  const head = boardHead(view, inner.cols, now).length;
  const room = Math.max(0, inner.rows - head);
  const tasks = boardTasks(view);
  const top = windowTop(at, room, tasks.length);
  const lines = Array.from({ length: room }, (_, i) => {
    const task = tasks[top + i];
    return framedLine(task ? boardRow(task, top + i === at, now, inner.cols) : [], inner.cols);
  });
  return { rect: { ...rect, y: inner.y + head, rows: room }, lines };
}
