// Looking around in a terminal's past with keys and mouse, through a real client: search with counts, copies, more panes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../support/held-session.ts';
import { type Seat, Seats } from '../support/seats.ts';

const LINES = Array.from({ length: 3000 }, (_, i) => (i % 1000 === 7 ? `line ${i} Needle here` : `line ${i}`));
const copied = (osc: string[]) =>
  osc.filter((text) => text.startsWith('52;c;')).map((text) => Buffer.from(text.slice(5), 'base64').toString());

/** The first text that comes to the clipboard, the only one so far. */
async function copyOf(seat: Seat): Promise<string> {
  await eventually(() => copied(seat.seen!.osc).length === 1, 'a copy');
  return copied(seat.seen!.osc)[0]!;
}

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
  expect((await copyOf(seat)).trimEnd()).toBe('line 1007 Needle here');
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

test('a pattern is a regular expression, and what cannot be one is looked for as it is', async () => {
  await using seats = await Seats.open();
  const seat = await seats.sit();
  seats.program.write('\x1b[2J\x1b[Hcall(alpha)\r\ncall(beta)\r\nrecall\r\nbottom');
  await seat.find('bottom');
  seat.command('[');
  seat.outer.send('?^call.(alpha|gamma)\r');
  await seat.find('1/1');
  seat.outer.send('Vy');
  expect((await copyOf(seat)).trimEnd()).toBe('call(alpha)');
  seat.command('[');
  seat.outer.send('?call(\r');
  await seat.find('2/2');
  // The hit at hand and the others stand out, each in its own way.
  const ground = async (text: string) => {
    const { x, y } = await seat.find(text);
    return seat.cell(x, y).isBgDefault() ? null : seat.cell(x, y).getBgColor();
  };
  await eventually(async () => (await ground('call(beta)')) !== null, 'the hit at hand stands out');
  const grounds = [await ground('call(alpha)'), await ground('call(beta)'), await ground('recall')];
  expect(grounds[2]).toBeNull();
  expect(new Set(grounds).size).toBe(3);
  seat.outer.send('q');
  await eventually(async () => (await ground('call(beta)')) === null, 'and no longer');
});

test('copy mode stays on the text it shows while the program prints on, and comes back to the end', async () => {
  await using seats = await Seats.open();
  const { program } = seats;
  const seat = await seats.sit();
  program.write(`\x1b[2J\x1b[H${LINES.slice(0, 100).join('\r\n')}`);
  const { y } = await seat.find('line 99');
  seat.command('[');
  // An answer of the server comes after it has begun to hold the text.
  seat.outer.send('?line 9[78]$\r');
  await seat.find('/2');
  program.write(`\r\n${LINES.slice(100, 600).join('\r\n')}`);
  await eventually(async () => (await seats.driver.ok(['read', '1'])).includes('line 599'), 'the program prints on');
  expect(seat.outer.rows()[y]).toContain('line 99');
  seat.outer.send('/line 599\r');
  await seat.find('1/1');
  seat.outer.send('q');
  // The line was there before: what tells is that the bar of copy mode has gone, and that the program's cursor stands behind the line.
  const isLive = () => seat.outer.cursor.visible && seat.outer.cursor.y === y;
  await eventually(() => !seat.outer.rows().join('\n').includes(' copy') && isLive(), 'copy mode ends');
  seat.command('[');
  seat.outer.send('?line 599$\r');
  await seat.find('1/1');
  program.write('\r\nnews one\r\nnews two');
  seat.outer.send('kV');
  await eventually(async () => (await seats.driver.ok(['read', '1'])).includes('news two'), 'the program prints on');
  expect(seat.outer.rows()[y]).toContain('line 599');
  expect(seat.outer.rows().join('\n')).not.toContain('news');
  seat.outer.send('y');
  expect((await copyOf(seat)).trimEnd()).toBe('line 598');
  await seat.find('news two');
});

test.each([
  ['a prompt is drawn anew', '\r\x1b[Kname: changed'],
  ['an agent draws its last rows anew', '\x1b[9A\x1b[Jchanged 1\r\nchanged 2\r\nchanged 3'],
  ['the screen is emptied', '\x1b[H\x1b[2J\x1b[3Jchanged'],
])('copy mode shows the screen as it was although %s', async (_, change) => {
  await using seats = await Seats.open();
  const { program } = seats;
  const seat = await seats.sit();
  program.write(`\x1b[2J\x1b[H${LINES.slice(0, 100).join('\r\n')}\r\nname: as it was`);
  const { x, y } = await seat.find('name: as it was');
  seat.command('[');
  // An answer of the server comes after it has begun to hold the text.
  seat.outer.send('/line 9[78]$\r');
  await seat.find('1/2');
  const pane = () =>
    seat.outer
      .rows()
      .slice(2, y + 1)
      .map((row) => row.slice(x));
  const before = pane();
  program.write(change);
  await eventually(async () => (await seats.driver.ok(['read', '1'])).includes('changed'), 'the program writes');
  seat.outer.send('n');
  await seat.find('2/2');
  expect(pane()).toEqual(before);
  seat.outer.send('Gvky');
  expect((await copyOf(seat)).trimEnd()).toBe('line 99\nn');
  await seat.find('changed');
});

