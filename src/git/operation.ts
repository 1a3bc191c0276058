// What git is in the middle of in a worktree. Reads a few small files of its git directory and runs nothing.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gitDirOf, smallText } from './git-dir.ts';

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

function numberIn(path: string): number | null {
  return Number(/^\d{1,9}/.exec(smallText(path))?.[0] ?? Number.NaN) || null;
}
