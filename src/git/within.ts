// What a path of a worktree may lead to. Links are looked at when it is asked: a program may put one there at any time.

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { cleanText, GitError } from './git-error.ts';

/** Whether `path`, relative to the worktree at `root`, can be a file of it as git sees it: not git's own, and behind no link. */
export function isWithin(root: string, path: string): boolean {
  const folders = path.split('/');
  if (folders.some((name) => name === '..' || name.toLowerCase() === '.git')) return false;
  return folders.every((_, i) => {
    const above = join(root, ...folders.slice(0, i));
    return i === 0 || !lstatSync(above, { throwIfNoEntry: false })?.isSymbolicLink();
  });
}

/** Rejects with 'moved-on' what would be written outside of the worktree. */
export function refuseOutside(root: string, path: string): void {
  if (isWithin(root, path)) return;
  const said = `A folder of ${cleanText(path, 200)} has become a link: herd writes nothing through it.`;
  throw new GitError('moved-on', said, 'Look at the new diff, or use git in a terminal.');
}
