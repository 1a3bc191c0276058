// Worktrees that a program makes and removes by the hundred, from commits and under names that it alone uses: two git processes each way
// instead of twenty. Nothing here is careful on a person's behalf: what such a worktree holds was saved before by whoever asks for its end.
import { createHash, randomBytes } from 'node:crypto';
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AttemptWorktree, AttemptWorktrees, PreparedWorktree, Repository } from './api.ts';
import { folderName } from './branch-name.ts';
import type { Lines } from './gate.ts';
import { gitDirOf, smallText } from './git-dir.ts';
import { GitError } from './git-error.ts';
import { findRepository } from './repository.ts';
import type { Runner } from './run.ts';
import { fillSubmodules } from './submodule-fill.ts';
import { userGit } from './user-git.ts';
import { writableRoot } from './worktree-add.ts';
import { fillWorktree } from './worktree-fill.ts';

/** ms for which what is known of a repository is taken for true: its hooks, its place, whether large files need care. */
const KNOWN_FOR = 60_000;
/** Characters of a branch that become a folder's name as they are, and how many stay of a longer one. */
const LEAF_WHOLE = 55;
const LEAF_CUT = 40;
/** Begins the name of a folder that is being removed, beside the worktrees. */
const ASIDE = '.herd-removing-';
/** A git that its server left behind may still write files there: tried again, 100 ms later each time. */
const GONE = { recursive: true, force: true, maxRetries: 10 } as const;
/** ms for writing the files. */
const FILL_LIMIT = 3_600_000;

type Made = { path: string; notes: string[] };

interface Known {
  repository: Repository;
  /** Files are plain: no filter is set, no hook waits, so that one command fills a worktree. */
  plain: boolean;
  until: number;
}

export class AttemptPlaces implements AttemptWorktrees {
  readonly #runner: Runner;
  readonly #lines: Lines;
  readonly #now: () => number;
  readonly #known = new Map<string, Promise<Known>>();
  /** Folders of worktrees that were looked through for what an earlier server had put aside. */
  readonly #cleared = new Set<string>();
  /** Worktrees that are being made, by repository and name. */
  readonly #coming = new Map<string, Promise<Made>>();

  constructor(runner: Runner, lines: Lines, now: () => number) {
    this.#runner = runner;
    this.#lines = lines;
    this.#now = now;
  }

