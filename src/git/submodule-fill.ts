// Fills a new worktree's submodules from the copies the repository already has: no network. Best effort, a submodule that fails is named.

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repository } from './api.ts';
import type { Look, Runner } from './run.ts';
import { submodules } from './submodule-state.ts';

/** ms for one submodule's local clone. */
const CLONE_LIMIT = 120_000;

/** Fills the submodules of the worktree at `path`; notes about those for which there is no local copy. */
export async function fillSubmodules(runner: Runner, repository: Repository, path: string): Promise<string[]> {
  const look = await runner.look(path);
  const missing: string[] = [];
  for (const { name, path: inner } of await submodules(look)) {
    const copy = join(repository.commonDir, 'modules', name);
    const done = (await stat(copy).catch(() => null)) !== null && (await fillOne(runner, look, name, inner, copy));
    if (!done) missing.push(inner);
  }
  return missing.length === 0
    ? []
    : [`Not filled, because there is no local copy: ${missing.join(', ')}. Run: git submodule update --init`];
}

/** Cloned by git's own submodule command with the address overridden for this one call; the clone then gets the real address. */
async function fillOne(runner: Runner, look: Look, name: string, inner: string, copy: string): Promise<boolean> {
  const settings = [
    '-c',
    'protocol.file.allow=always',
    '-c',
    `submodule.${name}.url=${copy}`,
    '-c',
    `submodule.${name}.active=true`,
    '-c',
    'core.hooksPath=/dev/null',
  ];
  const r = await runner.asUser(look.cwd, [...settings, 'submodule', '--quiet', 'update', '--init', '--', inner], {
    timeout: CLONE_LIMIT,
    codes: [0, 1, 128],
  });
  if (r.code !== 0) return false;
  const url = await (await look.at(copy)).run(['--git-dir', copy, 'config', '--get', 'remote.origin.url'], { codes: [0, 1, 128] });
  if (url.code === 0)
    await runner.asUser(join(look.cwd, inner), ['config', 'remote.origin.url', url.stdout.toString().trim()], {
      codes: [0, 1, 3, 4, 5, 255],
    });
  return true;
}
