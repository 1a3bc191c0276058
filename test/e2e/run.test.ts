// `herd run` in a real terminal: shown alone, ends with the exit code of its program, leaves nothing behind.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Driver } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { Outer } from '../support/outer.ts';

const MAIN = join(import.meta.dirname, '../../dist/main.js');

/** herd in a terminal. */
function inTerminal(herd: Driver, words: string[]): Outer {
  const { HERD_SESSION: _, ...env } = herd.env;
  return new Outer({ cols: 80, rows: 24, argv: [process.execPath, MAIN, ...words], cwd: herd.dir, env });
}

const sessions = (herd: Driver) => readdirSync(herd.dir).filter((name) => name.startsWith('run-'));

test('the exit code is the program’s, its last words stay on the screen, its session is gone', async () => {
  await using herd = new Driver();
  const outer = inTerminal(herd, ['run', '--', 'sh', '-c', 'echo last words; exit 7']);
  expect([(await outer.exited).code, outer.rows().join('\n')]).toEqual([7, expect.stringMatching(/last words/)]);
  await eventually(() => sessions(herd).length === 0, 'the session has left nothing behind');
});

test('detached with ctrl+b d it ends with 0 and the program runs on', async () => {
  await using herd = new Driver();
  const outer = inTerminal(herd, ['run', '--', 'sh', '-c', 'echo here; exec cat']);
  await eventually(() => outer.rows()[0] === 'here', 'the program has begun');
  outer.send('\x02d');
  expect([(await outer.exited).code, outer.rows().join('\n')]).toEqual([0, expect.stringMatching(/Detached/)]);
  const [session] = sessions(herd);
  expect(await herd.ok(['read', '1', '--session', session!])).toMatch(/^here/);
});
