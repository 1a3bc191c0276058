// The frame of an overlay, drawn by Ink.
import type { ReactElement } from 'react';
import type { Rect } from '../layout.ts';
import type { Theme } from '../theme.ts';
import { type Framed, frameLines } from './frame-lines.ts';
import { Lines } from './lines.tsx';

export interface FrameProps extends Framed {
  rect: Rect;
  theme: Theme;
  /** Rows above the lower edge that are not Ink's to draw. */
  hollow?: number;
}

export function Frame({ rect, theme, hollow = 0, ...props }: FrameProps): ReactElement {
  const lines = frameLines(rect, props);
  const last = lines.length - 1;
  return (
    <>
      <Lines rect={{ ...rect, rows: last - hollow }} theme={theme} lines={lines} />
      <Lines rect={{ ...rect, y: rect.y + last, rows: 1 }} theme={theme} lines={lines.slice(last)} />
    </>
  );
}
