// A server on a socket of its own, for as long as a test takes.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** `socket`: the path it listens on. */
export async function listening(onConnection?: (socket: Socket) => void): Promise<{ server: Server; socket: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'hw-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const server = createServer(onConnection);
  onTestFinished(() => void server.close());
  const socket = join(folder, 's');
  server.listen(socket);
  await once(server, 'listening');
  return { server, socket };
}
