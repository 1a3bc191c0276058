// Worktrees that a batch makes and removes by the hundred.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { branchesOf, openGit, refusal } from '../../test/support/git-room.ts';
import { makeRepository } from '../../test/support/repository.ts';

describe('worktrees of a batch', () => {
  const ask = (f: { dir: string }, name: string, commit: string) => ({ repository: f.dir, branch: `herd-batch/x/${name}`, commit });
  const headOf = (f: ReturnType<typeof makeRepository>) => f.git('rev-parse', 'HEAD').trim();

  test('asked for twice at once there is one; removed with whatever is in it, nothing is left', async () => {
    using f = makeRepository();
    const { attempts } = openGit(f);
    const one = ask(f, 'a.1', headOf(f));
    const [first, second] = await Promise.all([attempts.add(one), attempts.add(one)]);
    expect(second.path).toBe(first.path);
    expect((await refusal(attempts.add(one))).code).toBe('branch-in-use');
    mkdirSync(join(first.path, 'deep/er'), { recursive: true });
    writeFileSync(join(first.path, 'deep/er/file'), 'x');
    await attempts.remove({ ...one, path: first.path });
    expect(readdirSync(join(f.root, 'repo.worktrees'))).toEqual([]);
    expect(branchesOf(f)).toEqual(['main']);
    expect(f.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    await attempts.remove({ ...one, path: first.path });
  });

  test('what a server that died had put aside goes when the next one makes a worktree', async () => {
    using f = makeRepository();
    const aside = join(f.root, 'repo.worktrees/.herd-removing-0123456789ab');
    mkdirSync(aside, { recursive: true });
    writeFileSync(join(aside, 'file'), 'x');
    await openGit(f).attempts.add(ask(f, 'b.1', headOf(f)));
    await vi.waitFor(() => expect(existsSync(aside)).toBe(false));
  });

  test('a prepared one takes branch, commit and place, once for whoever asks again; nothing is left of it', async () => {
    using f = makeRepository();
    const { attempts } = openGit(f);
    const start = headOf(f);
    const { path: prepared } = await attempts.prepare({ repository: f.dir, name: 'herd-batch/x/next', commit: start });
    expect([f.gitIn(prepared, 'status', '--porcelain'), branchesOf(f)]).toEqual(['', ['main']]);
    f.put('later.txt', 'later');
    f.commit('later');
    const one = { ...ask(f, 'a.1', headOf(f)), prepared };
    const [first, second] = await Promise.all([attempts.add(one), attempts.add(one)]);
    expect([second, await openGit(f).attempts.add(one)]).toEqual([first, { ...first, notes: [] }]);
    expect([existsSync(prepared), first.path]).toEqual([false, join(f.root, 'repo.worktrees/herd-batch-x-a.1')]);
    expect(f.gitIn(first.path, 'status', '--porcelain', '--branch')).toBe('## herd-batch/x/a.1');
    expect(readFileSync(join(first.path, 'later.txt'), 'utf8')).toBe('later');
    await attempts.remove({ ...one, path: first.path });
    expect([readdirSync(join(f.root, 'repo.worktrees')), branchesOf(f)]).toEqual([[], ['main']]);
    expect(f.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  });

  test('between any two steps of taking a prepared one the server may die', async () => {
    using f = makeRepository();
    const commit = headOf(f);
    const branch = 'refs/heads/herd-batch/x/a.1';
    const steps = [(_: string) => f.git('update-ref', branch, commit), (path: string) => f.gitIn(path, 'symbolic-ref', 'HEAD', branch)];
    for (let done = 0; done <= steps.length; done++) {
      const { path: prepared } = await openGit(f).attempts.prepare({ repository: f.dir, name: `herd-batch/x/next-${done}`, commit });
      for (const step of steps.slice(0, done)) step(prepared);
      const { attempts } = openGit(f);
      const { path } = await attempts.add({ ...ask(f, 'a.1', commit), prepared });
      expect([f.gitIn(path, 'symbolic-ref', 'HEAD'), f.gitIn(path, 'status', '--porcelain'), existsSync(prepared)]).toEqual([
        branch,
        '',
        false,
      ]);
      await attempts.remove({ repository: f.dir, path, branch: 'herd-batch/x/a.1' });
    }
  });

  test('what a server that died had half prepared is made anew', async () => {
    using f = makeRepository();
    const half = join(f.root, 'repo.worktrees/herd-batch-x-next');
    f.git('worktree', 'add', '--quiet', '--no-checkout', '--detach', half);
    const { path } = await openGit(f).attempts.prepare({ repository: f.dir, name: 'herd-batch/x/next', commit: headOf(f) });
    expect([path, readdirSync(half).length > 1, f.gitIn(half, 'status', '--porcelain')]).toEqual([half, true, '']);
  });

  test('one that is gone, or was prepared for another commit where files are more than content, is refused; submodules stay in place', async () => {
    using f = makeRepository();
    const sub = join(f.root, 'sub');
    f.gitIn(f.root, 'init', '-q', '-b', 'main', sub);
    f.gitIn(sub, 'commit', '-q', '--allow-empty', '-m', 's');
    const { attempts } = openGit(f);
    const gone = { ...ask(f, 'a.1', headOf(f)), prepared: join(f.root, 'repo.worktrees/nowhere') };
    expect((await refusal(attempts.add(gone))).code).toBe('not-prepared');
    f.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', sub, 'vendor/sub');
    f.commit('sub');
    const commit = headOf(f);
    const { path: prepared } = await attempts.prepare({ repository: f.dir, name: 'herd-batch/x/next', commit });
    f.put('later.txt', 'later');
    f.commit('later');
    expect((await refusal(attempts.add({ ...ask(f, 'b.1', headOf(f)), prepared }))).code).toBe('not-prepared');
    const { path } = await attempts.add({ ...ask(f, 'c.1', commit), prepared });
    expect([path, f.gitIn(path, 'status', '--porcelain', '--branch')]).toEqual([prepared, '## herd-batch/x/c.1']);
  });
});