test('who scrolled up a little keeps what they see of the screen, and sees what is there now when they go on', async () => {
  await using seats = await Seats.open();
  const { program } = seats;
  const seat = await seats.sit();
  program.write(`\x1b[2J\x1b[H${LINES.slice(0, 100).join('\r\n')}`);
  const { x, y } = await seat.find('line 99');
  const wheel = (button: number) => seat.outer.send(`\x1b[<${button};${x + 2};${y - 3}M`);
  wheel(64);
  await seat.find('scrolled back');
  await eventually(() => seat.outer.rows()[y]?.includes('line 96'), 'the text three rows up');
  const pane = () =>
    seat.outer
      .rows()
      .slice(2, y + 1)
      .map((row) => row.slice(x));
  const before = pane();
  program.write('\x1b[9A\x1b[Jchanged 1\r\nchanged 2\r\nlast');
  await eventually(async () => (await seats.driver.ok(['read', '1'])).includes('last'), 'the program draws its last rows anew');
  program.write(`${'\r\n'.repeat(20)}more`);
  await seat.find('↓ 13 more');
  expect(pane()).toEqual(before);
  for (let i = 0; i < 3; i++) wheel(65);
  await seat.find('changed 1');
});

test('a drag copies the text that it marks, whatever has been written over it', async () => {
  await using seats = await Seats.open();
  const { program } = seats;
  const seat = await seats.sit();
  program.write(`\x1b[2J\x1b[H${LINES.slice(0, 100).join('\r\n')}\r\nalpha beta gamma\r\ndelta epsilon`);
  const { x, y } = await seat.find('alpha');
  const at = (button: number, col: number, row: number, end = 'M') => `\x1b[<${button};${x + col};${y + row}${end}`;
  const above = `\x1b[<32;${x + 1};2M`;
  seat.outer.send(at(0, 7, 1) + above);
  await eventually(() => seat.outer.rows()[y + 1]?.includes('alpha'), 'the text has moved under the pointer');
  program.write('\x1b[H\x1b[2Jnothing of it');
  await eventually(async () => (await seats.driver.ok(['read', '1'])).includes('nothing of it'), 'the program writes over it');
  seat.outer.send(at(32, 9, 2) + at(0, 9, 2, 'm'));
  await eventually(() => copied(seat.seen!.osc).length === 1, 'the dragged text');
  expect(copied(seat.seen!.osc)).toEqual(['bet']);
  seat.outer.send('x');
  await seat.find('nothing of it');
});

test('copy mode keeps the screen of a full-screen program that goes on painting', async () => {
  await using seats = await Seats.open();
  const { program } = seats;
  const seat = await seats.sit();
  program.write('\x1b[?1049h\x1b[2J\x1b[Hfirst painting\r\nsecond row\x1b[1;1H');
  await seat.find('second row');
  seat.command('[');
  seat.outer.send('/second row\r');
  await eventually(() => / copy +\d\/\d/.test(seat.outer.rows().join('\n')), 'the server holds the screen and has answered');
  for (let i = 0; i < 20; i++) program.write(`\x1b[H\x1b[2J\x1b[Hpainting number ${i}\r\nother row`);
  await eventually(async () => (await seats.driver.ok(['read', '1'])).includes('painting number 19'), 'the program paints on');
  expect(seat.outer.rows().join('\n')).not.toContain('painting number');
  seat.outer.send('Vy');
  expect((await copyOf(seat)).trimEnd()).toBe('second row');
  await seat.find('painting number 19');
});

test('copy mode on a part of a larger screen keeps that part', async () => {
  await using seats = await Seats.open();
  const { program } = seats;
  const desktop = await seats.sit({ cols: 160, rows: 40 });
  await eventually(() => program.size.cols > 100, 'the desktop sizes the terminal');
  const screen = (word: string) => Array.from({ length: program.size.rows }, (_, y) => `\x1b[${y + 1};1H\x1b[2K${word} ${y + 1}.`).join('');
  program.write(`\x1b[?1049h${screen('row')}\x1b[12;6H`);
  await desktop.find('row 12.');
  const phone = await seats.sit({ cols: 65, rows: 20 }, 'row 12.');
  phone.outer.send('\r');
  await phone.find('size of another');
  const before = await phone.find('row 12.');
  phone.command('[');
  phone.outer.send('/row 12\\.\r');
  await eventually(() => / copy +\d\/\d/.test(phone.outer.rows().join('\n')), 'the server holds the screen and has answered');
  for (let i = 0; i < 5; i++) program.write(`${screen(`later${i}`)}\x1b[12;6H`);
  await desktop.find('later4 12.');
  expect(await phone.find('row 12.')).toEqual(before);
  phone.outer.send('Vy');
  expect((await copyOf(phone)).trimEnd()).toBe('row 12.');
  await phone.find('later4 12.');
});

