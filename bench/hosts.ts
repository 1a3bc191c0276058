// What is compared: a program in a bare PTY, in tmux, in herd with its whole chrome; each started the way a person starts it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pidsOf } from './figures.ts';
import { Outer } from './outer.ts';

export const COLS = 200;
export const ROWS = 50;

export interface Hosted {
  outer: Outer;
  /** Processes of the host itself, not the program's. */
  pids(): number[];
  /** Ends the client only and attaches another; null where there is nothing to attach to. */
  attach: (() => Outer) | null;
  /** Runs a program in another pane of the session; returns what ends it. Null where there is no other pane. */
  beside: ((argv: string[]) => () => void) | null;
  stop(): Promise<void>;
}

export type HostName = 'raw' | 'tmux' | 'herd';

/** A private folder for one run of a host. */
const folder = (): string => mkdtempSync(join(tmpdir(), 'herd-bench-'));

/** The environment of a person's terminal, without what this process inherited from npm or another multiplexer. */
export function environment(extra: Record<string, string> = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(([key]) => !/^(npm_|TMUX|STY|HERD|NODE_OPTIONS|CI$)/.test(key)) as [string, string][];
  return { ...Object.fromEntries(kept), LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TERM: 'xterm-256color', COLORTERM: 'truecolor', ...extra };
}

/** The built program. */
export const HERD = [process.execPath, new URL('../dist/main.js', import.meta.url).pathname];

/** Runs herd to its end in session `bench` of `dir`; its standard output. */
export function herd(dir: string, ...args: string[]): string {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return execFileSync(HERD[0]!, [HERD[1]!, ...args.toSpliced(end, 0, '--session', 'bench')], {
    env: environment({ HERD_DIR: dir }),
    encoding: 'utf8',
    cwd: dir,
  });
}

export async function startHost(name: HostName, argv: string[]): Promise<Hosted> {
  const cwd = folder();
  const remove = (): void => rmSync(cwd, { recursive: true, force: true });
  const size = { cols: COLS, rows: ROWS, cwd };
  if (name === 'raw') {
    const outer = new Outer(argv, { ...size, env: environment() });
    return {
      outer,
      pids: () => [],
      attach: null,
      beside: null,
      stop: async () => {
        await outer.end();
        remove();
      },
    };
  }
  if (name === 'tmux') {
    const tmux = ['tmux', '-u', '-S', join(cwd, 't'), '-f', '/dev/null'];
    const outer = new Outer([...tmux, 'new-session', '--', ...argv], { ...size, env: environment() });
    return {
      outer,
      pids: () => pidsOf('tmux', join(cwd, 't')),
      attach: () => new Outer([...tmux, 'attach'], { ...size, env: environment() }),
      beside: (other) => {
        const id = execFileSync(tmux[0]!, [...tmux.slice(1), 'new-window', '-dPF', '#{window_id}', ...other], { encoding: 'utf8' }).trim();
        return () => void execFileSync(tmux[0]!, [...tmux.slice(1), 'kill-window', '-t', id]);
      },
      stop: async () => {
        execFileSync(tmux[0]!, [...tmux.slice(1), 'kill-server'], { stdio: 'ignore' });
        await outer.end();
        remove();
      },
    };
  }
  herd(cwd, 'run', '--detach', '--', ...argv);
  const attach = (): Outer => new Outer([...HERD, '--session', 'bench'], { ...size, env: environment({ HERD_DIR: cwd }) });
  const outer = attach();
  return {
    outer,
    pids: () => [...pidsOf(HERD[1]!, 'holder', 'bench'), ...pidsOf(HERD[1]!, 'server', 'bench'), outer.pty.pid],
    attach,
    beside: (other) => {
      const { workspace } = JSON.parse(herd(cwd, 'run', '--json', '--detach', '--', ...other)) as { workspace: number };
      return () => void herd(cwd, 'close', String(workspace));
    },
    stop: async () => {
      await outer.end();
      herd(cwd, 'server', 'stop', '--yes');
      remove();
    },
  };
}
