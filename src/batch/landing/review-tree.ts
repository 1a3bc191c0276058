// The worktree in which a landed batch is reviewed: git as its user runs it, because the person asked for it.
import type { Runner } from '../../git/run.ts';
import { userGit } from '../../git/user-git.ts';

/** Checks out the integration branch in `folder`. */
export async function openReviewTree(git: Runner, repository: string, folder: string, branch: string): Promise<void> {
  await userGit(git, repository, ['worktree', 'add', '--quiet', folder, branch], 'Making the worktree');
}

/** Whether it holds changes that are not committed. */
export async function reviewIsDirty(git: Runner, folder: string): Promise<boolean> {
  return (await userGit(git, folder, ['status', '--porcelain'], 'Looking at the review')).trim() !== '';
}

/** Takes it away; git refuses where something would be lost. */
export async function closeReviewTree(git: Runner, repository: string, folder: string): Promise<void> {
  await userGit(git, repository, ['worktree', 'remove', folder], 'Closing the review');
}
