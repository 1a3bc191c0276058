// Where an attempt works: a worktree of its own, made and removed by the session's server; what came out of it: a patch, which paths it
// touched, how its checks ended. The user's checkout and index take no part.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, createReadStream, existsSync, openSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { WorktreeFacts } from '../../git/api.ts';
import { folderName } from '../../git/branch-name.ts';
import type { Runner as GitRunner } from '../../git/run.ts';
import { RequestError } from '../../wire/client.ts';
import { applySeries, takePatch } from '../landing/tree.ts';
import type { Goal } from '../ledger/rows.ts';
import { allowed } from '../plan/paths.ts';
import type { Result } from '../queue/queue.ts';
import type { Claim } from '../task.ts';
import type { AttemptFiles } from './attempt-files.ts';
import type { SessionLink } from './session-link.ts';
import { MARK } from './sweep.ts';

/** Tries to make a worktree, and ms between them: the git of a server that died goes on for a moment and holds the name meanwhile. */
const MAKE_TRIES = 4;
const MAKE_PAUSE = 500;
/** Out-of-scope paths named one by one. */
const PATHS_NAMED = 50;

export interface Site {
  worktree: string;
  branch: string;
  base: string;
}

export interface WorksiteOptions {
  goal: Goal;
  git: GitRunner;
  /** Folder of the goal's files. */
  dir: string;
  link: SessionLink;
  /** Patch of what `task` needs, in the order to apply. Rejects when one is missing. */
  patchesBefore(task: string): Promise<{ task: string; file: string }[]>;
}

/** How the branches of a goal's attempts begin: private to it, so that leftovers are told from anything a person made. */
export function branchesOf(goal: Goal): string {
  return `herd-batch/${goal.uid}/`;
}

/** Name of an attempt's branch. */
export function branchOf(goal: Goal, claim: Pick<Claim, 'task' | 'n'>): string {
  return `${branchesOf(goal)}${claim.task}.${claim.n}`;
}

/** Ref that keeps what an attempt changed. */
export function refOf(goal: Goal, claim: Pick<Claim, 'task' | 'n'>): string {
  return `refs/herd/batch/${goal.uid}/${claim.task}.${claim.n}`;
}

/** How the names of worktrees begin that `host` prepares. No attempt's name does: it ends with a dot and a number. */
function preparedBy(goal: Goal, host: string): string {
  return `${branchesOf(goal)}prepared-${createHash('sha256').update(host).digest('hex').slice(0, 8)}-`;
}

/** Whether a worktree is one that `host` prepared and no attempt has. */
export function isPrepared(goal: Goal, host: string, { path, branch }: Pick<WorktreeFacts, 'path' | 'branch'>): boolean {
  return branch === null && basename(path).startsWith(folderName(preparedBy(goal, host)));
}

/** The worktrees of a goal's attempts, and what becomes of what is done in them. */
export class Worksite {
  readonly #o: WorksiteOptions;

  constructor(options: WorksiteOptions) {
    this.#o = options;
  }

  /** A worktree at the batch's base that is no attempt's yet: its path. */
  async prepare(host: string): Promise<string> {
    const { goal, link } = this.#o;
    const name = `${preparedBy(goal, host)}${randomBytes(4).toString('hex')}`;
    return (await link.request('worktree.prepare', { repository: goal.repository, name, commit: goal.baseCommit })).path;
  }

  /**
   * A worktree at the batch's base, with the patches of the tasks it needs applied: the `prepared` one, if that can be. Throws RequestError
   * or Error with a clause for people.
   */
  async make(claim: Claim, prepared: string | null): Promise<Site> {
    const { goal, link } = this.#o;
    const base = await this.#baseOf(claim);
    const branch = branchOf(goal, claim);
    const wanted = { repository: goal.repository, branch, commit: base };
    if (prepared !== null) {
      try {
        return { worktree: (await link.request('worktree.add', { ...wanted, prepared })).path, branch, base };
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        await this.remove({ worktree: prepared, branch });
      }
    }
    for (let tries = 1; ; tries++) {
      try {
        return { worktree: (await link.request('worktree.add', wanted)).path, branch, base };
      } catch (error) {
        if (!(error instanceof RequestError) || tries === MAKE_TRIES) throw error;
        // Asked twice, because the server died before telling. How far it came nobody knows: half of the files would look like deletions.
        const path = error.code === 'branch-in-use' ? error.detail?.path : undefined;
        if (typeof path === 'string') await link.request('worktree.remove', { repository: goal.repository, path, branch });
        else await new Promise((resolve) => setTimeout(resolve, MAKE_PAUSE));
      }
    }
  }

