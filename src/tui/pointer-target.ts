// What lies under a cell of the screen. Pure: the layout's rectangles, overlays first.
import { contains, type Divider, type Layout, type PaneId } from './layout.ts';

export type PointerTarget =
  | { on: 'overlay'; index: number; x: number; y: number }
  | { on: 'divider'; divider: Divider }
  | { on: 'pane'; pane: PaneId; x: number; y: number }
  | { on: 'title'; pane: PaneId; x: number }
  | { on: 'list'; x: number; y: number }
  | { on: 'bar' }
  | { on: 'nothing' };

/** The target at a cell; `x` and `y` in it count from its own top left (a pane's from its body, an overlay's from its frame). */
export function targetAt(layout: Layout, x: number, y: number): PointerTarget {
  for (let index = layout.overlays.length - 1; index >= 0; index--) {
    const rect = layout.overlays[index]!;
    if (contains(rect, x, y)) return { on: 'overlay', index, x: x - rect.x, y: y - rect.y };
  }
  for (const { pane, title, body } of layout.panes) {
    if (contains(body, x, y)) return { on: 'pane', pane, x: x - body.x, y: y - body.y };
    if (contains(title, x, y)) return { on: 'title', pane, x: x - title.x };
  }
  const divider = layout.dividers.find(({ rect, split }) => split === 'beside' && contains(rect, x, y));
  if (divider) return { on: 'divider', divider };
  if (layout.sidebar && contains(layout.sidebar, x, y)) return { on: 'list', x: x - layout.sidebar.x, y: y - layout.sidebar.y };
  const bars = [layout.titleBar, layout.statusBar];
  return bars.some((bar) => bar && contains(bar, x, y)) ? { on: 'bar' } : { on: 'nothing' };
}

/** The divider that a pane's title line is, when the pane is the lower one of two. */
export function dividerAtTitle(layout: Layout, pane: PaneId): Divider | null {
  const title = layout.panes.find((box) => box.pane === pane)?.title;
  return layout.dividers.find(({ split, rect }) => split === 'stacked' && title && rect.y === title.y && rect.x === title.x) ?? null;
}

/** The share of the first side when a divider is dragged to a cell. */
export function ratioAt(divider: Divider, x: number, y: number): number {
  const { room, split } = divider;
  return split === 'beside' ? (x - room.x) / Math.max(1, room.cols - 1) : (y - room.y) / Math.max(1, room.rows);
}
