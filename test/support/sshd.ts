// A real sshd on a free port of loopback with throw-away keys, for tests of attaching over SSH.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { eventually } from './held-session.ts';

const SSHD = '/usr/sbin/sshd';

export interface SshServer {
  /** argv of an ssh to it, to which options and the remote command are added. */
  ssh: string[];
  stop(): void;
}

/** Why there can be no sshd here; null when there can. */
export const noSshd = existsSync(SSHD) ? null : 'there is no /usr/sbin/sshd: install openssh-server';

export async function startSshd(): Promise<SshServer> {
  const dir = mkdtempSync(join(tmpdir(), 'herd-ssh-'));
  const key = (name: string): string => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(dir, name)]);
    return join(dir, name);
  };
  const [host, user] = [key('host'), key('user')];
  writeFileSync(join(dir, 'authorized'), readFileSync(`${user}.pub`));
  chmodSync(join(dir, 'authorized'), 0o600);
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const port = await freePort();
  const config = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${host}`,
    `AuthorizedKeysFile ${join(dir, 'authorized')}`,
    'PidFile none',
    'UsePAM no',
    'StrictModes no',
    'PasswordAuthentication no',
    'PermitRootLogin yes',
    'PrintMotd no',
    'LogLevel ERROR',
    '',
  ];
  writeFileSync(join(dir, 'config'), config.join('\n'));
  const daemon = spawn(SSHD, ['-D', '-e', '-f', join(dir, 'config')], { stdio: 'ignore' });
  await eventually(() => isListening(port), `sshd listens on port ${port}`);
  return {
    ssh: [
      'ssh',
      '-F',
      'none',
      '-p',
      String(port),
      '-i',
      user,
      '-o',
      'StrictHostKeyChecking=no',
      '-o',
      `UserKnownHostsFile=${join(dir, 'known')}`,
      '-o',
      'LogLevel=ERROR',
      `${userInfo().username}@127.0.0.1`,
    ],
    stop: () => {
      daemon.kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Whether something accepts connections on `port`. */
function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
