import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Fixture, makeProgram, makeRepository, until } from '../../test/support/repository.ts';
import { cleanEnvironment, programOverrides } from './environment.ts';
import { Gate, Lines } from './gate.ts';
import { createGit } from './git.ts';
import type { GitError } from './git-error.ts';
import { Runner } from './run.ts';

const codeOf = (p: Promise<unknown>) =>
  p.then(
    () => 'fine',
    (e: GitError) => e.code,
  );
const runner = (f: Fixture, program = 'git', env: Record<string, string> = {}) =>
  new Runner({ cap: 2, program, env: { ...f.env, ...env } });

test('the environment loses what redirects git and keeps what a person chose', () => {
  const env = cleanEnvironment({
    PATH: '/bin',
    GIT_DIR: '/x',
    GIT_INDEX_FILE: '/y',
    GIT_TRACE: '1',
    GIT_EXTERNAL_DIFF: 'evil',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_CONFIG_COUNT: '1',
    LANG: 'de_DE',
  });
  expect(env).toEqual({
    PATH: '/bin',
    GIT_AUTHOR_NAME: 'Ada',
    LANG: 'de_DE',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
    LANGUAGE: 'C',
    GIT_PAGER: 'cat',
  });
});

test('filters and merge drivers are switched off by their names, dots and newlines in them too', () => {
  const names = ['filter.a.clean', 'filter.a.smudge', 'filter.x.y\nz.process', 'merge.conflictstyle', 'merge.d.name', 'merge.d.e.driver'];
  expect(programOverrides(names).map(([k, v]) => `${k}=${v}`)).toEqual([
    ...['clean=', 'smudge=', 'process=', 'required=false'].map((s) => `filter.a.${s}`),
    ...['clean=', 'smudge=', 'process=', 'required=false'].map((s) => `filter.x.y\nz.${s}`),
    'merge.d.e.driver=git merge-file --quiet --marker-size=%L %A %O %B',
  ]);
});

test('git missing, too old, and a folder that is gone are three sentences', async () => {
  using f = makeRepository();
  const old = makeProgram(f.root, 'old-git', 'echo "git version 2.17.1"');
  const message = (p: Promise<unknown>) =>
    p.then(
      () => '',
      (e: Error) => e.message,
    );
  expect(await message(runner(f, '/no/such/git').version())).toBe('herd needs git, and there is no program /no/such/git on the PATH.');
  expect(await message(runner(f, old).version())).toBe(`herd needs git 2.31 or newer; ${old} is 2.17.1.`);
  expect(await message(runner(f).look(join(f.root, 'gone')))).toBe(`The folder ${join(f.root, 'gone')} does not exist.`);
});

test('output past the limit fails or is cut, a silent program is ended', async () => {
  using f = makeRepository();
  f.put('big.txt', 'x'.repeat(100_000));
  f.commit('big');
  const look = await runner(f).look(f.dir);
  expect(await codeOf(look.run(['show', 'HEAD:big.txt'], { limit: 1000 }))).toBe('output-too-large');
  const cut = await look.run(['show', 'HEAD:big.txt'], { limit: 1000, overflow: 'cut' });
  expect([cut.cut, cut.stdout.length]).toEqual([true, 1000]);
  const slow = makeProgram(f.root, 'slow-git', 'case "$1" in --version|config) exec git "$@";; esac\nexec sleep 100');
  const late = await runner(f, slow).look(f.dir);
  expect(await codeOf(late.run(['status'], { timeout: 50 }))).toBe('timed-out');
  const stop = new AbortController();
  const cancelled = codeOf(late.run(['status'], { signal: stop.signal }));
  stop.abort();
  expect(await cancelled).toBe('cancelled');
});

test('the gate never lets more in than its cap, in order; a line goes on after a failure', async () => {
  const gate = new Gate(2);
  const order: string[] = [];
  const leave = [await gate.enter(), await gate.enter()];
  const third = gate.enter().then((l) => {
    order.push('third');
    return l;
  });
  const fourth = gate.enter().then((l) => {
    order.push('fourth');
    return l;
  });
  await Promise.resolve();
  expect(order).toEqual([]);
  leave[0]!();
  leave[0]!();
  await third;
  await Promise.resolve();
  expect(order).toEqual(['third']);
  leave[1]!();
  await fourth;
  const lines = new Lines();
  const failed = lines.run('a', () => Promise.reject(new Error('no')));
  expect(await lines.run('a', () => Promise.resolve(7))).toBe(7);
  await expect(failed).rejects.toThrow('no');
});

test('C36 a slow git: questions pile up into one, no more processes than the cap, the last listing stays', async () => {
  using f = makeRepository();
  const log = join(f.root, 'log');
  const gate = join(f.root, 'go');
  writeFileSync(log, '');
  const program = makeProgram(
    f.root,
    'slow-git',
    `case "$*" in status*) echo start >> "${log}"; while [ ! -e "${gate}" ]; do sleep 0.02; done;; esac\nexec git "$@"`,
  );
  const git = createGit({ snapshotDir: f.root, env: f.env, now: () => 5, program, cap: 2 });
  const changes = git.changes(f.dir);
  const asked = Array.from({ length: 20 }, () => changes.readChangeset({ scope: 'base' }));
  await until('the scan has begun', () => readFileSync(log, 'utf8') !== '');
  expect(changes.last('base')).toBeNull();
  f.git('commit', '-q', '--allow-empty', '-m', 'the agent goes on');
  asked.push(...Array.from({ length: 20 }, () => changes.readChangeset({ scope: 'base' })));
  writeFileSync(gate, '');
  const seen = await Promise.all(asked);
  expect(readFileSync(log, 'utf8').split('\n').filter(Boolean)).toHaveLength(2);
  expect(seen.at(-1)!.head).toBe(f.git('rev-parse', 'HEAD').slice(0, 12));
});
