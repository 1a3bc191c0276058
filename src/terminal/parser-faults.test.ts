import { expect, test } from 'vitest';
import { drawn, gridText, testScreen } from '../../test/support/cells.ts';

test.each(['\x1b[1J', '\x1b[?1J'])('%j in the last cell of the screen erases all of it', (sequence) => {
  const { screen } = testScreen(5, 3);
  screen.write(Buffer.from(`aaaaabbbbbccccc${sequence}\x1b[2;1He`));
  expect(gridText(drawn(screen))).toEqual(['', 'e', '']);
});
