// Attaching over a real SSH connection on loopback: the same session as at the desk, left and lost without harm.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Driver } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { Outer } from '../support/outer.ts';
import { noSshd, startSshd } from '../support/sshd.ts';

const MAIN = join(import.meta.dirname, '../../dist/main.js');
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

test.skipIf(noSshd !== null)(`attach over ssh, detach, lose the link${noSshd ? ` (${noSshd})` : ''}`, async () => {
  await using herd = new Driver();
  const sshd = await startSshd();
  try {
    await herd.ok(['run', '--session', 'm', '--detach', '--', 'sh', '-c', 'echo at the desk; exec cat']);
    await herd.see('1', /at the desk/);
    const remote = `HERD_DIR=${quote(herd.dir)} ${quote(process.execPath)} ${quote(MAIN)} --session m`;
    const attach = (): Outer =>
      new Outer({ cols: 100, rows: 30, argv: [...sshd.ssh.slice(0, 1), '-t', '-e', 'none', ...sshd.ssh.slice(1), remote] });
    const clients = async (): Promise<number> => (await herd.json<{ clients: number }>(['server', 'status'])).clients;

    const first = attach();
    await eventually(() => first.rows().some((row) => row.includes('at the desk')), 'the screen came over ssh');
    first.send('typed from afar\r');
    await herd.see('1', /typed from afar\ntyped from afar/);
    await eventually(() => first.rows().filter((row) => row.includes('typed from afar')).length === 2, 'the echo came over ssh');
    first.send('\x02d');
    expect((await first.exited).code).toBe(0);

    const second = attach();
    await eventually(() => second.rows().some((row) => row.includes('typed from afar')), 'everything is there again');
    second.kill();
    // `herd server status` is a client of its own, and not counted: it does not draw.
    await eventually(async () => (await clients()) === 0, 'the server noticed that the link is gone');
    await herd.ok(['keys', '1', '--text', 'still here', 'enter']);
    await herd.see('1', /still here\nstill here/);
  } finally {
    sshd.stop();
  }
});
