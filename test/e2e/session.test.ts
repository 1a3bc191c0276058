// A session by its command line: terminals, exits, restarts, strangers on the socket.
import { appendFileSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Driver, isAlive } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { makeRepository } from '../support/repository.ts';

test('a detached run can be read, typed into and stopped', async () => {
  await using herd = new Driver();
  expect((await herd.ok(['run', '--session', 'm', '--detach', '--', 'sh', '-c', 'echo hello; exec cat'])).trim()).toBe('m 1');
  await herd.see('1', /^hello/);
  await herd.ok(['keys', '1', '--text', 'typed -x', 'enter']);
  await herd.see('1', /typed -x\n.*typed -x/s);
  expect((await herd.run(['server', 'ping'])).code).toBe(0);
  const pid = await herd.serverPid();
  await herd.ok(['server', 'stop']);
  await eventually(() => !isAlive(pid), 'the server has ended');
  expect((await herd.run(['server', 'ping'])).code).toBe(1);
});

test('a terminal is where its program went, or where it says it is', async () => {
  await using herd = new Driver();
  const [went, said] = [join(herd.dir, 'went there'), join(herd.dir, 'said')];
  for (const folder of [went, said]) mkdirSync(folder);
  const report = `printf '\\033]7;file://%s%s\\007' "$(hostname)" '${said}'`;
  const script = `read _; cd '${went}'; echo gone; read _; ${report}; exec cat`;
  await herd.ok(['run', '--session', 'm', '--detach', '--', 'sh', '-c', script]);
  const folder = async () => (await herd.json<{ terminals: { cwd: string }[] }>(['status', '1'])).terminals[0]?.cwd;
  for (const wanted of [went, said]) {
    await herd.ok(['keys', '1', 'enter']);
    await eventually(async () => (await folder()) === wanted, `it is in ${wanted}`);
  }
});

test('all output of a command that ends at once is there before its exit is', async () => {
  await using herd = new Driver();
  await herd.ok(['run', '--session', 'm', '--detach', '--', 'cat']);
  for (let i = 0; i < 10; i++) {
    const script = `i=0; while [ $i -lt 20 ]; do printf '%01000d' 0; i=$((i+1)); done; echo; echo last-${i}; exit 7`;
    const { workspace } = await herd.json<{ workspace: number }>(['run', '--session', 'm', '--detach', '--', 'sh', '-c', script]);
    expect(await herd.json(['wait', String(workspace), '--until', 'exited', '--timeout', '120'])).toMatchObject({ state: 'exited' });
    expect(await herd.screen(String(workspace))).toMatch(new RegExp(`last-${i}$`));
    const { agent } = await herd.json<{ agent: { exit: unknown } }>(['status', String(workspace)]);
    expect(agent.exit).toEqual({ code: 7, signal: null });
  }
});

test('the server may be killed or restarted: programs go on, screens and names are there again', async () => {
  await using herd = new Driver();
  await herd.ok(['run', '--session', 'm', '--detach', '--', 'sh', '-c', 'echo $$; exec cat']);
  const child = Number((await herd.see('1', /^\d+/)).trim());
  await herd.ok(['rename', '1', 'kept']);
  process.kill(await herd.serverPid(), 'SIGKILL');
  await herd.ok(['keys', 'kept', '--text', 'after kill', 'enter']);
  await herd.see('kept', /after kill/);
  await herd.ok(['server', 'restart']);
  await herd.see('kept', new RegExp(`^${child}\\n.*after kill`, 's'));
  process.kill(await herd.serverPid(), 'SIGTERM');
  await herd.see('kept', /after kill/);
  expect(isAlive(child)).toBe(true);
});

test('a log that has grown large is put beside when the next server starts', async () => {
  await using herd = new Driver();
  await herd.ok(['run', '--detach', '--session', herd.session, '--', 'cat']);
  const log = join(herd.dir, 'state', herd.session, 'server.log');
  appendFileSync(log, `${'x'.repeat(1023)}\n`.repeat(1025));
  await herd.ok(['server', 'restart']);
  await eventually(() => existsSync(`${log}.1`) && existsSync(log), 'there is another log');
  expect([statSync(`${log}.1`).size > 1024 * 1024, statSync(log).size < 1024 * 1024]).toEqual([true, true]);
});

