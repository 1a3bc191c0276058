// The line between sidebar and panes, and between panes beside each other.
import type { Divider } from '../layout.ts';
import type { Block } from './block.ts';

export function dividerLine({ split, rect }: Divider): Block | null {
  if (split === 'stacked') return null;
  return { rect, lines: Array.from({ length: rect.rows }, (_, row) => [{ text: row === 0 ? '┬' : '│', color: 'border' } as const]) };
}
