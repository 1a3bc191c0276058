// Two hosts in one machine: two network namespaces with a wire between them, and programs in a mount namespace of their own, so that
// a folder of one host is not the other's. Needs root and `ip`; without them it says why not.
import { execFileSync } from 'node:child_process';

const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'pipe', encoding: 'utf8' });

/** Why there can be no two hosts here; null when there can. */
export const noTwoHosts = whyNot();

function whyNot(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux';
  const name = `herd-try-${process.pid}`;
  try {
    run('ip', 'netns', 'add', name);
    run('ip', 'netns', 'exec', name, 'unshare', '-m', 'true');
    return null;
  } catch {
    return 'needs ip, unshare and the right to make namespaces';
  } finally {
    try {
      run('ip', 'netns', 'delete', name);
    } catch {
      // It was never there.
    }
  }
}

export interface HostInMachine {
  address: string;
  /** argv before a command that runs on this host. */
  enter: string[];
}

/** Two hosts that reach each other; they are gone with `Symbol.dispose`. */
export class TwoHosts {
  readonly near: HostInMachine;
  readonly far: HostInMachine;
  readonly #names: [string, string];

  constructor() {
    const [near, far] = [`herd-n-${process.pid}`, `herd-f-${process.pid}`];
    this.#names = [near, far];
    this.near = { address: '10.213.7.1', enter: ['ip', 'netns', 'exec', near] };
    this.far = { address: '10.213.7.2', enter: ['ip', 'netns', 'exec', far] };
    for (const name of this.#names) run('ip', 'netns', 'add', name);
    run('ip', 'link', 'add', 'wire', 'netns', near, 'type', 'veth', 'peer', 'name', 'wire', 'netns', far);
    for (const { address, enter } of [this.near, this.far]) {
      const [ip = '', ...rest] = enter;
      run(ip, ...rest, 'ip', 'addr', 'add', `${address}/24`, 'dev', 'wire');
      run(ip, ...rest, 'ip', 'link', 'set', 'wire', 'up');
    }
  }

  [Symbol.dispose](): void {
    for (const name of this.#names) run('ip', 'netns', 'delete', name);
  }
}
