// Lock by the name of an abstract socket, which only one process can have and which ends with it. The name is random, kept in a file
// that only this user can read, so that nobody else can take it first.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { placeFile } from './place-file.ts';

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

function lockName(dir: string): string {
  const path = join(dir, 'lock');
  if (!existsSync(path)) placeFile(path, randomBytes(16).toString('hex'));
  return readFileSync(path, 'utf8');
}
