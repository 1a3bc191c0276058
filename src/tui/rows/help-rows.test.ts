import { expect, test } from 'vitest';
import { createKeymap } from '../input/keymap.ts';
import { helpLines } from './help-rows.ts';

test('fewer columns than fit share the whole width: nothing is cut where there is room', () => {
  const { keymap } = createKeymap();
  const lines = helpLines(keymap, 'diff:', 150, 42);
  const shown = lines.map((line) => line.map(({ text }) => text).join('')).join('\n');
  expect(shown).toContain('open the gap by 20 lines');
  expect(shown).not.toContain('…');
});
