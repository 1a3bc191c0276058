// Where a session's files lie, and the check that nobody else can write there. Creates folders only in `securePrivateDir`; reads no
// file. `HERD_DIR` puts everything of all sessions under one folder.
import { accessSync, constants, existsSync, lstatSync, mkdirSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { KnownError } from '../model/known-error.ts';

/** Longest path of a Unix socket, bytes without the final NUL: 103 on macOS, 107 on Linux. */
const SOCKET_PATH_MAX = process.platform === 'darwin' ? 103 : 107;

/** What a session is called: it becomes a folder name and part of a socket's path. */
export const SESSION_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;

/** The files of one session; all absolute. */
export interface SessionPaths {
  session: string;
  /** 0700: sockets, token, lock, private PATH folder. Gone after a reboot. */
  runtime: string;
  /** Clients speak to the server here. */
  socket: string;
  /** The server speaks to the holder here. */
  holderSocket: string;
  /** 0600: 32 random bytes as hex, demanded in every hello. */
  token: string;
  /** The folder of `runtime` whose `herd` runs this program; first on a pane's PATH. */
  bin: string;
  /** Link to the agent socket of the client that attached last. */
  sshAgent: string;
  /** Survives a reboot: ledger, layout, checkpoints, history, logs. */
  state: string;
  /** Checkpoints and history files of terminals. */
  screens: string;
  /** Pictures that clients on other hosts brought. */
  pictures: string;
  log: string;
  /** config.toml of the user. */
  config: string;
  /** Remembers which `.herd.toml` this user has agreed to; of all sessions. */
  consents: string;
  /** Where worktrees go when the place beside the repository cannot be written. */
  worktrees: string;
}

/** A folder that is not safely ours. `message` and `hint` are for people. */
export class PathError extends KnownError<'unsafe-path'> {
  constructor(message: string, hint: string) {
    super('unsafe-path', message, hint);
  }
}

type Env = Record<string, string | undefined>;

/** All sessions' runtime folders lie in `runtime`, state folders in `state`. */
function roots(env: Env): { runtime: string; state: string; config: string; data: string } {
  if (env.HERD_DIR) {
    const dir = resolve(env.HERD_DIR);
    return { runtime: dir, state: join(dir, 'state'), config: dir, data: dir };
  }
  const home = env.HOME || homedir();
  const state = join(env.XDG_STATE_HOME || join(home, '.local/state'), 'herd');
  return {
    runtime: env.XDG_RUNTIME_DIR ? join(env.XDG_RUNTIME_DIR, 'herd') : join(state, 'run'),
    state,
    config: join(env.XDG_CONFIG_HOME || join(home, '.config'), 'herd'),
    data: join(env.XDG_DATA_HOME || join(home, '.local/share'), 'herd'),
  };
}

/** The paths of `session`. Throws PathError for a bad name or a socket path the system cannot take. */
export function sessionPaths(session: string, env: Env): SessionPaths {
  if (!SESSION_NAME.test(session)) {
    throw new PathError(`"${session}" cannot be a session's name.`, 'Use up to 32 letters, digits, dots, dashes and underscores.');
  }
  const root = roots(env);
  const runtime = join(root.runtime, session);
  const state = join(root.state, session);
  const socket = join(runtime, 'herd.sock');
  if (Buffer.byteLength(socket) + 4 > SOCKET_PATH_MAX) {
    throw new PathError(
      `The socket's path is too long for this system: ${socket}`,
      `Set HERD_DIR to a shorter folder: ${SOCKET_PATH_MAX} bytes are allowed.`,
    );
  }
  return {
    session,
    runtime,
    socket,
    holderSocket: join(runtime, 'holder.sock'),
    token: join(runtime, 'token'),
    bin: join(runtime, 'bin'),
    sshAgent: join(runtime, 'ssh-agent'),
    state,
    screens: join(state, 'screens'),
    pictures: join(state, 'pictures'),
    log: join(state, 'server.log'),
    config: join(root.config, 'config.toml'),
    consents: join(root.state, 'consents'),
    worktrees: join(root.data, 'worktrees'),
  };
}

/** Folder that holds the ledgers of batches, one folder per repository: no session's name can be this one. */
export function batchesRoot(env: Env): string {
  return join(roots(env).state, '_batches');
}

/** Folder that holds the runtime folders of all sessions. */
export function sessionsRoot(env: Env): string {
  return roots(env).runtime;
}

/**
 * Makes `dir` (0700, parents too) and makes sure that it is a real folder of this user that nobody else may enter. The folder above
 * may be anybody's: what counts is that ours is not a link and was not made by someone else. Throws PathError.
 */
export function securePrivateDir(dir: string, uid = process.getuid?.() ?? -1): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new PathError(
      `Cannot make ${dir}: ${plainReason(whyNot(dir) ?? error)}.`,
      'Set XDG_RUNTIME_DIR and XDG_STATE_HOME, or HERD_DIR, to a folder you can write.',
    );
  }
  const fault = privateFault(lstatSync(dir), uid);
  if (fault)
    throw new PathError(`${dir} ${fault}.`, `Remove it, or run: chmod 700 ${dir} - or set HERD_DIR to a private folder of your own.`);
}

/** `dir` is there, and is as `securePrivateDir` would have it. */
export function isPrivateDir(dir: string, uid = process.getuid?.() ?? -1): boolean {
  const at = lstatSync(dir, { throwIfNoEntry: false });
  return at !== undefined && privateFault(at, uid) === null;
}

function privateFault(at: Stats, uid: number): string | null {
  if (at.isSymbolicLink()) return 'is a symbolic link';
  if (!at.isDirectory()) return 'is not a folder';
  if (uid >= 0 && at.uid !== uid) return `belongs to another user (uid ${at.uid})`;
  if (at.mode & 0o077) return `can be entered by others (mode ${(at.mode & 0o777).toString(8)})`;
  return null;
}

/** Making parents too, Node says ENOENT for a read-only file system: what the folder that is there says is the reason. */
function whyNot(dir: string): unknown {
  if (!existsSync(dir) && dirname(dir) !== dir) return whyNot(dirname(dir));
  try {
    accessSync(dir, constants.W_OK);
    return null;
  } catch (error) {
    return error;
  }
}

function plainReason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'EROFS') return 'the file system is read-only';
  if (code === 'ENOSPC') return 'the disk is full';
  if (code === 'EEXIST' || code === 'ENOTDIR') return 'a file stands in the way';
  return code ?? 'unknown reason';
}
