// Where the emulator's own version fails and herd mends it.
import { expect, test } from 'vitest';
import { drawn, gridText, testScreen } from '../../test/support/cells.ts';
import { createEmulator } from './xterm.ts';

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

test('a row that is used again has nothing left of what it was, and shares nothing with another', () => {
  const { core } = createEmulator(10, 3, 2);
  const all = () => Array.from({ length: core.buffers.normal.lines.length }, (_, y) => core.buffers.normal.lines.get(y)!);
  const print = (text: string) => core._inputHandler.parse(Buffer.from(text));
  print('\x1b[4:3me\u0301\x1b[m\r\n'.repeat(7));
  expect(all().map(({ _combined }) => Object.values(_combined))).toEqual([['e\u0301'], ['e\u0301'], ['e\u0301'], ['e\u0301'], []]);
  const before = all();
  print('plain\r\n'.repeat(7));
  expect(new Set([...before, ...all()]).size).toBe(5);
  for (const row of all()) expect([row._combined, row._extendedAttrs]).toEqual([{}, {}]);
  print('a\u0301\x1b[4:3mb');
  const holding = all().filter(({ _combined, _extendedAttrs }) => Object.keys(_combined).length + Object.keys(_extendedAttrs).length > 0);
  expect(holding.map(({ _combined }) => _combined)).toEqual([{ 0: 'a\u0301' }]);
});
