// Mouse reports by mode and encoding, and whom the wheel belongs to.
import { expect, test } from 'vitest';
import { testScreen } from '../../test/support/cells.ts';
import { ALT, CTRL, type MouseEvent, SHIFT } from '../model/input.ts';

function encoded(setup: string, event: Partial<MouseEvent>): string | null {
  const { screen } = testScreen(300, 300);
  screen.write(Buffer.from(setup));
  const bytes = screen.encode({ type: 'mouse', action: 'press', button: 'left', mods: 0, x: 4, y: 2, ...event });
  return bytes && Buffer.from(bytes).toString('latin1');
}

test.each<[string, Partial<MouseEvent>, string | null]>([
  ['', {}, null],
  ['\x1b[?9h', {}, '\x1b[M %#'],
  ['\x1b[?9h', { action: 'release' }, null],
  ['\x1b[?1000h', { action: 'release' }, '\x1b[M#%#'],
  ['\x1b[?1000h', { x: 250 }, null],
  ['\x1b[?1000h\x1b[?1006h', { x: 250 }, '\x1b[<0;251;3M'],
  ['\x1b[?1000h\x1b[?1006h', { action: 'release', button: 'right' }, '\x1b[<2;5;3m'],
  ['\x1b[?1000h\x1b[?1006h', { action: 'move' }, null],
  ['\x1b[?1002h\x1b[?1006h', { action: 'move' }, '\x1b[<32;5;3M'],
  ['\x1b[?1002h\x1b[?1006h', { action: 'move', button: 'none' }, null],
  ['\x1b[?1003h\x1b[?1006h', { action: 'move', button: 'none' }, '\x1b[<35;5;3M'],
  ['\x1b[?1000h\x1b[?1006h', { button: 'wheelup', mods: CTRL | ALT | SHIFT }, '\x1b[<92;5;3M'],
  ['\x1b[?1000h\x1b[?1006h', { button: 'wheeldown', action: 'release' }, null],
  ['\x1b[?1000h\x1b[?1006h', { button: 'back' }, '\x1b[<128;5;3M'],
  ['\x1b[?1000h\x1b[?1006h', { x: -1 }, null],
  ['\x1b[?1049h', { button: 'wheelup' }, '\x1b[A\x1b[A\x1b[A'],
  ['\x1b[?1049h\x1b[?1h', { button: 'wheeldown' }, '\x1bOB\x1bOB\x1bOB'],
  ['\x1b[?1049h\x1b[?1007l', { button: 'wheelup' }, null],
  ['', { button: 'wheelup' }, null],
])('%j %j', (setup, event, expected) => expect(encoded(setup, event)).toBe(expected));

test.each([
  ['', 'view'],
  ['\x1b[?1000h', 'program'],
  ['\x1b[?9h', 'view'],
  ['\x1b[?1049h', 'program'],
  ['\x1b[?1049h\x1b[?1007l', 'view'],
])('after %j the wheel goes to the %s', (setup, expected) => {
  const { screen } = testScreen(80, 24);
  screen.write(Buffer.from(setup));
  expect(screen.wheelGoesTo).toBe(expected);
});
