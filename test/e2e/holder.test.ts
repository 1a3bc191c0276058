// Faults that the holder must stand: starts at once, sockets left behind, garbage, silence, a server that is dead, slow or poisoned.
import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { connectStarting } from '../../src/cli/start.ts';
import { openHolderLink } from '../../src/server/holder-link.ts';
import { isLive } from '../../src/wire/socket-file.ts';
import { eventually, HeldSession } from '../support/held-session.ts';
import { ownFolder } from '../support/own-folder.ts';

let session: HeldSession;
afterEach(() => session?.stop());

const shell = (script: string) => ['sh', '-c', script];
const see = (terminal: number) => session.ask({ do: 'see', terminal });
const text = async (terminal: number) =>
  ((await see(terminal)).picture as string[]).map((row) => row.replace(/\{[^}]*\}|\|/g, '').trimEnd()).join('\n');
const held = async (terminal: number) => (await session.link.ask({ do: 'list' })).terminals!.find(({ id }) => id === terminal)!;
const alive = (pid: number) => existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');

test('twelve starts at once end with one holder and one server', async () => {
  session = await HeldSession.start();
  await session.stop();
  const { paths, program, env } = session;
  const options = { version: '0.0.0-test' };
  const clients = await Promise.all(
    Array.from({ length: 12 }, () => connectStarting(paths, options, [process.execPath, program], { ...process.env, ...env })),
  );
  expect(new Set(clients.map((client) => client.server.pid)).size).toBe(1);
  for (const client of clients) client.close();
  session.link = await session.control();
  expect(await session.serverPid()).toBe(clients[0]!.server.pid);
  const holders = async () => (await import('../../src/holder/processes.linux.ts')).list().filter((row) => row.command.includes(program));
  await eventually(async () => (await holders()).length === 2, 'only one holder and one server are left');
  const { pid } = session.link.holder;
  await session.link.ask({ do: 'stop', grace: 0 });
  await eventually(() => !alive(pid), 'the holder has ended');
});

test('a stale socket is replaced, a live one never, and what is no socket is left alone', async () => {
  session = await HeldSession.start();
  const first = session.holder;
  const pid = session.link.holder.pid;
  const second = session.startHolder();
  await new Promise((resolve) => second.once('exit', resolve));
  expect(await isLive(session.paths.holderSocket)).toBe(true);
  first.kill('SIGKILL');
  await eventually(() => first.signalCode, 'the holder is dead');
  expect(lstatSync(session.paths.holderSocket).isSocket()).toBe(true);
  session.holder = session.startHolder();
  session.link = await session.control();
  expect(session.link.holder.pid).not.toBe(pid);
  expect((await session.ask({ do: 'state' })).list).toEqual([]);
});

test.each([
  ['socket file', () => unlinkSync(session.paths.holderSocket)],
  ['runtime folder', () => rmSync(session.paths.runtime, { recursive: true })],
])('a removed %s comes back', async (_, remove) => {
  session = await HeldSession.start();
  remove();
  await eventually(() => existsSync(session.paths.holderSocket), 'the socket is back');
  const second = session.startHolder();
  await new Promise((resolve) => second.once('exit', resolve));
  expect((await session.control()).holder.pid).toBe(session.link.holder.pid);
});

test('garbage, silence and a wrong token cost only their own connection', async () => {
  session = await HeldSession.start();
  const terminal = await session.spawn(shell('echo here; cat'));
  const pieces = [
    Buffer.alloc(0),
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    Buffer.alloc(65536, 0xff),
    Buffer.from([0xff, 0xff, 0x7f, 0, 1]),
    Buffer.from('{'.repeat(1e6)),
  ];
  const ends = [session.paths.holderSocket, session.paths.socket].flatMap((path) => pieces.map((bytes) => closedAfter(path, bytes)));
  await eventually(async () => (await text(terminal)).includes('here'), 'others are served meanwhile');
  await Promise.all(ends);
  const wrong = openHolderLink({ socket: session.paths.holderSocket, token: 'f'.repeat(64), version: 'x', role: 'control' });
  await expect(wrong).rejects.toMatchObject({ code: 'wrong-token' });
  const second = openHolderLink({ socket: session.paths.holderSocket, token: session.token, version: 'x', role: 'server' });
  await expect(second).rejects.toMatchObject({ code: 'server-running' });
  expect((await held(terminal)).exit).toBe(null);
});

