// Mistakes of people and machines: one clear sentence with what to do, an exit code, nothing lost.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Connection } from '../../src/wire/connection.ts';
import { Driver } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { Outer } from '../support/outer.ts';
import { makeRepository } from '../support/repository.ts';

test('verbs say what is wrong, each in one sentence and a hint', async () => {
  await using herd = new Driver();
  using repository = makeRepository();
  using unborn = makeRepository({ unborn: true });
  await herd.ok(['new', 'taken', '--no-agent'], { cwd: repository.dir });
  const cases: { words: string[]; cwd?: string; env?: Record<string, string>; says: RegExp; code?: number }[] = [
    { words: ['new', 'x', '--no-agent'], says: /not in a git repository/ },
    { words: ['new', 'x', '--no-agent'], cwd: unborn.dir, says: /no commit yet/ },
    { words: ['new', 'taken', '--no-agent'], cwd: repository.dir, says: /taken is checked out in/ },
    { words: ['new', 'y', '--agent', 'nobody'], cwd: repository.dir, says: /no kind of agent "nobody"/ },
    { words: ['new', 'y', '--', 'no-such-program'], cwd: repository.dir, says: /no program "no-such-program"/ },
    { words: ['new', 'y', '--agent', 'claude'], cwd: repository.dir, env: { PATH: '/usr/bin:/bin' }, says: /not installed/ },
    { words: ['rename', 'taken', '7'], says: /cannot be a workspace/ },
    { words: ['read', 'nowhere'], says: /no workspace nowhere/ },
    { words: ['diff', 'taken', '--scope', 'no-such-commit'], says: /./ },
    { words: ['comment', 'add', 'taken', 'no-such-file:1', 'x'], says: /no-such-file/ },
    { words: ['comment', 'add', 'taken', 'a.txt:1'], says: /What the comment on a\.txt:1 says is missing/, code: 2 },
    { words: ['comment', 'reply', '99', 'x'], says: /no comment 99/ },
    { words: ['keys', 'taken', 'enterr'], says: /"enterr" is no key/ },
    { words: ['frobnicate'], says: /no herd verb/, code: 2 },
    { words: ['ls', '--bogus'], says: /--bogus/, code: 2 },
    { words: ['wait', 'taken', '--until', 'asleep'], says: /"asleep" is no state/, code: 2 },
    { words: ['wait', 'taken', '--until', 'blocked', '--timeout', '0.2'], says: /within 0.2 s/, code: 3 },
    { words: ['ls', '--session', '../x'], says: /cannot be a session/ },
  ];
  for (const { words, cwd, env, says, code = 1 } of cases) {
    const ran = await herd.run(words, { cwd, env });
    expect(ran.stderr, words.join(' ')).toMatch(says);
    expect(ran.stderr, words.join(' ')).not.toMatch(/^\s+at |\.js:|\.ts:\d/m);
    expect(ran.stderr.trimEnd().split('\n').length, ran.stderr).toBeLessThanOrEqual(3);
    expect([ran.code, ran.stdout], ran.stderr).toEqual([expect.any(Number), '']);
    if (code !== 1) expect(ran.code, words.join(' ')).toBe(code);
    else expect(ran.code, words.join(' ')).toBeGreaterThan(0);
  }
  expect((await herd.json<{ workspaces: unknown[] }>(['ls'])).workspaces).toHaveLength(1);
  expect(repository.git('branch', '--list', 'x', 'y')).toBe('');
});

test('a runtime folder that others may enter is refused', async () => {
  await using herd = new Driver();
  mkdirSync(join(herd.dir, 'open'));
  chmodSync(join(herd.dir, 'open'), 0o755);
  const ran = await herd.run(['run', '--session', 'open', '--detach', '--', 'cat']);
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringMatching(/can be entered by others/)]);
});

test('a state folder where none can be made is one sentence', async () => {
  await using herd = new Driver();
  writeFileSync(join(herd.dir, 'state'), 'a file in the way');
  const ran = await herd.run(['run', '--session', 'm', '--detach', '--', 'cat']);
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringMatching(/Cannot make .*state.*: /)]);
});

