// The list of workspaces beside the panes.
import type { ReactElement } from 'react';
import type { Rect } from '../layout.ts';
import { railRows, type SidebarProps, sidebarRows } from '../rows/sidebar-rows.ts';
import type { Theme } from '../theme.ts';
import { Lines } from './lines.tsx';

export function Sidebar({ rect, rail, theme, ...props }: SidebarProps & { rect: Rect; rail: boolean; theme: Theme }): ReactElement {
  const rows = rail ? railRows(props, rect) : sidebarRows(props, rect);
  return <Lines rect={rect} theme={theme} lines={rows.map(({ line }) => line)} />;
}
