// Detached and come back, in another terminal and after a killed server: the panes are as they were left.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Driver } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { Outer } from '../support/outer.ts';
import { makeRepository } from '../support/repository.ts';

const MAIN = join(import.meta.dirname, '../../dist/main.js');

test('panes, their sizes and the workspace looked at come back on any client', async () => {
  await using herd = new Driver();
  using repository = makeRepository();
  for (const name of ['alpha', 'beta']) await herd.ok(['new', name, '--', 'cat'], { cwd: repository.dir });
  const attach = () => new Outer({ cols: 160, rows: 40, argv: [process.execPath, MAIN, '--session', 'm'], env: herd.env, cwd: herd.dir });
  const see = (outer: Outer, wanted: RegExp) =>
    eventually(
      () => wanted.test(outer.rows().join('\n')),
      () => `the screen shows ${wanted}:\n${outer.rows().join('\n')}`,
    );

  const first = attach();
  await see(first, /ctrl\+b/);
  first.send('\x022');
  await see(first, /─ beta ─/);
  first.send('\x02-');
  // Its prompt: what is typed before the shell reads stands above it.
  await see(first, /─ sh ─(?:.|\n)*│[#$] /);
  first.send('echo in-the-shell\r');
  // With the prompt behind it: then all is there.
  await see(first, /│in-the-shell.*\n.*│[#$] /);
  const left = panes(first);
  first.send('\x02d');
  await first.exited;
  await eventually(() => isKept(join(herd.dir, 'state/m/layout.json')), 'the panes are on disk');
  process.kill(await herd.serverPid(), 'SIGKILL');

  const second = attach();
  await eventually(() => panes(second) === left, 'the panes are as they were').catch(() => expect(panes(second)).toBe(left));
  second.send('\x02d');
  await second.exited;
});

/** The second workspace is the one looked at, and its panes were changed. */
function isKept(file: string): boolean {
  if (!existsSync(file)) return false;
  const { selected, panes } = JSON.parse(readFileSync(file, 'utf8')).layout;
  return selected === 2 && '2' in panes;
}

/** What stands right of the list of workspaces, between the bars. */
function panes(outer: Outer): string {
  return outer
    .rows()
    .slice(1, -1)
    .map((row) => row.slice(27))
    .join('\n')
    .replace(/\d+[sm]\b/g, 'age');
}
