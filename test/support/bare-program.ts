// herd with nothing but its holder and a server that only hosts terminals, for tests of what must survive: `bare-program holder|server
// --session NAME`. The server answers the requests of `BareRequests` as frames; HERD_TEST_POISON makes it die on that text.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { sessionPaths } from '../../src/config/paths.ts';
import { runHolder } from '../../src/holder/main.ts';
import { createGrid } from '../../src/model/cell.ts';
import { UNKNOWN_OUTER } from '../../src/model/outer.ts';
import { TerminalHost } from '../../src/server/terminal-host.ts';
import { plainText } from '../../src/terminal/plain-text.ts';
import { Connection, type Json } from '../../src/wire/connection.ts';
import { CLIENT_PROTOCOL, refuseToken } from '../../src/wire/hello.ts';
import type { SpawnSpec } from '../../src/wire/holder-protocol.ts';
import { bindSocket } from '../../src/wire/socket-file.ts';
import { picture } from './picture.ts';

const [verb, , session = 'm', , quarantine = ''] = process.argv.slice(2);
const paths = sessionPaths(session, process.env);
for (const dir of [paths.runtime, paths.screens]) mkdirSync(dir, { recursive: true, mode: 0o700 });
if (verb === 'holder') await hold();
else await serve();

async function hold(): Promise<void> {
  await runHolder({
    ...{ session, version: '0.0.0-test', runtime: paths.runtime, holderSocket: paths.holderSocket, token: paths.token },
    ...{ serverLog: paths.log, program: [process.execPath, process.argv[1]!], env: process.env },
  });
  process.exit(0);
}

async function serve(): Promise<void> {
  if (process.env.HERD_TEST_NO_SERVER || existsSync(join(paths.state, 'fail'))) process.exit(1);
  const token = readFileSync(paths.token, 'utf8');
  const exits = new Map<number, object>();
  const troubles: [number, string][] = [];
  const poison = process.env.HERD_TEST_POISON;
  let output = 0;
  const host = await TerminalHost.open({
    ...{ socket: paths.holderSocket, token, version: '0.0.0-test', dir: paths.screens, outer: () => UNKNOWN_OUTER },
    quarantine: quarantine.split(',').filter(Boolean).map(Number),
    events: {
      onOutput: (_, bytes) => {
        output += bytes;
      },
      onFact: (_, fact) => {
        if (poison && fact.fact === 'title' && fact.title === poison) process.exit(9);
      },
      onResized: () => {},
      onExit: (id, exit) => exits.set(id, exit),
      onTrouble: (id, text) => troubles.push([id, text]),
    },
    onLost: () => process.exit(1),
    log: (line) => process.stderr.write(`${line}\n`),
  });
  const answer = async (request: Json): Promise<Json> => {
    const id = request.terminal as number;
    switch (request.do) {
      case 'spawn':
        return { terminal: await host.spawn(() => request.spec as SpawnSpec) };
      case 'see': {
        const screen = host.screen(id)!;
        const grid = createGrid(screen.cols, screen.rows);
        const { cursor } = screen.draw(grid, null);
        return {
          title: screen.title,
          picture: picture(grid),
          cursor,
          modes: screen.modes,
          exit: exits.get(id) ?? null,
          ground: screen.ground,
        };
      }
      case 'checkpoint':
        return { vt: Buffer.from(host.screen(id)!.checkpoint()).toString('latin1') };
      case 'history': {
        const screen = host.screen(id)!;
        const hash = createHash('sha256');
        let lines = 0;
        for await (const run of screen.scanLines(0)) {
          lines += run.lines.length;
          hash.update(run.lines.join('\n'));
        }
        return { lines, hash: hash.digest('hex') };
      }
      case 'text': {
        const lines: string[] = [];
        for await (const run of host.screen(id)!.scanLines(0)) lines.push(...run.lines.map(plainText));
        return { text: lines.join('\n') };
      }
      case 'resize':
        await host.resize(id, request.cols as number, request.rows as number);
        return {};
      case 'write':
        host.write(id, Buffer.from(request.text as string));
        return {};
      case 'kill':
        return { leftovers: await host.kill(id, request.grace as number) };
      case 'hang': {
        // From the moment one file is there until another is.
        writeFileSync(request.from as string, '');
        while (!existsSync(request.until as string));
        return {};
      }
      default:
        return { pid: process.pid, list: host.list(), troubles, output };
    }
  };
  const listener = createServer((socket) => {
    const connection: Connection = new Connection(socket, {
      hello: { protocol: CLIENT_PROTOCOL, version: '0.0.0-test', pid: process.pid },
      admit: (theirs) => refuseToken(theirs, token),
      onRequest: async (request) => connection.reply(request.id, await answer(request).catch((error: Error) => ({ error: error.message }))),
    });
  });
  await bindSocket(listener, paths.socket);
  process.on('SIGTERM', async () => {
    await host.save();
    process.exit(0);
  });
}
