// Ends processes that escaped from an attempt: whatever still carries its mark in the environment, also what called setsid. Linux reads
// /proc, macOS asks ps.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The variable that marks all that an attempt starts. */
export const MARK = 'HERD_ATTEMPT';
/** Looks for stragglers after a kill: a process may have forked just before. */
const ROUNDS = 5;
const PAUSE = 40;

/** Kills all processes with the mark; resolves with how many there were. */
export async function sweep(mark: string): Promise<number> {
  let total = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const pids = marked(`${MARK}=${mark}`);
    if (pids.length === 0) break;
    if (round === 0) total = pids.length;
    for (const pid of pids) kill(pid);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return total;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function marked(entry: string): number[] {
  if (process.platform !== 'linux') return markedByPs(entry, psEnvironments());
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isSafeInteger(pid) && pid > 1 && pid !== process.pid && hasEntry(pid, entry));
}

function hasEntry(pid: number, entry: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(Buffer.from(entry).toString('latin1'));
  } catch {
    return false;
  }
}

/** `ps -E` of macOS: pid, command, then the environment, all parted by blanks. */
export function markedByPs(entry: string, output: string): number[] {
  const lines = output.split('\n').filter((line) => line.split(/\s+/).includes(entry));
  return lines.map((line) => Number.parseInt(line.trim(), 10)).filter((pid) => Number.isSafeInteger(pid) && pid !== process.pid);
}

function psEnvironments(): string {
  try {
    return execFileSync('ps', ['-axwwE', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  } catch {
    return '';
  }
}