  async #baseOf(claim: Claim): Promise<string> {
    const { goal, git, patchesBefore } = this.#o;
    if (claim.spec.needs.length === 0) return goal.baseCommit;
    const before = await patchesBefore(claim.task);
    if (before.length === 0) return goal.baseCommit;
    const look = await git.look(goal.repository);
    const { commit, refused } = await applySeries(
      look,
      goal.baseCommit,
      before.map((patch) => ({ ...patch, message: `herd batch: ${patch.task}` })),
    );
    if (refused.length > 0) throw new Error(`what it needs does not fit together: ${refused[0]!.task} ${refused[0]!.why}`);
    // A branch keeps it; the ref keeps it until then.
    await look.run(['update-ref', `${refOf(goal, claim)}-base`, commit]);
    return commit;
  }

  /** The patch and what is to be said about it. */
  async takeResult(claim: Claim, site: Site, files: AttemptFiles): Promise<Result & { added: number | null }> {
    const { goal, git } = this.#o;
    const result: Result & { added: number | null } = { artifacts: [], findings: [], added: null };
    if (existsSync(files.output)) result.artifacts.push(await artifact('output', files.output, this.#o.dir));
    if (!existsSync(site.worktree)) {
      result.findings.push({ file: null, kind: 'worktree', severity: 'error', text: 'its worktree is gone' });
      return result;
    }
    const ref = refOf(goal, claim);
    const taken = await takePatch(git, { ...site, ref, file: files.patch, message: `${claim.task}: ${goal.name}` });
    result.added = taken.added;
    if (taken.commit !== null) result.artifacts.push(await artifact('patch', files.patch, this.#o.dir));
    const outside = taken.touched.filter((path) => !allowed(path, claim.spec.allow));
    for (const path of outside.slice(0, PATHS_NAMED)) {
      result.findings.push({ file: path, kind: 'scope', severity: 'warning', text: `changes ${path}, which is outside its allowed paths` });
    }
    if (outside.length > PATHS_NAMED) {
      const more = outside.length - PATHS_NAMED;
      result.findings.push({ file: null, kind: 'scope', severity: 'warning', text: `changes ${more} more paths outside its allowed ones` });
    }
    if (claim.spec.expect !== null && !existsSync(join(site.worktree, claim.spec.expect))) {
      result.findings.push({ file: claim.spec.expect, kind: 'expect', severity: 'error', text: `did not write ${claim.spec.expect}` });
    }
    return result;
  }

  /** Runs the task's checks in its worktree; the first that fails, as a clause, or null. */
  async check(claim: Claim, site: Site, files: AttemptFiles, mark: string): Promise<string | null> {
    for (const [i, argv] of claim.spec.checks.entries()) {
      const failed = await runCheck(argv, { cwd: site.worktree, log: files.check(i), timeout: claim.spec.checkTimeout, mark });
      if (failed) return `check ${i + 1} (${argv.at(-1)!.slice(0, 60)}) ${failed}`;
    }
    return null;
  }

  /** What was in it is in the attempt's commit. */
  async remove({ worktree, branch }: { worktree: string; branch?: string }): Promise<void> {
    try {
      await this.#o.link.request('worktree.remove', { repository: this.#o.goal.repository, path: worktree, branch });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
    }
  }
}

/** Runs one command; null when it ended with 0, else how it ended. Its output goes to `log`. */
export function runCheck(argv: readonly string[], o: { cwd: string; log: string; timeout: number; mark: string }): Promise<string | null> {
  const log = openSync(o.log, 'w', 0o600);
  const [file, ...args] = argv;
  const env = { ...process.env, [MARK]: o.mark };
  const child = spawn(file!, args, { cwd: o.cwd, env, stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  return new Promise((resolve) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // It has just ended.
      }
    }, o.timeout);
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      resolve(`could not be started (${error.code ?? error.message})`);
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      if (late) resolve(`took longer than ${Math.round(o.timeout / 1000)} s`);
      else resolve(code === 0 ? null : `failed with ${code === null ? signal : `exit code ${code}`}`);
    });
  });
}

/** Paths are kept relative to the goal's folder: it lies elsewhere on another host. */
async function artifact(kind: string, path: string, dir: string): Promise<Result['artifacts'][number]> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return { kind, path: relative(dir, path), sha256: hash.digest('hex'), size: statSync(path).size };
}