test('a damaged ledger is kept aside and named', async () => {
  await using herd = new Driver();
  mkdirSync(join(herd.dir, 'state', 'm'), { recursive: true, mode: 0o700 });
  chmodSync(join(herd.dir, 'state'), 0o700);
  writeFileSync(join(herd.dir, 'state', 'm', 'ledger.db'), Buffer.alloc(8192, 'not a database '));
  await herd.ok(['run', '--session', 'm', '--detach', '--', 'cat']);
  const { events } = await herd.json<{ events: { kind: string; text: string }[] }>(['log']);
  expect(events.map((event) => event.text).join('\n')).toMatch(/kept|damaged/);
});

test('faults of the config are named by file, line and key, and the rest holds', async () => {
  await using herd = new Driver();
  writeFileSync(join(herd.dir, 'config.toml'), '[ui]\nprefix = "ctrl+a"\nthem = "dark"\n');
  const ran = await herd.run(['config', 'check']);
  expect([ran.code, ran.stdout]).toEqual([1, expect.stringMatching(/config\.toml:3: ui\.them is not a setting/)]);
});

test('without git, and with one that is too old, the sentence says which is needed', async () => {
  using repository = makeRepository();
  for (const [git, says] of [
    [null, /herd needs git, and there is no program git on the PATH/],
    ['#!/bin/sh\necho git version 2.17.1\n', /herd needs git 2\.31 or newer; git is 2\.17\.1/],
  ] as const) {
    await using herd = new Driver();
    const bin = join(herd.dir, 'bin');
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, 'node'));
    for (const name of ['sh', 'cat']) symlinkSync(`/bin/${name}`, join(bin, name));
    if (git) writeFileSync(join(bin, 'git'), git, { mode: 0o755 });
    const env = { PATH: bin };
    for (const words of [
      ['new', 'x', '--no-agent'],
      ['open', '.'],
    ]) {
      const ran = await herd.run(words, { cwd: repository.dir, env });
      expect([ran.code, ran.stderr], words.join(' ')).toEqual([1, expect.stringMatching(says)]);
    }
    // What needs no git goes on working.
    expect((await herd.run(['run', '--session', 'm', '--detach', '--', 'cat'], { env })).code).toBe(0);
  }
});

