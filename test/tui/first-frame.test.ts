// What a client shows before its app is loaded. To look at that moment as long as a test needs, the built entry is run alone, in a folder
// of its own: its app is missing, or never comes.
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ENTER, LEAVE } from '../../src/tui/tty-modes.ts';
import { eventually } from '../support/held-session.ts';
import { Outer } from '../support/outer.ts';
import { type Seat, Seats } from '../support/seats.ts';

const DIST = join(import.meta.dirname, '../../dist');
const folder = mkdtempSync(join(tmpdir(), 'herd-entry-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The built entry with `app` in place of the app it loads. */
function entryWith(name: string, app: string): string {
  const path = join(folder, `${name}.mjs`);
  copyFileSync(join(DIST, 'main.js'), path);
  writeFileSync(path, readFileSync(path, 'utf8').replace(/import\("\.\/[\w-]+\.js"\)/, `import("./${name}-app.mjs")`));
  writeFileSync(join(folder, `${name}-app.mjs`), app);
  return path;
}

function start(seats: Seats, entry: string, cols = 120, rows = 30): Outer {
  const { env, session } = seats.driver;
  return new Outer({ cols, rows, argv: [process.execPath, entry, '--session', session], env: { ...env, SHELL: '/bin/sh' } });
}

/** A client that shows its first frame and whose app does nothing until it crashes at SIGUSR2. */
async function painted(seats: Seats): Promise<Outer> {
  const loaded = join(folder, 'loaded');
  const app = [
    `const crash = new Promise((resolve) => process.once('SIGUSR2', resolve));`,
    'setInterval(() => {}, 1e6);',
    `process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(loaded)}, '');`,
    `await crash; throw new Error('no app');`,
  ];
  const entry = entryWith('standing', app.join('\n'));
  for (;;) {
    rmSync(loaded, { force: true });
    const outer = start(seats, entry);
    await eventually(() => existsSync(loaded), 'the app is loaded');
    // What the entry wrote is in the kernel by now: one turn of the loop reads it.
    await new Promise((read) => setTimeout(read));
    await new Promise((read) => setImmediate(read));
    if (outer.written !== '') return outer;
    // The server took so long on a busy machine that the app was to paint.
    outer.kill();
    await outer.exited;
  }
}

/** Text and looks of each cell from column `from` on, in the rows of the panes. */
function paneCells({ emulator }: Outer, from: number): string[] {
  const { active } = emulator.buffer;
  return Array.from({ length: emulator.rows - 3 }, (_, i) => {
    const line = active.getLine(active.baseY + 2 + i)!;
    const cells = Array.from({ length: emulator.cols - from }, (_, x) => line.getCell(from + x)!);
    return cells.map((c) => `${c.getChars() || ' '}${c.getFgColor()},${c.getBgColor()},${c.isBold()},${c.isUnderline()}`).join('|');
  });
}

/** A session that has been looked at with 120x30 and has `text` on its screen; the person has gone. */
async function visited(text: string): Promise<{ seats: Seats; seat: Seat; at: { x: number; y: number } }> {
  const seats = await Seats.open();
  const seat = await seats.sit();
  seats.program.write(`\x1b[2J\x1b[H#here# \x1b[1;38;2;10;200;30mgreen\x1b[m 漢字 e\u0301\r\n${text}`);
  const at = await seat.find('#here#');
  await seat.find(text);
  return { seats, seat, at };
}

test('the panes are painted where they will be, and a crash gives the terminal back', async () => {
  const { seats, seat, at } = await visited('second line');
  await using _ = seats;
  const outer = await painted(seats);
  outer.signal('SIGUSR2');
  expect((await outer.exited).code).toBe(1);
  const { written } = outer;
  expect(written.startsWith(ENTER)).toBe(true);
  expect(written).toContain(LEAVE);
  const alone = new Outer({ cols: 120, rows: 30, argv: ['sleep', '1000'] });
  await new Promise<void>((done) => alone.emulator.write(written.slice(0, written.indexOf(LEAVE)), done));
  expect(paneCells(alone, at.x)).toEqual(paneCells(seat.outer, at.x));
  expect([alone.cursor, alone.rows()[0]]).toEqual([seat.outer.cursor, '']);
  alone.kill();
});

test('the app goes on from it: nothing is painted twice, no key typed meanwhile is lost', async () => {
  const { seats, seat } = await visited('once and no more');
  await using _ = seats;
  await seats.leave(seat);
  seats.program.input = '';
  const outer = start(seats, join(DIST, 'main.js'));
  // The kernel shows it, as it does for every program that has not begun.
  outer.send('early');
  await eventually(() => outer.written.includes(ENTER), 'the first frame');
  outer.send('!');
  await eventually(() => outer.rows().at(-1)!.includes('ctrl+b'), 'the chrome');
  await eventually(() => seats.program.input === 'early!', `what was typed: ${JSON.stringify(seats.program.input)}`);
  expect(outer.written.split('once and no more').length).toBe(2);
  seats.program.write('\r\nalive');
  await eventually(() => outer.rows().join('\n').includes('alive'), 'what comes next');
  outer.send('\x02d');
  expect((await outer.exited).code).toBe(0);
});

test('a signal before the app is there gives the terminal back', async () => {
  const { seats } = await visited('still here');
  await using _ = seats;
  const outer = await painted(seats);
  outer.signal('SIGTERM');
  expect((await outer.exited).code).toBe(143);
  expect(outer.written.endsWith(LEAVE)).toBe(true);
});

test('a size that nobody has had is left to the app', async () => {
  const { seats } = await visited('of no use');
  await using _ = seats;
  const outer = start(seats, entryWith('silent', 'process.exit(7);'), 100, 25);
  expect((await outer.exited).code).toBe(7);
  expect(outer.written).toBe('');
});

test('a resize while the app is loaded', async () => {
  const { seats, seat } = await visited('of another size');
  await using _ = seats;
  await seats.leave(seat);
  const outer = start(seats, join(DIST, 'main.js'));
  await eventually(() => outer.written.startsWith(ENTER), 'the first frame');
  outer.resize(100, 25);
  const shown = () => outer.rows().filter((row) => row.includes('of another size')).length;
  await eventually(() => outer.rows().at(-1)!.includes('ctrl+b') && shown() === 1, 'the whole screen, once');
});
