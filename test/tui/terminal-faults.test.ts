// Faults that people reported of other terminals and multiplexers, as inputs with the right behaviour: seen through real clients.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UNKNOWN_OUTER } from '../../src/model/outer.ts';
import { width } from '../../src/model/width.ts';
import type { TerminalFacts } from '../../src/model/workspace.ts';
import { connectClient } from '../../src/wire/client.ts';
import { Driver } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { makeRepository } from '../support/repository.ts';
import { Seat, Seats } from '../support/seats.ts';

const C18_TEXTS = ['⚠️ hello', '🚀 x', '👨‍👩‍👧 x', '🇹🇷 x', 'e\u0301 x', 'ﾊﾞ x', `z${'\u0301'.repeat(500)} x`, '漢字'];

const PASTE = '\x1b[200~one\n\ttwo \x1b]0;x\x07\nthree\x1b[201~';

test('C10: a paste of three lines by hand, with kitty keys on, is one paste of three lines', async () => {
  await using seats = await Seats.open();
  const { program } = seats;
  const seat = await seats.sit();
  program.write('\x1b[>1u\x1b[?2004hready');
  await seat.find('ready');
  seat.outer.send(PASTE);
  seat.outer.send('z');
  await eventually(() => program.input.endsWith('z'), `the paste and the key behind it: ${JSON.stringify(program.input)}`);
  expect(program.input).toBe(`${PASTE}z`);
});

test.each([
  ['kitty', '\x1b[>1u', '\x1b[13;2u'],
  ['modifyOtherKeys', '\x1b[>4;2m', '\x1b[27;2;13~'],
  ['nothing', '', '\n'],
])('C11: Shift+Enter for a program that asked for %s', async (_name, ask, wanted) => {
  await using seats = await Seats.open();
  const { program } = seats;
  const seat = await seats.sit();
  program.write(`${ask}ready`);
  await seat.find('ready');
  for (const pressed of ['\x1b[13;2u', '\x1b[27;2;13~']) {
    program.input = '';
    seat.outer.send(`${pressed}z`);
    await eventually(() => program.input.endsWith('z'), `the key as the program wants it: ${JSON.stringify(program.input)}`);
    expect(program.input).toBe(`${wanted}z`);
  }
  await seats.leave(seat);
  const left = () => {
    const modes = [...seat.seen!.modes].filter((mode) => [1000, 1002, 1003, 1004, 1006, 1049, 2004, 2026, 2031].includes(mode));
    return [...seat.seen!.kitty, seat.seen!.otherKeys, ...modes];
  };
  // The client's exit may be told before its last bytes.
  await eventually(() => left().join() === '0', 'the outer terminal is as it was');
});

