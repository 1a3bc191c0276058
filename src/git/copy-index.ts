// A copy of a worktree's index to work on. It keeps the time of the original: git trusts what the index says of a file only where the file
// is older than the index, so a copy that looks newer would hide what was written in the same tick as the original.

import { copyFile, stat, utimes } from 'node:fs/promises';
import type { Look } from './run.ts';

/** The file that holds the index of a worktree. */
export function indexFile(look: Look): Promise<string> {
  return look.text(['rev-parse', '--path-format=absolute', '--git-path', 'index']);
}

/** Copies the file of an index to `to`; nothing where there is none yet. */
export async function copyIndex(index: string, to: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(index);
    await copyFile(index, to);
    // Rounded down: git looks into a file too many rather than one too few.
    const seconds = Math.floor(mtimeMs) / 1000;
    await utimes(to, seconds, seconds);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
