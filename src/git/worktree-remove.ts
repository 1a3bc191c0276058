// Removes a worktree. The first try never forces: what would be lost is counted and told. With `discard` it is saved to a ref, the save is
// checked, then the folder goes. A branch is deleted only when its commits are reachable elsewhere or saved; no other branch is ever touched.

import { realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { counted } from '../model/counted.ts';
import type { Loss, RemovedWorktree, RemoveOptions, WorktreeFacts } from './api.ts';
import { readAttributes } from './attributes.ts';
import { folderName } from './branch-name.ts';
import type { Lines } from './gate.ts';
import { GitError } from './git-error.ts';
import { unchangedLargeFiles } from './large-files.ts';
import { enterRepository, listWorktrees, mainLook } from './repository.ts';
import type { Look, Runner } from './run.ts';
import { innerRepositories, saveWorktree } from './save.ts';
import { modified } from './scan.ts';
import { parseStatus } from './status.ts';

/** Counts what only this worktree holds. */
export async function inspect(look: Look, branch: string | null): Promise<Loss> {
  const status = await look.run(['status', '--porcelain=v2', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=dirty'], {
    action: 'Looking for work that would be lost',
  });
  const all = parseStatus(status.stdout);
  const touched = modified(all);
  const attributes = await readAttributes(
    look,
    touched.map(({ path }) => path),
  );
  const pointers = await unchangedLargeFiles(look, touched, attributes, new Map());
  const entries = all.filter((e) => !(pointers.has(e.path) && e.x === '.'));
  const counts = {
    modified: entries.filter((e) => e.kind === 'tracked').length,
    untracked: entries.filter((e) => e.kind === 'untracked').length,
    conflicted: entries.filter((e) => e.kind === 'unmerged').length,
    commits: await commitsOnlyHere(look, branch),
    inner: await innerWork(look),
  };
  return { ...counts, text: lossText(counts) };
}

function lossText(l: Omit<Loss, 'text'>): string {
  const parts: string[] = [];
  if (l.conflicted > 0) parts.push(`${l.conflicted} in conflict`);
  if (l.modified > 0) parts.push(`${l.modified} modified`);
  if (l.untracked > 0) parts.push(`${l.untracked} untracked`);
  if (l.commits > 0) parts.push(`${counted(l.commits, 'commit')} only here`);
  for (const path of l.inner) parts.push(`work in ${path}`);
  return parts.join(', ');
}

/** Commits of HEAD that no other branch, no tag and no remote branch reaches. */
async function commitsOnlyHere(look: Look, branch: string | null): Promise<number> {
  const except = branch === null ? [] : [`--exclude=${branch}`];
  const r = await look.run(['rev-list', '--count', 'HEAD', '--not', ...except, '--branches', '--tags', '--remotes', '--'], {
    codes: [0, 128],
  });
  return r.code === 0 ? Number(r.stdout.toString()) : 0;
}

/** Submodules and nested repositories with changes, or with commits that no remote branch of theirs has. */
async function innerWork(look: Look): Promise<string[]> {
  const out: string[] = [];
  for (const path of await innerRepositories(look)) {
    const inner = await look.at(join(look.cwd, path));
    const dirty = await inner.run(['status', '--porcelain=v2', '-z', '--untracked-files=normal'], { codes: [0, 128] });
    const ahead = await inner.run(['rev-list', '--count', '--max-count=1', '--branches', 'HEAD', '--not', '--remotes', '--tags'], {
      codes: [0, 128],
    });
    if (dirty.stdout.length > 0 || Number(ahead.stdout.toString()) > 0) out.push(path);
  }
  return out;
}

/**
 * Removes a worktree, and its branch when asked. Rejects with 'would-lose' (unless `discard`, then all is saved to a ref first), 'locked',
 * 'is-main-worktree', 'not-a-worktree'.
 */
export async function removeWorktree(
  runner: Runner,
  lines: Lines,
  path: string,
  o: RemoveOptions,
  now: () => number,
): Promise<RemovedWorktree> {
  const { facts, look, commonDir } = await findRegistered(runner, path, o.repository ?? path);
  if (facts.locked !== null)
    throw new GitError(
      'locked',
      `${facts.path} is locked${facts.locked ? `: ${facts.locked}` : ''}.`,
      `git worktree unlock '${facts.path}'`,
    );
  const notes: string[] = [];
  if (!(await stat(facts.path).catch(() => null))) {
    await lines.run(commonDir, () => look.run(['worktree', 'prune']));
    return { removed: facts.path, savedRef: null, branchDeleted: false, notes: ['The folder was gone already.'] };
  }
  const tree = await runner.look(facts.path);
  const loss = await inspect(tree, facts.branch);
  if (loss.text !== '' && !o.discard) {
    throw new GitError(
      'would-lose',
      `${facts.path} holds work that would be lost: ${loss.text}.`,
      'To save it to a ref and remove the worktree: --discard',
      { ...loss },
    );
  }
  const savedRef = loss.text === '' ? null : await save(tree, facts, now);
  return lines.run(commonDir, async () => {
    await takeAway(look, tree, facts, savedRef !== null);
    await rm(facts.path, { recursive: true, force: true });
    return { removed: facts.path, savedRef, branchDeleted: !o.keepBranch && (await deleteBranch(look, facts, notes)), notes };
  });
}

/** Unforced, git looks once more by itself. What it objects to without being work (submodules, filled large files) is looked at again here. */
async function takeAway(look: Look, tree: Look, facts: WorktreeFacts, saved: boolean): Promise<void> {
  const remove = (force: string[], codes: number[]) =>
    look.run(['worktree', 'remove', ...force, '--', facts.path], { action: 'Removing the worktree', codes });
  if (!saved) {
    const gentle = await remove([], [0, 128]);
    if (gentle.code === 0) return;
    const loss = await inspect(tree, facts.branch);
    if (loss.text !== '')
      throw new GitError('would-lose', `${facts.path} holds new work: ${loss.text}.`, 'Look again, then remove it.', { ...loss });
  }
  await remove(['--force'], [0]);
}

async function findRegistered(
  runner: Runner,
  path: string,
  from: string,
): Promise<{ facts: WorktreeFacts; look: Look; commonDir: string }> {
  const wanted = await realpath(path).catch(() => path);
  const { repository } = await enterRepository(runner, from);
  const look = await mainLook(runner, repository);
  const all = await listWorktrees(look);
  const facts = all.find((w) => w.path === wanted) ?? all.find((w) => w.path === repository.worktree);
  if (!facts) throw new GitError('not-a-worktree', `${path} is not a worktree of ${repository.main}.`);
  if (facts.main)
    throw new GitError('is-main-worktree', `${facts.path} is the main worktree and stays.`, 'herd close takes it off the list.');
  return { facts, look, commonDir: repository.commonDir };
}

/** refs/herd/saved/<name>/<time>; the time makes it unique and tells its age. */
async function save(tree: Look, facts: WorktreeFacts, now: () => number): Promise<string> {
  const time = new Date(now()).toISOString().replace(/[:.]/g, '-');
  const name = folderName(facts.branch ?? `detached-${facts.head?.slice(0, 8)}`)
    .replace(/\.+/g, '.')
    .replace(/\.lock$/, '-lock');
  const ref = `refs/herd/saved/${name}/${time}`;
  await saveWorktree(tree, ref, `herd: saved ${facts.branch ?? 'detached work'} of ${facts.path}`);
  await tree.run(['rev-parse', '-q', '--verify', `${ref}^{commit}`], { action: 'Checking the saved work' });
  return ref;
}

/** The worktree's own branch, when a ref that stays reaches its tip. Deleted at exactly that tip, or not at all. */
async function deleteBranch(look: Look, facts: WorktreeFacts, notes: string[]): Promise<boolean> {
  if (facts.branch === null || facts.head === null) return false;
  const others = await look.run([
    'for-each-ref',
    '--contains',
    facts.head,
    '--format=%(refname)',
    'refs/heads/',
    'refs/tags/',
    'refs/remotes/',
    'refs/herd/saved/',
  ]);
  const elsewhere = others.stdout
    .toString()
    .split('\n')
    .filter((r) => r !== '' && r !== `refs/heads/${facts.branch}`);
  if (elsewhere.length === 0) {
    notes.push(`The branch ${facts.branch} stays: its commits are nowhere else.`);
    return false;
  }
  const gone = await look.run(['update-ref', '-d', `refs/heads/${facts.branch}`, facts.head], { codes: [0, 1, 128] });
  if (gone.code !== 0) notes.push(`The branch ${facts.branch} stays: it moved meanwhile.`);
  return gone.code === 0;
}
