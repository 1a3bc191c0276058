// The client in a real PTY against a server that only draws: chrome beside a flooding pane, a dialog above both with a caret in its
// editor, an emoji branch name; a terminal that stops reading; a server that dies; signals.
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { CELL_WORDS, createGrid, type Grid, WIDTH_SHIFT } from '../../src/model/cell.ts';
import { LEAVE } from '../../src/tui/tty-modes.ts';
import { DrawSession } from '../support/draw-session.ts';
import { bundle, eventually } from '../support/held-session.ts';
import { Outer } from '../support/outer.ts';

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const run of cleanup.splice(0).reverse()) await run();
});

async function start(cols: number, rows: number, env: Record<string, string> = {}) {
  const session = new DrawSession();
  await session.listen();
  cleanup.push(() => session.close());
  const outer = new Outer({ cols, rows, argv: [process.execPath, await bundle('spike-client'), session.socket], env });
  cleanup.push(() => outer.kill());
  await eventually(() => session.views[0], 'the client sets its view');
  return { session, outer };
}

/** A page of a log: row y says `n + y`, in a colour of its own. */
function page(grid: Grid, n: number): Grid {
  for (let y = 0; y < grid.rows; y++) {
    const line = `line ${n + y} ${'log '.repeat(40)}`;
    for (let x = 0; x < grid.cols; x++) {
      grid.cells.set([line.charCodeAt(x) | (1 << WIDTH_SHIFT), (1 << 24) | ((n + y) % 256), 0, 0], (y * grid.cols + x) * CELL_WORDS);
    }
  }
  return grid;
}

/** The pane's rows on the outer screen, with what the dialog covers left out. */
function paneRow(outer: Outer, y: number): string {
  return outer.cells(y, 16, outer.emulator.cols).trimEnd();
}

test.each([
  [160, 48],
  [50, 20],
])('one screen of everything at %ix%i', async (cols, rows) => {
  const { session, outer } = await start(cols, rows);
  const grid = createGrid(cols - 16, rows);
  let n = 0;
  const flood = setInterval(() => {
    n += 3;
    session.draw(1, page(grid, n));
  }, 4);
  await eventually(() => outer.cells(0, 0, 16) === '▲ 🚀rocket     │' && outer.cells(2, 0, 16) === 'up             │', 'the sidebar');
  await eventually(() => outer.cells(5, 20, 44) === `╭${'─'.repeat(22)}╮`, 'the dialog above the pane');
  outer.send('한국어');
  await eventually(() => outer.cells(6, 20, 44).startsWith('│한국어'), 'text of an input method');
  await eventually(() => outer.cursor.x === 27 && outer.cursor.y === 6, 'the caret behind it');
  outer.send('\x1b[D');
  await eventually(() => outer.cursor.x === 25, 'the caret goes over a wide character');
  outer.send('x');
  await eventually(() => outer.cells(6, 20, 44).startsWith('│한국x어'), 'a character in a line of wide ones');
  await eventually(() => outer.cursor.x === 26 && outer.cursor.y === 6, 'the caret behind that');
  outer.send('\x1b');
  await eventually(() => outer.cells(5, 20, 44).includes('log'), 'the dialog is gone');
  clearInterval(flood);
  session.draw(1, page(grid, 7_000_000));
  const want = Array.from({ length: rows }, (_, y) => `line ${7_000_000 + y} ${'log '.repeat(40)}`.slice(0, cols - 16).trimEnd());
  await eventually(() => want.every((line, y) => paneRow(outer, y) === line), 'the last frame, exact');
  expect(outer.cells(0, 0, 16)).toBe('▲ 🚀rocket     │');
  outer.send('a');
  await eventually(() => session.input.length > 0, 'keys reach the pane');
  expect(session.input[0]).toMatchObject({ key: 'a' });
});

