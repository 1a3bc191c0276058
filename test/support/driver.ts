// herd by its command line, as scripts use it: the built program in a private folder, with the environment of a clean shell. Ends every
// session it started.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, connectClient } from '../../src/wire/client.ts';
import { eventually } from './held-session.ts';
import { REMOVE_TRIES } from './repository.ts';

const MAIN = join(import.meta.dirname, '../../dist/main.js');
/** ms for one verb on a loaded machine; some run a whole batch. */
const VERB_TIME = 240_000;

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd?: string;
  input?: string | Buffer;
  env?: Record<string, string>;
}

export class Driver {
  readonly dir = mkdtempSync(join(tmpdir(), 'hd-'));
  readonly session: string;
  cwd: string;
  readonly #more: Record<string, string>;

  constructor(o: { session?: string; cwd?: string; env?: Record<string, string> } = {}) {
    this.session = o.session ?? 'm';
    this.cwd = o.cwd ?? this.dir;
    this.#more = o.env ?? {};
  }

  get env(): Record<string, string> {
    const { PATH = '', LANG = 'C.UTF-8' } = process.env;
    return {
      PATH,
      LANG,
      HOME: this.dir,
      SHELL: '/bin/sh',
      // Known to tests, which wait for it: what is typed before a shell reads is echoed elsewhere.
      PS1: 'sh> ',
      TERM: 'xterm-256color',
      HERD_DIR: this.dir,
      HERD_SESSION: this.session,
      ...this.#more,
    };
  }

  /** Runs a verb to its end. Never rejects for its exit code. */
  run(words: string[], o: RunOptions = {}): Promise<Ran> {
    const child = spawn(process.execPath, [MAIN, ...words], { cwd: o.cwd ?? this.cwd, env: { ...this.env, ...o.env }, timeout: VERB_TIME });
    child.stdin.on('error', () => {});
    child.stdin.end(o.input ?? '');
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (bytes: Buffer) => out.push(bytes));
    child.stderr.on('data', (bytes: Buffer) => err.push(bytes));
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => {
        const [stdout, stderr] = [Buffer.concat(out).toString(), Buffer.concat(err).toString()];
        if (signal) reject(new Error(`herd ${words.join(' ')} ended by ${signal}: ${stdout}${stderr}`));
        else resolve({ code: code!, stdout, stderr });
      });
    });
  }

  /** What a verb prints; rejects unless it ends with 0. */
  async ok(words: string[], o: RunOptions = {}): Promise<string> {
    const ran = await this.run(words, o);
    if (ran.code !== 0) throw new Error(`herd ${words.join(' ')}: exit ${ran.code}\n${ran.stdout}${ran.stderr}`);
    return ran.stdout;
  }

  async json<T>(words: string[], o: RunOptions = {}): Promise<T> {
    // Before `--`, behind which everything is the command's own.
    const end = words.includes('--') ? words.indexOf('--') : words.length;
    return JSON.parse(await this.ok([...words.slice(0, end), '--json', ...words.slice(end)], o)) as T;
  }

  /** The rows of a workspace's screen, trailing blanks left out. */
  async screen(workspace: string): Promise<string> {
    return (await this.ok(['read', workspace])).trimEnd();
  }

  /** Resolves with the screen once it matches. */
  see(workspace: string, wanted: RegExp): Promise<string> {
    return eventually(async () => {
      const screen = await this.screen(workspace);
      return wanted.test(screen) ? screen : null;
    }, `the screen of ${workspace} shows ${wanted}`);
  }

  /** A client on the session's socket, as the TUI is one. */
  client(): Promise<Client> {
    const folder = join(this.dir, this.session);
    const token = readFileSync(join(folder, 'token'), 'utf8').trim();
    return connectClient({ socket: join(folder, 'herd.sock'), token, version: 'test' });
  }

  async serverPid(): Promise<number> {
    return Number(await this.ok(['server', 'pid']));
  }

  /** Ends all sessions, whatever state they are in, and removes the folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    const sessions = readdirSync(this.dir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of sessions) {
      if (readdirSync(join(this.dir, name)).includes('token'))
        await this.run(['server', 'stop', '--yes', '--session', name], { cwd: this.dir });
    }
    rmSync(this.dir, { recursive: true, force: true, maxRetries: REMOVE_TRIES });
  }
}

/** Signals a process that may have ended a moment ago. */
export function signal(pid: number, name: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Process still there, and no zombie. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
