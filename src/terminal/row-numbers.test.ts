// A reader who scrolled up stays on the same text (C15).
import { expect, test } from 'vitest';
import { gridText, testScreen } from '../../test/support/cells.ts';
import { createGrid } from '../model/cell.ts';
import type { Screen } from './screen.ts';

function firstRow(screen: Screen, line: number): { text: string; line: number } {
  const grid = createGrid(screen.cols, screen.rows);
  const { top } = screen.draw(grid, { line, col: 0 });
  return { text: gridText(grid)[0]!, line: top.line };
}

const numbered = (from: number, to: number) => {
  let text = '';
  for (let i = from; i < to; i++) text += `line ${i} ${'word '.repeat(8)}\r\n`;
  return Buffer.from(text);
};

test('under output, trimming and resizes', async () => {
  const { screen } = testScreen(60, 10);
  await screen.write(numbered(0, 1200));
  const tail = screen.draw(createGrid(60, 10), null);
  let at = firstRow(screen, tail.top.line - 100);
  const text = at.text.slice(0, 10);
  expect(text).toBe('line 1091 ');
  await screen.write(numbered(1200, 1350));
  at = firstRow(screen, at.line);
  expect(at.text.slice(0, 10)).toBe(text);
  for (const [cols, rows] of [
    [30, 12],
    [100, 8],
    [60, 10],
  ] as const) {
    screen.resize(cols, rows);
    at = firstRow(screen, at.line);
    expect(at.text.slice(0, 10)).toBe(text);
    await screen.write(numbered(600, 603));
  }
});

test('a place from before three resizes is still found', async () => {
  const { screen } = testScreen(60, 10);
  await screen.write(numbered(0, 100));
  const old = firstRow(screen, 40);
  for (const cols of [20, 45, 80]) screen.resize(cols, 10);
  await screen.write(numbered(100, 120));
  expect(firstRow(screen, old.line).text.slice(0, 8)).toBe(old.text.slice(0, 8));
});

test('what is gone leads to the oldest row, the tail is the tail', async () => {
  const { screen } = testScreen(40, 5, { scrollback: 20 });
  await screen.write(numbered(0, 200));
  const oldest = firstRow(screen, 0);
  const grid = createGrid(40, 5);
  const tail = screen.draw(grid, null);
  expect(tail.atTail).toBe(true);
  expect(tail.top.line - oldest.line).toBe(20);
  expect(screen.draw(grid, { line: oldest.line, col: 0 })).toMatchObject({ atTail: false, newLines: 20 });
});