test('C14: thousands of repaints a second: typing echoes, the last frame is exact, few bytes are written', async () => {
  await using seats = await Seats.open();
  const { program } = seats;
  const seat = await seats.sit();
  const before = seat.outer.written.length;
  const frames = 20_000;
  let n = 0;
  const more = () => {
    for (const end = Math.min(frames, n + 500); n < end; n++)
      program.write(`\x1b[H${[1, 2, 3].map((row) => `\x1b[2Kframe ${n} row ${row}`).join('\r\n')}\x1b[3A`);
    if (n < frames) setTimeout(more, 20);
  };
  more();
  seat.outer.send('e');
  await eventually(() => program.input === 'e', 'a key typed meanwhile');
  await seat.find(`frame ${frames - 1} row 3`);
  for (const row of [1, 2]) await seat.find(`frame ${frames - 1} row ${row}`);
  expect(seat.outer.written.length - before).toBeLessThan(frames * 20);
});

test('C14: a synchronized frame that is never closed is shown after a while', async () => {
  await using seats = await Seats.open();
  const seat = await seats.sit();
  seats.program.write('\x1b[?2026h\x1b[2J\x1b[Hopen frame');
  await seat.find('open frame');
});

test('C14: a client that is stopped while 50 MB stream costs the others nothing; nothing is kept for it but the last frame', async () => {
  await using seats = await Seats.open();
  const { program } = seats;
  const live = await seats.sit();
  const stopped = await seats.sit();
  /** Bytes that a client has read, which is what was sent to it or waited for it. */
  const read = (seat: Seat) => Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${seat.outer.pid}/io`, 'utf8'))![1]);
  const before = { live: read(live), stopped: read(stopped) };
  stopped.outer.signal('SIGSTOP');
  try {
    // Rows that all differ: every frame is a whole screen.
    for (let sent = 0, n = 0; sent < 50e6; n++) {
      const rows = Array.from({ length: 600 }, (_, y) => `\x1b[38;5;${(n + y) % 256}m${`${n * y} `.repeat(20)}`).join('\r\n');
      program.write(rows);
      sent += rows.length;
    }
    program.write('\x1b[m\r\nthe end');
    await live.find('the end');
  } finally {
    stopped.outer.signal('SIGCONT');
  }
  await stopped.find('the end');
  const grown = { live: read(live) - before.live, stopped: read(stopped) - before.stopped };
  // 256 KiB in the server, as much as the kernel's buffers hold, and a frame.
  expect(grown.stopped, JSON.stringify(grown)).toBeLessThan(1.5e6);
});

test('C16: a phone looks without resizing what the desktop has', async () => {
  await using seats = await Seats.open();
  const { program, driver } = seats;
  const desktop = await seats.sit({ cols: 160, rows: 40 });
  const wide = await eventually(() => (program.size.cols > 80 ? { ...program.size } : null), 'the desktop sizes the terminal');
  const transcript = Array.from({ length: 120 }, (_, i) => `line ${i} ${'word '.repeat(20)}`.trimEnd());
  program.write(`\x1b[2J\x1b[H${transcript.join('\r\n')}\r\n> prompt`);
  await desktop.find('> prompt');
  const before = await driver.ok(['read', '1', '--lines', '200']);
  const sizes = program.sizes.length;
  const phone = await seats.sit({ cols: 65, rows: 35 }, '> prompt');
  // All of a line that is wider than the phone is there, wrapped at words, and so is what scrolled away.
  const wrapped = `line 119 ${'word '.repeat(20)}`.trimEnd();
  const shown = () => phone.outer.rows().join(' ').replace(/[│ ]+/g, ' ');
  await eventually(() => shown().includes(wrapped), 'a line that is wider than the phone');
  // Small screens begin in the list.
  phone.outer.send('\r');
  const { x, y } = await phone.find('> prompt');
  for (let i = 0; i < 40; i++) phone.outer.send(`\x1b[<64;${x + 1};${y}M`);
  await eventually(
    () => shown().includes(`line 50 ${'word '.repeat(20)}`),
    () => `what scrolled away: ${shown()}`,
  );
  phone.outer.send('x');
  await eventually(() => program.input.includes('x'), 'the phone types');
  await seats.leave(phone);
  expect(program.size).toEqual(wide);
  expect(program.sizes.slice(sizes)).toEqual([]);
  expect(await driver.ok(['read', '1', '--lines', '200'])).toBe(before);
});

test('C16: a phone on a full-screen program without a cursor sees the bottom, then what its keys change', async () => {
  await using seats = await Seats.open();
  const { program } = seats;
  const desktop = await seats.sit({ cols: 160, rows: 40 });
  await eventually(() => program.size.cols > 100, 'the desktop sizes the terminal');
  const { rows } = program.size;
  const screen = Array.from({ length: rows }, (_, y) => `\x1b[${y + 1};1Hitem ${y + 1}.`).join('');
  program.write(`\x1b[?1049h\x1b[?25l${screen}`);
  await desktop.find(`item ${rows}.`);
  const phone = await seats.sit({ cols: 65, rows: 20 }, `item ${rows}.`);
  phone.outer.send('\r');
  await phone.find('size of another');
  await phone.find(`item ${rows}.`);
  phone.outer.send('k');
  await eventually(() => program.input.includes('k'), 'the phone types');
  program.write('\x1b[3;1H\x1b[7mitem 3, chosen\x1b[m');
  await phone.find('item 3, chosen');
  program.write(`\x1b[${rows};1Hspinner`);
  await desktop.find('spinner');
  expect(phone.outer.rows().join('\n')).toContain('item 3, chosen');
});

test('C16: crossed sizes: both see the prompt line', async () => {
  await using seats = await Seats.open();
  const tall = await seats.sit({ cols: 100, rows: 60 });
  const broad = await seats.sit({ cols: 180, rows: 40 });
  seats.program.write(`\x1b[2J\x1b[H\x1b[${seats.program.size.rows};1H> prompt`);
  await tall.find('> prompt');
  await broad.find('> prompt');
  tall.outer.send('t');
  await eventually(() => seats.program.input.includes('t'), 'the tall one types and sizes the terminal now');
  seats.program.write(`\x1b[2J\x1b[H\x1b[${seats.program.size.rows};1H> again`);
  await tall.find('> again');
  await broad.find('> again');
});

test('C18: bars behind emoji and joined characters align, live and as read', async () => {
  await using seats = await Seats.open();
  const { program, driver } = seats;
  const seat = await seats.sit();
  const texts = C18_TEXTS;
  const rows = Array.from({ length: 200 }, (_, i) => texts[i % texts.length]!);
  program.write(`\x1b[2J\x1b[H${rows.map((text) => `${text}\x1b[20G|`).join('\r\n')}\r\n\x1b[20G|end`);
  const { x, y } = await seat.find('|end');
  for (let up = 1; up < 20; up++) expect(seat.cell(x, y - up).getChars(), `row ${up}`).toBe('|');
  expect(Buffer.byteLength(seat.cell(x - 19, y - 2).getChars())).toBeLessThan(200);
  const read = (await driver.ok(['read', '1', '--lines', '100'])).trimEnd().split('\n').slice(-17);
  const plain = read.filter((row) => !row.startsWith('z')).map((row) => row.replace(/ *\|.*$/, ''));
  for (const text of plain) expect(['', ...texts]).toContain(text);
});

test('C20: colours and environment: nothing of a foreign multiplexer, true colour where the terminal has it', async () => {
  const foreign = {
    TMUX: '/tmp/tmux-0/default,1,0',
    TMUX_PANE: '%1',
    STY: '1.x',
    ZELLIJ: '0',
    TERM: 'screen',
    npm_config_x: '1',
    NODE_OPTIONS: '',
  };
  await using seats = await Seats.open(foreign);
  const { env } = seats.program;
  expect(Object.keys(env).filter((name) => /^(TMUX|STY|ZELLIJ|npm_|NODE_OPTIONS)/.test(name))).toEqual([]);
  expect([env.TERM, env.COLORTERM, env.TERM_PROGRAM]).toEqual(['xterm-256color', 'truecolor', 'herd']);
  const able = await seats.sit();
  const poor = await seats.sit({ plain: true, env: { COLORTERM: '' } });
  const steps = Array.from({ length: 77 }, (_, i) => `\x1b[38;2;${i * 3};${255 - i * 3};10m#`);
  seats.program.write(`\x1b[2J\x1b[H${steps.join('')}\x1b[m|77`);
  for (const seat of [able, poor]) {
    const { x, y } = await seat.find('|77');
    const colours = steps.map((_, i) => seat.cell(x - 77 + i, y));
    if (seat === able)
      expect(colours.map((cell) => cell.getFgColor())).toEqual(steps.map((_, i) => ((i * 3) << 16) | ((255 - i * 3) << 8) | 10));
    else expect(colours.every((cell) => cell.isFgPalette() && cell.getFgColor() >= 16)).toBe(true);
  }
});

test('C21: a copy reaches the client that had the focus last, once; reads and empty copies nobody', async () => {
  await using seats = await Seats.open();
  const { program } = seats;
  const first = await seats.sit();
  const second = await seats.sit({ env: { TMUX: '/tmp/tmux-0/default,1,0' } });
  const copies = (seat: typeof first) => seat.seen!.osc.filter((text) => text.startsWith('52;'));
  const big = 'y'.repeat(100_000);
  first.outer.send('\x1b[I1');
  await eventually(() => program.input.includes('1'), 'the first has the focus');
  program.write(`\x1b]52;c;?\x07\x1b]52;c;\x07\x1b]52;c;${Buffer.from(big).toString('base64')}\x07\x1b[2J\x1b[Hcopied`);
  await first.find('copied');
  await second.find('copied');
  await eventually(() => copies(first).length > 0, 'the copy');
  expect(copies(first)).toEqual([`52;c;${Buffer.from(big).toString('base64')}`]);
  expect(copies(second)).toEqual([]);
  second.outer.send('\x1b[I2');
  await eventually(() => program.input.includes('2'), 'the second has the focus');
  program.write('\x1b]52;c;aGVsbG8=\x07');
  // Inside tmux: plain for tmux itself, and wrapped for the terminal around it.
  const wrapped = '\x1bPtmux;\x1b\x1b]52;c;aGVsbG8=\x1b\x1b\\\x1b\\';
  await eventually(() => second.outer.written.includes(wrapped), 'the copy through tmux');
  await eventually(() => copies(second)[0] === '52;c;aGVsbG8=', 'the copy for tmux itself');
  expect(copies(first).length).toBe(1);
  expect(program.input).not.toContain('52;c');
});

test('C22: the path of a pasted picture comes as it is, and Ctrl+V stays a key', async () => {
  await using seats = await Seats.open();
  const { program } = seats;
  const seat = await seats.sit();
  program.write('\x1b[?2004hready');
  await seat.find('ready');
  const here = join(seats.driver.dir, 'Screen Shot 1.png');
  writeFileSync(here, 'picture');
  for (const path of [here, '/nowhere/Screen Shot 1.png']) {
    program.input = '';
    seat.outer.send(`\x1b[200~${path}\x1b[201~\x16`);
    await eventually(() => program.input.endsWith('\x16'), 'the path and the key');
    expect(program.input).toBe(`\x1b[200~${path}\x1b[201~\x16`);
  }
});

test('C23: all a program wrote is there when its exit is told, a hundred times over', async () => {
  await using herd = new Driver();
  await herd.ok(['run', '--detach', '--session', herd.session, '--', 'cat']);
  const state = join(herd.dir, herd.session);
  const version = (await herd.ok(['--version'])).trim().split(' ').at(-1)!;
  let told = (_terminal: TerminalFacts): void => {};
  const client = await connectClient({
    ...{ socket: join(state, 'herd.sock'), token: readFileSync(join(state, 'token'), 'utf8'), version },
    onEvent: (event) => {
      if (event.event === 'terminal') told(event.terminal);
      if (event.event === 'workspace') for (const terminal of event.workspace.terminals) told(terminal);
    },
  });
  const place = { cwd: herd.dir, env: herd.env };
  await client.request('client.attach', { cols: 120, rows: 30, outer: { name: '', ...UNKNOWN_OUTER }, place });
  try {
    for (let i = 0; i < 100; i++) {
      const read = Promise.withResolvers<[code: number | null, text: string]>();
      const script = `head -c 20000 /dev/zero | tr '\\0' x; echo; echo -n result ${i}; exit 7`;
      told = ({ id: terminal, argv, exit }) => {
        if (!exit || argv[2] !== script) return;
        // Asked for in the very moment the exit is told.
        const asked = client.request('terminal.read', { terminal, lines: 400 });
        asked.then(({ text }) => read.resolve([exit.code, text]), read.reject);
      };
      await client.request('workspace.run', { place, argv: ['sh', '-c', script] });
      const [code, text] = await read.promise;
      expect([code, text.match(/x/g)?.length, text.trimEnd().split('\n').at(-1)]).toEqual([7, 20_000, `result ${i}`]);
    }
  } finally {
    client.close();
  }
});

test('C18: bars behind emoji and joined characters align in the diff pane', async () => {
  using repository = makeRepository();
  const padded = C18_TEXTS.map((text) => `${text}${' '.repeat(20 - width(text))}|`);
  repository.put(
    'bars.txt',
    `${Array.from({ length: 4 }, () => padded)
      .flat()
      .join('\n')}\nlast\n`,
  );
  await using herd = new Driver({ cwd: repository.dir });
  await herd.ok(['open', '.', '--', 'cat']);
  const seat = new Seat(herd, { cols: 160, rows: 45 });
  try {
    const { x } = await seat.find('hello');
    const barred = () => Array.from({ length: 45 }, (_, y) => y).filter((y) => seat.outer.cells(y, x + 14, x + 22).includes('|'));
    const rows = await eventually(() => (barred().length >= padded.length * 2 ? barred() : null), 'the rows of the file');
    for (const y of rows) expect(seat.cell(x - 3 + 20, y).getChars(), `row ${y}: ${seat.outer.cells(y, 0, 160)}`).toBe('|');
  } finally {
    seat.outer.kill();
  }
});

test('C24: in herd’s own text box the terminal’s cursor is the caret, behind wide text and inside it', async () => {
  await using seats = await Seats.open();
  const seat = await seats.sit();
  seat.command('p');
  await seat.find('prompt');
  seat.outer.send('한국어');
  const { x, y } = await seat.find('한국어');
  const at = (column: number) =>
    eventually(
      () => seat.outer.cursor.x === column && seat.outer.cursor.y === y,
      () => `the cursor is at ${x}+${seat.outer.cursor.x - x}, not ${x}+${column - x}`,
    );
  await at(x + 6);
  seat.outer.send('\x1b[D');
  await at(x + 4);
  seat.outer.send('두');
  await seat.find('한국두어');
  await at(x + 6);
  seat.outer.send('\x1b[D\x1b[D\x7f');
  await seat.find('국두어');
  await at(x);
  expect(seat.outer.rows()[y]).not.toContain('한');
  expect(seat.outer.cursor.visible).toBe(true);
});

test('C24: the cursor stands where the program has it, behind wide text, in the focused pane', async () => {
  await using seats = await Seats.open();
  const seat = await seats.sit();
  const { x, y } = await seat.find('#here#');
  seats.program.write('\x1b[2J\x1b[12;10H한국어漢字🚀\x1b[12;40H');
  await seat.find('한국어');
  await eventually(
    () => seat.outer.cursor.x === x + 39 && seat.outer.cursor.y === y + 11,
    'the cursor of the terminal on that of the program',
  );
  seats.program.write('\x1b[12;16H');
  await eventually(() => seat.outer.cursor.x === x + 15, 'inside the wide text');
  expect(seat.outer.cursor.visible).toBe(true);
});
