// Watches worktrees with as few watches as git's own ignore list allows. Folders that git ignores are never entered, also not those that appear
// later: a new folder is held back until git was asked. When the system has no watches left, time takes over; nothing here reads file contents.

import { join, relative, sep } from 'node:path';
import { type FSWatcher, watch as openWatcher } from 'chokidar';
import type { Change, Watch } from './api.ts';
import { enterRepository } from './repository.ts';
import type { Runner } from './run.ts';
import { Settling, type SettlingTimes } from './settling.ts';
import { splitZero } from './status.ts';
import { ToldFiles } from './told-files.ts';
import { CommonWatchers, type OpenWatcher } from './watch-refs.ts';

export interface WatchTimes extends SettlingTimes {
  /** ms after a change for one more look: an event may have come before the last byte. */
  trailing: number;
  /** ms between looks when there are no events to be had. */
  poll: number;
  /** ms between looks in case an event was lost (network file systems). */
  check: number;
}

export const WATCH_TIMES: WatchTimes = { lone: 30, quiet: 100, longest: 1000, trailing: 2000, poll: 2000, check: 60_000 };
/** Names told with a change; beyond it only that something changed. */
const NAME_LIMIT = 1000;
/** ms new folders wait for others, so that git is asked once. */
const CLASSIFY_DELAY = 20;

export class Watchers {
  readonly #runner: Runner;
  readonly #times: WatchTimes;
  readonly #open: OpenWatcher;
  readonly #common: CommonWatchers;
  readonly #all = new Set<WorktreeWatch>();

  constructor(runner: Runner, times: WatchTimes = WATCH_TIMES, open: OpenWatcher = openWatcher) {
    this.#runner = runner;
    this.#times = times;
    this.#open = open;
    this.#common = new CommonWatchers(open);
  }

  open(worktree: string, onChange: (change: Change) => void): Watch {
    const made = new WorktreeWatch({
      runner: this.#runner,
      worktree,
      times: this.#times,
      open: this.#open,
      common: this.#common,
      onChange,
      onClose: () => this.#all.delete(made),
    });
    this.#all.add(made);
    return made;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((w) => w.close()));
    await this.#common.close();
  }
}

interface WatchParts {
  runner: Runner;
  worktree: string;
  times: WatchTimes;
  open: OpenWatcher;
  common: CommonWatchers;
  onChange: (change: Change) => void;
  onClose: () => void;
}

class WorktreeWatch implements Watch {
  readonly ready: Promise<void>;
  degraded: string | null = null;
  readonly #p: WatchParts;
  #closed = false;
  #tree: FSWatcher | null = null;
  #leaveCommon: (() => Promise<void>) | null = null;
  #ignored = new Set<string>();
  /** Null until the first walk is over: then every folder not in it is new. */
  #known: Set<string> | null = null;
  readonly #walked = new Set<string>();
  #fresh = new Set<string>();
  #files = new Set<string>();
  #tooMany = false;
  #git = false;
  readonly #settling: Settling;
  readonly #told: ToldFiles;
  #trailingTimer: NodeJS.Timeout | null = null;
  #classifyTimer: NodeJS.Timeout | null = null;
  #regular: NodeJS.Timeout | null = null;

  constructor(p: WatchParts) {
    this.#p = p;
    this.#settling = new Settling(p.times, () => this.#tell());
    this.#told = new ToldFiles(p.worktree);
    this.ready = this.#start().catch((error: unknown) => this.#degrade(error));
  }