test('a server of another version is named with this one’s', async () => {
  await using herd = new Driver();
  const runtime = join(herd.dir, 'm');
  mkdirSync(runtime, { mode: 0o700 });
  writeFileSync(join(runtime, 'token'), 'f'.repeat(64), { mode: 0o600 });
  const newer = { protocol: 99, version: '9.8.7', pid: 1 };
  const server = createServer((socket) => {
    new Connection(socket, { hello: newer, admit: () => null, onOpen() {}, onRequest() {}, onClose() {}, onFault() {} });
  });
  await new Promise<void>((resolve) => server.listen(join(runtime, 'herd.sock'), resolve));
  const ran = await herd.run(['ls']);
  expect(ran.code).toBe(1);
  expect(ran.stderr).toMatch(/This herd is \d+\.\d+\.\d+ \(protocol \d+\), the session's server is 9\.8\.7 \(protocol 99\)/);
  expect(ran.stderr).toMatch(/herd server restart/);
  await new Promise((resolve) => server.close(resolve));
  unlinkSync(join(runtime, 'token'));
});

test('files of a newer herd are kept aside and named', async () => {
  await using herd = new Driver();
  await herd.ok(['run', '--session', 'm', '--detach', '--', 'cat']);
  await herd.ok(['server', 'stop', '--yes']);
  const state = join(herd.dir, 'state', 'm');
  const bump = `new (require('node:sqlite').DatabaseSync)('${join(state, 'ledger.db')}').exec('PRAGMA user_version = 999')`;
  execFileSync(process.execPath, ['-e', bump], { stdio: 'ignore' });
  writeFileSync(join(state, 'layout.json'), '{"generation": 3, "layout": {"version": 99}}');
  await herd.ok(['run', '--session', 'm', '--detach', '--', 'cat']);
  const { events } = await herd.json<{ events: { text: string }[] }>(['log']);
  const said = events.map((event) => event.text).join('\n');
  const kept = readdirSync(state).filter((name) => /newer|broken/.test(name));
  expect(kept.filter((name) => name.endsWith('.db') || name.endsWith('.json'))).toHaveLength(2);
  for (const name of kept.filter((name) => /\.(db|json)$/.test(name))) expect(said).toContain(name);
});

test('a setting of the wrong type is named by file, line and key, also on the screen', async () => {
  await using herd = new Driver();
  writeFileSync(join(herd.dir, 'config.toml'), '[terminal]\nscrollback = "many"\n');
  const ran = await herd.run(['config', 'check']);
  expect([ran.code, ran.stdout]).toEqual([
    1,
    expect.stringMatching(/config\.toml:2: terminal\.scrollback must be a number from 100 to 10000/),
  ]);
  await using screen = attach(herd, 120, 20);
  await screen.see(/config\.toml:2: terminal\.scrollback must be a number/);
});

test('a terminal smaller than 20x5 gets one line, and the whole screen when it grows', async () => {
  await using herd = new Driver();
  await herd.ok(['run', '--session', 'm', '--detach', '--', 'sh', '-c', 'echo inside; exec cat']);
  await using screen = attach(herd, 18, 4);
  await screen.see(/20x5/);
  screen.outer.resize(100, 20);
  await screen.see(/inside/);
});

test.skipIf(!canMount())(
  'a full disk: what cannot be saved is said, programs and server go on, and saving does once there is room',
  async () => {
    await using herd = new Driver();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', herd.dir]);
    try {
      await herd.ok(['run', '--session', 'm', '--detach', '--', 'cat']);
      await herd.ok(['comment', 'add', '1', '.', 'saved']);
      execFileSync('sh', ['-c', `cat /dev/zero > ${join(herd.dir, 'fill')} 2>/dev/null || true`]);
      const full = await herd.run(['comment', 'add', '1', '.', 'lost']);
      expect([full.code, full.stderr]).toEqual([1, expect.stringMatching(/No room left on the disk/)]);
      const started = await herd.run(['run', '--session', 'm', '--detach', '--', 'cat']);
      expect([started.code, started.stderr]).toEqual([1, expect.stringMatching(/No room is left on the disk/)]);
      process.kill(await herd.serverPid(), 'SIGKILL');
      await herd.ok(['keys', '1', '--text', 'still here', 'enter']);
      await herd.see('1', /still here/);
      unlinkSync(join(herd.dir, 'fill'));
      await herd.ok(['comment', 'add', '1', '.', 'after']);
      const { comments } = await herd.json<{ comments: { body: string }[] }>(['comment', 'list']);
      expect(comments.map(({ body }) => body)).toEqual(['saved', 'after']);
      await herd.ok(['server', 'stop', '--yes']);
    } finally {
      execFileSync('umount', ['-l', herd.dir]);
    }
  },
);

test.skipIf(!canMount())('a read-only place for the session is named with its reason', async () => {
  await using herd = new Driver();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', herd.dir]);
  try {
    const ran = await herd.run(['run', '--session', 'm', '--detach', '--', 'cat'], { cwd: '/' });
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringMatching(/Cannot make .*: the file system is read-only\.[\s\S]*HERD_DIR/)]);
  } finally {
    execFileSync('umount', ['-l', herd.dir]);
  }
});

test('a runtime folder that is a link is refused', async () => {
  await using herd = new Driver();
  mkdirSync(join(herd.dir, 'real'), { mode: 0o700 });
  symlinkSync(join(herd.dir, 'real'), join(herd.dir, 'm'));
  const ran = await herd.run(['run', '--session', 'm', '--detach', '--', 'cat']);
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringMatching(/is a symbolic link/)]);
});

/** A client in a terminal of the size; ends with the block. */
function attach(herd: Driver, cols: number, rows: number) {
  const main = join(import.meta.dirname, '../../dist/main.js');
  const outer = new Outer({ cols, rows, argv: [process.execPath, main, '--session', 'm'], env: herd.env, cwd: herd.dir });
  return {
    outer,
    see: (wanted: RegExp) => eventually(() => wanted.test(outer.rows().join('\n')), `the screen shows ${wanted}`),
    async [Symbol.asyncDispose]() {
      outer.kill();
      await outer.exited;
    },
  };
}

/** Mounting needs root, and a machine that lets it. */
function canMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
