// Panes moved and sized by keys and mouse, keys and colours as a person sets them: through a real client.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../support/held-session.ts';
import { type Seat, Seats } from '../support/seats.ts';

const mouse = ({ x, y }: { x: number; y: number }, button = 0, end = 'M') => `\x1b[<${button};${x + 1};${y + 1}${end}`;

test('panes change places by key and by carrying one by its name; dividers move by key and mouse', async () => {
  await using seats = await Seats.open();
  const { program } = seats;
  const seat = await seats.sit({ cols: 160, rows: 40 });
  const home = await seat.find('#here#');
  const isAt = (x: number) =>
    eventually(
      async () => (await seat.find('#here#')).x === x,
      () => seat.outer.rows().join('\n'),
    );
  seat.command('|');
  await seat.find('sh>');
  seat.outer.send("printf 'other%s\\n' pane\r");
  const other = await seat.find('otherpane');
  await eventually(() => /otherpane.*\n.*sh>/.test(seat.outer.rows().join('\n')), 'the next prompt');
  expect(other.x).toBeGreaterThan(home.x);
  seat.command('{');
  await isAt(other.x);
  const name = await seat.find('sh ─');
  expect(name.x).toBeLessThan(other.x);
  seat.outer.send(mouse(name) + mouse({ x: other.x + 5, y: 8 }, 32));
  await seat.find('let go here');
  seat.outer.send(mouse({ x: other.x + 5, y: 8 }, 0, 'm'));
  await isAt(home.x);
  // The focus is where it was: on the shell.
  seat.outer.send("printf 'still%s\\n' here\r");
  const shell = await seat.find('stillhere');
  const { cols } = program.size;
  seat.command('H');
  seat.command('\x1b[1;2C');
  seat.outer.send('\x1b[1;2C\x1b[1;2C');
  await eventually(
    () => program.size.cols === cols + 12,
    () => `three steps of the divider: ${cols} ${program.size.cols}`,
  );
  program.input = '';
  seat.outer.send('k\x1b[1;2C');
  await eventually(() => program.input === 'k\x1b[1;2C', 'any other key ends that');
  const divider = { x: shell.x - 1 + 12, y: 10 };
  await eventually(
    async () => (await seat.find('stillhere')).x === divider.x + 1,
    () => seat.outer.rows().join('\n'),
  );
  seat.outer.send(mouse(divider) + mouse({ ...divider, x: divider.x - 20 }, 32) + mouse({ ...divider, x: divider.x - 20 }, 0, 'm'));
  await eventually(
    () => program.size.cols === cols - 8,
    () => `the divider dragged: ${cols} ${program.size.cols}`,
  );
});

test('keys as a person sets them: another prefix, another key, one taken away', async () => {
  await using seats = await Seats.open();
  const { program, driver } = seats;
  const config = ['[ui]', 'prefix = "ctrl+a"', '[keys.prefix]', '"pane.zoom" = "f"', '"pane.split-stacked" = false'];
  writeFileSync(join(driver.dir, 'config.toml'), config.join('\n'));
  const seat = await seats.sit({ cols: 160, rows: 40 });
  seat.outer.send('\x02z');
  await eventually(() => program.input === '\x02z', 'the old prefix is the program’s');
  seat.outer.send('\x01z');
  await seat.find('ctrl+a z is not bound');
  seat.outer.send('\x01-');
  await seat.find('ctrl+a - is not bound');
  seat.outer.send('\x01f');
  await seat.find('zoomed');
  program.input = '';
  seat.outer.send('\x01\x01');
  await eventually(() => program.input === '\x01', 'the prefix twice is itself');
});

test.each<[string, string | null, boolean, number]>([
  ['dark, as the terminal is', null, false, 0x1d2229],
  ['light, as the terminal is', null, true, 0xe6e9ed],
  ['light in a dark terminal, as set', 'light', false, 0xe6e9ed],
  ['dark in a light terminal, as set', 'dark', true, 0x1d2229],
])('the chrome is %s; panes keep the terminal’s own colours', async (_name, theme, light, ground) => {
  await using seats = await Seats.open();
  if (theme) writeFileSync(join(seats.driver.dir, 'config.toml'), `[ui]\ntheme = "${theme}"\n`);
  const seat = await seats.sit({ light });
  const bar = (at: Seat) => at.cell(1, 0).getBgColor();
  await eventually(
    () => bar(seat) === ground,
    () => `the ground of the bar is ${bar(seat).toString(16)}`,
  );
  const { x, y } = await seat.find('#here#');
  expect([seat.cell(x, y).isFgDefault(), seat.cell(x, y).isBgDefault()]).toEqual([true, true]);
});