test('a drag marks the text it began on, whatever is printed meanwhile; a triple click takes a line, ctrl+v a rectangle', async () => {
  await using seats = await Seats.open();
  const { program } = seats;
  const seat = await seats.sit();
  program.write(`\x1b[2J\x1b[H${LINES.slice(0, 100).join('\r\n')}\r\n12 ab xy\r\n34 cd zz\r\nlast`);
  const { x, y } = await seat.find('12 ab xy');
  const at = (button: number, col: number, row: number, end = 'M') => `\x1b[<${button};${x + col};${y + row}${end}`;
  seat.outer.send(at(0, 1, 1) + at(32, 2, 1));
  await eventually(() => seat.cell(x, y).isInverse() !== 0, 'the mark');
  program.write(`\r\n${LINES.slice(100, 200).join('\r\n')}\r\nthe end`);
  await eventually(async () => (await seats.driver.ok(['read', '1'])).includes('the end'), 'the program prints on');
  seat.outer.send(at(32, 5, 2) + at(0, 5, 2, 'm'));
  await eventually(() => copied(seat.seen!.osc).length === 1, 'the dragged text');
  expect(copied(seat.seen!.osc)).toEqual(['12 ab xy\n34 cd']);
  await seat.find('the end');
  const end = await seat.find('line 199');
  const click = (button: number, last = 'M') => `\x1b[<${button};${end.x + 2};${end.y + 1}${last}`;
  seat.outer.send((click(0) + click(0, 'm')).repeat(3));
  await eventually(() => copied(seat.seen!.osc).at(-1)?.trimEnd() === 'line 199', 'the line');
  seat.command('[');
  seat.outer.send('?12 ab\r');
  await seat.find('1/1');
  seat.outer.send('lll\x16jly');
  await eventually(() => copied(seat.seen!.osc).at(-1) === 'ab\ncd', `the rectangle: ${JSON.stringify(copied(seat.seen!.osc))}`);
});

test('a drag past the edge goes on through live rows into the history and copies every line once', async () => {
  await using seats = await Seats.open();
  const seat = await seats.sit();
  const lines = LINES.slice(0, 1000);
  seats.program.write(`\x1b[2J\x1b[H${lines.join('\r\n')}`);
  const { x, y } = await seat.find('line 999');
  const top = () => seat.outer.rows()[2]!.slice(x).trimEnd();
  const first = lines.indexOf(top());
  const at = (button: number, row: number, end = 'M') => `\x1b[<${button};${x + 1};${row + 1}${end}`;
  seat.outer.send(at(0, y) + at(32, 1).repeat(400));
  await eventually(() => top() === lines[first - 400], 'four hundred rows up');
  seat.outer.send(at(32, 2) + at(0, 2, 'm'));
  expect((await copyOf(seat)).split('\n')).toEqual([...lines.slice(first - 400, 999), 'l']);
});

test('the history opens in the person’s editor at the line of the cursor', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'herd-editor-'));
  const editor = join(folder, 'editor');
  const script = [
    '#!/bin/sh',
    'line=$(sed -n "$(echo $1 | tr -d +)p" "$2")',
    'printf "at <%s> of %s" "$line" "$(grep -c Needle "$2")"',
    'read _',
    '',
  ];
  writeFileSync(editor, script.join('\n'), { mode: 0o755 });
  try {
    await using seats = await Seats.open();
    const seat = await seats.sit({ env: { EDITOR: editor, VISUAL: '' } });
    seats.program.write(`\x1b[2J\x1b[H${LINES.join('\r\n')}`);
    await seat.find('line 2999');
    seat.command('[');
    seat.outer.send('?line 1007\r');
    await seat.find('1/1');
    seat.outer.send('E');
    await seat.find('at <line 1007 Needle here> of 3');
    seat.outer.send('\r');
    await seat.find('line 1007 Needle');
    seat.outer.send('q');
    await seat.find('line 2999');
    seat.command('E');
    await seat.find('at <line 2999> of 3');
    seat.outer.send('\r');
    await seat.find('line 2999');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('copy mode of a terminal that this client has not shown yet takes the keys typed behind it', async () => {
  await using seats = await Seats.open();
  const seat = await seats.sit();
  const { driver } = seats;
  await driver.ok(['run', '--detach', '--session', driver.session, '--', 'sh', '-c', 'echo beta gamma; exec cat']);
  await eventually(async () => (await driver.ok(['read', '2'])).includes('beta gamma'), 'the other program writes');
  // In the list, whatever is known of its state by then: it was a shell, and has become another program.
  await eventually(() => /^.\S sh /m.test(seat.outer.rows().join('\n')), 'the list has it');
  seat.outer.send('\x02j\x02[ggVy');
  expect(await copyOf(seat)).toBe('beta gamma');
  await seat.find('beta gamma');
  expect((await driver.ok(['read', '2'])).trim()).toBe('beta gamma');
});
