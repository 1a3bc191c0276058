// Ink's frames become cells: absolute places, colours, wide characters, state that changes, resizes.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { CELL_WORDS, COLOR_RGB } from '../model/cell.ts';
import { gridText } from './grid-text.ts';

// In this order: Ink decides about colours when it is loaded.
const { createInkLayer } = await import('./ink-layer.ts');
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

test('a frame, a changed frame, a resize', () => {
  const layer = createInkLayer(<Screen branch="a" cols={20} rows={4} />, 20, 4);
  expect(gridText(layer.grid)).toBe('\n  a|');
  expect(layer.grid.cells[(20 + 2) * CELL_WORDS + 1]).toBe(COLOR_RGB | 0xff0000);
  layer.render(<Screen branch="🚀 漢" cols={20} rows={4} />);
  expect(gridText(layer.grid)).toBe('\n  🚀 漢|');
  layer.resize(10, 3);
  layer.render(<Screen branch="b" cols={10} rows={3} />);
  expect([layer.grid.cols, layer.grid.rows, gridText(layer.grid)]).toEqual([10, 3, '\n  b|']);
  layer.close();
});

test('loading Ink writes nothing and leaves the environment, whatever the person’s wishes for colours', () => {
  const code = `await import(${JSON.stringify(new URL('./ink-layer.ts', import.meta.url).href)}); console.log(process.env.NO_COLOR, process.env.FORCE_COLOR)`;
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined };
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { env, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toBe('1 undefined\n');
});
