// What is promised: all bytes, in order, also those that came before anyone wanted them, and ends that both sides and the server see.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listening } from '../../test/support/listening.ts';
import { DirectSocket, direct, READ } from './direct-socket.ts';

test('bytes and ends arrive, and the server sees its last connection go', async () => {
  const { server, socket: path } = await listening();
  const client = new DirectSocket();
  client.connect(path);
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
  peer.write(Buffer.from('answer'));
  expect(await answer).toBe('answer');

  const closed = [once(client, 'close'), once(peer, 'close'), once(server, 'close')];
  server.close();
  client.end();
  await Promise.all(closed);
});

test('small and large writes arrive in order, also when the reader is behind', async () => {
  const { server, socket: path } = await listening();
  const client = new DirectSocket();
  onTestFinished(() => void client.destroy());
  client.connect(path);
  // Before the connection is there, too.
  client.write(Buffer.from('first'));
  const [accepted] = await once(server, 'connection');
  const peer = direct(accepted) as DirectSocket;
  const sent: Buffer[] = [Buffer.from('first')];
  for (const socket of [client, peer]) expect(socket.write).toBe(DirectSocket.prototype.write);
  const put = (bytes: Buffer) => {
    sent.push(bytes);
    return client.write(bytes);
  };
  let open = true;
  for (let i = 0; open; i++) open = put(Buffer.from(`${i} `.repeat(1 + (i % 7) * 1000)));
  expect(client.writableLength).toBeGreaterThan(0);
  for (let i = 0; i < 20; i++) put(Buffer.from(`after ${i} `));
  const whole = Buffer.concat(sent);
  const got: Buffer[] = [];
  await new Promise<void>((done) => {
    peer.deliverTo((bytes) => {
      got.push(bytes);
      if (got.reduce((sum, { length }) => sum + length, 0) >= whole.length) done();
    });
  });
  expect(Buffer.concat(got).equals(whole)).toBe(true);
});

test('a peer that has gone is an end, not a throw', async () => {
  const { socket: path } = await listening((socket) => socket.destroy());
  const client = new DirectSocket();
  client.connect(path);
  const closed = once(client, 'close').catch((error: NodeJS.ErrnoException) => error.code);
  client.on('error', () => {});
  await once(client, 'connect');
  await new Promise((later) => setImmediate(later));
  for (let i = 0; i < 3; i++) client.write(Buffer.from('nobody reads this'));
  await closed;
  expect(client.destroyed).toBe(true);
});

test('sockets that read into the same memory lend their bytes, and keep those that nobody has taken yet', async () => {
  const { server, socket: path } = await listening();
  const memory = Buffer.allocUnsafeSlow(READ);
  const pairs = [];
  for (const name of ['one', 'two']) {
    const socket = new DirectSocket({}, memory);
    onTestFinished(() => void socket.destroy());
    socket.connect(path);
    const [peer] = (await once(server, 'connection')) as [Socket];
    onTestFinished(() => void peer.destroy());
    pairs.push({ name, socket, peer });
  }
  for (const { name, peer } of pairs) peer.write(`${name} early `);
  // Both are read before anybody wants them, one over the other.
  while (pairs.some(({ name, socket }) => socket.bytesRead < `${name} early `.length)) await new Promise((later) => setImmediate(later));
  const got = pairs.map(({ name, socket, peer }) => {
    let text = '';
    const done = new Promise<string>((resolve) =>
      socket.deliverTo((bytes) => {
        text += bytes;
        if (text.endsWith('.')) resolve(text);
        // Lent: it is the socket's own again.
        if (text.endsWith('.')) expect(bytes.buffer).toBe(memory.buffer);
      }),
    );
    peer.write(`${name} late.`);
    return done;
  });
  expect(await Promise.all(got)).toEqual(['one early one late.', 'two early two late.']);
});

test('a text, an encoding and a call when it has left are as of any socket', async () => {
  const { server, socket: path } = await listening();
  const client = new DirectSocket();
  onTestFinished(() => void client.destroy());
  client.connect(path);
  const [peer] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => void peer.destroy());
  const left: string[] = [];
  client.write(Buffer.from('one '), () => left.push('bytes'));
  client.write('two ', () => left.push('text'));
  client.write('746872656520', 'hex', () => left.push('hex'));
  client.write('four');
  let got = '';
  for await (const bytes of peer) {
    got += bytes;
    if (got.endsWith('four')) break;
  }
  expect([got, left]).toEqual(['one two three four', ['bytes', 'text', 'hex']]);
});
