import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { watch as openWatcher } from 'chokidar';
import { expect, test } from 'vitest';
import { type Fixture, makeRepository, until } from '../../test/support/repository.ts';
import type { Change } from './api.ts';
import { Runner } from './run.ts';
import { WATCH_TIMES, Watchers } from './watch.ts';

/** Without the looks by time, so that every change told came from an event. */
const TIMES = { ...WATCH_TIMES, lone: 10, quiet: 30, longest: 300, trailing: 1e8, poll: 20, check: 1e8 };

async function watching(f: Fixture, dir = f.dir, open = openWatcher, times = TIMES) {
  const watchers = new Watchers(new Runner({ cap: 4, program: 'git', env: f.env }), times, open);
  const changes: Change[] = [];
  const watch = watchers.open(dir, (c) => changes.push(c));
  await watch.ready;
  return {
    watch,
    changes,
    names: () => new Set(changes.flatMap((c) => c.files ?? ['*'])),
    [Symbol.asyncDispose]: () => watchers.close(),
  };
}

test('a write, a new folder with files, a deletion', async () => {
  using f = makeRepository();
  await using w = await watching(f);
  f.put('README.md', 'changed\n');
  await until('the write is told', () => w.names().has('README.md'));
  f.put('src/deep/new.ts', 'x\n');
  await until('the folder is told', () => w.names().has('src'));
  await until('its inside is watched', () => {
    f.put('src/deep/new.ts', `${Math.random()}\n`);
    return w.names().has('src/deep/new.ts');
  });
  rmSync(join(f.dir, 'README.md'));
  const before = w.changes.length;
  await until('the deletion is told', () => w.changes.slice(before).some((c) => c.files?.includes('README.md')));
});

test('a commit and a branch made elsewhere are told as git changes', async () => {
  using f = makeRepository();
  await using w = await watching(f);
  f.git('commit', '-q', '--allow-empty', '-m', 'x');
  await until('the commit is told', () => w.changes.some((c) => c.git));
  w.changes.length = 0;
  f.git('branch', 'other');
  await until('the branch is told', () => w.changes.some((c) => c.git));
});

test('in a second worktree: its own index and the shared branches', async () => {
  using f = makeRepository();
  const dir = join(f.root, 'second');
  f.git('worktree', 'add', '-q', '-b', 'second', dir);
  await using w = await watching(f, dir);
  writeFileSync(join(dir, 'a.txt'), 'a\n');
  f.gitIn(dir, 'add', 'a.txt');
  await until('the index is told', () => w.changes.some((c) => c.git));
  w.changes.length = 0;
  f.git('update-ref', 'refs/heads/moved', 'HEAD');
  await until('the branch is told', () => w.changes.some((c) => c.git));
});

test('ignored folders are not entered, neither old ones nor new ones', async () => {
  using f = makeRepository();
  f.put('.gitignore', 'node_modules/\n');
  f.commit('ignore');
  f.put('node_modules/a/index.js', 'x\n');
  let opened: ReturnType<typeof openWatcher> | null = null;
  const open: typeof openWatcher = (paths, options) => {
    const made = openWatcher(paths, options);
    if (paths === f.dir) opened = made;
    return made;
  };
  await using w = await watching(f, f.dir, open);
  f.put('pkg/node_modules/b/index.js', 'x\n');
  f.put('pkg/src/c.ts', 'x\n');
  await until('the other new folder is watched', () => Object.keys(opened!.getWatched()).includes(join(f.dir, 'pkg/src')));
  const watched = Object.keys(opened!.getWatched());
  expect(watched.filter((p) => p.includes('node_modules') || p.includes('.git/'))).toEqual([]);
  expect(w.watch.degraded).toBeNull();
});

test('a burst of 2,000 writes is told a few times', async () => {
  using f = makeRepository();
  mkdirSync(join(f.dir, 'many'));
  // A burst is over when nothing has come for a second, however slowly it comes.
  await using w = await watching(f, f.dir, openWatcher, { ...TIMES, lone: 1000, quiet: 1000, longest: 1e8 });
  for (let i = 0; i < 2000; i += 1) writeFileSync(join(f.dir, 'many', `${i}.txt`), 'x');
  await until('the burst is told', () => w.names().has('*') || w.names().size >= 2000);
  expect(w.changes.length).toBeLessThan(40);
});

test.each(['ENOSPC', 'EMFILE'])('%s: looks by time instead, and says so', async (code) => {
  using f = makeRepository();
  const open: typeof openWatcher = (paths, options) => {
    const made = openWatcher(paths, options);
    if (paths === f.dir) queueMicrotask(() => made.emit('error', Object.assign(new Error('no watches'), { code })));
    return made;
  };
  await using w = await watching(f, f.dir, open);
  expect(w.watch.degraded).toBe('no file watches left: looking every 2 s');
  await until('looks by time', () => w.changes.filter((c) => c.by === 'poll').length > 2);
});

test('after close nothing is told', async () => {
  using f = makeRepository();
  const w = await watching(f);
  f.put('a.txt', 'a\n');
  await w.watch.close();
  const told = w.changes.length;
  f.put('b.txt', 'b\n');
  await w[Symbol.asyncDispose]();
  expect(w.changes.length).toBe(told);
});