/** Resolves when the other side has closed a connection that sent `bytes` and nothing else. */
function closedAfter(path: string, bytes: Buffer): Promise<void> {
  const socket = createConnection(path);
  socket.on('error', () => {});
  socket.resume();
  socket.write(bytes);
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

test('while no server reads, the program goes on; what was lost is marked and the program asked to repaint', async () => {
  session = await HeldSession.start();
  const dir = mkdtempSync(join(tmpdir(), 'hg-'));
  const script = `trap 'echo repainted' WINCH; until [ -e ${dir}/go ]; do sleep 0.02; done; seq 1 1500000; touch ${dir}/done; while :; do sleep 0.05; done`;
  const terminal = await session.spawn(shell(script));
  const server = await eventually(() => session.serverPid(), 'a server runs');
  const flag = join(session.paths.state, 'fail');
  writeFileSync(flag, '');
  process.kill(server, 'SIGKILL');
  writeFileSync(join(dir, 'go'), '');
  await eventually(() => existsSync(join(dir, 'done')), 'the program has written all while nobody read');
  const lost = await held(terminal);
  expect(lost.gap).not.toBe(null);
  expect(lost.end - lost.kept).toBeLessThanOrEqual(4 * 1024 * 1024);
  unlinkSync(flag);
  await eventually(async () => (await text(terminal)).includes('repainted'), 'the program was asked to repaint');
  const state = await session.ask({ do: 'state' });
  expect(state.troubles).toEqual([[terminal, expect.stringContaining('lost')]]);
  expect(await text(terminal)).toMatch(/1500000/);
  rmSync(dir, { recursive: true });
});

test('a checkpoint that a server takes while it starts is there for the next; one that the holder never heard of goes', async () => {
  session = await HeldSession.start();
  const dir = mkdtempSync(join(tmpdir(), 'hg-'));
  const waiting = (name: string, print: string) =>
    shell(`until [ -e ${dir}/go ]; do sleep 0.02; done; ${print}; touch ${dir}/${name}; cat`);
  // More than is parsed between two checkpoints; the other one takes long to parse, so that the first has its checkpoint in time.
  const terminal = await session.spawn(waiting('short', 'seq 1 150000'));
  const dense = `awk 'BEGIN { for (i = 0; i < 260000; i++) printf "\\033[%d;%dH\\033[3%dm%d", i % 37 + 1, i % 97 + 1, i % 8, i % 10 }'`;
  await session.spawn(waiting('long', dense));
  const server = await eventually(() => session.serverPid(), 'a server runs');
  const flag = join(session.paths.state, 'fail');
  writeFileSync(flag, '');
  process.kill(server, 'SIGKILL');
  writeFileSync(join(dir, 'go'), '');
  for (const name of ['short', 'long']) await eventually(() => existsSync(join(dir, name)), 'all was written while nobody read');
  const stray = join(session.paths.screens, `${terminal}.stray.checkpoint`);
  writeFileSync(stray, 'never told');
  expect((await held(terminal)).checkpoint).toBe(null);
  unlinkSync(flag);
  await eventually(async () => (await text(terminal)).includes('150000'), 'the next server shows it');
  const isThere = ({ id }: { id: string }) => existsSync(join(session.paths.screens, `${terminal}.${id}.checkpoint`));
  // The next one may take its place at any moment.
  await eventually(async () => [(await held(terminal)).checkpoint].some((taken) => taken && isThere(taken)), 'a checkpoint was taken');
  await eventually(() => !existsSync(stray), 'the stray one is gone');
  await session.killServer();
  expect(await text(terminal)).toMatch(/149999\n150000/);
  rmSync(dir, { recursive: true });
});

test('a slow server makes the program wait, and gets everything', async () => {
  session = await HeldSession.start();
  const dir = mkdtempSync(join(tmpdir(), 'hg-'));
  const terminal = await session.spawn(shell(`until [ -e ${dir}/hangs ]; do sleep 0.02; done; seq 1 400000; echo END`));
  const hang = session.ask({ do: 'hang', from: join(dir, 'hangs'), until: join(dir, 'enough') });
  await eventually(async () => (await held(terminal)).end > 512 * 1024, 'as much has come as may wait');
  const waiting = await held(terminal);
  expect(waiting.exit).toBe(null);
  expect(waiting.end - waiting.processed).toBeLessThan(768 * 1024);
  writeFileSync(join(dir, 'enough'), '');
  await hang;
  await eventually(async () => (await see(terminal)).exit, 'the exit is told');
  // The last report may come a turn after the exit.
  const end = await eventually(async () => {
    const now = await held(terminal);
    return now.processed === now.end ? now : null;
  }, 'all of it is reported as parsed');
  expect([end.end, end.gap]).toEqual([2688895 + 400000 + 5, null]);
  expect(await text(terminal)).toContain('END');
  rmSync(dir, { recursive: true });
});

test('a flood goes at a pace while a person types elsewhere, and at its own when they have stopped', { timeout: 60_000 }, async () => {
  session = await HeldSession.start();
  const typedInto = await session.spawn(['cat']);
  const flood = await session.spawn(shell('while :; do seq 1 100000; done'));
  const type = () => session.ask({ do: 'write', terminal: typedInto, text: 'x' });
  const grown = async (from: number) => (await held(flood)).end - from;
  await eventually(async () => (await grown(0)) > 4 * 1024 * 1024, 'it floods');
  for (let longest = Number.POSITIVE_INFINITY; longest > 900; ) {
    longest = 0;
    await type();
    const [start, { end: from }] = [performance.now(), await held(flood)];
    for (let last = start; last - start < 1500; ) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      await type();
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }
    const bytes = await grown(from);
    // A machine that stops for a second makes a pause in typing, in which a flood goes as it likes: then once more.
    const inFlight = 1280 * 1024;
    if (longest <= 900) expect(bytes).toBeLessThanOrEqual(inFlight + (32 * 1024 * (performance.now() - start)) / 20);
  }
  const { end: then } = await held(flood);
  await eventually(async () => (await grown(then)) > 16 * 1024 * 1024, 'it goes on');
});