test('a killed holder: nothing is called running, nothing is started again by itself', async () => {
  await using herd = new Driver();
  await herd.ok(['run', '--session', 'm', '--detach', '--', 'sh', '-c', 'echo up; exec cat']);
  await herd.see('1', /^up/);
  const { holder } = await herd.json<{ holder: { pid: number } }>(['server', 'status']);
  process.kill(holder.pid, 'SIGKILL');
  await eventually(() => !isAlive(holder.pid), 'the holder is dead');
  await eventually(async () => (await herd.run(['server', 'ping'])).code === 1, 'its server has ended too');
  await herd.ok(['server', 'status']).catch(() => null);
  const { agent, terminals } = await herd.json<{ agent: { state: string; why: string }; terminals: unknown[] }>(['status', '1']);
  expect([agent.state, terminals]).toEqual(['exited', []]);
  expect(agent.why).toMatch(/resume/);
});

test('what is no client of ours closes its own connection only', async () => {
  await using herd = new Driver();
  await herd.ok(['run', '--session', 'm', '--detach', '--', 'cat']);
  const pid = await herd.serverPid();
  const garbage = [
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    Buffer.alloc(65_536, 0xff),
    Buffer.from([0xff, 0xff, 0xff, 0x7f]),
    Buffer.alloc(1 << 20, '{"a":'),
  ];
  await Promise.all(
    garbage.map(
      (bytes) =>
        new Promise<void>((closed) => {
          const socket = createConnection(join(herd.dir, 'm', 'herd.sock'), () => socket.write(bytes));
          socket.on('error', () => {});
          socket.on('close', () => closed());
        }),
    ),
  );
  expect(await herd.serverPid()).toBe(pid);
});

test('a pane gets the environment of the client that asked for it', async () => {
  await using herd = new Driver();
  await herd.ok(['run', '--session', 'm', '--detach', '--', 'cat'], { env: { SECRET: 'of the first', TMUX: 'x' } });
  await herd.ok(['run', '--session', 'm', '--detach', '--', 'sh', '-c', 'env; command -v herd; exec cat'], { env: { OWN: 'mine' } });
  const screen = await herd.see('2', /bin\/herd$/);
  expect(screen).not.toMatch(/SECRET|TMUX/);
  expect(screen).toMatch(/^OWN=mine$/m);
  expect(screen).toMatch(/^HERD_WORKSPACE=2$/m);
  expect(screen).toMatch(/^TERM_PROGRAM=herd$/m);
});

test('a folder or path in a worktree stands for its workspace, the innermost one', async () => {
  await using herd = new Driver();
  using repository = makeRepository();
  await herd.ok(['open', repository.dir]);
  const inner = join(repository.dir, 'packages', 'inner');
  repository.git('worktree', 'add', '-q', inner);
  mkdirSync(join(inner, 'src'));
  await herd.ok(['open', inner]);
  const of = async (cwd: string, ...words: string[]) =>
    (JSON.parse(await herd.ok(['status', ...words, '--json'], { cwd })) as { path: string }).path;
  expect(await of(join(repository.dir, 'packages'))).toBe(repository.dir);
  expect(await of(join(inner, 'src'))).toBe(inner);
  expect(await of(inner, '..')).toBe(repository.dir);
  const outside = await herd.run(['status'], { cwd: '/' });
  expect([outside.code, outside.stderr]).toEqual([1, expect.stringMatching(/No workspace is open on \/\.\n.*There are: /)]);
});

test('large JSON reaches a pipe whole', async () => {
  await using herd = new Driver();
  await herd.ok(['run', '--session', 'm', '--detach', '--', 'cat']);
  const body = 'x'.repeat(60_000);
  for (let i = 0; i < 5; i++) await herd.ok(['comment', 'add', '1', '.', '-'], { input: body });
  const { comments } = await herd.json<{ comments: { body: string }[] }>(['comment', 'list']);
  expect(comments.map((comment) => comment.body)).toEqual(Array(5).fill(body));
});

test('C26: closing ends children that ignore it, and names what has left the terminal', async () => {
  await using herd = new Driver();
  const script = `trap '' HUP TERM; setsid sh -c 'echo stray $$; exec sleep 300' & sh -c "trap '' HUP TERM; echo child \\$\\$; while :; do sleep 1; done" & wait; wait`;
  await herd.ok(['run', '--session', 'm', '--detach', '--', 'cat']);
  await herd.ok(['run', '--session', 'm', '--detach', '--', 'sh', '-c', script]);
  // Each says so itself: one when it has left, the other when it listens to nobody.
  const screen = await herd.see('2', /(?=[\s\S]*stray \d+)(?=[\s\S]*child \d+)/);
  const [stray, child] = ['stray', 'child'].map((name) => Number(new RegExp(`${name} (\\d+)`).exec(screen)![1])) as [number, number];
  const { leftovers } = await herd.json<{ leftovers: { pid: number }[] }>(['close', '2']);
  expect(isAlive(child)).toBe(false);
  expect(leftovers.map(({ pid }) => pid)).toEqual([stray]);
  process.kill(stray, 'SIGKILL');
});
