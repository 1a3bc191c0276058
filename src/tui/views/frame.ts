// The frame of an overlay: rounded border, title above, keys below, lines inside.
import type { Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { cutText, fitLine, type Line, lineCells, type Span } from '../spans.ts';
import type { ColorName } from '../theme.ts';
import type { Block } from './block.ts';

interface FrameProps {
  title: string;
  /** At the right of the title. */
  note?: Line;
  foot: Line;
  lines: readonly Line[];
  border?: ColorName;
}

export function frame(rect: Rect, { title, note = [], foot, lines, border = 'borderFocus' }: FrameProps): Block {
  const inner = innerRect(rect);
  const side: Span = { text: '│', color: border };
  const body = Array.from(
    { length: inner.rows },
    (_, row): Line => [side, { text: ' ' }, ...fitLine(lines[row] ?? [], inner.cols), { text: ' ' }, side],
  );
  const head = edge(rect.cols, '╭', '╮', [{ text: cutText(title, rect.cols - 8), bold: true }], note, border);
  return { rect, lines: [head, ...body, edge(rect.cols, '╰', '╯', foot, [], border)] };
}

function edge(cols: number, from: string, to: string, left: Line, right: Line, color: ColorName): Line {
  const pad = (line: Line): Line => (line.length > 0 ? [{ text: ' ' }, ...line, { text: ' ' }] : []);
  const [a, b] = [pad(left), pad(right)];
  const room = cols - 4 - lineCells(a) - lineCells(b);
  if (room < 0) return edge(cols, from, to, room + lineCells(b) >= 0 ? left : [], [], color);
  return [{ text: `${from}─`, color }, ...a, { text: '─'.repeat(room), color }, ...b, { text: `─${to}`, color }];
}
