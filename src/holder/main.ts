// Entry of `herd holder --session NAME`: takes the session's lock, makes the token, ignores what a closing terminal window sends, and
// runs until it is told to stop. A second one on the same session ends at once.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, lstatSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { System } from './end-terminal.ts';
import { Holder } from './holder.ts';
import { takeLock } from './lock.ts';
import { placeFile } from './place-file.ts';
import { processes } from './processes.ts';

/** How much less likely than others the kernel's memory killer shall take the holder (-1000 to 1000). */
const OOM_SCORE = -500;
/** A second SIGTERM within this time, ms, is meant: one alone is what a session manager sends to everything. */
const TERM_TWICE = 10_000;
/** Time for programs to end when the holder is ended by signals, ms. */
const TERM_GRACE = 3000;

export interface HolderRun {
  session: string;
  version: string;
  /** Private folder for lock, token and sockets; exists and has been checked. */
  runtime: string;
  holderSocket: string;
  token: string;
  /** File for what the server prints. */
  serverLog: string;
  /** How this program is run as a server: executable, its arguments, main file. */
  program: string[];
  env: NodeJS.ProcessEnv;
}

/** Runs the holder of a session; resolves when it has ended, false when the session has one already. */
export async function runHolder(run: HolderRun): Promise<boolean> {
  process.umask(0o077);
  if (!(await takeLock(run.runtime))) return false;
  // The death of this process is the one that hurts: a bug in one request, or a full disk under the log, must not be it.
  process.on('uncaughtException', (error) => log(`fault: ${error.stack ?? error.message}`));
  const score = lowerOomScore();
  const token = makeToken(run.token);
  const holder = new Holder({
    session: run.session,
    version: run.version,
    socket: run.holderSocket,
    token,
    restoreFolder: folderKeeper(run, token),
    startServer: (quarantine) => startServer(run, quarantine, score),
    system: realSystem,
    onStart: (pid) => setOomScore(pid, score),
    log,
  });
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGPIPE'] as const) process.on(signal, () => {});
  onSecondTerm(() => holder.stop(TERM_GRACE), log);
  await holder.open();
  log(`holder ${process.pid} of session ${run.session}, version ${run.version}`);
  await holder.finished;
  log('holder ended');
  return true;
}

/** Writes a line to the log; on a full disk it is lost, and nothing else. */
function log(line: string): void {
  try {
    process.stderr.write(`${new Date().toISOString()} ${line}\n`);
  } catch {
    // A file's write fails at once, in here.
  }
}

const realSystem: System = {
  processes,
  signal(pid, signal) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile, or is not ours to end: then it shows among the leftovers.
    }
  },
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  now: () => performance.now(),
};

function startServer(run: HolderRun, quarantine: number[], score: string | null) {
  const [file, ...args] = run.program;
  const aside = quarantine.length > 0 ? ['--quarantine', quarantine.join(',')] : [];
  const log = openLog(run.serverLog);
  const child = spawn(file!, [...args, 'server', '--session', run.session, ...aside], {
    stdio: ['ignore', log, log],
    env: run.env,
    cwd: '/',
  });
  if (log !== 'ignore') closeSync(log);
  if (child.pid) setOomScore(child.pid, score);
  return child;
}

/** Size from which the server's log starts anew, the old one kept beside it, bytes. */
const LOG_MAX = 1024 * 1024;

/** A server without a log is better than none. */
function openLog(path: string): number | 'ignore' {
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_MAX) renameSync(path, `${path}.1`);
    return openSync(path, 'a', 0o600);
  } catch {
    return 'ignore';
  }
}

/** The token of an earlier holder stays good; anything that is not a private file of ours is replaced. */
function makeToken(path: string): string {
  const at = lstatSync(path, { throwIfNoEntry: false });
  if (at?.isFile() && at.uid === process.getuid?.() && (at.mode & 0o077) === 0) {
    const token = readFileSync(path, 'utf8');
    if (/^[0-9a-f]{64}$/.test(token)) return token;
  }
  const token = randomBytes(32).toString('hex');
  writeFileSync(`${path}.new`, token, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return token;
}

/** Returns what brings the runtime folder back: with the same token, and the same lock, so that no second holder can think it is first. */
function folderKeeper(run: HolderRun, token: string): () => void {
  const files = [
    { path: run.token, content: token },
    { path: join(run.runtime, 'lock'), content: readFileSync(join(run.runtime, 'lock')) },
  ];
  return () => {
    mkdirSync(run.runtime, { recursive: true, mode: 0o700 });
    for (const { path, content } of files) placeFile(path, content);
  };
}

function onSecondTerm(act: () => void, log: (line: string) => void): void {
  let last = Number.NEGATIVE_INFINITY;
  process.on('SIGTERM', () => {
    const now = performance.now();
    if (now - last < TERM_TWICE) return act();
    last = now;
    log('SIGTERM ignored, agents are running here: send it twice to end them, or run herd server stop');
  });
}

/** Returns the score as it was, null where it may not be lowered. */
function lowerOomScore(): string | null {
  try {
    const before = readFileSync('/proc/self/oom_score_adj', 'utf8');
    writeFileSync('/proc/self/oom_score_adj', String(OOM_SCORE));
    return before;
  } catch {
    return null;
  }
}

/** What we start shall be as likely to be taken as everything else. */
function setOomScore(pid: number, score: string | null): void {
  if (score === null) return;
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, score);
  } catch {
    // It has ended already.
  }
}
