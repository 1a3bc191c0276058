// A link over servers that end: what may be asked twice is, what was not begun is, everything else is told.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ownFolder } from '../../test/support/own-folder.ts';
import { type SessionPaths, sessionPaths } from '../config/paths.ts';
import { Connection, type Json } from '../wire/connection.ts';
import { CLIENT_PROTOCOL } from '../wire/hello.ts';
import { bindSocket } from '../wire/socket-file.ts';
import { connectLink } from './link.ts';

/** What one server does with a request: its reply, or 'dies'. */
type Deed = (method: unknown) => Json | 'dies';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Paths of a session whose holder lives; its servers come one after the other, each as told, the last one stays. */
async function session(deeds: Deed[], asked: string[] = []): Promise<SessionPaths> {
  const paths = sessionPaths('m', { HERD_DIR: ownFolder() });
  mkdirSync(dirname(paths.token), { recursive: true, mode: 0o700 });
  writeFileSync(paths.token, 'secret', { mode: 0o600 });
  const holder = createServer();
  await bindSocket(holder, paths.holderSocket);
  ends.push(() => holder.close());
  await serve(paths, deeds, asked);
  return paths;
}

async function serve(paths: SessionPaths, [deed, ...rest]: Deed[], asked: string[]): Promise<void> {
  const hello = { protocol: CLIENT_PROTOCOL, version: 'test', pid: process.pid };
  const server: Server = createServer((socket) => {
    const connection: Connection = new Connection(socket, {
      hello,
      admit: () => null,
      onRequest: ({ id, method }) => {
        asked.push(`${method} of ${rest.length}`);
        const reply = deed!(method);
        if (reply !== 'dies') return connection.reply(id, reply);
        server.close(() => void serve(paths, rest, asked));
        connection.close();
      },
    });
    ends.push(() => connection.close());
  });
  ends.push(() => server.close());
  await bindSocket(server, paths.socket);
}

const dies: Deed = () => 'dies';
const answers: Deed = () => ({ result: { said: 'yes' } });

test('a question is asked again at the next server, and at the one after that', async () => {
  const asked: string[] = [];
  const link = (await connectLink(await session([dies, dies, answers], asked), {}))!;
  expect(await link.request('session.state', {})).toEqual({ said: 'yes' });
  expect(asked).toEqual(['session.state of 2', 'session.state of 1', 'session.state of 0']);
  link.close();
});

test('what would be done twice is not asked again: its sentence says what is known', async () => {
  const asked: string[] = [];
  const link = (await connectLink(await session([dies, answers], asked), {}))!;
  const add = () => link.request('comment.reply', { comment: 1, body: 'x', author: 'user' });
  await expect(add()).rejects.toMatchObject({ code: 'unanswered', exit: 1 });
  expect(asked).toEqual(['comment.reply of 1']);
  // The next one is a new request: it finds the next server.
  expect(await add()).toEqual({ said: 'yes' });
  link.close();
});

test('a server that turns a request away has not begun it: the next one is asked, whatever it is', async () => {
  const asked: string[] = [];
  let gone = false;
  const ending: Deed = () => {
    if (gone) return 'dies';
    gone = true;
    return { error: { code: 'ending', message: 'just ending' } };
  };
  const link = (await connectLink(await session([ending, answers], asked), {}))!;
  const [first, second] = [link.request('comment.remove', { comment: 1 }), link.request('comment.list', {})];
  expect(await Promise.all([first, second])).toEqual([{ said: 'yes' }, { said: 'yes' }]);
  expect(asked.filter((line) => line === 'comment.remove of 0')).toHaveLength(1);
  link.close();
});

test('a request that ends every server is given up', async () => {
  const asked: string[] = [];
  const link = (await connectLink(await session(Array(40).fill(dies), asked), {}))!;
  await expect(link.request('session.state', {})).rejects.toMatchObject({
    code: 'unanswered',
    message: expect.stringMatching(/ended \d+ times/),
  });
  expect(asked.length).toBeLessThan(20);
  link.close();
});

test('a server that is coming up is waited for as long as is said, where there is a session at all', async () => {
  const paths = await session([answers]);
  for (const end of ends.splice(1)) end();
  await expect(connectLink(paths, { within: 100 })).rejects.toMatchObject({ code: 'no-start' });
  expect(await connectLink(paths, 'now')).toBeNull();
  const coming = connectLink(paths, {});
  await serve(paths, [answers], []);
  const link = (await coming)!;
  expect(await link.request('server.status', {})).toEqual({ said: 'yes' });
  link.close();
  for (const end of ends.splice(0)) end();
  expect(await connectLink(paths, {})).toBeNull();
});
