import { expect, test } from 'vitest';
import { dividerLine } from './divider.ts';

test('a line between panes is joined to the titles that meet it', () => {
  const rect = { x: 10, y: 1, cols: 1, rows: 6 };
  const title = (x: number, y: number, cols: number) => ({ x, y, cols, rows: 1 });
  const titles = [title(0, 1, 10), title(11, 1, 20), title(0, 3, 10), title(11, 4, 20), title(0, 5, 10), title(11, 5, 20), title(12, 6, 5)];
  const line = dividerLine({ rect, split: 'beside', path: [], room: rect }, titles);
  expect(line!.lines.map(([span]) => span!.text).join('')).toBe('┬│┤├┼│');
  expect(dividerLine({ rect, split: 'stacked', path: [], room: rect }, titles)).toBeNull();
});
