// What macOS says of a process: `ps` has its program, `lsof` its folder. Run without a shell, with a number as the only thing from outside.
import { execFile } from 'node:child_process';
import { basename } from 'node:path';

/** ms for an answer; usual are some 20. */
const PATIENCE = 2000;

/** Where the two programs are. */
export const PROGRAMS = { ps: '/bin/ps', lsof: '/usr/sbin/lsof' };

/** Name of the program that a process runs; null when it is gone. `comm` is a path there, and a login shell's begins with a dash. */
export async function programName(pid: number, { ps } = PROGRAMS): Promise<string | null> {
  const path = (await answer(ps, ['-o', 'comm=', '-p', String(pid)])).trim();
  return basename(path).replace(/^-/, '') || null;
}

/** Folder that a process works in; null when it is gone or not ours to know. Of `lsof`'s fields, one a line, `n` is the name. */
export async function workingFolder(pid: number, { lsof } = PROGRAMS): Promise<string | null> {
  const fields = await answer(lsof, ['-a', '-d', 'cwd', '-p', String(pid), '-Fn']);
  return /^n(\/.*)$/m.exec(fields)?.[1] ?? null;
}

/** Process group in front of the terminal of a process; null when there is none. */
export async function foregroundGroup(pid: number, { ps } = PROGRAMS): Promise<number | null> {
  const group = Number(await answer(ps, ['-o', 'tpgid=', '-p', String(pid)]));
  return group > 0 ? group : null;
}

/** What a program prints; '' when it fails or cannot be run. */
function answer(program: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { encoding: 'utf8', timeout: PATIENCE }, (error, stdout) => resolve(error ? '' : stdout));
  });
}
