// What a submodule holds: which commit, how far from the recorded one, whether it has changes of its own. Each submodule is looked at with
// its own hardened view, because it names filters of its own.

import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangedFile } from '../model/review/changeset.ts';
import type { RawChange } from './raw-diff.ts';
import type { Look } from './run.ts';
import { splitZero } from './status.ts';

/** Submodules looked into per reading; each costs two small processes. */
const LOOK_LIMIT = 24;

/**
 * Submodules as .gitmodules names them, in its order. Names become paths below the git directory, paths lie in the worktree: those that lead
 * out of either, or look like an option, are left out.
 */
export async function submodules(look: Look): Promise<{ name: string; path: string }[]> {
  if (!(await lstat(join(look.cwd, '.gitmodules')).catch(() => null))?.isFile()) return [];
  const r = await look.run(['config', '-f', '.gitmodules', '-z', '--get-regexp', '^submodule\\..*\\.path$'], { codes: [0, 1, 3, 128] });
  const isSafe = (text: string) => text !== '' && !/^[-/]/.test(text) && !text.split('/').includes('..');
  return splitZero(r.stdout).flatMap((record) => {
    const cut = record.indexOf('\n');
    const name = record.slice('submodule.'.length, cut - '.path'.length);
    const path = record.slice(cut + 1);
    return isSafe(name) && isSafe(path) ? [{ name, path }] : [];
  });
}

/** True when the folder is a checked-out submodule (or any repository of its own). */
export async function isPopulated(full: string): Promise<boolean> {
  return (await lstat(join(full, '.git')).catch(() => null)) !== null;
}

/** Submodules with modified or untracked content. */
export async function dirtySubmodules(look: Look): Promise<string[]> {
  const paths = (await submodules(look)).slice(0, LOOK_LIMIT).map(({ path }) => path);
  const dirty = await Promise.all(
    paths.map(async (path) => {
      const full = join(look.cwd, path);
      if (!(await isPopulated(full))) return false;
      const inner = await look.at(full);
      const r = await inner.run(['status', '--porcelain=v2', '-z', '--untracked-files=normal', '--ignore-submodules=dirty'], {
        codes: [0, 128],
      });
      return r.stdout.length > 0;
    }),
  );
  return paths.filter((_, i) => dirty[i]);
}

export async function readSubmodule(
  look: Look,
  path: string,
  r: RawChange,
  dirty: boolean,
): Promise<NonNullable<ChangedFile['submodule']>> {
  const old = r.oldMode === '160000' ? r.oldOid : null;
  const full = join(look.cwd, path);
  let now = r.newMode === '160000' ? r.newOid : null;
  let commits: number | null = null;
  if (await isPopulated(full)) {
    const inner = await look.at(full);
    if (now === null && r.newMode === '160000') {
      const head = await inner.run(['rev-parse', '-q', '--verify', 'HEAD'], { codes: [0, 1, 128] });
      now = head.code === 0 ? head.stdout.toString().trim() : null;
    }
    if (old !== null && now !== null) {
      const count = await inner.run(['rev-list', '--count', `${old}..${now}`, '--'], { codes: [0, 128] });
      commits = count.code === 0 ? Number(count.stdout.toString()) : null;
    }
  }
  return { old, new: now, commits, dirty };
}
