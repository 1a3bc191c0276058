// What is promised: all bytes, in order, also those that came before anyone wanted them, and ends that both sides and the server see.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DirectSocket, direct } from './direct-socket.ts';

test('bytes and ends arrive, and the server sees its last connection go', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hw-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const server = createServer();
  server.listen(join(folder, 's'));
  await once(server, 'listening');
  const client = new DirectSocket();
  client.connect(join(folder, 's'));
  const [accepted] = await once(server, 'connection');
  const peer = direct(accepted) as DirectSocket;
  expect(peer).toBeInstanceOf(DirectSocket);

  const sent = Buffer.alloc(1_000_000, 'herd ');
  client.write(sent);
  await new Promise((later) => setImmediate(later));
  const got: Buffer[] = [];
  const all = new Promise<void>((done) => {
    peer.deliverTo((bytes) => {
      got.push(bytes);
      if (got.reduce((sum, { length }) => sum + length, 0) === sent.length) done();
    });
  });
  await all;
  expect(Buffer.concat(got).equals(sent)).toBe(true);

  const answer = new Promise<string>((done) => client.deliverTo((bytes) => done(bytes.toString())));
  peer.write('answer');
  expect(await answer).toBe('answer');

  const closed = [once(client, 'close'), once(peer, 'close'), once(server, 'close')];
  server.close();
  client.end();
  await Promise.all(closed);
});
