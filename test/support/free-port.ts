// Ports for servers of tests.
import { createServer } from 'node:net';

/** Below the ports that the kernel gives to connections by itself: between the choice and its use, or while its server restarts, none of these takes it. */
const FIRST = 20_000;
const COUNT = 12_000;

/** A port on loopback that nobody listens on. Processes begin their search at places of their own. */
export async function freePort(): Promise<number> {
  for (let i = 0; i < COUNT; i++) {
    const port = FIRST + ((process.pid + i) % COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error('no port is free');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
