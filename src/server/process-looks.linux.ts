// What Linux says of a process, by /proc.
import { closeSync, openSync, readSync } from 'node:fs';
import { readFile, readlink } from 'node:fs/promises';

/** Bytes of a stat file up to the field asked for, at most: a name of 64 bytes, and numbers. */
const STAT = 256;

/** Name of the program that a process runs; null when it is gone. */
export async function programName(pid: number): Promise<string | null> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  return name.trim() || null;
}

/** Folder that a process works in; null when it is gone or not ours to know. */
export function workingFolder(pid: number): Promise<string | null> {
  return readlink(`/proc/${pid}/cwd`).catch(() => null);
}

/**
 * Process group in front of the terminal of a process (field tpgid of proc_pid_stat(5)); null when there is none. Read at once: the kernel
 * has it in memory, and by way of a thread it costs ten times as much.
 */
export async function foregroundGroup(pid: number): Promise<number | null> {
  try {
    const stat = readStat(pid);
    // The name in parentheses may hold anything, parentheses and blanks too.
    const group = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ', 6)[5]);
    return group > 0 ? group : null;
  } catch {
    return null;
  }
}

/** Its beginning, by one read: two hundred agents are asked for every second. */
function readStat(pid: number): string {
  const bytes = Buffer.allocUnsafe(STAT);
  const file = openSync(`/proc/${pid}/stat`, 'r');
  try {
    return bytes.toString('latin1', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}
