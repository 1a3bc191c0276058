// A file that appears with its content or not at all, and is never replaced: whoever finds it reads all of it, and all read the same.
import { linkSync, unlinkSync, writeFileSync } from 'node:fs';

/** Leaves what is at `path` as it is. Only this user can read the file. */
export function placeFile(path: string, content: string | Uint8Array): void {
  const mine = `${path}.${process.pid}`;
  writeFileSync(mine, content, { mode: 0o600 });
  try {
    linkSync(mine, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(mine);
  }
}
