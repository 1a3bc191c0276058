// Where logging out ends all processes of a user (systemd's KillUserProcesses), a session needs a scope of its own to live on.
import { existsSync } from 'node:fs';

/** Time for the question to the login manager, ms; without an answer the session starts without a scope. */
const ASK_TIME = 1000;

/** `program` as it must be run to outlive the log-out. `ask` runs a command and returns its output, or throws. */
export function outliveLogout(program: string[], ask: (argv: string[]) => string = askSystem): string[] {
  const property = ['org.freedesktop.login1', '/org/freedesktop/login1', 'org.freedesktop.login1.Manager', 'KillUserProcesses'];
  try {
    if (ask(['busctl', 'get-property', ...property]).trim() !== 'b true') return program;
    ask(['systemctl', '--user', 'show-environment']);
  } catch {
    return program;
  }
  return ['systemd-run', '--user', '--scope', '--quiet', '--collect', '--', ...program];
}

function askSystem([file, ...args]: string[]): string {
  if (!existsSync('/run/systemd/system')) throw new Error('no systemd here');
  return process
    .getBuiltinModule('node:child_process')
    .execFileSync(file!, args, { encoding: 'utf8', timeout: ASK_TIME, stdio: ['ignore', 'pipe', 'ignore'] });
}