  async #start(): Promise<void> {
    const { runner, worktree, times } = this.#p;
    const { repository } = await enterRepository(runner, worktree);
    this.#ignored = await this.#readIgnored();
    if (this.#closed) return;
    const common = this.#p.common.enter(repository.commonDir, repository.gitDir, {
      changed: () => this.#note(null),
      failed: (error) => this.#degrade(error),
    });
    this.#leaveCommon = common.leave;
    await Promise.all([this.#watchTree(), common.ready]);
    if (this.#closed) return;
    this.#regular ??= setInterval(() => this.#p.onChange({ files: null, git: true, by: 'check' }), times.check).unref();
  }

  #watchTree(): Promise<void> {
    const { worktree, open } = this.#p;
    const tree = open(worktree, {
      ignored: (path, stats) => this.#isIgnored(path, stats?.isDirectory() ?? false),
      ignoreInitial: true,
      followSymlinks: false,
      ignorePermissionErrors: true,
      atomic: false,
    });
    this.#tree = tree;
    tree.on('all', (_event, path) => this.#note(path));
    return new Promise((resolve) => {
      tree.on('ready', () => {
        this.#known ??= this.#walked;
        resolve();
      });
      tree.on('error', (error) => {
        this.#degrade(error);
        resolve();
      });
    });
  }

  /** Folders with nothing in them that git would show. */
  async #readIgnored(): Promise<Set<string>> {
    const look = await this.#p.runner.look(this.#p.worktree);
    const r = await look.run(['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'], {
      overflow: 'cut',
      wide: true,
    });
    return new Set(
      splitZero(r.stdout)
        .filter((p) => p.endsWith('/'))
        .map((p) => join(this.#p.worktree, p.slice(0, -1))),
    );
  }

  #isIgnored(path: string, folder: boolean): boolean {
    const root = this.#p.worktree;
    if (path === root) return false;
    const inside = relative(root, path).split(sep);
    if (inside.includes('.git')) return true;
    // On systems with recursive watches events of ignored folders' contents arrive too.
    let at = root;
    for (const part of inside) {
      at = join(at, part);
      if (this.#ignored.has(at)) return true;
    }
    if (!folder) return false;
    if (this.#known === null) {
      this.#walked.add(path);
      return false;
    }
    if (this.#known.has(path)) return false;
    this.#fresh.add(path);
    this.#note(path);
    this.#classifyTimer ??= setTimeout(() => void this.#classify(), CLASSIFY_DELAY);
    return true;
  }

  /** Asks git about new folders and enters those it does not ignore. */
  async #classify(): Promise<void> {
    this.#classifyTimer = null;
    const { worktree, runner } = this.#p;
    const paths = [...this.#fresh];
    this.#fresh = new Set();
    try {
      const look = await runner.look(worktree);
      const r = await look.run(['check-ignore', '-z', '--stdin'], {
        input: paths.map((p) => `${relative(worktree, p)}/\0`).join(''),
        codes: [0, 1, 128],
        env: { GIT_LITERAL_PATHSPECS: '0' },
      });
      const ignored = new Set(splitZero(r.stdout).map((p) => join(worktree, p.replace(/\/$/, ''))));
      if (this.#closed || this.#tree?.closed !== false) return;
      for (const path of paths) {
        if (ignored.has(path)) this.#ignored.add(path);
        else this.#known?.add(path);
      }
      const entered = paths.filter((p) => !ignored.has(p));
      if (entered.length > 0) {
        this.#tree.add(entered);
        this.#note(entered[0]!);
      }
    } catch {
      // The worktree went away or git failed: the scan that follows tells.
      this.#note(null);
    }
  }

  #note(path: string | null): void {
    if (this.#closed) return;
    const file = path === null ? null : relative(this.#p.worktree, path).split(sep).join('/');
    if (file !== null && this.#told.has(file)) return;
    if (file === null) this.#git = true;
    else if (this.#files.size < NAME_LIMIT) this.#files.add(file);
    else this.#tooMany = true;
    if (path?.endsWith('.gitignore')) void this.#rereadIgnored();
    this.#settling.note();
  }

  #tell(): void {
    const change: Change = { files: this.#tooMany ? null : [...this.#files], git: this.#git, by: 'events' };
    this.#told.tell(change.files ?? []);
    this.#files = new Set();
    this.#tooMany = false;
    this.#git = false;
    if (this.#trailingTimer) clearTimeout(this.#trailingTimer);
    this.#trailingTimer = setTimeout(() => this.#p.onChange({ files: null, git: true, by: 'check' }), this.#p.times.trailing).unref();
    this.#p.onChange(change);
  }

  async #rereadIgnored(): Promise<void> {
    const before = this.#ignored;
    const now = await this.#readIgnored().catch(() => null);
    if (!now || this.#closed) return;
    this.#ignored = now;
    const opened = [...before].filter((p) => !now.has(p));
    for (const p of opened) this.#known?.add(p);
    if (opened.length > 0 && this.#tree?.closed === false) this.#tree.add(opened);
    const shut = [...now].filter((p) => !before.has(p));
    if (shut.length > 0 && this.#tree?.closed === false) this.#tree.unwatch(shut);
  }

  /** No events to be had: from now on by time. */
  #degrade(error: unknown): void {
    if (this.#closed || this.degraded !== null) return;
    const code = (error as NodeJS.ErrnoException).code ?? '';
    this.degraded =
      code === 'ENOSPC' || code === 'EMFILE' ? 'no file watches left: looking every 2 s' : 'files cannot be watched: looking every 2 s';
    void this.#tree?.close();
    if (this.#regular) clearInterval(this.#regular);
    this.#regular = setInterval(() => this.#p.onChange({ files: null, git: true, by: 'poll' }), this.#p.times.poll).unref();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#settling.close();
    for (const timer of [this.#trailingTimer, this.#classifyTimer]) if (timer) clearTimeout(timer);
    if (this.#regular) clearInterval(this.#regular);
    await this.ready;
    await Promise.all([this.#tree?.close(), this.#leaveCommon?.()]);
    this.#p.onClose();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
