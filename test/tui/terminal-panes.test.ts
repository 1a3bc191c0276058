// What a program is told and asked through the chrome of a session: answers with nobody there, one client and two; focus, mouse and wheel
// in a pane that is not at the tty's corner; modes taken back when the client leaves or dies.
import { expect, test } from 'vitest';
import { RESET_SEQUENCE } from '../../src/tui/tty-modes.ts';
import { eventually } from '../support/held-session.ts';
import { Seats } from '../support/seats.ts';

const QUESTIONS =
  '\x1b[c\x1b[>c\x1b[>q\x1b[?u\x1b[?996n\x1b[14t\x1b[16t\x1b[18t\x1b]11;?\x07\x1b[?2026$p\x1bP+q524742\x1b\\\x1b]7501;?\x1b\\\x1b[6n';

test('each question has one answer, in order, with nobody there, one client and two', async () => {
  await using seats = await Seats.open();
  const { program } = seats;
  const ask = async () => {
    program.input = '';
    program.write(`\x1b[2J\x1b[3;5H${QUESTIONS}`);
    await eventually(() => program.input.endsWith('R'), `the last answer: ${JSON.stringify(program.input)}`);
    return program.input;
  };
  const alone = await ask();
  expect(alone).toMatch(
    /^\x1b\[\?62;22c\x1b\[>1;10;0c\x1bP>\|herd\(.*?\)\x1b\\\x1b\[\?0u\x1b\[\?997;[12]n\x1b\[4;\d+;\d+t\x1b\[6;\d+;\d+t\x1b\[8;\d+;\d+t\x1b\]11;rgb:[\da-f/]+\x1b\\\x1b\[\?2026;2\$y\x1bP1\+r524742=382F382F38\x1b\\\x1b\]7501;\?\x1b\\\x1b\[3;5R$/,
  );
  const first = await seats.sit();
  const one = await eventually(
    async () => ((await ask()).includes('rgb:1c1c/1d1d/1e1e') && program.input.includes('\x1b[6;20;10t') ? program.input : null),
    'the colours and cells of the client',
  );
  const second = await seats.sit({ cols: 100 });
  expect((await ask()).length).toBe(one.length);
  await seats.leave(first);
  await seats.leave(second);
  expect(await ask(), 'the last known colours').toContain('rgb:1c1c/1d1d/1e1e');
});

test('a program that asked for it (mode 2048) reads each size once, as the kernel has it', async () => {
  await using seats = await Seats.open();
  const { program } = seats;
  const seat = await seats.sit({ cols: 120, rows: 30 });
  await eventually(() => program.size.cols > 80, 'the client sizes the terminal');
  program.input = '';
  program.write('\x1b[?2048h');
  const told = async () => {
    const report = ({ cols, rows }: { cols: number; rows: number }) => `\x1b[48;${rows};${cols};${rows * 20};${cols * 10}t`;
    await eventually(
      () => program.input === report(program.size),
      () => JSON.stringify([program.input, program.size]),
    );
    program.input = '';
  };
  await told();
  const before = { ...program.size };
  seat.outer.resize(100, 26);
  await eventually(() => program.size.rows < before.rows, 'another size');
  await told();
  program.write('\x1b[?2048l');
  seat.outer.resize(120, 30);
  await eventually(() => program.size.rows === before.rows, 'the first size again');
  seat.outer.send('k');
  await eventually(() => program.input === 'k', 'nothing but a key');
});

test('a program hears of the focus: of the window, and of the pane beside it', async () => {
  await using seats = await Seats.open();
  const { program } = seats;
  const seat = await seats.sit({ cols: 160, rows: 40 });
  program.write('\x1b[?1004hready');
  await seat.find('ready');
  const told = async (event: string, act: () => void) => {
    program.input = '';
    act();
    await eventually(() => program.input === event, `the program reads ${JSON.stringify(event)}, not ${JSON.stringify(program.input)}`);
  };
  await told('\x1b[O', () => seat.outer.send('\x1b[O'));
  await told('\x1b[I', () => seat.outer.send('\x1b[I'));
  await told('\x1b[O', () => seat.command('-'));
  await told('\x1b[I', () => seat.command('K'));
  await told('\x1b[O', () => seat.command('d'));
});

test('mouse and wheel come in cells of the pane, to the program that asked, else to herd', async () => {
  await using seats = await Seats.open();
  const { program } = seats;
  const seat = await seats.sit();
  const { x, y } = await seat.find('#here#');
  const mouse = (button: number, col: number, row: number, end = 'M') => `\x1b[<${button};${x + col};${y + row}${end}`;
  seat.outer.send(`${mouse(0, 3, 2) + mouse(0, 3, 2, 'm')}c`);
  await eventually(() => program.input === 'c', `a click that nobody wants is not typed: ${JSON.stringify(program.input)}`);
  program.input = '';
  program.write('\x1b[?1002h\x1b[?1006hready');
  await seat.find('ready');
  seat.outer.send(mouse(0, 5, 4) + mouse(32, 6, 4) + mouse(0, 6, 4, 'm') + mouse(64, 7, 5));
  await eventually(() => program.input.endsWith('\x1b[<64;7;5M'), `the wheel: ${JSON.stringify(program.input)}`);
  expect(program.input).toBe('\x1b[<0;5;4M\x1b[<32;6;4M\x1b[<0;6;4m\x1b[<64;7;5M');
  program.write(`\x1b[?1002l\x1b[2J\x1b[H${Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\r\n')}`);
  await seat.find('line 99');
  program.input = '';
  for (let i = 0; i < 10; i++) seat.outer.send(mouse(64, 7, 5));
  await eventually(() => !seat.outer.rows().join('\n').includes('line 99'), 'the view scrolls');
  // A key returns to the tail.
  seat.outer.send('k');
  await seat.find('line 99');
  await eventually(() => program.input === 'k', `the key is typed: ${JSON.stringify(program.input)}`);
});

test('a click on a phone is where the program has what was clicked: on a part of its screen, and on text wrapped for the phone', async () => {
  await using seats = await Seats.open();
  const { program, driver } = seats;
  const desktop = await seats.sit({ cols: 160, rows: 40 });
  await eventually(() => program.size.cols > 100, 'the desktop sizes the terminal');
  const { cols } = program.size;
  program.write(`\x1b[?1000h\x1b[?1006h\x1b[?1049h\x1b[2J\x1b[20;${cols - 9}H[press]`);
  await desktop.find('[press]');
  const phone = await seats.sit({ cols: 65, rows: 35 }, '[press]');
  phone.outer.send('\r');
  await phone.find('size of another');
  const click = async (text: string) => {
    program.input = '';
    const { x, y } = await phone.find(text);
    phone.outer.send(`\x1b[<0;${x + 2};${y + 1}M`);
    await eventually(() => program.input.endsWith('M'), 'a click');
    return program.input;
  };
  expect(await click('[press]')).toBe(`\x1b[<0;${cols - 8};20M`);
  program.write(`\x1b[?1049l\x1b[2J\x1b[H${'word '.repeat(12)}${'x'.repeat(30)} [wrapped]`);
  await phone.find('[wrapped]');
  expect(await click('[wrapped]')).toBe('\x1b[<0;93;1M');
  expect((await driver.ok(['read', '1'])).split('\n')[0]).toContain('[wrapped]');
});

test('C15: who scrolled up stays on the same text under output, a resize and a new client', async () => {
  await using seats = await Seats.open();
  const { program } = seats;
  const seat = await seats.sit();
  const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `text ${from + i}.`).join('\r\n');
  program.write(`\x1b[2J\x1b[H${lines(0, 600)}`);
  const { x, y } = await seat.find('text 599.');
  const top = () => seat.outer.rows().findLast((_, row) => row <= 2) ?? '';
  const first = Number(/text (\d+)\./.exec(top())![1]);
  for (let i = 0; i < 100; i++) seat.outer.send(`\x1b[<64;${x + 2};${y - 5}M`);
  const shown = `text ${first - 300}.`;
  await eventually(() => top().includes(shown), 'three hundred lines up');
  program.write(`\r\n${lines(600, 1100)}`);
  await eventually(() => /↓ \d+ more/.test(seat.outer.rows().join('\n')), 'a mark for what came in');
  expect(top()).toContain(shown);
  seat.outer.resize(100, 26);
  await eventually(() => top().includes(shown), 'the same text after a resize');
  seat.outer.send('k');
  await seat.find('text 1099.');
});

test.each([
  [
    'was stopped from outside',
    async (seats: Seats, seat: Awaited<ReturnType<Seats['sit']>>) => {
      const entered = () => seat.outer.written.split('\x1b[?1049h').length;
      const before = entered();
      seat.outer.signal('SIGSTOP');
      seat.outer.signal('SIGCONT');
      await eventually(() => entered() > before, 'it takes the terminal again');
      await seats.leave(seat);
    },
  ],
  ['detaches', async (seats: Seats, seat: Awaited<ReturnType<Seats['sit']>>) => seats.leave(seat)],
  [
    'is ended',
    async (_: Seats, seat: Awaited<ReturnType<Seats['sit']>>) => {
      seat.outer.signal('SIGTERM');
      await seat.outer.exited;
    },
  ],
])('a client that %s gives the terminal back as it was', async (_name, end) => {
  await using seats = await Seats.open();
  const seat = await seats.sit();
  seats.program.write('\x1b[>31u\x1b[?1003h\x1b[?1006h\x1b[5 q\x1b]12;#ff0000\x07ready');
  await seat.find('ready');
  await eventually(() => seat.seen!.osc.includes('12;#ff0000'), 'the cursor has its colour');
  await end(seats, seat);
  const { kitty, otherKeys, modes, osc } = seat.seen!;
  await eventually(() => kitty.length === 0 && otherKeys === 0, 'the keyboard is as it was');
  await eventually(() => osc.some((text) => text.startsWith('112;')), 'so is the cursor');
  expect([...modes].filter((mode) => [1000, 1002, 1003, 1004, 1006, 1049, 2004, 2026, 2031].includes(mode))).toEqual([]);
  expect(seat.outer.emulator.buffer.active.type).toBe('normal');
});

test('herd reset undoes what a client that was killed has left', async () => {
  await using seats = await Seats.open();
  const seat = await seats.sit();
  seat.outer.kill();
  await seat.outer.exited;
  const { stdout } = await seats.driver.run(['reset']);
  const bytes = stdout || RESET_SEQUENCE;
  await new Promise<void>((resolve) => seat.outer.emulator.write(bytes, resolve));
  expect(seat.outer.emulator.buffer.active.type).toBe('normal');
  expect([...seat.seen!.modes].filter((mode) => [1000, 1002, 1003, 1004, 1006, 1049, 2004].includes(mode))).toEqual([]);
  expect(seat.seen!.kitty).toEqual([]);
});
