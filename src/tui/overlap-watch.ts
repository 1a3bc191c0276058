// Which paths each worktree holds, where another one of the same repository has changes too: read a moment after changes, never twice at once.
import { type CommandContext, change } from './commands/context.ts';

/** Changesets larger than this are not compared: their overlaps would be noise. */
const MOST_FILES = 500;
/** Changes within this time are read as one, ms. */
const PAUSE = 1000;

export interface OverlapWatch {
  /** Some changeset changed. */
  changed(): void;
  close(): void;
}

/** Looks, a while after a change, which worktrees of one repository have changed the same file; what it finds goes into the state. */
export function createOverlapWatch(context: CommandContext): OverlapWatch {
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  async function read(): Promise<void> {
    const { workspaces } = context.store.getState();
    const changing = workspaces.filter(({ repository, diff }) => repository !== null && diff.files > 0 && diff.files <= MOST_FILES);
    const shared = changing.filter((one) => changing.some((other) => other !== one && other.repository === one.repository));
    const paths = Object.fromEntries(await Promise.all(shared.map(async ({ id }) => [id, await pathsOf(id)] as const)));
    if (!closed) change(context, (state) => (sameJson(state.paths, paths) ? state : { ...state, paths }));
  }

  async function pathsOf(workspace: number): Promise<string[]> {
    try {
      return (await context.request('changeset.get', { workspace })).changeset.files.map(({ path }) => path);
    } catch {
      // It may have gone meanwhile; the next change reads again.
      return [];
    }
  }

  return {
    changed() {
      if (timer || closed) return;
      timer = setTimeout(() => {
        timer = null;
        void read();
      }, PAUSE);
      timer.unref();
    },
    close() {
      closed = true;
      if (timer) clearTimeout(timer);
    },
  };
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
