// Brings a session up: whoever needs it first starts its holder, which starts the server. Safe when many do so at once and when an
// earlier one left its sockets behind: a second holder ends by itself, and only a holder that has the session's lock replaces a socket.
import { closeSync, openSync, readFileSync, realpathSync, renameSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PathError, type SessionPaths, securePrivateDir } from '../config/paths.ts';
import { type Client, type ClientOptions, connectClient, continueClient } from '../wire/client.ts';
import { ConnectionError } from '../wire/connection.ts';
import type { DirectSocket } from '../wire/direct-socket.ts';
import { isLive } from '../wire/socket-file.ts';
import { outliveLogout } from './scope.ts';

/** Time for a session to come up, ms: a loaded machine starts two Node processes in a few seconds at worst. */
const START_TIME = 15_000;
/** Pause between looks while it does, ms. */
const LOOK_EVERY = 20;
/** Time for a holder to come up before another is tried, ms; too early does no harm, the second ends by itself. */
const START_AGAIN = 5000;
/** The same when the one that was started has ended: another has come first, and should listen by then, or it was stopped. */
const START_AFTER_END = 1000;
/** Size from which a log starts anew, the old one kept beside it, bytes. */
const LOG_MAX = 1024 * 1024;

export type SessionClientOptions = Omit<ClientOptions, 'socket' | 'token'>;

/** A client of the session's server; null when there is none. Rejects with ConnectionError when there is one that refuses. */
export async function connectRunning(paths: SessionPaths, options: SessionClientOptions): Promise<Client | null> {
  const token = readToken(paths.token);
  return token === null ? null : orAbsent(connectClient({ ...options, socket: paths.socket, token }));
}

/** The client on a socket that was opened before; null when its server has gone meanwhile. */
export function continueRunning(socket: DirectSocket, paths: SessionPaths, options: SessionClientOptions): Promise<Client | null> {
  return orAbsent(continueClient(socket, { ...options, socket: paths.socket, token: '' }));
}

async function orAbsent(connecting: Promise<Client>): Promise<Client | null> {
  try {
    return await connecting;
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

/**
 * A client of the session's server, started before if need be. `program` is how this program is run (executable, its arguments, main
 * file). Rejects with ConnectionError ('no-start' when nothing came up in time) or PathError.
 */
export async function connectStarting(
  paths: SessionPaths,
  options: SessionClientOptions,
  program: string[],
  env: NodeJS.ProcessEnv,
): Promise<Client> {
  const running = await connectRunning(paths, options);
  if (running) return running;
  securePrivateDir(paths.runtime);
  securePrivateDir(paths.state);
  const deadline = performance.now() + START_TIME;
  let next = 0;
  while (performance.now() < deadline) {
    // One that is about to end still answers: looked at again and again, not once.
    if (performance.now() > next && !(await isLive(paths.holderSocket))) {
      const began = performance.now();
      next = began + START_AGAIN;
      startHolder(paths, program, env, () => {
        next = Math.min(next, began + START_AFTER_END);
      });
    }
    const client = await connectRunning(paths, options);
    if (client) return client;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }
  throw noStart(paths, START_TIME);
}

function noStart(paths: SessionPaths, within: number): ConnectionError {
  return new ConnectionError({
    code: 'no-start',
    message: `Session ${paths.session} did not come up within ${within / 1000} s${reasonFor(paths)}`,
    hint: `What went wrong stands in ${paths.log} and ${holderLog(paths)}.`,
  });
}

/** Why nothing came up, as far as it shows: '.', or ': …' with the server's last sentence. */
function reasonFor(paths: SessionPaths): string {
  try {
    if (statfsSync(paths.state).bavail === 0) return `: no room is left on the disk that holds ${paths.state}.`;
    const said = readFileSync(paths.log, 'utf8')
      .split('\n')
      .findLast((line) => line.startsWith('herd: '));
    return said ? `: ${said.slice('herd: '.length)}` : '.';
  } catch {
    return '.';
  }
}

/**
 * A client of the session's server; one that is coming up is waited for, for `within` ms. Null when the session is not there: it is never
 * started. Rejects as `connectStarting` does.
 */
export async function connectComing(paths: SessionPaths, options: SessionClientOptions, within = START_TIME): Promise<Client | null> {
  for (const deadline = performance.now() + within; ; ) {
    const client = await connectRunning(paths, options);
    if (client) return client;
    // Terminals without a server: the next one is on its way.
    if (!(await isLive(paths.holderSocket))) return null;
    if (performance.now() > deadline) throw noStart(paths, within);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }
}

/** How this program is run: executable, its arguments and `more` of them, main file. */
export function ownProgram(more: readonly string[] = []): string[] {
  return [process.execPath, ...process.execArgv, ...more, realpathSync(process.argv[1]!)];
}

/** Where the holder writes what it does. */
export function holderLog(paths: SessionPaths): string {
  return join(paths.state, 'holder.log');
}

/** Starts the holder in a process session of its own: closing the terminal it was started from does not reach it. */
function startHolder(paths: SessionPaths, program: string[], env: NodeJS.ProcessEnv, onEnd: () => void): void {
  const log = openLog(holderLog(paths));
  const [file, ...args] = outliveLogout([...program, 'holder', '--session', paths.session]);
  // Started from a pane it does not belong to that pane: its marks would make it look like something the pane left behind.
  const { HERD_HOLDER: _, HERD_TERMINAL: __, HERD_WORKSPACE: ___, ...rest } = env;
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(file!, args, {
    detached: true,
    cwd: '/',
    env: rest,
    stdio: ['ignore', log, log],
  });
  child.on('error', onEnd);
  child.on('exit', onEnd);
  child.unref();
  closeSync(log);
}

function openLog(path: string): number {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_MAX) renameSync(path, `${path}.1`);
  try {
    return openSync(path, 'a', 0o600);
  } catch (error) {
    throw new PathError(`Cannot write ${path}: ${(error as NodeJS.ErrnoException).code}.`, 'Free some space, or set HERD_DIR.');
  }
}

/** The session’s token; null when there is no session. Throws ConnectionError 'no-token' when it is not ours to read. */
export function readToken(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new ConnectionError({ code: 'no-token', message: `Cannot read ${path}.`, hint: 'Is this session another user’s?' });
  }
}

/** Nobody listens, or nobody listens any more: a server that is being started anew closes what came to the old one. */
export function isAbsence(error: unknown): boolean {
  if (!(error instanceof ConnectionError)) return false;
  if (error.code === 'disconnected') return true;
  return error.code === 'connection-failed' && ['ENOENT', 'ECONNREFUSED', undefined].includes(error.detail?.errno as string | undefined);
}
