// Ends processes that escaped from an attempt: whatever still carries its mark in the environment, also what called setsid. Linux reads
// /proc, macOS asks ps.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The variable that marks all that an attempt starts. */
export const MARK = 'HERD_ATTEMPT';
/** Looks for stragglers after a kill: a process may have forked just before. */
const ROUNDS = 5;
const PAUSE = 40;

/** Kills all processes with one of the marks. */
export async function sweep(...marks: string[]): Promise<void> {
  const entries = new Set(marks.map((mark) => `${MARK}=${mark}`));
  for (let round = 0; round < ROUNDS && entries.size > 0; round++) {
    const pids = marked(entries);
    if (pids.length === 0) break;
    for (const pid of pids) kill(pid);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function marked(entries: ReadonlySet<string>): number[] {
  if (process.platform !== 'linux') return markedByPs(entries, psEnvironments());
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isSafeInteger(pid) && pid > 1 && pid !== process.pid && hasEntry(pid, entries));
}

function hasEntry(pid: number, entries: ReadonlySet<string>): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .some((entry) => entries.has(entry));
  } catch {
    return false;
  }
}

/** `ps -E` of macOS: pid, command, then the environment, all parted by blanks. */
export function markedByPs(entries: ReadonlySet<string>, output: string): number[] {
  const lines = output.split('\n').filter((line) => line.split(/\s+/).some((word) => entries.has(word)));
  return lines.map((line) => Number.parseInt(line.trim(), 10)).filter((pid) => Number.isSafeInteger(pid) && pid !== process.pid);
}

function psEnvironments(): string {
  try {
    return execFileSync('ps', ['-axwwE', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  } catch {
    return '';
  }
}
