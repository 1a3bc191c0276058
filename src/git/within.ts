// What a path of a worktree may lead to. Links are looked at when it is asked: a program may put one there at any time.

import { join } from 'node:path';
import { entryAt } from './entry.ts';
import { cleanText, GitError } from './git-error.ts';

/** Whether `path`, relative to the worktree at `root`, can be a file of it as git sees it: not git's own, and behind no link. */
export function isWithin(root: string, path: string): boolean {
  const folders = path.split('/');
  if (folders.some((name) => name === '..' || name.toLowerCase() === '.git')) return false;
  return folders.every((_, i) => {
    const above = join(root, ...folders.slice(0, i));
    return i === 0 || !entryAt(above)?.isSymbolicLink();
  });
}

/** Rejects with 'moved-on' what would be written outside of the worktree. */
export function refuseOutside(root: string, path: string): void {
  if (isWithin(root, path)) return;
  const said = `A folder of ${cleanText(path, 200)} has become a link: herd writes nothing through it.`;
  throw new GitError('moved-on', said, 'Look at the new diff, or use git in a terminal.');
}

/** Rejects with 'does-not-apply' a file that cannot lie there: a folder has its name, or a file that of a folder above it. */
export function refuseReplaced(root: string, path: string): void {
  const folders = path.split('/');
  for (let depth = 1; depth <= folders.length; depth++) {
    const name = folders.slice(0, depth).join('/');
    const stat = entryAt(join(root, name));
    if (!stat) return;
    if (stat.isDirectory() === depth < folders.length) continue;
    // A link in place of a folder is told of as such.
    if (stat.isSymbolicLink() && depth < folders.length) return;
    const kind = depth < folders.length ? 'a file' : 'a folder';
    throw new GitError('does-not-apply', `${cleanText(name, 200)} is ${kind} now.`, 'Take that away first.');
  }
}
