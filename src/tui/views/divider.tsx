// The line between sidebar and panes, and between panes beside each other.
import type { ReactElement } from 'react';
import type { Divider } from '../layout.ts';
import type { Theme } from '../theme.ts';
import { Lines } from './lines.tsx';

export function DividerLine({ divider, focused, theme }: { divider: Divider; focused: boolean; theme: Theme }): ReactElement | null {
  if (divider.split === 'stacked') return null;
  const color = focused ? 'borderFocus' : 'border';
  const lines = Array.from({ length: divider.rect.rows }, (_, row) => [{ text: row === 0 ? '┬' : '│', color } as const]);
  return <Lines rect={divider.rect} theme={theme} lines={lines} />;
}
