// Mistakes of people and machines: one clear sentence with what to do, an exit code, nothing lost.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Driver } from '../support/driver.ts';
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
