// Makes a new worktree ready as the repository's `.herd.toml` says: copies files that git does not track, then runs the commands, but
// only those of a file whose very content the user has agreed to. Never overwrites, never reaches outside the two worktrees.
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { copyFile, glob, lstat, mkdir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { faultText } from '../config/load.ts';
import { isAllowed, readRepositorySettings } from '../config/repository-settings.ts';
import { clean } from '../model/clean.ts';
import { cleanEnvironment } from './environment.ts';
import type { Session } from './session.ts';

/** Files copied at most: a pattern that takes in a folder of dependencies is a mistake. */
const COPY_MAX = 1000;
/** Largest file copied, bytes. */
const FILE_MAX = 64 * 1024 * 1024;
/** Time for one command, ms: installing dependencies takes minutes, not hours. */
const COMMAND_TIME = 15 * 60_000;
/** End of a command's output that is kept to say why it failed, characters. */
const TAIL = 2000;

export interface NewWorktree {
  worktree: string;
  /** The repository's main worktree, or its bare folder. */
  main: string;
  bare: boolean;
  /** Environment of the client that asked. */
  env: Record<string, string>;
}

/** Resolves with what the user should know, one sentence each; empty when there was nothing to do or all went well. Never rejects. */
export async function prepareWorktree(session: Session, made: NewWorktree): Promise<string[]> {
  const settings = readRepositorySettings(made.worktree, made.main);
  if (!settings) return [];
  const notes = settings.faults.map(faultText);
  if (!made.bare) notes.push(...(await copyAll(settings.copy, made)));
  if (settings.setup.length === 0) return notes;
  if (!isAllowed(session.paths.consents, settings)) {
    const asks = settings.setup.length === 1 ? 'a command' : `${settings.setup.length} commands`;
    return [
      ...notes,
      `The repository’s .herd.toml asks to run ${asks} in new worktrees; nothing was run. To see and allow: herd config allow`,
    ];
  }
  for (const command of settings.setup) {
    session.log.add('setup', null, `runs ${command} in ${made.worktree}`);
    const fault = await runCommand(command, made);
    if (fault !== null) return [...notes, `Setting up failed at \`${command}\`: ${fault}`];
  }
  return notes;
}

async function copyAll(patterns: string[], { worktree, main }: NewWorktree): Promise<string[]> {
  const notes: string[] = [];
  let copied = 0;
  for (const pattern of patterns) {
    if (isAbsolute(pattern) || pattern.split('/').includes('..')) {
      notes.push(`.herd.toml may only name files below the repository, not ${pattern}.`);
      continue;
    }
    try {
      for await (const name of glob(pattern, { cwd: main, exclude: (entry) => entry === '.git' })) {
        if (copied >= COPY_MAX) return [...notes, `More than ${COPY_MAX} files fit the patterns of .herd.toml: the rest was not copied.`];
        if (await copyOne(name, main, worktree)) copied++;
      }
    } catch (error) {
      notes.push(`Copying ${pattern} failed: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}.`);
    }
  }
  return notes;
}

/** False when it was no plain file, was there already, or leads outside. */
async function copyOne(name: string, main: string, worktree: string): Promise<boolean> {
  const from = join(main, name);
  const facts = await lstat(from);
  if (!facts.isFile() || facts.size > FILE_MAX || !(await isWithin(dirname(from), main))) return false;
  const to = join(worktree, name);
  if (!(await makeWithin(dirname(to), worktree))) return false;
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Makes `folder` unless a link on the way leads out of `root`. */
async function makeWithin(folder: string, root: string): Promise<boolean> {
  if (folder === root) return true;
  if (!(await makeWithin(dirname(folder), root))) return false;
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return isWithin(folder, root);
}

async function isWithin(folder: string, root: string): Promise<boolean> {
  const [inner, outer] = await Promise.all([realpath(folder), realpath(root)]);
  return inner === outer || inner.startsWith(outer + sep);
}

/** null when it ended with 0, else why not. */
function runCommand(command: string, { worktree, main, env }: NewWorktree): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command], {
      cwd: worktree,
      env: { ...cleanEnvironment(env), PWD: worktree, HERD_REPOSITORY: main },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let tail = '';
    const take = (chunk: Buffer) => {
      tail = (tail + chunk.toString()).slice(-TAIL);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const timer = setTimeout(() => endGroup(child.pid), COMMAND_TIME);
    child.once('error', (error) => {
      clearTimeout(timer);
      resolve(error.message);
    });
    // 'exit', not 'close': a server that it leaves running in the background holds the pipes.
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      const last = tail.trimEnd().split('\n').at(-1) ?? '';
      resolve(code === 0 ? null : `${signal ?? `exit code ${code}`}${last ? `, ${clean(last)}` : ''}.`);
    });
  });
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // Ended meanwhile.
  }
}
