// The git directory of a worktree, found without a git process.

import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { GIT_LINK_MAX, linkedGitDir } from '../model/git-link.ts';
import { readFile } from './added-file.ts';

/** The folder `.git` of `worktree`, or the one that a linked worktree's file of that name points to; null where there is neither. */
export function gitDirOf(worktree: string): string | null {
  const dotGit = join(worktree, '.git');
  const stat = lstatSync(dotGit, { throwIfNoEntry: false });
  if (!stat?.isFile()) return stat ? dotGit : null;
  const path = linkedGitDir(smallText(dotGit));
  return path === null ? null : resolve(worktree, path);
}

/** A file that holds a path or a number; '' when it cannot be read. Follows no link. */
export function smallText(path: string): string {
  try {
    return readFile(path, GIT_LINK_MAX).bytes.toString();
  } catch {
    return '';
  }
}
