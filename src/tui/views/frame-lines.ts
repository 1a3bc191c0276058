// The frame of an overlay as lines: rounded border, title above, keys below, lines inside.
import type { Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { cutText, fitLine, type Line, lineCells, type Span } from '../spans.ts';
import type { ColorName } from '../theme.ts';

export interface Framed {
  title: string;
  /** At the right of the title. */
  note?: Line;
  foot: Line;
  lines: readonly Line[];
  border?: ColorName;
}

export function frameLines(rect: Rect, { title, note = [], foot, lines, border = 'borderFocus' }: Framed): Line[] {
  const inner = innerRect(rect);
  return [
    edge(rect.cols, '╭', '╮', [{ text: cutText(title, rect.cols - 8), bold: true }], note, border),
    ...Array.from({ length: inner.rows }, (_, row) => framedLine(lines[row] ?? [], inner.cols, border)),
    edge(rect.cols, '╰', '╯', foot, [], border),
  ];
}

/** A line of `cols` cells with the frame's sides beside it. */
export function framedLine(line: Line, cols: number, border: ColorName = 'borderFocus'): Line {
  const side: Span = { text: '│', color: border };
  return [side, { text: ' ' }, ...fitLine(line, cols), { text: ' ' }, side];
}

function edge(cols: number, from: string, to: string, left: Line, right: Line, color: ColorName): Line {
  const pad = (line: Line): Line => (line.length > 0 ? [{ text: ' ' }, ...line, { text: ' ' }] : []);
  const [a, b] = [pad(left), pad(right)];
  const room = cols - 4 - lineCells(a) - lineCells(b);
  if (room < 0) return edge(cols, from, to, room + lineCells(b) >= 0 ? left : [], [], color);
  return [{ text: `${from}─`, color }, ...a, { text: '─'.repeat(room), color }, ...b, { text: `─${to}`, color }];
}
