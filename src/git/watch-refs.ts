// Watches what moves in git directories without being a file of the worktree: HEAD, index, an operation under way, branches. One watcher per
// repository for what all worktrees share, one small one per worktree's own folder; objects and logs are never entered.

import { basename, join, relative, sep } from 'node:path';
import type { FSWatcher, watch } from 'chokidar';

export type OpenWatcher = typeof watch;

export interface RefsListener {
  changed(): void;
  failed(error: unknown): void;
}

/** Files of a worktree's own git directory that mean something to a reader of its state. */
const OWN = new Set([
  'HEAD',
  'index',
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'REBASE_HEAD',
  'BISECT_LOG',
  'rebase-merge',
  'rebase-apply',
]);

interface Shared {
  watcher: FSWatcher;
  ready: Promise<void>;
  listeners: Set<RefsListener>;
}

export class CommonWatchers {
  readonly #open: OpenWatcher;
  readonly #shared = new Map<string, Shared>();

  constructor(open: OpenWatcher) {
    this.#open = open;
  }

  /** `leave` ends it; the last one to leave closes the shared watcher. `ready`: from then on nothing is missed. */
  enter(commonDir: string, gitDir: string, listener: RefsListener): { ready: Promise<unknown>; leave: () => Promise<void> } {
    const shared = this.#shared.get(commonDir) ?? this.#watchCommon(commonDir);
    shared.listeners.add(listener);
    const own = this.#watch(gitDir, (path) => path !== gitDir && !OWN.has(basename(path)), 0);
    own.on('all', () => listener.changed());
    own.on('error', (error) => listener.failed(error));
    const leave = async () => {
      shared.listeners.delete(listener);
      await own.close();
      if (shared.listeners.size > 0 || this.#shared.get(commonDir) !== shared) return;
      this.#shared.delete(commonDir);
      await shared.watcher.close();
    };
    return { ready: Promise.all([shared.ready, readiness(own)]), leave };
  }

  #watchCommon(commonDir: string): Shared {
    const refs = join(commonDir, 'refs');
    const ignored = (path: string) => {
      if (path.endsWith('.lock')) return true;
      const parts = relative(commonDir, path).split(sep);
      if (parts[0] === '' || parts[0] === 'packed-refs') return false;
      return parts[0] !== 'refs' || (parts.length > 1 && parts[1] !== 'heads' && parts[1] !== 'remotes');
    };
    const watcher = this.#watch(commonDir, (path) => ignored(path) && path !== refs);
    const made: Shared = { watcher, ready: readiness(watcher), listeners: new Set() };
    watcher.on('all', () => {
      for (const l of made.listeners) l.changed();
    });
    watcher.on('error', (error) => {
      for (const l of made.listeners) l.failed(error);
    });
    this.#shared.set(commonDir, made);
    return made;
  }

  #watch(path: string, ignored: (path: string) => boolean, depth?: number): FSWatcher {
    return this.#open(path, {
      ignored,
      ignoreInitial: true,
      followSymlinks: false,
      ignorePermissionErrors: true,
      atomic: false,
      ...(depth === undefined ? {} : { depth }),
    });
  }

  async close(): Promise<void> {
    const all = [...this.#shared.values()];
    this.#shared.clear();
    await Promise.all(all.map((s) => s.watcher.close()));
  }
}

/** Also when it failed: the error has been told. */
function readiness(watcher: FSWatcher): Promise<void> {
  return new Promise((resolve) => {
    watcher.on('ready', () => resolve());
    watcher.on('error', () => resolve());
  });
}
