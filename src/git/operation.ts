// What git is in the middle of in a worktree. Reads a few small files of its git directory and runs nothing.

import { existsSync, lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readFile } from './added-file.ts';

/** Bytes of a file that holds a path or a number. */
const SMALL = 4096;

/** "rebasing 2/5", "merging", …; null when nothing is under way. */
export function operationOf(worktree: string): string | null {
  const dir = gitDirOf(worktree);
  if (dir === null) return null;
  const has = (name: string) => existsSync(join(dir, name));
  const steps = (folder: string, at: string, of: string) => {
    const [now, all] = [numberIn(join(dir, folder, at)), numberIn(join(dir, folder, of))];
    return now === null || all === null ? '' : ` ${now}/${all}`;
  };
  if (has('rebase-merge')) return `rebasing${steps('rebase-merge', 'msgnum', 'end')}`;
  if (has('rebase-apply/applying')) return `applying patches${steps('rebase-apply', 'next', 'last')}`;
  if (has('rebase-apply')) return `rebasing${steps('rebase-apply', 'next', 'last')}`;
  if (has('MERGE_HEAD')) return 'merging';
  if (has('CHERRY_PICK_HEAD')) return 'cherry-picking';
  if (has('REVERT_HEAD')) return 'reverting';
  return has('BISECT_LOG') ? 'bisecting' : null;
}

/** The folder `.git`, or the one that a linked worktree's file of that name points to. */
function gitDirOf(worktree: string): string | null {
  const dotGit = join(worktree, '.git');
  const stat = lstatSync(dotGit, { throwIfNoEntry: false });
  if (!stat?.isFile()) return stat ? dotGit : null;
  const path = /^gitdir: (.*)/.exec(smallText(dotGit))?.[1];
  return path === undefined ? null : resolve(worktree, path);
}

function numberIn(path: string): number | null {
  return Number(/^\d{1,9}/.exec(smallText(path))?.[0] ?? Number.NaN) || null;
}

function smallText(path: string): string {
  try {
    return readFile(path, SMALL).bytes.toString();
  } catch {
    return '';
  }
}
