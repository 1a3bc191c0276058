// Keys of the diff pane that write, through a real client and server to the repository: a file, a hunk, lines, a discard and its way back.
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Driver } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { makeRepository } from '../support/repository.ts';
import { Seat } from '../support/seats.ts';

const rows = Array.from({ length: 40 }, (_, i) => `line ${i + 1}`);
const text = (lines: readonly string[]) => `${lines.join('\n')}\n`;

test('a file on its header, a hunk, selected lines; a discard that is undone by another client', async () => {
  using f = makeRepository();
  f.put('a.txt', text(rows));
  f.put('run.sh', 'echo\n');
  f.commit('a');
  const changed = rows.with(4, 'five').with(30, 'thirty-one').toSpliced(32, 0, 'and more');
  f.put('a.txt', text(changed));
  chmodSync(join(f.dir, 'run.sh'), 0o755);
  await using driver = new Driver({ cwd: f.dir, env: f.env });
  await driver.ok(['open', f.dir, '--', 'cat']);
  const seat = new Seat(driver, { cols: 160, rows: 40 });
  const staged = () => f.git('diff', '--cached', '--name-only');
  const index = () => `${f.git('show', ':a.txt')}\n`;
  const onDisk = () => readFileSync(join(f.dir, 'a.txt'), 'utf8');
  const press = async (keys: string, said: string) => {
    seat.outer.send(keys);
    await seat.find(said);
  };
  try {
    await seat.find('+ and more');
    seat.command('\t');
    await seat.find(' comment  S send');
    await press('.a', 'staged: all changes of run.sh');
    expect(staged()).toBe('run.sh');
    await press(',r', 'nothing of this file is staged');
    await press(']a', 'staged: this hunk of a.txt');
    expect(index()).toBe(text(rows.with(4, 'five')));
    // The head of the hunk, three lines around the change, the line that was removed.
    await press(']jjjjvj', '┃');
    await press('a', 'staged: these 2 lines of a.txt');
    expect(index()).toBe(text(rows.with(4, 'five').with(30, 'thirty-one')));
    await press('R', 'discard this hunk of a.txt?');
    await press('y', 'discarded; U brings it back');
    expect(onDisk()).toBe(text(rows.with(4, 'five')));
    seat.command('d');
    await seat.outer.exited;
  } finally {
    seat.outer.kill();
  }
  const other = new Seat(driver, { cols: 160, rows: 40 });
  try {
    await other.find(' comment  S send');
    other.outer.send('U');
    await other.find('brought back: a.txt');
    await eventually(() => onDisk() === text(changed), onDisk);
  } finally {
    other.outer.kill();
  }
});
