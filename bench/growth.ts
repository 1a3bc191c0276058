// What is left in a server of what has come and gone: workspaces, clients, comments, terminals. Bytes of its heap after a collection, each
// round against the one before it; the first rounds also pay for code that is compiled, and are not counted.
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sessionPaths } from '../src/config/paths.ts';
import { UNKNOWN_OUTER } from '../src/model/outer.ts';
import type { Workspace } from '../src/model/workspace.ts';
import { type Client, connectClient } from '../src/wire/client.ts';
import { Driver } from '../test/support/driver.ts';
import { eventually } from '../test/support/held-session.ts';
import { makeRepository } from '../test/support/repository.ts';
import type { Row } from './figures.ts';

/** Rounds before the one that counts. */
const WARM = 3;
/** Lines of the file that is changed and commented on. */
const LINES = 300;
const SIZE = { cols: 100, rows: 30 };

interface Coming {
  what: string;
  /** So many in a round. */
  count: number;
  /** Bytes of each that may be left. */
  most: number;
  comeAndGo(scene: Scene, n: number): Promise<void>;
}

interface Scene {
  client: Client;
  connect(): Promise<Client>;
  repository: ReturnType<typeof makeRepository>;
  /** Stays. */
  base: Workspace;
  place: { cwd: string; env: Record<string, string> };
}

const COMINGS: Coming[] = [
  { what: 'a workspace opened, read, commented on and removed', count: 20, most: 8192, comeAndGo: workspace },
  { what: 'a client that attached and left', count: 200, most: 1024, comeAndGo: attach },
  { what: 'a terminal opened, looked at and closed', count: 20, most: 4096, comeAndGo: terminal },
  { what: 'a comment made, resolved and removed', count: 200, most: 512, comeAndGo: comment },
  { what: 'a wait that timed out', count: 200, most: 512, comeAndGo: wait },
  { what: 'a picture brought', count: 100, most: 512, comeAndGo: picture },
];

export async function growth(): Promise<Row[]> {
  await using herd = new Driver({ env: { NODE_OPTIONS: '--inspect=127.0.0.1:0' } });
  using repository = makeRepository();
  repository.put('a.ts', 'export const line = 1;\n'.repeat(LINES));
  repository.commit('a');
  await herd.ok(['new', 'base', '--', 'cat'], { cwd: repository.dir });
  const paths = sessionPaths(herd.session, herd.env);
  const token = readFileSync(paths.token, 'utf8').trim();
  const connect = () => connectClient({ socket: paths.socket, token, version: '0.0.0' });
  const client = await connect();
  const { workspace: base } = await client.request('workspace.get', { workspace: 'base' });
  const scene: Scene = { client, connect, repository, base, place: { cwd: repository.dir, env: herd.env } };
  const heap = await openHeap(paths.log);
  const rows: Row[] = [];
  for (const { what, count, most, comeAndGo } of COMINGS) {
    let [before, after] = [0, 0];
    for (let round = 0; round <= WARM; round++) {
      before = after;
      for (let i = 0; i < count; i++) await comeAndGo(scene, round * count + i);
      after = await heap.used();
    }
    const each = (after - before) / count;
    rows.push({ measure: `left of ${what}`, must: `≤ ${most} B`, figure: `${each.toFixed(0)} B`, holds: each <= most });
  }
  heap.close();
  client.close();
  return rows;
}

async function workspace({ client, repository, place }: Scene, n: number): Promise<void> {
  const argv = ['sh', '-c', 'echo hello; cat'];
  const { workspace } = await client.request('workspace.new', { place, repository: repository.dir, branch: `w${n}`, argv });
  const { id, path } = workspace;
  appendFileSync(join(path, 'a.ts'), `// ${n}\n`);
  const isListed = async () => (await client.request('changeset.get', { workspace: id })).changeset.files.length > 0;
  await eventually(isListed, 'the change is listed');
  await client.request('changeset.file', { workspace: id, path: 'a.ts', rows: 100 });
  await makeComment(client, id, n);
  await client.request('workspace.remove', { workspace: id, discard: true });
}

async function attach({ connect, base, place }: Scene): Promise<void> {
  const other = await connect();
  const view = { view: 1, terminal: base.terminals[0]!.id, ...SIZE, sizing: true, focused: true, place: { x: 0, y: 0, front: true } };
  await other.request('client.attach', { ...SIZE, outer: { name: '', ...UNKNOWN_OUTER }, place });
  await other.request('view.set', { views: [view], screen: SIZE });
  await other.request('client.focus', { focused: true, workspace: base.id });
  other.close();
}

async function terminal({ client, base, place }: Scene): Promise<void> {
  const { terminal } = await client.request('terminal.new', { workspace: base.id, place, argv: ['cat'] });
  await client.request('view.set', { views: [{ view: 1, terminal: terminal.id, ...SIZE, sizing: true, focused: true }] });
  await client.request('terminal.close', { terminal: terminal.id });
  await client.request('view.set', { views: [] });
}

async function comment({ client, base }: Scene, n: number): Promise<void> {
  const id = await makeComment(client, base.id, n);
  await client.request('comment.mark', { comment: id, state: 'resolved' });
  await client.request('comment.remove', { comment: id });
}

async function makeComment(client: Client, workspace: number, n: number): Promise<number> {
  const start = 1 + (n % (LINES - 1));
  const target = { path: 'a.ts', side: 'new' as const, range: { start, end: start + 1 } };
  return (await client.request('comment.add', { workspace, target, body: `comment ${n}`, author: 'user' })).comment.id;
}

async function wait({ client, base }: Scene): Promise<void> {
  await client.request('agent.wait', { workspace: base.id, until: ['blocked'], timeout: 1 }).catch(() => {});
}

async function picture({ client }: Scene): Promise<void> {
  const { picture } = await client.request('picture.begin', { path: '/nowhere/a.png', size: 3, inode: 1, modified: 1 });
  await client.request('picture.part', { picture: picture!, bytes: 'AAAA' });
}

/** The heap of the server whose inspector has said in `log` where it listens. */
async function openHeap(log: string): Promise<{ used(): Promise<number>; close(): void }> {
  const address = readFileSync(log, 'utf8')
    .match(/ws:\/\/\S+/g)
    ?.at(-1);
  const socket = new WebSocket(address!);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  let last = 0;
  const call = (method: string) =>
    new Promise<{ usedSize: number }>((resolve) => {
      const id = ++last;
      const listener = ({ data }: MessageEvent): void => {
        const answer = JSON.parse(String(data));
        if (answer.id !== id) return;
        socket.removeEventListener('message', listener);
        resolve(answer.result);
      };
      socket.addEventListener('message', listener);
      socket.send(JSON.stringify({ id, method }));
    });
  return {
    used: async () => {
      // What is put off for a second or two (pictures of a worktree, memories of agents) has been done when two collections say the same.
      let before = Number.POSITIVE_INFINITY;
      for (let tries = 0; tries < 20; tries++) {
        await call('HeapProfiler.collectGarbage');
        const { usedSize } = await call('Runtime.getHeapUsage');
        if (Math.abs(usedSize - before) < 1024) return usedSize;
        before = usedSize;
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
      return before;
    },
    close: () => socket.close(),
  };
}
