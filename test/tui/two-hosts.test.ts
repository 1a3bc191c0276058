// C22: a client on another host than the session, over a socket that ssh forwards: pictures whose paths its person pastes come along.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../support/held-session.ts';
import { Outer } from '../support/outer.ts';
import { Seats } from '../support/seats.ts';
import { noSshd, startSshd } from '../support/sshd.ts';
import { noTwoHosts, TwoHosts } from '../support/two-hosts.ts';

const MAIN = join(import.meta.dirname, '../../dist/main.js');
const why = noSshd ?? noTwoHosts;
const MIB = 1024 * 1024;

/** Over the folder $1 lies one of this host's own with the files of the folder $2 in it; then the rest is run. */
const OWN_VIEW = 'mount -t tmpfs none "$1" && cp "$2"/* "$1" && shift 2 && exec "$@"';

test.skipIf(why !== null)(`C22: pictures pasted on another host${why ? ` (${why})` : ''}`, async () => {
  await using seats = await Seats.open();
  using hosts = new TwoHosts();
  const { program, driver } = seats;
  const { session } = driver;
  const root = mkdtempSync(join(tmpdir(), 'herd-two-'));
  const [desk, source, home] = [join(root, 'desk'), join(root, 'source'), join(root, 'home')];
  for (const folder of [desk, source, join(home, session)]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const shot = Buffer.alloc(3 * MIB, 'pixels ');
  writeFileSync(join(source, 'Screen Shot 1.png'), shot);
  writeFileSync(join(source, 'huge.png'), Buffer.alloc(30 * MIB));
  copyFileSync(join(driver.dir, session, 'token'), join(home, session, 'token'));
  const sshd = await startSshd(hosts.far);
  const [ip = '', ...near] = hosts.near.enter;
  const sockets = `${home}/${session}/herd.sock:${driver.dir}/${session}/herd.sock`;
  const link = spawn(ip, [...near, sshd.ssh[0]!, '-N', '-L', sockets, ...sshd.ssh.slice(1)], { stdio: 'ignore' });
  try {
    await eventually(() => readdirSync(join(home, session)).includes('herd.sock'), 'the forwarded socket');
    const argv = [ip, ...near, 'unshare', '-m', 'sh', '-c', OWN_VIEW, 'sh', desk, source, process.execPath, MAIN, '--session', session];
    const outer = new Outer({ cols: 120, rows: 30, argv, env: { ...driver.env, HERD_DIR: home, SHELL: '/bin/sh' } });
    const shows = (text: string) =>
      eventually(
        () => outer.rows().join('\n').includes(text),
        () => `the screen shows ${text}:\n${outer.rows().join('\n')}`,
      );
    try {
      program.write('\x1b[?2004h\x1b[2J\x1b[Hready');
      await shows('ready');
      await shows(' herd ');
      const paste = (text: string, keys: string) => outer.send(`\x1b[200~${text}\x1b[201~${keys}`);
      const brought = async () => {
        await eventually(() => program.input.endsWith('\x16'), 'Ctrl+V behind it');
        return /\x1b\[200~([^\x1b]*)\x1b\[201~\x16$/.exec(program.input)![1]!;
      };
      paste(`${desk}/Screen\\ Shot\\ 1.png`, '\x16');
      const first = await brought();
      expect(first).toMatch(/\/[\da-f]{16}-Screen-Shot-1\.png$/);
      expect(readFileSync(first).equals(shot)).toBe(true);
      await shows('brought Screen Shot 1.png');

      program.input = '';
      paste(`'${desk}/huge.png'`, 'x');
      await shows('The picture has 30 MiB: at most 20 MiB');
      await eventually(() => program.input !== '', 'the key behind it');
      expect(program.input).toBe('x');

      program.input = '';
      const old = Date.now() / 1000 - 30 * 24 * 3600;
      utimesSync(first, old, old);
      paste(`${desk}/Screen Shot 1.png`, '\x16');
      const second = await brought();
      expect(readdirSync(join(first, '..')).map((name) => join(first, '..', name))).toEqual([second]);

      // A path of neither host, and other text, come as they are.
      program.input = '';
      paste('/nowhere/a.png', '');
      paste('two words', '\x16');
      await eventually(() => program.input.endsWith('\x16'), 'both');
      expect(program.input).toBe('\x1b[200~/nowhere/a.png\x1b[201~\x1b[200~two words\x1b[201~\x16');
    } finally {
      outer.kill();
    }
  } finally {
    link.kill();
    sshd.stop();
    rmSync(root, { recursive: true, force: true });
  }
});
