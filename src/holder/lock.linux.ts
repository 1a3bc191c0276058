// Lock by the name of an abstract socket, which only one process can have and which ends with it. The name is random, kept in a file
// that only this user can read, so that nobody else can take it first.
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** See lock.ts. */
export function takeLock(dir: string): Promise<boolean> {
  const name = `\0herd-${lockName(dir)}`;
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    server.listen(name, () => resolve(true));
    server.unref();
  });
}

/** The file appears with its content or not at all, and is never replaced: all processes read the same name. */
function lockName(dir: string): string {
  const path = join(dir, 'lock');
  const mine = `${path}.${process.pid}`;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    writeFileSync(mine, randomBytes(16).toString('hex'), { mode: 0o600 });
  }
  try {
    linkSync(mine, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(mine);
  }
  return readFileSync(path, 'utf8');
}
