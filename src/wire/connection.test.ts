import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { ownFolder } from '../../test/support/own-folder.ts';
import { connectClient, RequestError } from './client.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { direct } from './direct-socket.ts';
import { encodeFrame, MAX_PAYLOAD } from './frame.ts';
import { CLIENT_PROTOCOL, type Hello, refuseClientProtocol, refuseToken } from './hello.ts';
import type { WireError } from './requests.ts';

const path = () => join(ownFolder(), 's');
const ours: Hello = { protocol: CLIENT_PROTOCOL, version: '2.0.0', pid: 1 };
const opened: (Server | Socket | { close(): void })[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const thing of opened.splice(0)) 'destroy' in thing ? thing.destroy() : thing.close();
});

/** A listening end that treats each connection as told. */
async function listen(
  options: Partial<ConnectionOptions>,
): Promise<{ at: string; closed: Promise<WireError>; connection: Promise<Connection> }> {
  const at = path();
  const closed = Promise.withResolvers<WireError>();
  const made = Promise.withResolvers<Connection>();
  const server = createServer((socket) => {
    const connection = new Connection(direct(socket), { hello: ours, admit: () => null, onClose: closed.resolve, ...options });
    made.resolve(connection);
    opened.push(connection);
  });
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(at, resolve));
  return { at, closed: closed.promise, connection: made.promise };
}

const hello = (more: object = {}) => encodeFrame(1, 0, Buffer.from(JSON.stringify({ ...ours, ...more })));
const json = (type: number, body: unknown) => encodeFrame(type, 0, Buffer.from(JSON.stringify(body)));

test('a server that ends before it takes a connection is gone, not a failure of its own', async () => {
  const at = path();
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(at, resolve));
  const connecting = connectClient({ socket: at, token: '', version: '2.0.0' });
  // In the same breath: the kernel has queued the connection, and resets it.
  server.close();
  await expect(connecting).rejects.toMatchObject({ code: 'disconnected' });
  await expect(connectClient({ socket: at, token: '', version: '2.0.0' })).rejects.toMatchObject({
    code: 'connection-failed',
    detail: { errno: 'ENOENT' },
  });
});

test('what a server does not begin since it is about to end is a link that ended, not a refusal', async () => {
  const { at, connection } = await listen({
    onRequest: async ({ id, method }) =>
      (await connection).reply(id, { error: { code: method === 'hunk.undo' ? 'ending' : 'not-found', message: 'no' } }),
  });
  const client = await connectClient({ socket: at, token: '', version: '2.0.0' });
  opened.push(client);
  const outcome = (method: 'hunk.undo' | 'workspace.get') =>
    client.request(method, { workspace: 1 }).catch((error) => [error instanceof RequestError, error.code]);
  expect([await outcome('hunk.undo'), await outcome('workspace.get')]).toEqual([
    [false, 'ending'],
    [true, 'not-found'],
  ]);
});

test('requests get their replies by id, in whatever order they come', async () => {
  const kept: { id: number; method?: unknown }[] = [];
  const { at, connection } = await listen({
    async onRequest(request) {
      kept.push(request);
      if (kept.length === 2) for (const { id, method } of kept.reverse()) (await connection).reply(id, { result: method });
    },
  });
  const client = await connectClient({ socket: at, token: '', version: '2.0.0' });
  opened.push(client);
  const answers = await Promise.all([client.request('session.state', {}), client.request('server.status', {})]);
  expect(answers).toEqual(['session.state', 'server.status']);
});

test('an answer that no frame holds becomes an error, and the link lives', async () => {
  const { at, connection } = await listen({
    async onRequest({ id, method }) {
      (await connection).reply(id, { result: method === 'server.status' ? 'x'.repeat(MAX_PAYLOAD) : 'fine' });
    },
  });
  const client = await connectClient({ socket: at, token: '', version: '2.0.0' });
  opened.push(client);
  await expect(client.request('server.status', {})).rejects.toMatchObject({ code: 'too-large' });
  expect(await client.request('session.state', {})).toBe('fine');
});

