// Starts git: argument arrays only, own hard settings, capped output, a time limit, and a cap on processes at once for the whole server.
// Not simple-git here: a scan needs bytes (names and patches are not always UTF-8), `-z` output cut at a cap, kill on time-out and stdin;
// simple-git decodes to strings and refuses the very settings that protect us. What a user asks for by a verb goes through user-git.ts.

import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { gitVersion, isTooOld, OLDEST_GIT } from '../model/git-version.ts';
import { ALLOWED_PROTOCOLS, cleanEnvironment, HARD_SETTINGS, programOverrides, settingsAsEnvironment } from './environment.ts';
import { Gate } from './gate.ts';
import { errorFromStderr, GitError } from './git-error.ts';

/** ms. A scan of a huge repository on a cold disk takes tens of seconds; beyond two minutes something hangs. */
const TIME_LIMIT = 120_000;
/** Bytes of stdout kept unless the caller says otherwise: a listing of about 300,000 names. */
const OUTPUT_LIMIT = 64 * 1024 * 1024;
/** git's exit code for what it calls fatal. */
const FATAL = 128;
/** Bytes of stderr kept: enough for the sentence that matters. */
const STDERR_LIMIT = 16 * 1024;

export interface RunOptions {
  input?: Uint8Array | string;
  env?: Record<string, string>;
  /** ms */
  timeout?: number;
  /** Bytes of stdout. */
  limit?: number;
  /** Past the limit: 'fail' (default), or 'cut': keep what came, end git, and set `cut`. */
  overflow?: 'fail' | 'cut';
  /** Exit codes that are an answer, not a failure; default only 0. */
  codes?: readonly number[];
  /** What the person wanted, for the sentence when it fails: "Reading the changes". */
  action?: string;
  signal?: AbortSignal;
  /** It looks at every file of a worktree, which can take minutes: such commands never take the last places. */
  wide?: boolean;
}

export interface RunResult {
  stdout: Buffer;
  stderr: string;
  /** Exit code; -1 when a signal has ended it. */
  code: number;
  cut: boolean;
}

/** A hardened view of one folder: its filter and merge drivers were read when it was made, none of them runs. Make one per scan, do not keep it. */
export interface Look {
  readonly cwd: string;
  run(args: readonly string[], o?: RunOptions): Promise<RunResult>;
  /** stdout as text without the last newline. */
  text(args: readonly string[], o?: RunOptions): Promise<string>;
  /** Same settings, further environment (a private index or object directory). */
  with(env: Record<string, string>): Look;
  /** A hardened view of another folder (a submodule), with that folder's own filters switched off. */
  at(cwd: string): Promise<Look>;
}

export class Runner {
  readonly #gate: Gate;
  readonly #wide: Gate;
  readonly #program: string;
  readonly #env: Record<string, string>;
  #version: Promise<string> | null = null;

  constructor(o: { cap: number; program: string; env: Record<string, string | undefined> }) {
    this.#gate = new Gate(o.cap);
    // Opening a workspace or looking at a file must not wait until every worktree has been scanned.
    this.#wide = new Gate(Math.ceil(o.cap / 2));
    this.#program = o.program;
    this.#env = cleanEnvironment(o.env);
  }

  get program(): string {
    return this.#program;
  }

