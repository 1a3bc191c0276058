// Bringing the integration branch to the user's own: only by a person's yes, with the user's own git, fast-forward or a merge commit; and
// what of each task is really in the result.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listWorktrees } from '../../git/repository.ts';
import type { Runner } from '../../git/run.ts';
import { userGit } from '../../git/user-git.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Goal } from '../ledger/rows.ts';
import { LandingError } from './land.ts';
import { commitId } from './tree.ts';

export interface Merged {
  into: string;
  commit: string;
  tasks: number;
}

/** Merges into the branch that the batch started from. Throws LandingError, GitError. */
export async function mergeLanded(o: { goal: Goal; ledger: Ledger; git: Runner; dir: string }): Promise<Merged> {
  const { goal, ledger, git } = o;
  const look = await git.look(goal.repository);
  const { branch } = goal.settings.landing;
  const into = goal.baseName;
  const landed = (await ledger.tasks(goal.id)).filter((task) => task.landed === 'applied');
  if (landed.length === 0) throw new LandingError('not-landed', `Batch ${goal.id} has not been landed.`, 'First: herd batch land');
  const tip = await commitId(look, `refs/heads/${branch}`);
  const place = (await listWorktrees(look)).find((worktree) => worktree.branch === into);
  if (!place)
    throw new LandingError(
      'not-checked-out',
      `${into} is not checked out anywhere.`,
      `Merge it yourself: git switch ${into} && git merge ${branch}`,
    );
  const dirty = await (await git.look(place.path)).text(['status', '--porcelain', '--untracked-files=no']);
  if (dirty !== '')
    throw new LandingError('dirty', `${place.path} has changes that are not committed.`, 'Commit or stash them, then try again.');
  await userGit(git, place.path, ['merge', '--no-edit', tip], `Merging ${branch} into ${into}`).catch(async (error: unknown) => {
    await userGit(git, place.path, ['merge', '--abort'], 'Taking the merge back').catch(() => '');
    throw error;
  });
  const commit = await commitId(await git.look(place.path), 'HEAD');
  await noteShares(o, commit);
  await ledger.addCheckpoint(goal.id, place.path, goal.baseCommit, commit, 'merged');
  await ledger.event(goal.id, 'person', 'goal', 'merged', `${into} ${commit}`);
  return { into, commit, tasks: landed.length };
}

/** For each task the share of the lines it added that `commit` has. Whole where a patch adds none and was applied. */
async function noteShares(
  { goal, ledger, git, dir }: { goal: Goal; ledger: Ledger; git: Runner; dir: string },
  commit: string,
): Promise<void> {
  const look = await git.look(goal.repository);
  const diff = await look.text(['diff', '--no-ext-diff', '--no-textconv', '--no-renames', '-U0', goal.baseCommit, commit]);
  const have = addedLines(diff);
  const patches = new Map(
    (await ledger.artifacts(goal.id)).filter((a) => a.kind === 'patch').map((a) => [`${a.task} ${a.attempt}`, join(dir, a.path)]),
  );
  for (const task of await ledger.tasks(goal.id)) {
    if (task.stage !== 'work') continue;
    const path = task.landed === 'applied' ? patches.get(`${task.id} ${task.wonAttempt}`) : undefined;
    await ledger.setMergedShare(goal.id, task.id, path === undefined ? 0 : shareOf(addedLines(readFileSync(path, 'utf8')), have));
  }
}

/** Added lines by file, with how often each. */
export function addedLines(patch: string): Map<string, number> {
  const lines = new Map<string, number>();
  let file = '';
  for (const line of patch.split('\n')) {
    const named = /^\+\+\+ (?:b\/)?(.*)$/.exec(line)?.[1];
    if (named !== undefined) file = named;
    else if (line.startsWith('+')) lines.set(`${file}\0${line.slice(1)}`, (lines.get(`${file}\0${line.slice(1)}`) ?? 0) + 1);
  }
  return lines;
}

/** How much of `wanted` is in `have`; 1 when nothing is wanted. */
export function shareOf(wanted: ReadonlyMap<string, number>, have: ReadonlyMap<string, number>): number {
  let [all, found] = [0, 0];
  for (const [line, count] of wanted) {
    all += count;
    found += Math.min(count, have.get(line) ?? 0);
  }
  return all === 0 ? 1 : found / all;
}
