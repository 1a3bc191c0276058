// Commits what is staged as the person would: with their hooks, identity and signing.

import { firstClause, GitError } from './git-error.ts';
import type { Runner } from './run.ts';
import { userGit } from './user-git.ts';

/** Commits what is staged, with the user's hooks and identity. Rejects with 'nothing-staged', 'hook-refused'. */
export async function commit(runner: Runner, worktree: string, message: string, amend: boolean): Promise<{ commit: string }> {
  if (message.trim() === '' && !amend) throw new GitError('bad-name', 'A commit needs a message.');
  const look = await runner.look(worktree);
  const staged = await look.run(['diff', '--cached', '--quiet', '--no-ext-diff', '--ignore-submodules=dirty'], { codes: [0, 1] });
  if (staged.code === 0 && !amend) throw new GitError('nothing-staged', 'Nothing is staged.', 'Stage hunks or files first.');
  const words = message.trim() === '' ? ['--no-edit'] : [`--message=${message}`];
  const args = ['commit', '--quiet', ...(amend ? ['--amend'] : []), ...words];
  await userGit(runner, worktree, args, 'Committing').catch((error) => Promise.reject(refusedByHook(error) ?? error));
  return { commit: await (await runner.look(worktree)).text(['rev-parse', 'HEAD']) };
}

/** git says of its own failures that they are fatal or errors; what ends a commit otherwise is a hook. */
function refusedByHook(error: unknown): GitError | null {
  if (!(error instanceof GitError) || (error.code !== 'git-failed' && error.code !== 'hook-refused')) return null;
  const said = String(error.detail.said);
  if (said.trim() === '' || (error.code === 'git-failed' && /^(fatal|error):/m.test(said))) return null;
  return new GitError('hook-refused', `A hook refused the commit: ${firstClause(said)}`, 'herd log has what it said.', error.detail);
}
