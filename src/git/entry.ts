// What lies at a path, itself and not what it leads to.

import { lstatSync, type Stats } from 'node:fs';

/** Null where nothing is, nor can be: a folder above it is gone, or a file by now. Throws for what may not be looked at. */
export function entryAt(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw error;
  }
}
