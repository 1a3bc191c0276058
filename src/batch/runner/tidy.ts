// Takes away what runners left behind: programs that have ended, worktrees of attempts that have ended, whose results are saved, and prepared
// ones that nobody has taken.
import { basename } from 'node:path';
import { listWorktrees } from '../../git/repository.ts';
import type { Runner as GitRunner } from '../../git/run.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Goal } from '../ledger/rows.ts';
import { attemptName } from './attempt.ts';
import type { SessionLink } from './session-link.ts';
import { branchesOf, branchOf, isPrepared } from './worksite.ts';

export interface TidyOptions {
  goal: Goal;
  git: GitRunner;
  ledger: Ledger;
  link: SessionLink;
  /** Only what is this host's. */
  host: string;
}

/** Prepared worktrees of this host: for a moment at which it prepares none. */
export async function removePrepared({ goal, git, ledger, link, host }: TidyOptions): Promise<void> {
  const left = (await listWorktrees(await git.look(goal.repository))).filter((worktree) => isPrepared(goal, host, worktree));
  if (left.length === 0) return;
  const taken = new Set((await ledger.attempts(goal.id)).map((row) => row.worktree && basename(row.worktree)));
  for (const { path } of left) {
    if (!taken.has(basename(path))) await link.request('worktree.remove', { repository: goal.repository, path }).catch(() => {});
  }
}

/** Programs and worktrees of attempts that have ended; not those of the `held` attempts, nor of such whose outcome `keeps` them. */
export async function removeEnded(o: TidyOptions, held: ReadonlySet<string>, keeps: (outcome: string) => boolean): Promise<void> {
  const { goal, git, ledger, link } = o;
  const rows = (await ledger.attempts(goal.id)).filter((row) => row.host === o.host && row.ended !== null);
  const ended = new Set(rows.map((row) => attemptName(goal, row)));
  const { attempts: programs } = await link.request('attempt.list', { prefix: `${goal.uid}.` });
  for (const { attempt, exit } of programs) {
    if (exit && ended.has(attempt)) await link.request('attempt.forget', { attempt }).catch(() => {});
  }
  const useless = rows.filter((row) => !held.has(attemptName(goal, row)) && !keeps(row.outcome ?? ''));
  const byBranch = new Map(useless.map((row) => [branchOf(goal, row), row]));
  // Its agent may have left the branch.
  const byFolder = new Map(useless.flatMap((row) => (row.worktree === null ? [] : [[basename(row.worktree), row]])));
  for (const { path, branch } of await listWorktrees(await git.look(goal.repository))) {
    const row = branch?.startsWith(branchesOf(goal)) ? byBranch.get(branch) : byFolder.get(basename(path));
    if (row) await link.request('worktree.remove', { repository: goal.repository, path, branch: branchOf(goal, row) }).catch(() => {});
  }
}
