// The frame of an overlay: rounded border, title above, keys below, lines inside.
import type { ReactElement } from 'react';
import type { Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { cutText, fitLine, type Line, lineCells, type Span } from '../spans.ts';
import type { ColorName, Theme } from '../theme.ts';
import { Lines } from './lines.tsx';

export interface FrameProps {
  rect: Rect;
  title: string;
  /** At the right of the title. */
  note?: Line;
  foot: Line;
  lines: readonly Line[];
  border?: ColorName;
  theme: Theme;
}

export function Frame({ rect, theme, ...props }: FrameProps): ReactElement {
  return <Lines rect={rect} theme={theme} lines={frameLines(rect, props)} />;
}

export function frameLines(
  rect: Rect,
  { title, note = [], foot, lines, border = 'borderFocus' }: Omit<FrameProps, 'rect' | 'theme'>,
): Line[] {
  const inner = innerRect(rect);
  const side: Span = { text: '│', color: border };
  const body = Array.from(
    { length: inner.rows },
    (_, row): Line => [side, { text: ' ' }, ...fitLine(lines[row] ?? [], inner.cols), { text: ' ' }, side],
  );
  return [
    edge(rect.cols, '╭', '╮', [{ text: cutText(title, rect.cols - 8), bold: true }], note, border),
    ...body,
    edge(rect.cols, '╰', '╯', foot, [], border),
  ];
}

function edge(cols: number, from: string, to: string, left: Line, right: Line, color: ColorName): Line {
  const pad = (line: Line): Line => (line.length > 0 ? [{ text: ' ' }, ...line, { text: ' ' }] : []);
  const [a, b] = [pad(left), pad(right)];
  const room = cols - 4 - lineCells(a) - lineCells(b);
  if (room < 0) return edge(cols, from, to, room + lineCells(b) >= 0 ? left : [], [], color);
  return [{ text: `${from}─`, color }, ...a, { text: '─'.repeat(room), color }, ...b, { text: `─${to}`, color }];
}