test.each([
  ['a frame of impossible length', Buffer.alloc(9, 0xff)],
  ['text', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ['a request before hello', json(2, { id: 1 })],
  ['a hello that is none', json(1, { protocol: 'x' })],
  ['a hello that is no object', json(1, [1])],
  ['a hello that is not JSON', encodeFrame(1, 0, Buffer.from('{'))],
  ['two hellos', Buffer.concat([hello(), hello()])],
  ['a request without id', Buffer.concat([hello(), json(2, { do: 'x' })])],
  ['a reply without id', Buffer.concat([hello(), json(3, {})])],
])('%s closes the connection', async (_, bytes) => {
  const { at, closed } = await listen({});
  const socket = createConnection(at);
  opened.push(socket);
  socket.on('error', () => {});
  socket.write(bytes);
  expect(await closed).toMatchObject({ code: 'malformed' });
});

test('a silent connection is dropped', async () => {
  const { at, closed } = await listen({ helloTimeout: 30 });
  opened.push(createConnection(at).on('error', () => {}));
  expect(await closed).toMatchObject({ code: 'silent' });
});

test('another version is refused with both versions and what to do', async () => {
  const { at } = await listen({ hello: { ...ours, protocol: 99, version: '3.1.4' } });
  await expect(connectClient({ socket: at, token: '', version: '2.0.0' })).rejects.toMatchObject({
    code: 'version-mismatch',
    message: `This herd is 2.0.0 (protocol ${CLIENT_PROTOCOL}), the session's server is 3.1.4 (protocol 99).`,
    hint: expect.stringContaining('herd server restart'),
  });
});

test('a peer that is told why it is refused hears just that', async () => {
  const { at } = await listen({ admit: (theirs) => refuseToken(theirs, 'right') });
  await expect(connectClient({ socket: at, token: 'wrong', version: '2.0.0' })).rejects.toMatchObject({ code: 'wrong-token' });
  const client = await connectClient({ socket: at, token: 'right', version: '2.0.0' });
  opened.push(client);
});

test.each(['', 'shorter', 'right '])('the token %j is not the right one', (token) => {
  expect(refuseToken({ ...ours, token }, 'right')).toMatchObject({ code: 'wrong-token' });
});

test('open requests fail when the link ends', async () => {
  const { at, connection } = await listen({});
  const client = await connectClient({ socket: at, token: '', version: '2.0.0' });
  const asked = client.request('session.state', {});
  (await connection).close();
  await expect(asked).rejects.toMatchObject({ code: 'disconnected' });
  await expect(client.request('session.state', {})).rejects.toMatchObject({ code: 'disconnected' });
});

test('a handler that throws ends its connection and tells why', async () => {
  const faults: unknown[] = [];
  const { at, closed } = await listen({
    onEvent: () => {
      throw new Error('bug');
    },
    onFault: (error) => faults.push(error),
  });
  const client = await connectClient({ socket: at, token: '', version: '2.0.0' });
  client.connection.event({ event: 'x' });
  expect(await closed).toMatchObject({ code: 'malformed' });
  expect(faults).toEqual([new Error('bug')]);
});

test('a peer that stops answering shows as silent, and as back when it speaks', async () => {
  const at = path();
  const spoke = Promise.withResolvers<Socket>();
  const server = createServer((socket) => {
    socket.write(hello());
    spoke.resolve(socket);
    opened.push(socket);
  });
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(at, resolve));
  const news: (number | null)[] = [];
  const heard = Promise.withResolvers<void>();
  const back = Promise.withResolvers<void>();
  const connection = new Connection(createConnection(at), {
    ...{ hello: { ...ours, role: 'client' }, admit: () => null, keepAlive: 10 },
    onSilence(since) {
      news.push(since);
      if (since === null) back.resolve();
      else heard.resolve();
    },
  });
  opened.push(connection);
  const socket = await spoke.promise;
  await heard.promise;
  socket.write(encodeFrame(241, 0, new Uint8Array(0)));
  await back.promise;
  expect(news.slice(0, 2)).toEqual([expect.any(Number), null]);
  expect(connection.closed).toBe(null);
});

test('only an unanswered question makes a peer silent, not that it had nothing to say for long', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  const at = path();
  const server = createServer((socket) => {
    socket.write(hello());
    opened.push(socket);
  });
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(at, resolve));
  const news: (number | null)[] = [];
  const connection = new Connection(createConnection(at), {
    ...{ hello: { ...ours, role: 'client' }, admit: () => null, keepAlive: 1000 },
    onSilence: (since) => news.push(since),
  });
  opened.push(connection);
  await connection.ready;
  // As after an hour of sleep: the first look at the clock finds an old word.
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(1000);
  expect(news).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(news).toEqual([expect.any(Number)]);
});

test('versions: equal protocols talk, whatever the versions', () => {
  expect(refuseClientProtocol(ours, { ...ours, version: '9' })).toBe(null);
});

test('what is sent together comes in order, events and large frames too', async () => {
  const { at, connection } = await listen({});
  const reads: Buffer[] = [];
  const socket = createConnection(at);
  opened.push(socket);
  socket.write(hello());
  const link = await connection;
  await link.ready;
  await new Promise<void>((resolve) => socket.once('data', () => resolve()));
  const large = Buffer.alloc(20_000, 'x');
  const wanted = Buffer.concat([
    encodeFrame(5, 1, Buffer.from('a')),
    encodeFrame(5, 2, Buffer.from('bc')),
    encodeFrame(5, 3, Buffer.concat([Buffer.from('d'), large])),
    json(4, { event: 'exit' }),
  ]);
  const all = new Promise<void>((resolve) =>
    socket.on('data', (bytes) => {
      reads.push(bytes);
      if (Buffer.concat(reads).length >= wanted.length) resolve();
    }),
  );
  link.together(() => {
    expect(link.send(5, 1, Buffer.from('a'))).toBe(true);
    link.together(() => link.send(5, 2, Buffer.from('b'), Buffer.from('c')));
    link.send(5, 3, Buffer.from('d'), large);
    link.event({ event: 'exit' });
    expect(link.queued).toBe(0);
  });
  await all;
  expect(Buffer.concat(reads).equals(wanted)).toBe(true);
});
