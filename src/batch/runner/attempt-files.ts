// The files of one attempt, and the script that runs its agent. The script first takes the attempt's start ticket (a folder that only one
// can make): whoever recovers an attempt takes the same ticket, so an agent is never started after its attempt was given up. Output goes to
// a file by descriptor, the exit status by write and rename, and so does why herd ends an agent: none needs anybody who is still alive.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Bytes at the end of an output in which limits and last words are looked for. */
const TAIL = 16 * 1024;
/** Bytes of an output read for what agents tell in lines of JSON; the end counts. */
const READ_MAX = 64 * 1024 * 1024;

export interface AttemptFiles {
  /** Start ticket, a folder; holds `pid`. */
  ticket: string;
  output: string;
  status: string;
  /** Why herd ends it, from before the first signal on. */
  ending: string;
  prompt: string;
  patch: string;
  /** Log of check `i`. */
  check(i: number): string;
}

/** Files of the attempt `task`.`n` below the goal's folder. */
export function attemptFiles(dir: string, task: string, n: number): AttemptFiles {
  const base = join(dir, 'out', `${task}.${n}`);
  return {
    ...{ ticket: `${base}.go`, output: `${base}.out`, status: `${base}.status`, ending: `${base}.ending`, prompt: `${base}.prompt` },
    patch: join(dir, 'patches', `${task}.${n}.patch`),
    check: (i) => `${base}.check-${i + 1}.log`,
  };
}

/** Makes the folders of a batch's outputs and patches in `dir`, for this user only. */
export function makeFolders(dir: string): void {
  for (const name of ['out', 'patches']) mkdirSync(join(dir, name), { recursive: true, mode: 0o700 });
}

const SCRIPT = [
  'mkdir "$1" 2>/dev/null || exit 0',
  'echo $$ >"$1/pid.new" && mv "$1/pid.new" "$1/pid"',
  'in=$2 out=$3 status=$4; shift 4',
  '"$@" <"$in" >>"$out" 2>&1',
  'code=$?',
  'echo $code >"$status.new" && mv "$status.new" "$status"',
].join('\n');

/** The program that runs `argv` as this attempt. */
export function attemptArgv(files: AttemptFiles, argv: readonly string[]): string[] {
  return ['/bin/sh', '-c', SCRIPT, 'sh', files.ticket, files.prompt, files.output, files.status, ...argv];
}

export function writePrompt(files: AttemptFiles, input: string): void {
  writeFileSync(files.prompt, input, { mode: 0o600 });
}

/** True when the caller has the ticket now: the agent of this attempt has not started and never will. */
export async function takeTicket(files: AttemptFiles): Promise<boolean> {
  try {
    await mkdir(files.ticket);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Why herd ends an agent on purpose. */
export type Ending = 'timeout' | 'budget' | 'cancelled' | 'closed' | 'handed-back';

/** To be called before anything is done about it: whoever goes on with the attempt must not take the end for a crash. */
export function noteEnding(files: AttemptFiles, why: Ending): void {
  writeWhole(files.ending, why);
}

/** Of an agent that has no script to write it. */
export function noteStatus(files: AttemptFiles, code: number): void {
  writeWhole(files.status, String(code));
}

function writeWhole(file: string, content: string): void {
  writeFileSync(`${file}.new`, content, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** What an earlier runner noted; null when it had not begun to end the agent. */
export function notedEnding(files: AttemptFiles): Ending | null {
  return existsSync(files.ending) ? (readFileSync(files.ending, 'utf8') as Ending) : null;
}

/** Exit code as the script wrote it; null while it has not. */
export function exitStatus(files: AttemptFiles): number | null {
  if (!existsSync(files.status)) return null;
  const code = Number(readFileSync(files.status, 'utf8').trim());
  return Number.isInteger(code) ? code : 1;
}

/** The end of a file as text; '' when there is none. */
export async function tailOf(file: string, bytes = TAIL): Promise<string> {
  try {
    await using handle = await open(file);
    const { size } = await handle.stat();
    const buffer = Buffer.alloc(Math.min(bytes, size));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, size - buffer.length);
    return buffer.subarray(0, bytesRead).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Calls `take` for each line of the output that may be JSON. */
export async function eachLine(file: string, take: (line: string) => void): Promise<void> {
  const size = (await stat(file).catch(() => null))?.size ?? 0;
  if (size === 0) return;
  await using handle = await open(file);
  const lines = createInterface({
    input: handle.createReadStream({ start: Math.max(0, size - READ_MAX), autoClose: false, encoding: 'utf8' }),
  });
  for await (const line of lines) if (line.startsWith('{')) take(line);
}
