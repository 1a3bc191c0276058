import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ownFolder } from '../../test/support/own-folder.ts';
import { sessionPaths } from '../config/paths.ts';
import { bindSocket } from '../wire/socket-file.ts';
import { restartServer, stopHolder } from './holder-requests.ts';

test('a session that is not there, or ends in this moment, has no holder; that is no failure', async () => {
  const paths = sessionPaths('m', { HERD_DIR: ownFolder() });
  expect([await stopHolder(paths), await restartServer(paths)]).toEqual([false, false]);
  mkdirSync(dirname(paths.token), { recursive: true, mode: 0o700 });
  const holder = createServer((socket) => socket.destroy());
  await bindSocket(holder, paths.holderSocket);
  onTestFinished(() => void holder.close());
  // Its files may go before its socket does.
  expect(await stopHolder(paths)).toBe(false);
  writeFileSync(paths.token, 'secret', { mode: 0o600 });
  expect([await stopHolder(paths), await restartServer(paths)]).toEqual([false, false]);
});
