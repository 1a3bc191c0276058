// Where the emulator's own version fails and herd mends it.
import { expect, test } from 'vitest';
import { drawn, gridText, testScreen } from '../../test/support/cells.ts';

test.each<[string, string]>([
  ['J', 'the alternate screen'],
  ['?J', 'the alternate screen, protected cells kept'],
])('CSI 1 %s in the last cell of %s erases all', async (sequence) => {
  const { screen } = testScreen(6, 3);
  const erase = sequence === 'J' ? '\x1b[1J' : '\x1b[?1J';
  await screen.write(Buffer.from(`\x1b[?1049habc\r\ndef\r\n\x1b[3;1H123456${erase}`));
  expect(gridText(drawn(screen))).toEqual(['', '', '']);
  expect(screen.draw(drawn(screen), null).cursor).toMatchObject({ x: 5, y: 2 });
});
