// Puts pinned agent CLIs from npm into a cache outside the repository; says why when one cannot be had.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Setup } from './setups.ts';

const CACHE = process.env.HERD_TEST_AGENTS ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'herd-test-agents');

/** The folder whose `node_modules/.bin` has the agent, or why there is none. */
export function install(setup: Setup): { folder: string } | { missing: string } {
  const folder = join(CACHE, setup.kind);
  if (setup.packages.every((p) => installed(folder, p))) return { folder };
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  try {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--save-exact', ...setup.packages], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 600_000,
    });
    return { folder };
  } catch (error) {
    const said = (error as { stderr?: Buffer }).stderr?.toString() ?? String(error);
    return {
      missing:
        said
          .split('\n')
          .find((line) => /npm error \S/.test(line))
          ?.replace('npm error ', '') ?? said.slice(0, 200),
    };
  }
}

function installed(folder: string, pinned: string): boolean {
  const at = pinned.lastIndexOf('@');
  try {
    return (
      JSON.parse(readFileSync(join(folder, 'node_modules', pinned.slice(0, at), 'package.json'), 'utf8')).version === pinned.slice(at + 1)
    );
  } catch {
    return false;
  }
}
