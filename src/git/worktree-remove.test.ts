// C35: nothing unsaved is removed.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { branchesOf, openGit, refusal } from '../../test/support/git-room.ts';
import { type Fixture, makeRepository } from '../../test/support/repository.ts';
import type { Git } from './api.ts';

describe('C35 nothing unsaved is removed', () => {
  async function withWork(f: Fixture, git: Git) {
    const made = await git.addWorktree({ from: f.dir, branch: 'work' });
    writeFileSync(join(made.path, 'done.txt'), 'done\n');
    f.gitIn(made.path, 'add', '-A');
    f.gitIn(made.path, 'commit', '-qm', 'done');
    writeFileSync(join(made.path, 'README.md'), 'changed\n');
    writeFileSync(join(made.path, 'a.txt'), 'a\n');
    writeFileSync(join(made.path, 'b.txt'), 'b\n');
    return made;
  }

  test('the first try refuses with counts and changes nothing', async () => {
    using f = makeRepository();
    const git = openGit(f);
    const made = await withWork(f, git);
    const error = await refusal(git.removeWorktree(made.path));
    expect([error.code, error.detail.text]).toEqual(['would-lose', '1 modified, 2 untracked, 1 commit only here']);
    expect(await git.inspectWorktree(made.path)).toMatchObject({ modified: 1, untracked: 2, commits: 1 });
    expect([existsSync(join(made.path, 'a.txt')), branchesOf(f)]).toEqual([true, ['main', 'work']]);
  });

  test('the explicit second step saves all of it to a ref first', async () => {
    using f = makeRepository();
    const git = openGit(f);
    const made = await withWork(f, git);
    const removed = await git.removeWorktree(made.path, { discard: true });
    expect(removed.savedRef).toBe('refs/herd/saved/work/2026-01-01T00-00-00-000Z');
    const saved = removed.savedRef!;
    expect(f.git('ls-tree', '-r', '--name-only', saved).split('\n')).toEqual(['README.md', 'a.txt', 'b.txt', 'done.txt']);
    expect(f.git('show', `${saved}:README.md`)).toBe('changed');
    expect(f.git('log', '-1', '--format=%s', `${saved}^`)).toBe('done');
    expect([existsSync(made.path), branchesOf(f), removed.branchDeleted]).toEqual([false, ['main'], true]);
  });

  test('a clean, merged one goes at once with its branch; keepBranch keeps it', async () => {
    using f = makeRepository();
    const git = openGit(f);
    const [one, two] = [await git.addWorktree({ from: f.dir, branch: 'one' }), await git.addWorktree({ from: f.dir, branch: 'two' })];
    expect((await git.removeWorktree(one.path)).branchDeleted).toBe(true);
    expect((await git.removeWorktree(two.path, { keepBranch: true })).branchDeleted).toBe(false);
    expect(branchesOf(f)).toEqual(['main', 'two']);
  });

  test('work inside a submodule and a nested repository counts and is saved', async () => {
    using f = makeRepository();
    const sub = join(f.root, 'sub');
    f.gitIn(f.root, 'init', '-q', '-b', 'main', sub);
    f.gitIn(sub, 'commit', '-q', '--allow-empty', '-m', 's');
    f.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', sub, 'vendor/sub');
    f.commit('sub');
    const git = openGit(f);
    const made = await git.addWorktree({ from: f.dir, branch: 'work' });
    writeFileSync(join(made.path, 'vendor/sub/inner.txt'), 'inner\n');
    mkdirSync(join(made.path, 'nested'));
    f.gitIn(join(made.path, 'nested'), 'init', '-q', '-b', 'main');
    writeFileSync(join(made.path, 'nested/n.txt'), 'n\n');
    const error = await refusal(git.removeWorktree(made.path));
    expect(error.detail.text).toBe('1 untracked, work in vendor/sub, work in nested');
    const { savedRef } = await git.removeWorktree(made.path, { discard: true });
    expect(f.git('show', `${savedRef}-inner/vendor/sub:inner.txt`)).toBe('inner');
    expect(f.git('show', `${savedRef}-inner/nested:n.txt`)).toBe('n');
  });

  test('the main worktree, a locked one and a stranger are refused', async () => {
    using f = makeRepository();
    const git = openGit(f);
    const made = await git.addWorktree({ from: f.dir, branch: 'work' });
    f.git('worktree', 'lock', '--reason', 'on a stick', made.path);
    expect((await refusal(git.removeWorktree(f.dir, { discard: true }))).code).toBe('is-main-worktree');
    expect(await refusal(git.removeWorktree(made.path))).toMatchObject({ code: 'locked', message: `${made.path} is locked: on a stick.` });
    expect((await refusal(git.removeWorktree(f.root))).code).toBe('not-a-repository');
  });

  test('a folder that is gone already is taken off the list', async () => {
    using f = makeRepository();
    const git = openGit(f);
    const made = await git.addWorktree({ from: f.dir, branch: 'work' });
    rmSync(made.path, { recursive: true });
    expect((await git.removeWorktree(made.path, { repository: f.dir })).notes).toEqual(['The folder was gone already.']);
    expect(await git.listWorktrees(f.dir)).toHaveLength(1);
  });
});
