// worktree.*: worktrees without a workspace, and what a repository asks for in new ones.
import { faultText } from '../../config/load.ts';
import { isAllowed, readRepositorySettings } from '../../config/repository-settings.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import type { Family } from './handler.ts';
import { realFolder } from './workspace.ts';

export const worktreeHandlers: Family<'worktree'> = {
  'worktree.add': (session, { repository, ...wanted }) =>
    session.git.attempts.add({ ...wanted, repository: realFolder(repository), ...rootsOf(session) }),
  'worktree.prepare': (session, { repository, ...wanted }) =>
    session.git.attempts.prepare({ ...wanted, repository: realFolder(repository), ...rootsOf(session) }),
  'worktree.remove': async (session, { repository, path, branch }) => {
    if (session.workspaces.atPath(path)) throw new Refusal('is-open', `${path} is open as a workspace.`, 'Close it first: herd close');
    await session.git.attempts.remove({ repository: realFolder(repository), path, branch });
    return {};
  },
  'worktree.list': async (session, { repository }) => ({
    worktrees: (await session.git.listWorktrees(realFolder(repository)))
      .filter((worktree) => !worktree.bare)
      .map(({ path, branch, head, main, locked, prunable }) => ({
        ...{ path, branch, head: head?.slice(0, 8) ?? '', main, locked: locked !== null, prunable: prunable !== null },
        workspace: session.workspaces.atPath(path)?.row.id ?? null,
      })),
  }),
  /** Reads the repository's `.herd.toml` where the asker stands; runs nothing. */
  'worktree.settings': async (session, { repository }) => {
    const found = await session.git.findRepository(realFolder(repository));
    const settings = readRepositorySettings(found.worktree ?? found.main, found.main);
    const { copy = [], setup = [], faults = [], hash = '' } = settings ?? {};
    const allowed = settings !== null && isAllowed(session.paths.consents, settings);
    return { main: found.main, copy, setup, faults: faults.map(faultText), hash, allowed };
  },
};

/** Where worktrees lie. */
function rootsOf({ config, paths }: Session): { root?: string; fallbackRoot: string } {
  return { root: config['worktrees.folder'] || undefined, fallbackRoot: paths.worktrees };
}