test('a terminal that stops reading: the client lives, keys work, the screen is fresh afterwards', async () => {
  const { session, outer } = await start(120, 40);
  const grid = createGrid(104, 40);
  session.draw(1, page(grid, 1));
  await eventually(() => paneRow(outer, 0).startsWith('line 1 '), 'the first page');
  outer.send('\x1b');
  // Seen, for a key right behind it would be Alt and that key.
  await eventually(() => outer.cells(5, 20, 21) !== '╭', 'Escape closes the dialog');
  outer.stall();
  let n = 1;
  const flood = setInterval(() => {
    n += 7;
    session.draw(1, page(grid, n));
  }, 2);
  cleanup.push(() => clearInterval(flood));
  await eventually(() => n > 2000, 'a flood of frames nobody sees');
  outer.send('z');
  await eventually(() => session.input.some((event) => event.type === 'key' && event.key === 'z'), 'a key typed into the stalled terminal');
  clearInterval(flood);
  session.draw(1, page(grid, 5_000_000));
  outer.resume();
  const rows = () => Array.from({ length: 40 }, (_, y) => paneRow(outer, y).slice(0, 12));
  const newest = Array.from({ length: 40 }, (_, y) => `line ${5_000_000 + y}`);
  await eventually(() => rows().join() === newest.join(), 'the newest page');
  // What was written is a few frames, not the flood.
  expect(outer.written.length).toBeLessThan(400_000);
});

test('a stalled terminal does not keep the client from ending', async () => {
  const { session, outer } = await start(120, 40);
  const grid = createGrid(104, 40);
  session.draw(1, page(grid, 1));
  await eventually(() => paneRow(outer, 0).startsWith('line 1 '), 'the first page');
  outer.stall();
  let n = 0;
  await eventually(() => {
    session.draw(1, page(grid, n++ * 1000));
    return n > 50;
  }, 'more frames than the terminal takes');
  outer.signal('SIGTERM');
  await eventually(() => session.connection?.closed, 'the client has closed its connection');
  outer.resume();
  expect((await outer.exited).code).toBe(143);
});

test('a server that dies and comes back: the screen stays, the client attaches again', async () => {
  const { session, outer } = await start(100, 24);
  const grid = createGrid(84, 24);
  session.draw(1, page(grid, 40));
  await eventually(() => paneRow(outer, 0).startsWith('line 40 '), 'the first page');
  await session.die();
  await eventually(() => outer.cells(2, 0, 4) === 'down', 'the client says so');
  expect(paneRow(outer, 0)).toMatch(/^line 40 /);
  await session.listen();
  await eventually(() => session.attaches === 2 && session.views.length === 1, 'attached again');
  session.draw(1, page(grid, 41));
  await eventually(() => paneRow(outer, 0).startsWith('line 41 ') && outer.cells(2, 0, 4).trim() === 'up', 'live again');
});

test('leaving and signals give the terminal back; nothing is written when nothing changes', async () => {
  for (const [end, code] of [
    [(outer: Outer) => outer.send('\x11'), 7],
    [(outer: Outer) => outer.signal('SIGTERM'), 143],
  ] as const) {
    const { session, outer } = await start(80, 24);
    session.draw(1, page(createGrid(64, 24), 1));
    // A frame's last word is the cursor: only then has the terminal read all of it.
    const drawn = () =>
      outer.cells(0, 2, 10).includes('rocket') &&
      outer.cells(5, 20, 21) === '╭' &&
      paneRow(outer, 0).startsWith('line 1 ') &&
      paneRow(outer, 23).startsWith('line 24 ') &&
      outer.cursor.y === 6 &&
      outer.written.endsWith('\x1b[?25h');
    await eventually(drawn, 'all is drawn');
    expect(outer.emulator.buffer.active.type).toBe('alternate');
    const before = outer.written.length;
    session.draw(1, page(createGrid(64, 24), 1));
    end(outer);
    expect((await outer.exited).code).toBe(code);
    await eventually(() => outer.written.includes(LEAVE), 'modes are given back');
    expect(outer.written.slice(before).replace(LEAVE, '').trim()).toBe(code === 7 ? 'bye' : '');
    await eventually(() => outer.emulator.buffer.active.type === 'normal', 'the main screen');
  }
});

test('stopped and woken: the shell gets the terminal, then all is painted again', async () => {
  const { session, outer } = await start(80, 24);
  session.draw(1, page(createGrid(64, 24), 1));
  await eventually(() => outer.cells(0, 2, 10).includes('rocket'), 'all is drawn');
  outer.signal('SIGTSTP');
  await eventually(() => outer.emulator.buffer.active.type === 'normal', 'the main screen');
  // It stops only after that; to be woken before would leave it asleep.
  await eventually(() => /^\d+ \(.*\) T/.test(readFileSync(`/proc/${outer.pid}/stat`, 'utf8')), 'it has stopped');
  outer.emulator.write('\x1b[2J');
  outer.signal('SIGCONT');
  await eventually(() => outer.emulator.buffer.active.type === 'alternate' && paneRow(outer, 0).startsWith('line 1 '), 'painted again');
});