test('output that kills three servers is set aside, and everything else lives', async () => {
  session = await HeldSession.start({ HERD_TEST_POISON: 'poison' });
  const good = await session.spawn(shell('echo good; cat'));
  await eventually(async () => (await text(good)).includes('good'), 'the good one prints');
  const bad = await session.spawn(shell("sleep 0.3; printf '\\033]2;poison\\007'; cat"));
  const state = await eventually(async () => {
    const reply = await session.tryAsk({ do: 'state' });
    return (reply?.troubles as unknown[])?.length ? reply : null;
  }, 'a server lives with the terminal set aside');
  expect(state!.list).toMatchObject([
    { id: good, quarantined: false },
    { id: bad, quarantined: true },
  ]);
  expect(await text(good)).toContain('good');
  expect((await held(bad)).exit).toBe(null);
  await session.ask({ do: 'kill', terminal: bad, grace: 0 });
  expect(await eventually(async () => (await see(bad)).exit, 'its end is told')).toMatchObject({ signal: expect.any(String) });
});

test('a kill ends everything in the terminal; what left it is named', async () => {
  session = await HeldSession.start();
  const dir = ownFolder();
  const script = [
    `(trap '' HUP TERM; echo $$ > ${dir}/x; while :; do sleep 1; done) & echo $! > ${dir}/stubborn`,
    `setsid sh -c 'echo $$ > ${dir}/away; exec sleep 987' & until [ -s ${dir}/away ]; do sleep 0.05; done`,
    `trap '' TERM; touch ${dir}/ready; cat`,
  ].join('\n');
  const terminal = await session.spawn(shell(script));
  await eventually(() => existsSync(join(dir, 'ready')), 'the programs run');
  const [stubborn, away] = ['stubborn', 'away'].map((name) => Number(readFileSync(join(dir, name), 'utf8')));
  await eventually(() => readFileSync(`/proc/${away}/cmdline`, 'utf8').startsWith('sleep'), 'it sleeps');
  const { leftovers } = await session.ask({ do: 'kill', terminal, grace: 200 });
  expect(leftovers).toEqual([{ pid: away, command: 'sleep 987' }]);
  expect([alive(stubborn!), alive(away!)]).toEqual([false, true]);
  process.kill(away!, 'SIGKILL');
  expect((await held(terminal)).exit).toEqual({ code: null, signal: 'SIGHUP' });
});

test('after the holder was killed, what outlived it is named', async () => {
  session = await HeldSession.start();
  const dir = ownFolder();
  await session.spawn(
    shell(`setsid sh -c 'echo $$ > ${dir}/pid; exec sleep 986' & until [ -s ${dir}/pid ]; do sleep 0.05; done; touch ${dir}/ready; cat`),
  );
  await eventually(() => existsSync(join(dir, 'ready')), 'the programs run');
  session.holder.kill('SIGKILL');
  await eventually(() => session.holder.signalCode, 'the holder is dead');
  session.holder = session.startHolder();
  session.link = await session.control();
  const pid = Number(readFileSync(join(dir, 'pid'), 'utf8'));
  const strays = async () => JSON.stringify((await session.link.ask({ do: 'strays' })).leftovers);
  await eventually(async () => (await strays()) === JSON.stringify([{ pid, command: 'sleep 986' }]), 'only it is left');
  process.kill(pid, 'SIGKILL');
});

test('bytes go only to the process group that was meant', async () => {
  session = await HeldSession.start();
  const terminal = await session.spawn(shell('cat'));
  const group = await eventually(async () => (await session.link.ask({ do: 'foreground', terminal })).group, 'the program is in front');
  const send = (to: number, what: string) =>
    session.link.ask({ do: 'write-if-foreground', terminal, group: to, bytes: Buffer.from(what).toString('base64') });
  expect((await send(group + 1, 'no\n')).written).toBe(false);
  expect((await send(group, 'yes\n')).written).toBe(true);
  await eventually(async () => (await text(terminal)).includes('yes\nyes'), 'only the second came');
  expect(await text(terminal)).not.toContain('no');
});

test('closing the terminal window does not reach the holder', async () => {
  session = await HeldSession.start();
  session.holder.kill('SIGHUP');
  session.holder.kill('SIGTERM');
  const terminal = await session.spawn(shell('echo still; cat'));
  await eventually(async () => (await text(terminal)).includes('still'), 'the session works');
});
