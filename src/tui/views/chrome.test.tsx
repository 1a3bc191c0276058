// Ink's frames become cells: absolute places, colours, wide characters, state that changes, resizes.
import { expect, test } from 'vitest';
import { CELL_WORDS, COLOR_RGB } from '../../model/cell.ts';
import { gridText } from '../grid-text.ts';

// In this order: Ink decides about colours when it is loaded.
const { createChrome } = await import('../chrome.ts');
const { Box, Text } = await import('ink');

function Screen({ branch, cols, rows }: { branch: string; cols: number; rows: number }) {
  return (
    <Box width={cols} height={rows}>
      <Box position="absolute" left={2} top={1}>
        <Text color="#ff0000">{branch}</Text>
        <Text>|</Text>
      </Box>
    </Box>
  );
}

test('a frame, a changed frame, an equal frame, a resize', () => {
  let frames = 0;
  const chrome = createChrome(<Screen branch="a" cols={20} rows={4} />, 20, 4, () => frames++);
  expect(gridText(chrome.grid)).toBe('\n  a|');
  expect(chrome.grid.cells[(20 + 2) * CELL_WORDS + 1]).toBe(COLOR_RGB | 0xff0000);
  chrome.render(<Screen branch="🚀 漢" cols={20} rows={4} />);
  expect(gridText(chrome.grid)).toBe('\n  🚀 漢|');
  const before = frames;
  chrome.render(<Screen branch="🚀 漢" cols={20} rows={4} />);
  expect(frames).toBe(before);
  chrome.resize(10, 3);
  chrome.render(<Screen branch="b" cols={10} rows={3} />);
  expect([chrome.grid.cols, chrome.grid.rows, gridText(chrome.grid)]).toEqual([10, 3, '\n  b|']);
  chrome.close();
});
