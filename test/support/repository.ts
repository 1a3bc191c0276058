// Real git repositories for tests: a private folder each, no configuration of the machine, fixed names and dates.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Tries to remove a folder, each 0.1 s further apart: what was ended a moment ago may still write its last file. */
export const REMOVE_TRIES = 20;

export interface Fixture extends Disposable {
  /** Private folder around everything. */
  root: string;
  /** The repository. */
  dir: string;
  /** For createGit: no config of the machine, a home inside the root. */
  env: Record<string, string>;
  /** git in the repository; its output without the last newline. Throws when git fails. */
  git(...args: string[]): string;
  gitIn(dir: string, ...args: string[]): string;
  /** Exit code of git, for what is expected to fail. */
  tryGit(dir: string, ...args: string[]): number;
  put(path: string, content: string | Uint8Array): void;
  /** Stages everything and commits. */
  commit(message: string): string;
}

export interface FixtureOptions {
  /** Folder name of the repository; default 'repo'. */
  name?: string;
  /** Without a first commit. */
  unborn?: boolean;
}

export function makeRepository(o: FixtureOptions = {}): Fixture {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'herd-git-')));
  const env = fixtureEnvironment(root);
  const dir = join(root, o.name ?? 'repo');
  const gitIn = (at: string, ...args: string[]) =>
    execFileSync('git', args, {
      cwd: at,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 28,
      timeout: 120_000,
    }).replace(/\n$/, '');
  const put = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  };
  mkdirSync(dir, { recursive: true });
  gitIn(dir, 'init', '-q', '-b', 'main');
  const fixture: Fixture = {
    root,
    dir,
    env,
    gitIn,
    git: (...args) => gitIn(dir, ...args),
    tryGit: (at, ...args) => spawnSync('git', args, { cwd: at, env, stdio: 'ignore', timeout: 120_000 }).status ?? -1,
    put,
    commit: (message) => {
      gitIn(dir, 'add', '-A');
      gitIn(dir, 'commit', '-q', '--allow-empty', '-m', message);
      return gitIn(dir, 'rev-parse', 'HEAD');
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true, maxRetries: REMOVE_TRIES }),
  };
  if (!o.unborn) {
    put('README.md', '# base\n');
    fixture.commit('base');
  }
  return fixture;
}

/** The test runner's environment without anything of git's, with an identity and a home inside `root`. */
export function fixtureEnvironment(root: string): Record<string, string> {
  const kept = Object.entries(process.env).filter(([key, value]) => value !== undefined && !key.startsWith('GIT_'));
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    HOME: root,
    XDG_CONFIG_HOME: join(root, '.config'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.invalid',
    GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.invalid',
    GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
  };
}

/** An executable shell script in the fixture's root; its path. */
export function makeProgram(root: string, name: string, body: string): string {
  const path = join(root, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Resolves once `condition` is true; rejects after `limit` ms with `what`. Looks every 10 ms. */
export async function until(what: string, condition: () => boolean, limit = 120_000): Promise<void> {
  const end = performance.now() + limit;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`did not happen in ${limit} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
