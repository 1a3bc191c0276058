// The list of workspaces beside the panes.
import type { Rect } from '../layout.ts';
import { railRows, type SidebarProps, sidebarRows } from '../rows/sidebar-rows.ts';
import type { Block } from './block.ts';

export function sidebar({ rect, rail, ...props }: SidebarProps & { rect: Rect; rail: boolean }): Block {
  const rows = rail ? railRows(props, rect) : sidebarRows(props, rect);
  return { rect, lines: rows.map(({ line }) => line) };
}