  /** Rejects with GitError; 'branch-in-use' names the worktree that the branch is in already, 'not-prepared' that `prepared` cannot be used. */
  add(request: AttemptWorktree): Promise<Made> {
    const { repository, branch, commit, prepared } = request;
    return this.#once(repository, branch, async () => {
      const known = await this.#learn(repository);
      const path = await this.#placeOf(known, request, branch);
      if (prepared !== undefined) return this.#take(known, { prepared, path, branch, commit });
      await this.#refuseTaken(path, branch);
      return this.#create(known, { repository, path, branch }, ['--no-track', '-b', branch, path, commit]);
    });
  }

  /** Asked again it is made anew: how far a server that died had come with it nobody knows. */
  prepare(request: PreparedWorktree): Promise<Made> {
    const { repository, name, commit } = request;
    return this.#once(repository, name, async () => {
      const known = await this.#learn(repository);
      const path = await this.#placeOf(known, request, name);
      if (await exists(path)) await this.remove({ repository, path });
      return this.#create(known, { repository, path }, ['--detach', path, commit]);
    });
  }

  /** Who asks again while one is being made gets that one. */
  #once(repository: string, name: string, make: () => Promise<Made>): Promise<Made> {
    const key = `${repository}\0${name}`;
    const coming = this.#coming.get(key) ?? make().finally(() => this.#coming.delete(key));
    this.#coming.set(key, coming);
    return coming;
  }

  async #placeOf(
    { repository }: Known,
    request: Pick<AttemptWorktree, 'repository' | 'root' | 'fallbackRoot'>,
    name: string,
  ): Promise<string> {
    const root = await writableRoot(repository, { from: request.repository, root: request.root, fallbackRoot: request.fallbackRoot });
    if (!this.#cleared.has(root)) void this.#clearLeft(root);
    this.#cleared.add(root);
    return join(root, leafOf(name));
  }

  async #create({ repository, plain }: Known, place: { repository: string; path: string; branch?: string }, how: string[]): Promise<Made> {
    const { path } = place;
    const add = ['worktree', 'add', '--no-checkout', ...how];
    await this.#lines.run(repository.commonDir, () => userGit(this.#runner, repository.main, add, 'Making the worktree'));
    try {
      const notes = plain ? await this.#fillPlain(path, 'HEAD') : await fillWorktree(this.#runner, path, false);
      if (await exists(join(path, '.gitmodules'))) notes.push(...(await fillSubmodules(this.#runner, repository, path)));
      return { path, notes };
    } catch (error) {
      await this.remove(place).catch(() => {});
      throw error;
    }
  }

  /** Gives a prepared worktree its commit, its branch and its place, in this order; each step may be done twice, so that asking again is harmless. */
  async #take({ repository, plain }: Known, o: { prepared: string; path: string; branch: string; commit: string }): Promise<Made> {
    const { prepared, path, branch, commit } = o;
    const ours = `ref: refs/heads/${branch}`;
    if (headOf(path) === ours) return { path, notes: [] };
    const head = headOf(prepared);
    // Filters, hooks and submodules look at a worktree as a whole: what was prepared for another commit is not for them.
    const fits = head === ours || head === commit || (head !== null && plain && !(await exists(join(prepared, '.gitmodules'))));
    if (!fits) throw new GitError('not-prepared', `${prepared} cannot become ${branch}.`);
    if (head !== ours && head !== commit) await this.#fillPlain(prepared, commit);
    await this.#lines.run(repository.commonDir, async () => {
      await this.#runner.asUser(repository.main, ['update-ref', `refs/heads/${branch}`, commit], { action: 'Making the branch' });
      await this.#runner.asUser(prepared, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`], { action: 'Making the branch' });
      // One with submodules cannot be moved, and is as good where it is.
      if (!(await exists(path)))
        await this.#runner.asUser(repository.main, ['worktree', 'move', '--', prepared, path], { codes: [0, 128] });
    });
    return { path: headOf(path) === ours ? path : prepared, notes: [] };
  }

  /** Takes the worktree and its branch away, whatever is in it; resolves when all is gone. Who makes one meanwhile does not wait for its files. */
  async remove(o: { repository: string; path: string; branch?: string }): Promise<void> {
    const { repository } = await this.#learn(o.repository);
    const aside = join(dirname(o.path), `${ASIDE}${randomBytes(6).toString('hex')}`);
    await this.#lines.run(repository.commonDir, async () => {
      await rename(o.path, aside).catch(() => {});
      const gone = await this.#runner.asUser(repository.main, ['worktree', 'remove', '--force', '--force', '--', o.path], {
        codes: [0, 128],
      });
      if (gone.code !== 0) {
        await rm(o.path, GONE);
        await this.#runner.asUser(repository.main, ['worktree', 'prune'], { codes: [0, 128] });
      }
      if (o.branch !== undefined)
        await this.#runner.asUser(repository.main, ['update-ref', '-d', `refs/heads/${o.branch}`], { codes: [0, 1, 128] });
    });
    await this.#clear(aside);
  }

  /** One after the other: the files of many at once would keep the disk from those that are being made. */
  #clear(folder: string): Promise<void> {
    return this.#lines.run(ASIDE, () => rm(folder, GONE));
  }

  /** What a server that died had put aside. */
  async #clearLeft(root: string): Promise<void> {
    for (const name of await readdir(root).catch(() => [])) if (name.startsWith(ASIDE)) await this.#clear(join(root, name)).catch(() => {});
  }

  #learn(path: string): Promise<Known> {
    const fresh = async (): Promise<Known> => {
      const known = await this.#known.get(path)?.catch(() => null);
      if (known && known.until > this.#now()) return known;
      const repository = await findRepository(this.#runner, path);
      const look = await this.#runner.look(path);
      const hooks = await this.#runner.asUser(path, ['config', '--get', 'core.hooksPath'], { codes: [0, 1] });
      const attributes = await look.run(['grep', '-q', '-F', 'filter=', 'HEAD', '--', '.gitattributes'], { codes: [0, 1, 128] });
      const hook = await exists(join(repository.commonDir, 'hooks/post-checkout'));
      return { repository, plain: attributes.code !== 0 && !hook && hooks.code === 1, until: this.#now() + KNOWN_FOR };
    };
    const coming = fresh();
    this.#known.set(path, coming);
    return coming;
  }

  async #fillPlain(path: string, commit: string): Promise<string[]> {
    await this.#runner.asUser(path, ['reset', '--hard', '--quiet', '--no-recurse-submodules', commit], {
      timeout: FILL_LIMIT,
      action: 'Filling the worktree',
    });
    return [];
  }

  async #refuseTaken(path: string, branch: string): Promise<void> {
    const there = await lstat(path).catch(() => null);
    if (!there) return;
    if (there.isDirectory() && (await readdir(path)).length === 0) return;
    const code = headOf(path) === `ref: refs/heads/${branch}` ? 'branch-in-use' : 'path-exists';
    throw new GitError(code, `The folder ${path} is there already.`, undefined, { path, branch });
  }
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}

/** Long names are cut: what tells two of them apart must not be. */
function leafOf(branch: string): string {
  if (branch.length <= LEAF_WHOLE) return folderName(branch);
  return `${folderName(branch).slice(0, LEAF_CUT)}-${createHash('sha256').update(branch).digest('hex').slice(0, 10)}`;
}

/** What the worktree at `path` stands on, as its HEAD file says; null when there is none. */
function headOf(path: string): string | null {
  const dir = gitDirOf(path);
  return dir === null ? null : smallText(join(dir, 'HEAD')).trim() || null;
}
