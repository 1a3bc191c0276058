// herd's own folder in a worktree's private git directory, where no changeset shows it. A sandboxed agent may write there too: nothing in
// it is followed, and what herd writes never goes through a link.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder `herd/NAME…` below `gitDir`, made when missing. Rejects when something else stands at its place. */
export async function privateFolder(gitDir: string, ...names: string[]): Promise<string> {
  let at = gitDir;
  for (const name of ['herd', ...names]) {
    at = join(at, name);
    await mkdir(at, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    if (!(await lstat(at)).isDirectory()) throw new Error(`${at} is not a folder`);
  }
  return at;
}

/** Writes a file whole, by temporary file and rename: a link at its place is replaced, not followed. */
export async function writePrivate(folder: string, name: string, text: string): Promise<string> {
  const made = join(folder, `.${randomBytes(6).toString('hex')}.tmp`);
  const handle = await open(made, 'wx', 0o600);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
  const path = join(folder, name);
  await rename(made, path).catch(async (error) => {
    await rm(made, { force: true });
    throw error;
  });
  return path;
}

/** The text of a regular file of at most `limit` bytes; null for anything else, also a link or a pipe. */
export async function readPrivate(path: string, limit: number): Promise<string | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (!handle) return null;
  try {
    if (!(await handle.stat()).isFile()) return null;
    const parts: Buffer[] = [];
    // It may grow while it is read: one byte more than is taken tells.
    for await (const part of handle.createReadStream({ end: limit, autoClose: false })) parts.push(part);
    const bytes = Buffer.concat(parts);
    return bytes.length > limit ? null : bytes.toString();
  } finally {
    await handle.close();
  }
}
