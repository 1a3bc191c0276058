// A listening Unix socket and its file: a stale file is replaced, a live one never, and anything that is not a socket is left alone.
import { lstatSync, unlinkSync } from 'node:fs';
import { createConnection, type Server } from 'node:net';

/**
 * Listens on `path`; resolves with the file's inode number, for `socketIsThere`. Call only while holding the session's lock (holder) or
 * its only server link (server): two processes that replace the same stale file at once could otherwise both succeed. Throws when
 * somebody listens there, or a file that is no socket is there. Closing `server` removes whatever file is at `path` then.
 */
export async function bindSocket(server: Server, path: string): Promise<number> {
  const at = lstatSync(path, { throwIfNoEntry: false });
  if (at && !at.isSocket()) throw new Error(`${path} is not a socket`);
  if (at && (await isLive(path))) throw new Error(`${path} is in use`);
  if (at) unlinkSync(path);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return lstatSync(path).ino;
}

/** The file at `path` is still the one with this inode number. */
export function socketIsThere(path: string, inode: number): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.ino === inode;
}

/** Somebody accepts connections at `path`. */
export function isLive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createConnection(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}
