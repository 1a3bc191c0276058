// Lines of text become cells: places, looks, wide characters, what lies above what, and whether anything changed.
import { expect, test } from 'vitest';
import { BOLD, CELL_WORDS, DIM } from '../model/cell.ts';
import { Chrome } from './chrome.ts';
import { gridText } from './grid-text.ts';
import type { Line } from './spans.ts';
import { createTheme } from './theme.ts';

const theme = createTheme({ dark: true, colors: 'true' });
const block = (x: number, y: number, cols: number, ...lines: Line[]) => ({ rect: { x, y, cols, rows: lines.length }, lines });

function drawn(chrome: Chrome, ...blocks: ReturnType<typeof block>[]): string {
  chrome.draw(12, 4, blocks, theme);
  return gridText(chrome.grid);
}

test('text stands in its rectangle, cut at its edge', () => {
  const chrome = new Chrome();
  expect(drawn(chrome, block(2, 1, 4, [{ text: 'abcdef' }], [{ text: '漢字漢' }]))).toBe('\n  abcd\n  漢字');
  expect(drawn(chrome, block(2, 1, 3, [{ text: '漢' }, { text: '字x' }]))).toBe('\n  漢');
});

test('later blocks lie above earlier ones; where they have no text those show', () => {
  const below = block(0, 0, 12, [{ text: 'aaaaaaaaaaaa' }], [{ text: 'aaaaaaaaaaaa' }]);
  expect(drawn(new Chrome(), below, block(3, 0, 4, [{ text: 'bb' }], [{ text: 'cccc' }]))).toBe('aaabbaaaaaaa\naaaccccaaaaa');
});

test('colours and looks of the theme', () => {
  const chrome = new Chrome();
  drawn(
    chrome,
    block(0, 0, 12, [
      { text: 'x', color: 'key', ground: 'bar', bold: true },
      { text: 'y', dim: true },
    ]),
  );
  const words = [...chrome.grid.cells.subarray(1, 2 * CELL_WORDS)];
  expect(words.slice(0, 2)).toEqual([theme.paint.key | BOLD, theme.paint.bar]);
  expect(words.slice(CELL_WORDS, CELL_WORDS + 2)).toEqual([0, DIM]);
});

test('says whether any cell changed', () => {
  const chrome = new Chrome();
  const draw = (text: string, cols = 12) => chrome.draw(cols, 4, [block(0, 0, 12, [{ text }])], theme);
  expect(draw('a')).toBe(true);
  const { grid } = chrome;
  expect(draw('a')).toBe(false);
  expect(chrome.grid).toBe(grid);
  expect(draw('b')).toBe(true);
  expect(draw('e\u0301')).toBe(true);
  expect(draw('o\u0308')).toBe(true);
  expect(draw('o\u0308')).toBe(false);
  expect(draw('o\u0308', 11)).toBe(true);
});

test('no old text stays, and no table grows', () => {
  const chrome = new Chrome();
  for (const letter of 'abcdefghij') drawn(chrome, block(0, 0, 12, [{ text: `${letter}\u0301` }]));
  expect(chrome.grid.tables.clusters).toEqual(['j\u0301']);
  expect(drawn(chrome)).toBe('');
});
