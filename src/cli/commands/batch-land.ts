// herd batch decide, accept, reject, land, merge: what a person makes of a batch's results. Nothing reaches the person's own branch but by
// `merge`, and not without a yes.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Goal } from '../../batch/ledger/rows.ts';
import type { Opened } from '../../batch/opened.ts';
import { GOING_STATES } from '../../model/batch.ts';
import { chosenGoal, withBatches } from '../batch-context.ts';
import { confirm } from '../confirm.ts';
import { Failure, usage } from '../failure.ts';
import { age, columns, plain } from '../output.ts';
import { place } from '../place.ts';
import { idNumber } from '../values.ts';
import type { Call, RunVerb } from '../verb.ts';

export const decide: RunVerb = (call) =>
  withBatches(call, async (batches) => {
    const goal = await chosenGoal(call, batches);
    const [word, answer] = call.words;
    if (word === undefined) return listDecisions(call, batches, goal);
    if (answer === undefined) throw usage('What is decided? accept, reject, or words of your own.');
    await batches.ledger.decide(goal.id, idNumber(word, 'decision'), answer, 'person');
    if (call.json) call.out.json({ decision: Number(word), answer });
    else call.out.text(`decision ${word}: ${plain(answer)}`);
    return 0;
  });

async function listDecisions(call: Call, batches: Opened, goal: Goal): Promise<number> {
  const decisions = (await batches.ledger.decisions(goal.id)).filter((d) => call.options.all === true || d.answer === null);
  const followups = new Map(
    (await batches.ledger.attempts(goal.id)).filter((a) => a.task.startsWith('followup-')).map((a) => [a.task, a.result]),
  );
  const rows = decisions.map((d) => ({ ...d, followup: followups.get(`followup-${d.finding}`) ?? null }));
  if (call.json) call.out.json({ decisions: rows });
  else if (rows.length === 0) call.out.text('Nothing waits for a decision.');
  else {
    for (const d of rows) {
      call.out.text(
        columns([
          [String(d.id), d.task ?? '', plain(d.question), d.answer === null ? `open for ${age(Date.now() - d.asked)}` : plain(d.answer)],
        ]),
      );
      if (d.followup) call.out.text(plain(d.followup).replace(/^/gm, '     '));
    }
  }
  return 0;
}

export const accept: RunVerb = (call) => judge(call, 'accepted');
export const reject: RunVerb = (call) => judge(call, 'rejected');

function judge(call: Call, verdict: 'accepted' | 'rejected'): Promise<number> {
  return withBatches(call, async (batches) => {
    const goal = await chosenGoal(call, batches);
    for (const task of call.words) {
      if (!(await batches.ledger.setVerdict(goal.id, task, verdict, 'person'))) {
        throw new Failure('not-found', `Batch ${goal.id} has no task ${task}.`, { hint: 'See: herd batch status --all' });
      }
    }
    if (call.json) call.out.json({ tasks: call.words, verdict });
    else call.out.text(plain(`${call.words.join(', ')} ${verdict}`));
    return 0;
  });
}

export const landing: RunVerb = (call) =>
  withBatches(call, async (batches) => {
    const goal = await chosenGoal(call, batches);
    if (GOING_STATES.includes(goal.state)) {
      throw new Failure('running', `Batch ${goal.id} still runs.`, { hint: 'Wait for it, or: herd batch pause' });
    }
    const { land } = await import('../../batch/landing/land.ts');
    const link = await call.link();
    await closeReview(call, batches, goal);
    let made = 0;
    const landed = await land({
      ...{ goal, ledger: batches.ledger, git: batches.git, dir: batches.goalDir(goal) },
      checkout: async (commit) => {
        const branch = `herd-batch/${goal.uid}-check/${process.pid}-${++made}`;
        const { path } = await link.request('worktree.add', { repository: goal.repository, branch, commit });
        return { path, remove: async () => void (await link.request('worktree.remove', { repository: goal.repository, path, branch })) };
      },
      onProgress: (text) => call.out.note(text),
    });
    const workspace = call.options['no-open'] ? null : await openReview(call, batches, goal);
    if (call.json) call.out.json({ ...landed, workspace });
    else {
      call.out.text(
        plain(`${landed.applied.length} tasks are on ${landed.branch} (${landed.commit.slice(0, 12)}), checked ${landed.checks} times.`),
      );
      if (landed.left.length > 0) call.out.text(columns(landed.left.map(({ task, how, why }) => [`  ${plain(task)}`, how, plain(why)])));
      if (workspace !== null) call.out.text(`Review it in workspace ${workspace}: herd; then: herd batch merge`);
    }
    return landed.left.some(({ how }) => how !== 'left-out') ? 1 : 0;
  });

/** A workspace on the integration branch, against the batch's base: the ordinary review pane. */
async function openReview(call: Call, batches: Opened, goal: Goal): Promise<number> {
  const link = await call.link();
  const folder = reviewFolder(batches, goal);
  mkdirSync(join(folder, '..'), { recursive: true });
  const { openReviewTree } = await import('../../batch/landing/review-tree.ts');
  await openReviewTree(batches.git, goal.repository, folder, goal.settings.landing.branch);
  const { workspace } = await link.request('workspace.open', { place: place(call), path: folder, agent: 'shell' });
  await link.request('changeset.base', { workspace: workspace.id, base: goal.baseCommit });
  return workspace.id;
}

/** Before landing anew: a worktree with the branch in it would not follow. Work in it is told, never dropped. */
async function closeReview(call: Call, batches: Opened, goal: Goal): Promise<void> {
  const link = await call.link();
  const folder = reviewFolder(batches, goal);
  const { workspaces } = await link.request('session.state', {});
  const open = workspaces.find((workspace) => workspace.path === folder);
  const { worktrees } = await link.request('worktree.list', { repository: goal.repository });
  if (!worktrees.some((worktree) => worktree.path === folder)) return;
  const { closeReviewTree, reviewIsDirty } = await import('../../batch/landing/review-tree.ts');
  if (await reviewIsDirty(batches.git, folder)) {
    throw new Failure('dirty', `${folder} holds changes that are not committed.`, {
      hint: 'Commit or discard them there, then land again.',
    });
  }
  if (open) await link.request('workspace.close', { workspace: open.id });
  await closeReviewTree(batches.git, goal.repository, folder);
  rmSync(folder, { recursive: true, force: true });
}

function reviewFolder(batches: Opened, goal: Goal): string {
  return `${batches.repository}.worktrees/landing-${goal.uid}`;
}

export const merge: RunVerb = (call) =>
  withBatches(call, async (batches) => {
    const goal = await chosenGoal(call, batches);
    if (call.options.yes !== true) {
      if (!process.stdin.isTTY)
        throw new Failure('not-asked', 'Nothing is merged without a person’s yes.', { hint: 'Review it, then: herd batch merge --yes' });
      const sure = await confirm(`Merge ${goal.settings.landing.branch} into ${goal.baseName}? Only say yes to what was reviewed.`);
      if (!sure) throw new Failure('kept', 'Nothing was merged.');
    }
    const { mergeLanded } = await import('../../batch/landing/merge.ts');
    const merged = await mergeLanded({ goal, ledger: batches.ledger, git: batches.git, dir: batches.goalDir(goal) });
    if (call.json) call.out.json(merged);
    else call.out.text(plain(`${merged.tasks} tasks are on ${merged.into} (${merged.commit.slice(0, 12)})`));
    return 0;
  });
