// Makes a worktree. Everything that can be refused is refused before the first write; names and metadata are settled in one line per
// repository, filling the folder (the slow part, with the user's filters and hooks) happens outside it. No tracking is written, so a held
// config.lock does not matter. A failure leaves neither folder nor registration nor branch behind.

import { access, constants, lstat, mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { AddedWorktree, AddRequest, BaseChoice, Repository } from './api.ts';
import { clash, foldedName, folderName, freeName } from './branch-name.ts';
import type { Lines } from './gate.ts';
import { cleanText, GitError } from './git-error.ts';
import { commitOf, enterRepository, listWorktrees, resolveBase, startingPoint } from './repository.ts';
import type { Look, Runner } from './run.ts';
import { fillSubmodules } from './submodule-fill.ts';
import { userGit } from './user-git.ts';
import { fillWorktree } from './worktree-fill.ts';

interface Plan {
  branch: string;
  /** The branch exists and is only checked out. */
  exists: boolean;
  base: BaseChoice;
  path: string;
  notes: string[];
}

/**
 * Makes a worktree with its branch, files and submodules; nothing of it stays when that fails. Rejects with 'bad-name', 'branch-in-use',
 * 'ref-conflict', 'case-conflict', 'root-unwritable', 'no-commit'.
 */
export async function addWorktree(runner: Runner, lines: Lines, request: AddRequest): Promise<AddedWorktree> {
  const { repository, look } = await enterRepository(runner, request.from);
  const root = await writableRoot(repository, request);
  const wanted = request.branch ?? 'work';
  await checkName(look, wanted);
  // Whoever asks for a free name gets it or a near one, also when another asks at the same instant; who asks for a taken one is told.
  const before = await branches(look);
  const wasFree = !before.includes(wanted);
  const plan = await lines.run(repository.commonDir, async () => {
    const planned = await makePlan(look, request, root, wanted, wasFree || request.branch === undefined);
    await register(runner, look, planned);
    return planned;
  });
  try {
    const filled = await fillWorktree(runner, plan.path, request.skipFilters ?? false);
    const inner = await fillSubmodules(runner, repository, plan.path);
    return { path: plan.path, branch: plan.branch, created: !plan.exists, base: plan.base, notes: [...plan.notes, ...filled, ...inner] };
  } catch (error) {
    await lines.run(repository.commonDir, () => undo(look, plan));
    throw error;
  }
}

async function branches(look: Look): Promise<string[]> {
  const text = await look.text(['for-each-ref', '--format=%(refname:strip=2)', 'refs/heads/']);
  return text.split('\n').filter(Boolean);
}

async function checkName(look: Look, name: string): Promise<void> {
  const r = await look.run(['check-ref-format', '--branch', name], { codes: [0, 1, 128] });
  // `--branch` also resolves "@{-1}" to another name: then it is no name for a new branch.
  if (r.code !== 0 || r.stdout.toString().trim() !== name || name === 'HEAD') {
    throw new GitError('bad-name', `"${cleanText(name, 100)}" is no valid branch name.`, 'Use letters, digits, dashes and slashes.');
  }
}

/** Beside the repository, else the fallback; made if need be. One clear error before any git step. */
export async function writableRoot(repository: Repository, request: Pick<AddRequest, 'from' | 'root' | 'fallbackRoot'>): Promise<string> {
  const beside = join(dirname(repository.main), `${basename(repository.main)}.worktrees`);
  const roots = request.root
    ? [request.root]
    : [bareSibling(repository) ?? beside, request.fallbackRoot].filter((r): r is string => r !== undefined);
  let why = '';
  for (const root of roots) {
    try {
      await mkdir(root, { recursive: true });
      await access(root, constants.W_OK | constants.X_OK);
      return root;
    } catch (error) {
      why = (error as NodeJS.ErrnoException).code ?? '';
    }
  }
  throw new GitError(
    'root-unwritable',
    `No worktree can be made in ${roots[0]}: the folder cannot be written${why ? ` (${why})` : ''}.`,
    'Choose another folder: worktrees.root in config.toml.',
  );
}

/** In a layout of a folder around `.bare`, worktrees live in that folder, side by side. */
function bareSibling(repository: Repository): string | undefined {
  return repository.bare && repository.main !== repository.commonDir ? repository.main : undefined;
}

async function makePlan(look: Look, request: AddRequest, root: string, wanted: string, mayRename: boolean): Promise<Plan> {
  await look.run(['worktree', 'prune'], { action: 'Removing registrations of lost worktrees' });
  const names = await branches(look);
  const notes: string[] = [];
  const found = clash(wanted, names);
  if (found?.kind === 'same' && !mayRename) return existingBranch(look, request, root, wanted);
  if (found && found.kind !== 'same') throw clashError(wanted, found);
  const branch = found ? freeName(wanted, (n) => clash(n, names) !== null) : wanted;
  if (branch !== wanted) notes.push(`The name ${wanted} was taken: this is ${branch}.`);
  const base = request.base === undefined ? await startingPoint(look) : await resolveBase(look, request.base);
  if (!base)
    throw new GitError(
      'no-commit',
      'This repository has no commit yet, and a worktree starts from one.',
      'Make a first commit: git commit --allow-empty -m start',
    );
  return { branch, exists: false, base, path: await freePath(root, branch, notes), notes };
}

function clashError(wanted: string, found: { kind: string; with: string }): GitError {
  if (found.kind === 'folder') {
    return new GitError(
      'ref-conflict',
      `${wanted} cannot be a branch beside ${found.with}: git keeps one as a folder of the other.`,
      'Choose another name.',
      { with: found.with },
    );
  }
  return new GitError('case-conflict', `${wanted} differs from the branch ${found.with} only in case.`, 'Choose another name.', {
    with: found.with,
  });
}

async function existingBranch(look: Look, request: AddRequest, root: string, branch: string): Promise<Plan> {
  const holder = (await listWorktrees(look)).find((w) => w.branch === branch);
  if (holder) {
    throw new GitError('branch-in-use', `${branch} is checked out in ${holder.path}.`, `Open it: herd open '${holder.path}'`, {
      path: holder.path,
      branch,
    });
  }
  const commit = await commitOf(look, `refs/heads/${branch}`);
  const start = request.base === undefined ? await startingPoint(look) : await resolveBase(look, request.base);
  const notes = [`The branch ${branch} existed and was checked out.`];
  return {
    branch,
    exists: true,
    base: start ?? { name: branch, commit: commit!, why: 'where the branch stands' },
    path: await freePath(root, branch, notes),
    notes,
  };
}

/** A folder that nothing is in; an unregistered folder with something in it is left alone and another name taken. */
async function freePath(root: string, branch: string, notes: string[]): Promise<string> {
  const there = new Set<string>();
  for (const entry of await readdir(root)) {
    if (!(await isEmptyFolder(join(root, entry)))) there.add(foldedName(entry));
  }
  const leaf = folderName(branch);
  const name = freeName(leaf, (n) => there.has(foldedName(n)));
  if (name !== leaf) notes.push(`The folder ${join(root, leaf)} exists and was left alone.`);
  return join(root, name);
}

async function isEmptyFolder(path: string): Promise<boolean> {
  if (!(await lstat(path)).isDirectory()) return false;
  return (await readdir(path)).length === 0;
}

/** The registration and the branch, without files: quick, so that forty at once wait in line only for this. */
async function register(runner: Runner, look: Look, plan: Plan): Promise<void> {
  const how = plan.exists ? [plan.path, plan.branch] : ['--no-track', '-b', plan.branch, plan.path, plan.base.commit];
  try {
    await userGit(runner, look.cwd, ['worktree', 'add', '--no-checkout', ...how], 'Making the worktree');
  } catch (error) {
    await undo(look, plan, false);
    throw error;
  }
}

/** Takes back a half-made worktree. The branch goes only if this call made it and it stands where it was made. */
async function undo(look: Look, plan: Plan, registered = true): Promise<void> {
  if (registered) await look.run(['worktree', 'remove', '--force', '--force', '--', plan.path], { codes: [0, 128] });
  if (registered) await rm(plan.path, { recursive: true, force: true });
  else await rmdir(plan.path).catch(() => {});
  await look.run(['worktree', 'prune'], { codes: [0, 128] });
  if (!plan.exists && registered)
    await look.run(['update-ref', '-d', `refs/heads/${plan.branch}`, plan.base.commit], { codes: [0, 1, 128] });
}
