// What a program can be seen through: nothing, tmux, herd. Each as the command line that a person would type, kept to a private folder.
import { join } from 'node:path';
import { Driver } from '../support/driver.ts';

export const HOSTS = ['bare', 'tmux', 'herd'] as const;
export type HostName = (typeof HOSTS)[number];

export interface Host {
  argv: string[];
  env: Record<string, string>;
  /** Ends whatever the host left running. */
  end(): Promise<void>;
}

const MAIN = join(import.meta.dirname, '../../dist/main.js');

/** tmux as friendly as it can be made. */
const TMUX = [
  'set -g status off; set -g default-terminal tmux-256color; set -g allow-passthrough on; set -g extended-keys on',
  'set -g focus-events on; set -g set-clipboard on; set -g mouse on; set -g escape-time 20; set -g set-titles on',
  'set -g set-titles-string "#T"; set -as terminal-features ",xterm*:RGB:usstyle:extkeys:focus:clipboard:title:sync:overline:cstyle:ccolour"',
].join('; ');

/** How `program` is started in a host. The caller calls `end`. */
export function openHost(name: HostName, program: string[]): Host {
  const driver = new Driver();
  const env = { ...driver.env, LANG: 'C.UTF-8', SHELL: '/bin/sh' };
  const end = () => driver[Symbol.asyncDispose]();
  if (name === 'bare') return { argv: program, env, end };
  if (name === 'herd') return { argv: [process.execPath, MAIN, 'run', '--', ...program], env, end };
  const socket = join(driver.dir, 'tmux');
  const tmux = ['tmux', '-S', socket, '-f', '/dev/null'];
  const options = TMUX.split('; ').flatMap((command) => [...words(command), ';']);
  return {
    argv: [...tmux, ...options, 'new-session', program.map((word) => `'${word}'`).join(' ')],
    env,
    end: async () => {
      await driver.run(['--version']).catch(() => {});
      await end();
    },
  };
}

function words(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
}
