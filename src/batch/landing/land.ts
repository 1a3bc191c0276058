// Landing: accepted patches, one after the other in the order of their dependencies, on an integration branch; checks on the combination;
// a combination that fails is halved until the task that breaks it is found. Nothing here touches a checkout or a branch of the user.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Look, Runner } from '../../git/run.ts';
import { KnownError } from '../../model/known-error.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Goal, TaskRow } from '../ledger/rows.ts';
import { dependents, inOrder } from '../plan/order.ts';
import { runCheck } from '../runner/worksite.ts';
import { commitMessage } from './commit-message.ts';
import { applySeries, type PatchToApply } from './tree.ts';

/** Cannot be landed, or not now; a sentence for people. */
export class LandingError extends KnownError {}

export interface Landed {
  branch: string;
  commit: string;
  base: string;
  applied: string[];
  left: { task: string; how: 'conflict' | 'breaks' | 'left-out'; why: string }[];
  /** Times the combination was checked. */
  checks: number;
}

export interface LandOptions {
  goal: Goal;
  ledger: Ledger;
  git: Runner;
  /** Folder of the goal's files. */
  dir: string;
  /** Makes a worktree of the integration branch and takes it away: checks need files. */
  checkout(commit: string): Promise<{ path: string; remove(): Promise<void> }>;
  onProgress(text: string): void;
}

/** Builds the integration branch anew from the batch's base. Rejects with LandingError when nothing can be landed. */
export async function land(o: LandOptions): Promise<Landed> {
  const { goal, ledger } = o;
  const look = await o.git.look(goal.repository);
  const { ready, left } = choose(await ledger.tasks(goal.id), await patchesOf(o));
  if (ready.length === 0) throw new LandingError('nothing', `Batch ${goal.id} has no patch to land.`, 'See: herd batch report');
  const series = await applySeries(look, goal.baseCommit, ready);
  const refused = new Map(series.refused.map(({ task, why }) => [task, why]));
  const nodes = ready.map(({ task, needs }) => ({ id: task, needs }));
  for (const task of dependents(nodes, refused.keys())) refused.set(task, refused.get(task) ?? 'needs a task that does not fit');
  let good = ready.filter(({ task }) => !refused.has(task));
  const left2 = [...left, ...[...refused].map(([task, why]) => ({ task, how: 'conflict' as const, why }))];
  let [commit, checks] = [goal.baseCommit, 0];
  if (goal.settings.landing.checks.length > 0) {
    const checker = new Checker(o, look);
    const found = await findGood(good, checker, o.onProgress);
    ({ good, commit } = found);
    checks = checker.count;
    left2.push(...found.broken);
  } else {
    commit = (await applySeries(look, goal.baseCommit, good)).commit;
  }
  if (good.length === 0) throw new LandingError('nothing-left', `No patch of batch ${goal.id} passes: ${left2[0]?.task} ${left2[0]?.why}.`);
  return finish(o, look, good, commit, left2, checks);
}

async function finish(o: LandOptions, look: Look, good: Ready[], commit: string, left: Landed['left'], checks: number): Promise<Landed> {
  const { goal, ledger } = o;
  const { branch } = goal.settings.landing;
  await moveBranch(look, branch, commit, goal, await ledger.lastCheckpoint(goal.id, 'integration'));
  const { applied } = await applySeries(look, goal.baseCommit, good);
  for (const { task } of await ledger.tasks(goal.id).then((tasks) => tasks.map(({ id }) => ({ task: id })))) {
    const out = left.find((entry) => entry.task === task);
    const at = applied.find((entry) => entry.task === task);
    await ledger.setLanded(goal.id, task, at ? 'applied' : (out?.how ?? null), at?.commit ?? null, out?.why ?? null);
  }
  await ledger.addCheckpoint(goal.id, '', goal.baseCommit, commit, 'integration');
  return { branch, commit, base: goal.baseCommit, applied: good.map(({ task }) => task), left, checks };
}

/** The branch is ours as long as it stands where we left it: what a person added to it is never thrown away. */
async function moveBranch(look: Look, branch: string, commit: string, goal: Goal, last: { head: string } | null): Promise<void> {
  const ref = `refs/heads/${branch}`;
  const now = await look.run(['rev-parse', '--verify', '-q', ref], { codes: [0, 1, 128] });
  const at = now.code === 0 ? now.stdout.toString().trim() : null;
  if (at !== null && at !== last?.head) {
    throw new LandingError(
      'branch-moved',
      `The branch ${branch} holds commits that are not of batch ${goal.id}.`,
      'Merge them first, or name another: [landing] branch',
    );
  }
  await look.run(['update-ref', ref, commit, at ?? '0'.repeat(commit.length)], { action: 'Moving the integration branch' });
}

interface Ready extends PatchToApply {
  needs: string[];
}

type Left = Landed['left'][number];

