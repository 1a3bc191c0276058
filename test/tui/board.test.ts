// The board of a batch by hand: two hundred tasks come and go, one agent has printed 50 MB, and every key is answered.
import { expect, test } from 'vitest';
import { BatchStage } from '../batch/stage.ts';
import { eventually } from '../support/held-session.ts';
import { Outer } from '../support/outer.ts';

const PREFIX = '\x02';
const DOWN = '\x1b[B';

test('the board answers keys while two hundred tasks run; a task is cancelled, tried again, the batch paused', async () => {
  await using stage = new BatchStage();
  const name = (i: number) => `row-${String(i).padStart(3, '0')}`;
  const tasks = Array.from({ length: 200 }, (_, i) => ({
    id: name(i),
    command: ['sh', '-c', i === 0 ? 'head -c 50000000 /dev/zero | tr "\\0" x; sleep 600' : i < 19 ? 'sleep 600' : 'sleep 0.05'],
  }));
  await stage.run(stage.write(tasks, { run: { slots: 20, grace: '1s' } }), '--yes', '--detach');
  await eventually(() => stage.query('select 1 from attempt where ended is not null').length > 2, 'some have ended');
  const outer = new Outer({
    cols: 100,
    rows: 30,
    argv: [process.execPath, `${import.meta.dirname}/../../dist/main.js`],
    env: stage.herd.env,
    cwd: stage.repository,
  });
  const shows = (what: string | RegExp, why: string) =>
    eventually(() => outer.rows().some((row) => (typeof what === 'string' ? row.includes(what) : what.test(row))), why);
  const state = (id: string) => String(stage.query(`select state from task where id = '${id}'`)[0]!.state);
  try {
    await shows('ctrl+b', 'the client is up');
    outer.send(`${PREFIX}B`);
    await shows(/row-018/, 'the board is open');
    // Eighteen rows down, one key at a time, each seen where the cursor then stands.
    for (let i = 1; i < 19; i++) {
      outer.send(DOWN);
      await eventually(() => selected(outer)?.includes(name(i)), `the cursor is on ${name(i)}`);
    }
    outer.send('\x1b[3~');
    await eventually(() => state('row-018') === 'cancelled', 'it is cancelled');
    await eventually(() => selected(outer)?.includes('row-018'), 'the cursor went with it');
    outer.send('R');
    await eventually(() => state('row-018') !== 'cancelled', 'it is tried again');
    outer.send('P');
    await eventually(() => String(stage.query('select state from goal')[0]!.state) === 'paused', 'the batch is paused');
    await shows(/paused by a person/, 'the board says so');
    outer.send('P');
    await eventually(() => String(stage.query('select state from goal')[0]!.state) === 'running', 'it goes on');
    outer.send('q');
    await eventually(() => !outer.rows().some((row) => row.includes('batch 1')), 'the board is closed');
  } finally {
    outer.kill();
  }
  await stage.herd.ok(['batch', 'cancel']);
  expect(stage.strays()).toEqual([]);
});

/** The board's row whose ground is not that of the others. */
function selected(outer: Outer): string | undefined {
  const buffer = outer.emulator.buffer.active;
  const column =
    outer
      .rows()
      .find((row) => row.includes('row-'))
      ?.indexOf('row-') ?? -1;
  if (column < 0) return undefined;
  return outer.rows().find((row, y) => {
    const cell = buffer.getLine(buffer.viewportY + y)?.getCell(column);
    return row.slice(column).startsWith('row-') && cell !== undefined && !cell.isBgDefault();
  });
}