  /** The cleaned environment, without hard settings: for commands the user asked for. */
  get environment(): Record<string, string> {
    return { ...this.#env };
  }

  /** "2.39.5"; rejects with 'git-missing' or 'git-too-old'. Asked once; a failure is asked again. */
  version(): Promise<string> {
    this.#version ??= this.#readVersion().catch((error: unknown) => {
      this.#version = null;
      throw error;
    });
    return this.#version;
  }

  async #readVersion(): Promise<string> {
    const { stdout } = await this.#start('/', ['--version'], this.#env, {});
    const version = gitVersion(stdout.toString());
    if (!isTooOld(version)) return version;
    const is = version === '' ? 'of an unknown version' : version;
    throw new GitError('git-too-old', `herd needs git ${OLDEST_GIT} or newer; ${this.#program} is ${is}.`, 'Install a newer git.');
  }

  /** A hardened view of `cwd`; `gitDir` names a bare repository, which git must be told of (safe.bareRepository). Costs one small process. */
  async look(cwd: string, gitDir?: string): Promise<Look> {
    const settings = Promise.resolve(await this.#settings(cwd, gitDir));
    return this.#lookWith(cwd, () => settings);
  }

  /** The same, made with the first command: where perhaps none is run. */
  lookLater(cwd: string): Look {
    let settings: Promise<Record<string, string>> | null = null;
    return this.#lookWith(cwd, () => {
      settings ??= this.#settings(cwd);
      return settings;
    });
  }

  async #settings(cwd: string, gitDir?: string): Promise<Record<string, string>> {
    await this.version();
    const hard = { GIT_ALLOW_PROTOCOL: ALLOWED_PROTOCOLS, ...(gitDir === undefined ? {} : { GIT_DIR: gitDir }) };
    const bare = { ...this.#env, ...hard, ...settingsAsEnvironment(HARD_SETTINGS) };
    const list = ['config', '-z', '--name-only', '--get-regexp', '^(filter|merge)\\.'];
    const listed = await this.#start(cwd, list, bare, { codes: [0, 1, 128] });
    if (listed.code === 128 && /dubious ownership|bad config/.test(listed.stderr))
      throw errorFromStderr('Reading the configuration', listed.stderr, 128);
    const names = listed.stdout.toString().split('\0').filter(Boolean);
    return { ...hard, ...settingsAsEnvironment([...HARD_SETTINGS, ...programOverrides(names)]) };
  }

  #lookWith(cwd: string, settings: () => Promise<Record<string, string>>, extra: Record<string, string> = {}): Look {
    const env = { ...this.#env, GIT_LITERAL_PATHSPECS: '1' };
    const run = async (args: readonly string[], o: RunOptions = {}) =>
      this.#start(cwd, args, { ...env, ...(await settings()), ...extra, ...o.env }, o);
    return {
      cwd,
      run,
      text: async (args, o) => (await run(args, o)).stdout.toString().replace(/\n$/, ''),
      with: (more) => this.#lookWith(cwd, settings, { ...extra, ...more }),
      at: (other) => this.look(other),
    };
  }

  /** With the user's own settings, hooks and filters: only inside a command the user asked for. */
  asUser(cwd: string, args: readonly string[], o: RunOptions = {}): Promise<RunResult> {
    return this.#start(cwd, args, { ...this.#env, ...o.env }, o);
  }

  async #start(cwd: string, args: readonly string[], env: Record<string, string>, o: RunOptions): Promise<RunResult> {
    const leaveWide = o.wide ? await this.#wide.enter() : null;
    const leave = await this.#gate.enter();
    try {
      if (o.signal?.aborted) throw new GitError('cancelled', 'Cancelled.');
      const result = await this.#spawn(cwd, args, env, o);
      if (!(o.codes ?? [0]).includes(result.code) && !result.cut) {
        throw errorFromStderr(o.action ?? `git ${args.find((a) => !a.startsWith('-')) ?? ''}`, result.stderr, result.code);
      }
      return result;
    } finally {
      leave();
      leaveWide?.();
    }
  }

  #spawn(cwd: string, args: readonly string[], env: Record<string, string>, o: RunOptions): Promise<RunResult> {
    return new Promise((resolve, reject) => {
      const child = spawn(this.#program, args, { cwd, env, stdio: [o.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] });
      const chunks: Buffer[] = [];
      const limit = o.limit ?? OUTPUT_LIMIT;
      const time = o.timeout ?? TIME_LIMIT;
      let size = 0;
      let stderr = '';
      let failure: GitError | null = null;
      let cut = false;
      const stop = (error: GitError | null) => {
        failure ??= error;
        child.kill('SIGKILL');
      };
      const timer = setTimeout(
        () => stop(new GitError('timed-out', `git ${args[0]} took longer than ${Math.round(time / 1000)} s.`)),
        time,
      );
      const abort = () => stop(new GitError('cancelled', 'Cancelled.'));
      o.signal?.addEventListener('abort', abort, { once: true });
      child.stdout?.on('data', (chunk: Buffer) => {
        if (cut) return;
        size += chunk.length;
        chunks.push(size > limit ? chunk.subarray(0, chunk.length - (size - limit)) : chunk);
        if (size <= limit) return;
        cut = true;
        stop(o.overflow === 'cut' ? null : new GitError('output-too-large', `git ${args[0]} printed more than ${limit} bytes.`));
      });
      child.stderr?.on('data', (chunk: Buffer) => {
        if (stderr.length < STDERR_LIMIT) stderr += chunk.toString();
      });
      const end = () => {
        clearTimeout(timer);
        o.signal?.removeEventListener('abort', abort);
        // Node keeps a child and its pipes until a full collection, and would with them all that they have printed.
        for (const part of [child, child.stdout, child.stderr]) part?.removeAllListeners();
        child.on('error', ignore);
      };
      child.on('error', (error: NodeJS.ErrnoException) => {
        end();
        reject(startError(this.#program, cwd, error));
      });
      child.on('close', (ended, signal) => {
        end();
        // SIGPIPE: a helper that it was writing to has ended first, a failure as any that git calls fatal.
        const code = ended ?? (signal === 'SIGPIPE' ? FATAL : -1);
        if (failure) reject(failure);
        else resolve({ stdout: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks), stderr, code, cut });
      });
      // git may end before it has read all of its input: its exit code tells, not EPIPE.
      child.stdin?.on('error', ignore);
      child.stdin?.end(o.input);
    });
  }
}

function ignore(): void {}

function startError(program: string, cwd: string, error: NodeJS.ErrnoException): GitError {
  // spawn says ENOENT both for a missing program and for a missing folder; the folder is named when it is gone.
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
    return folderExists(cwd)
      ? new GitError(
          'git-missing',
          `herd needs git, and there is no program ${program} on the PATH.`,
          `Install git ${OLDEST_GIT} or newer.`,
        )
      : new GitError('not-found', `The folder ${cwd} does not exist.`);
  }
  if (error.code === 'EACCES') return new GitError('git-failed', `${program} or the folder ${cwd} may not be used: permission denied.`);
  return new GitError('git-failed', `git could not be started: ${error.code ?? error.message}.`);
}

function folderExists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
