// The room's front: one object per server. It starts no process by itself and holds nothing but caches and watchers.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Git, Snapshots, Watch } from './api.ts';
import { WorktreeChanges } from './changes.ts';
import { commit } from './commit.ts';
import { applyFile } from './file-acts.ts';
import { Lines } from './gate.ts';
import { GitError } from './git-error.ts';
import { applyHunk } from './hunks.ts';
import { defaultBase, enterRepository, findRepository, listWorktrees, resolveBase } from './repository.ts';
import { Runner } from './run.ts';
import { openSnapshots, refreshPrivateIndex, removeSnapshots } from './snapshots.ts';
import { undo } from './undo.ts';
import { Watchers } from './watch.ts';
import { addWorktree } from './worktree-add.ts';
import { AttemptPlaces } from './worktree-attempt.ts';
import { inspect, removeWorktree } from './worktree-remove.ts';

export interface GitOptions {
  /** git processes at once; default 4: more only make each other slow. */
  cap?: number;
  /** Folder for private snapshot repositories, in herd's state. */
  snapshotDir: string;
  env: Record<string, string | undefined>;
  /** ms since the epoch. */
  now: () => number;
  /** Default 'git'. */
  program?: string;
}

/** The room's front for one server. `dispose` ends its watchers. */
export function createGit(o: GitOptions): Git {
  const runner = new Runner({ cap: o.cap ?? 4, program: o.program ?? 'git', env: o.env });
  const lines = new Lines();
  const changes = new Map<string, WorktreeChanges>();
  const watchers = new Watchers(runner);
  const snapshotsOf = (workspace: number) => join(o.snapshotDir, `${workspace}.git`);
  const changesOf = (worktree: string): WorktreeChanges => {
    const known = changes.get(worktree);
    if (known) return known;
    const made = new WorktreeChanges({
      runner,
      worktree,
      now: o.now,
      snapshotView: (look, dir) => lines.run(dir, () => refreshPrivateIndex(look, dir)),
    });
    changes.set(worktree, made);
    return made;
  };
  return {
    version: () => runner.version(),
    findRepository: (path) => findRepository(runner, path),
    defaultBase: async (worktree) => defaultBase(await runner.look(worktree)),
    resolveBase: async (worktree, name) => resolveBase((await enterRepository(runner, worktree)).look, name),
    listWorktrees: async (path) => listWorktrees((await enterRepository(runner, path)).look),
    addWorktree: (request) => addWorktree(runner, lines, request),
    inspectWorktree: async (path) => {
      const { repository, look } = await enterRepository(runner, path);
      return inspect(look, repository.branch);
    },
    removeWorktree: async (path, options = {}) => {
      const removed = await removeWorktree(runner, lines, path, options, o.now);
      changes.delete(path);
      return removed;
    },
    pruneWorktrees: async (path) => {
      const { repository, look } = await enterRepository(runner, path);
      await lines.run(repository.commonDir, () => look.run(['worktree', 'prune']));
    },
    attempts: new AttemptPlaces(runner, lines, o.now),
    changes: changesOf,
    forget: async (worktree, workspace) => {
      changes.delete(worktree);
      await removeSnapshots(lines, snapshotsOf(workspace));
    },
    forgetOthers: async (workspaces) => {
      const kept = new Set(workspaces.map(snapshotsOf));
      const there = (await readdir(o.snapshotDir).catch(() => [])).map((name) => join(o.snapshotDir, name));
      for (const dir of there) if (!kept.has(dir)) void removeSnapshots(lines, dir);
    },
    snapshots: (worktree, workspace): Snapshots => openSnapshots({ runner, lines, worktree, dir: snapshotsOf(workspace) }),
    applyHunk: (worktree, request) => lines.run(`index:${worktree}`, () => whenFree(() => applyHunk(runner, worktree, request, o.now))),
    applyFile: (worktree, request, q) =>
      lines.run(`index:${worktree}`, async () => {
        const { file, comparison } = await changesOf(worktree).listed(request.path, q);
        return whenFree(() => applyFile(runner, worktree, comparison, file, request, o.now));
      }),
    undo: (worktree) => lines.run(`index:${worktree}`, () => undo(runner, worktree)),
    commit: (worktree, message, c = {}) => lines.run(`index:${worktree}`, () => commit(runner, worktree, message, c.amend ?? false)),
    watch: (worktree, onChange): Watch => watchers.open(worktree, onChange),
    dispose: () => watchers.close(),
  };
}

/** ms between tries, and tries, while another git holds the index: an agent's commit is over by then. */
const BUSY = { wait: 100, tries: 10 };

async function whenFree<T>(act: () => Promise<T>): Promise<T> {
  for (let left = BUSY.tries; ; left--) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof GitError) || error.code !== 'busy' || left === 0) throw error;
      await setTimeout(BUSY.wait);
    }
  }
}
