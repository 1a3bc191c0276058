// What Linux says of a process, by /proc.
import { readFile, readlink } from 'node:fs/promises';

/** Name of the program that a process runs; null when it is gone. */
export async function programName(pid: number): Promise<string | null> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  return name.trim() || null;
}

/** Folder that a process works in; null when it is gone or not ours to know. */
export function workingFolder(pid: number): Promise<string | null> {
  return readlink(`/proc/${pid}/cwd`).catch(() => null);
}
