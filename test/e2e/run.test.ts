// `herd run` in a real terminal: shown alone, ends with the exit code of its program, leaves nothing behind.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node-pty';
import { expect, test } from 'vitest';
import { Driver } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';

const MAIN = join(import.meta.dirname, '../../dist/main.js');

/** Runs herd in a PTY; resolves with its exit code and all it wrote. `keys` are typed once `when` has been seen. */
function inTerminal(herd: Driver, words: string[], typing?: { when: RegExp; keys: string }) {
  const { HERD_SESSION: _, ...env } = herd.env;
  const pty = spawn(process.execPath, [MAIN, ...words], { cols: 80, rows: 24, cwd: herd.dir, env: { ...env, CI: 'false' } });
  let text = '';
  pty.onData((data) => {
    text += data;
    if (typing?.when.test(text)) {
      pty.write(typing.keys);
      typing = undefined;
    }
  });
  return new Promise<{ code: number; text: string }>((resolve) => pty.onExit(({ exitCode }) => resolve({ code: exitCode, text })));
}

const sessions = (herd: Driver) => readdirSync(herd.dir).filter((name) => name.startsWith('run-'));

test('the exit code is the program’s, its last words stay on the screen, its session is gone', async () => {
  await using herd = new Driver();
  const { code, text } = await inTerminal(herd, ['run', '--', 'sh', '-c', 'echo last words; exit 7']);
  expect([code, text]).toEqual([7, expect.stringMatching(/last words/)]);
  await eventually(() => sessions(herd).length === 0, 'the session has left nothing behind', 20_000);
});

test('detached with ctrl+b d it ends with 0 and the program runs on', async () => {
  await using herd = new Driver();
  const { code, text } = await inTerminal(herd, ['run', '--', 'sh', '-c', 'echo here; exec cat'], { when: /here/, keys: '\x02d' });
  expect([code, text]).toEqual([0, expect.stringMatching(/Detached/)]);
  const [session] = sessions(herd);
  expect(await herd.ok(['read', '1', '--session', session!])).toMatch(/^here/);
});