test('a resize paints the new size at once and tells the server when it is over', async () => {
  const { session, outer } = await start(120, 30);
  await eventually(() => outer.cells(0, 2, 10).includes('rocket'), 'the sidebar');
  const began = performance.now();
  for (let cols = 119; cols >= 60; cols--) outer.resize(cols, 30);
  await eventually(() => session.views[0]?.cols === 44, 'the view follows');
  await eventually(
    () => session.asked.some(({ method, params }) => method === 'client.size' && (params as { cols: number }).cols === 60),
    'the size',
  );
  session.draw(1, page(createGrid(44, 30), 9));
  await eventually(() => paneRow(outer, 29).startsWith('line 38 '), 'the last row');
  // A drag is over when it has stood still for 50 ms; how many there were depends on how long the loop above took.
  const most = 1 + (performance.now() - began) / 40;
  expect(session.asked.filter(({ method }) => method === 'client.size').length).toBeLessThanOrEqual(most);
});

test('answers of the terminal, asked or not, whole, torn or late, are never typed', async () => {
  const { session, outer } = await start(80, 24);
  await eventually(() => outer.written.includes('\x1b[>0q'), 'the questions');
  outer.send('\x1b[?62;22c\x1bP>|ghostty 1.2\x1b\\\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\');
  await eventually(() => outer.cells(5, 20, 24) === '╭───', 'the dialog');
  outer.send('\x1b');
  await eventually(() => outer.cells(5, 20, 24) !== '╭───', 'Escape closes the dialog');
  for (const late of ['\x1b]4;3;rgb:ffff/0000/0000\x07', '\x1b[?1;2c', '\x1b[?2026;2$y', '\x1b[6;20;10t', '\x1b[?997;1n', '\x1b[24;80R']) {
    // An ESC that stands alone for long is a key: its answer is torn behind it.
    for (const piece of [late.slice(0, 3), ...late.slice(3)]) outer.send(piece);
  }
  outer.send('!');
  await eventually(() => session.input.some((event) => event.type === 'key' && event.key === '!'), 'the key after them');
  expect(session.input.filter((event) => event.type === 'key').map((event) => (event as { key: string }).key)).toEqual(['!']);
});

test('colours go to the server once the terminal has told them', async () => {
  const { session, outer } = await start(80, 24);
  await eventually(() => outer.written.includes('\x1b[>0q'), 'the questions');
  outer.send('\x1bP>|ghostty 1.2\x1b\\\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\\x1b[6;20;10t\x1b[?997;1n\x1b[?62c');
  const told = await eventually(() => session.asked.find(({ method }) => method === 'client.outer'), 'client.outer');
  expect(told.params).toMatchObject({ outer: { name: 'ghostty 1.2', background: '#1e1e2e', dark: true, cell: { width: 10, height: 20 } } });
});

test('without chrome: the terminal fills the tty, the prefix detaches, the program’s exit code is the client’s', async () => {
  const open = async () => {
    const session = new DrawSession();
    session.terminals = [{ id: 5 }];
    await session.listen();
    cleanup.push(() => session.close());
    const outer = new Outer({ cols: 60, rows: 12, argv: [process.execPath, await bundle('spike-client'), session.socket, 'bare'] });
    cleanup.push(() => outer.kill());
    await eventually(() => session.views[0]?.cols === 60 && session.views[0].rows === 12, 'the view is the whole tty');
    session.draw(1, page(createGrid(60, 12), 1), { cursor: { x: 3, y: 4, visible: true, shape: 'bar', blink: true } });
    await eventually(() => outer.cells(11, 0, 8) === 'line 12 ', 'the last row');
    return { session, outer };
  };
  const first = await open();
  await eventually(() => first.outer.cursor.x === 3 && first.outer.cursor.y === 4, 'the cursor of the program');
  first.outer.send('a\x02\x02d\x1b[13;2u');
  await eventually(() => first.session.input.length === 4, 'keys, the prefix typed twice once');
  expect(first.session.input.map((event) => (event as { key: string }).key)).toEqual(['a', 'b', 'd', 'enter']);
  first.outer.send('\x02d');
  expect((await first.outer.exited).code).toBe(0);
  await eventually(() => first.outer.rows().join('\n').includes('detached'), 'what was said at the end');
  const second = await open();
  second.session.exit(5, 42);
  expect((await second.outer.exited).code).toBe(42);
  await eventually(() => second.outer.rows().join('\n').includes('line 12 log'), 'the last screen');
});
