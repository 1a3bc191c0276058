// What every view gives: lines of text and where they stand on the screen. Later blocks lie above earlier ones.
import type { Rect } from '../layout.ts';
import type { Line } from '../spans.ts';

export interface Block {
  rect: Rect;
  /** From the top of the rectangle, each of its width; cells without text show what lies below. */
  lines: readonly Line[];
}