/** What is done and not rejected, one of each group of copies, in order; and what stays out, with why. */
function choose(tasks: readonly TaskRow[], patches: ReadonlyMap<string, string>): { ready: Ready[]; left: Left[] } {
  const left: Left[] = [];
  const out = (task: TaskRow, why: string) => left.push({ task: task.id, how: 'left-out', why });
  const groups = new Set<string>();
  const chosen = tasks.filter((task) => {
    if (task.stage !== 'work' || task.state !== 'done') return false;
    if (task.verdict === 'rejected') return void out(task, 'was rejected');
    if (!patches.has(task.id)) return false;
    const { group } = task.spec;
    if (group === null) return true;
    const accepted = tasks.find((other) => other.spec.group === group && other.verdict === 'accepted' && other.state === 'done');
    if ((accepted && accepted.id !== task.id) || groups.has(group)) return void out(task, `another copy of ${group} is taken`);
    groups.add(group);
    return true;
  });
  const ids = new Set(chosen.map((task) => task.id));
  const done = new Set(tasks.filter((task) => task.state === 'done' && !patches.has(task.id)).map((task) => task.id));
  const whole = chosen.filter((task) => {
    const missing = task.spec.needs.find((need) => !ids.has(need) && !done.has(need));
    if (missing) out(task, `needs ${missing}, which is not landed`);
    return !missing;
  });
  const ordered = inOrder(whole.map((task) => ({ id: task.id, needs: task.spec.needs, task })));
  const ready = ordered.map(({ task }) => ({
    ...{ task: task.id, file: patches.get(task.id)!, needs: task.spec.needs.filter((need) => ids.has(need)) },
    message: commitMessage(task.spec.prompt, task.id),
  }));
  return { ready, left };
}

/** Patches of winning attempts only. */
async function patchesOf({ ledger, goal, dir }: LandOptions): Promise<Map<string, string>> {
  await ledger.fetchFiles(goal.id, dir);
  const won = new Map((await ledger.tasks(goal.id)).map((task) => [task.id, task.wonAttempt]));
  const patches = (await ledger.artifacts(goal.id)).filter((a) => a.kind === 'patch' && won.get(a.task) === a.attempt);
  return new Map(patches.map((a) => [a.task, join(dir, a.path)] as const).filter(([, path]) => existsSync(path)));
}

/** Checks a combination; the same one is checked once. */
class Checker {
  readonly #o: LandOptions;
  readonly #look: Look;
  readonly #known = new Map<string, string | null>();
  count = 0;

  constructor(o: LandOptions, look: Look) {
    this.#o = o;
    this.#look = look;
  }

  /** Null when it passes, else why not; with the commit. */
  async check(patches: readonly Ready[]): Promise<{ commit: string; why: string | null }> {
    const { goal, dir, checkout } = this.#o;
    const { commit, refused } = await applySeries(this.#look, goal.baseCommit, patches);
    if (refused.length > 0) return { commit, why: `${refused[0]!.task} ${refused[0]!.why}` };
    const known = this.#known.get(commit);
    if (known !== undefined) return { commit, why: known };
    this.count++;
    const logs = join(dir, 'landing');
    mkdirSync(logs, { recursive: true });
    const { path, remove } = await checkout(commit);
    let why: string | null = null;
    try {
      for (const [i, argv] of goal.settings.landing.checks.entries()) {
        const failed = await runCheck(argv, {
          ...{
            cwd: path,
            log: join(logs, `${commit.slice(0, 12)}.check-${i + 1}.log`),
            timeout: goal.settings.landing.checkTimeout,
            mark: `${goal.uid}.landing`,
          },
        });
        if (failed) why = `check ${i + 1} (${argv.at(-1)!.slice(0, 60)}) ${failed}`;
        if (failed) break;
      }
    } finally {
      await remove();
    }
    this.#known.set(commit, why);
    return { commit, why };
  }
}

/** Leaves out, one by one, the tasks that break the combination (and what needs them), found by halving. */
async function findGood(
  all: readonly Ready[],
  checker: Checker,
  onProgress: (text: string) => void,
): Promise<{ good: Ready[]; commit: string; broken: Left[] }> {
  let good = [...all];
  const broken: Left[] = [];
  const empty = await checker.check([]);
  if (empty.why)
    throw new LandingError(
      'base-fails',
      `The checks fail on the base already: ${empty.why}.`,
      'Mend them there first, or change [landing] checks.',
    );
  for (;;) {
    const whole = await checker.check(good);
    if (whole.why === null) return { good, commit: whole.commit, broken };
    const index = await firstBad(good, checker);
    const culprit = good[index]!;
    const { why } = await checker.check(good.slice(0, index + 1));
    onProgress(`${culprit.task} breaks the combination: ${why}`);
    broken.push({ task: culprit.task, how: 'breaks', why: why ?? 'breaks the combination' });
    const behind = dependents(
      good.map(({ task, needs }) => ({ id: task, needs })),
      [culprit.task],
    );
    for (const task of behind) broken.push({ task, how: 'left-out', why: `needs ${culprit.task}, which breaks the combination` });
    good = good.filter(({ task }) => task !== culprit.task && !behind.has(task));
  }
}

/** Index of the first patch with which the series fails; the empty series passes and the whole one does not. */
async function firstBad(series: readonly Ready[], checker: Checker): Promise<number> {
  let [passes, fails] = [0, series.length];
  while (fails - passes > 1) {
    const middle = (passes + fails) >> 1;
    if ((await checker.check(series.slice(0, middle))).why === null) passes = middle;
    else fails = middle;
  }
  return passes;
}
