// Looking around in a terminal's past with keys and mouse, through a real client: search with counts, copies, more panes.
import { expect, test } from 'vitest';
import { eventually } from '../support/held-session.ts';
import { Seats } from '../support/seats.ts';

const LINES = Array.from({ length: 3000 }, (_, i) => (i % 1000 === 7 ? `line ${i} Needle here` : `line ${i}`));
const copied = (osc: string[]) =>
  osc.filter((text) => text.startsWith('52;c;')).map((text) => Buffer.from(text.slice(5), 'base64').toString());

test('search finds what scrolled away long ago, counts it, and copies it', async () => {
  await using seats = await Seats.open();
  const seat = await seats.sit();
  seats.program.write(`\x1b[2J\x1b[H${LINES.join('\r\n')}`);
  await seat.find('line 2999');
  seat.command('/');
  seat.outer.send('needle\r');
  await seat.find('Needle here');
  await seat.find('3/3');
  seat.outer.send('n');
  await seat.find('line 1007 Needle');
  await seat.find('2/3');
  seat.outer.send('n');
  await seat.find('line 7 Needle');
  seat.outer.send('N');
  await seat.find('line 1007 Needle');
  seat.outer.send('Vy');
  await eventually(() => copied(seat.seen!.osc).length === 1, 'a copy');
  expect(copied(seat.seen!.osc)[0]!.trimEnd()).toBe('line 1007 Needle here');
  expect(seats.program.input).toBe('');
});

test('a drag copies what it covers, a double click a word', async () => {
  await using seats = await Seats.open();
  const seat = await seats.sit();
  seats.program.write('\x1b[2J\x1b[Halpha beta gamma\r\ndelta epsilon');
  const { x, y } = await seat.find('alpha');
  const at = (button: number, col: number, row: number, end = 'M') => `\x1b[<${button};${x + col};${y + row}${end}`;
  seat.outer.send(at(0, 7, 1) + at(32, 9, 1) + at(32, 5, 2) + at(0, 5, 2, 'm'));
  await eventually(() => copied(seat.seen!.osc).length === 1, 'the dragged text');
  expect(copied(seat.seen!.osc)).toEqual(['beta gamma\ndelta']);
  seat.outer.send(at(0, 9, 2) + at(0, 9, 2, 'm') + at(0, 9, 2) + at(0, 9, 2, 'm'));
  await eventually(() => copied(seat.seen!.osc).length === 2, 'the word');
  expect(copied(seat.seen!.osc)[1]).toBe('epsilon');
});

test('a screen that a full-screen program showed is found after the program has gone on and ended', async () => {
  await using seats = await Seats.open();
  const { program } = seats;
  const seat = await seats.sit();
  program.write('\x1b[?1049h\x1b[2J\x1b[Hhaystack one');
  await seat.find('haystack one');
  const shown = performance.now();
  await eventually(() => performance.now() > shown + 700, 'it has stood as long as a reader needs');
  program.write('\x1b[2J\x1b[Hother screen\x1b[?1049l\x1b[2J\x1b[Hback');
  await seat.find('back');
  seat.command('/');
  seat.outer.send('haystack\r');
  await seat.find('1/1');
  await seat.find('haystack one');
});
