// A real sshd on a free port with throw-away keys, for tests of attaching over SSH.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { eventually } from './held-session.ts';

const SSHD = '/usr/sbin/sshd';

export interface SshServer {
  /** argv of an ssh to it, to which options and the remote command are added. */
  ssh: string[];
  stop(): void;
}

/** Why there can be no sshd here; null when there can. */
export const noSshd = existsSync(SSHD) ? null : 'there is no /usr/sbin/sshd: install openssh-server';

/** `at`: an address other than loopback's, and the command that runs programs where it is. */
export async function startSshd(at: { address: string; enter: string[] } | null = null): Promise<SshServer> {
  const dir = mkdtempSync(join(tmpdir(), 'herd-ssh-'));
  const key = (name: string): string => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(dir, name)]);
    return join(dir, name);
  };
  const [host, user] = [key('host'), key('user')];
  writeFileSync(join(dir, 'authorized'), readFileSync(`${user}.pub`));
  chmodSync(join(dir, 'authorized'), 0o600);
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const address = at?.address ?? '127.0.0.1';
  const port = await freePort();
  const config = [
    `Port ${port}`,
    `ListenAddress ${address}`,
    `HostKey ${host}`,
    `AuthorizedKeysFile ${join(dir, 'authorized')}`,
    'PidFile none',
    'UsePAM no',
    'StrictModes no',
    'PasswordAuthentication no',
    'PermitRootLogin yes',
    'PrintMotd no',
    'LogLevel INFO',
    '',
  ];
  writeFileSync(join(dir, 'config'), config.join('\n'));
  const [command = SSHD, ...rest] = [...(at?.enter ?? []), SSHD, '-D', '-e', '-f', join(dir, 'config')];
  const daemon = spawn(command, rest, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  daemon.stderr.on('data', (bytes) => {
    said += bytes;
  });
  await eventually(
    () => said.includes('Server listening'),
    () => `sshd listens on port ${port}: ${said}`,
  );
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
      `${userInfo().username}@${address}`,
    ],
    stop: () => {
      daemon.kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
