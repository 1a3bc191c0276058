// The line between sidebar and panes, and between panes beside each other; where a pane's title meets it they are joined.
import type { Divider, Rect } from '../layout.ts';
import type { Block } from './block.ts';

/** `titles`: the title lines of the panes on the screen. Null where the lower pane's title is the line. */
export function dividerLine({ split, rect }: Divider, titles: readonly Rect[]): Block | null {
  if (split === 'stacked') return null;
  const glyph = (row: number) => {
    const beside = titles.filter(({ y }) => y === rect.y + row);
    const left = beside.some(({ x, cols }) => x + cols === rect.x);
    const right = beside.some(({ x }) => x === rect.x + 1);
    if (row === 0) return '┬';
    return left ? (right ? '┼' : '┤') : right ? '├' : '│';
  };
  return { rect, lines: Array.from({ length: rect.rows }, (_, row) => [{ text: glyph(row), color: 'border' } as const]) };
}
