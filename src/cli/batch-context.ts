// What all batch verbs share: the repository's ledger, which batch is meant, starting its runner, and errors of the room as failures.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Goal } from '../batch/ledger/rows.ts';
import type { Opened } from '../batch/opened.ts';
import { batchesRoot } from '../config/paths.ts';
import { KnownError } from '../model/known-error.ts';
import { Failure, usage } from './failure.ts';
import { outliveLogout } from './scope.ts';
import { ownProgram } from './start.ts';
import type { Call } from './verb.ts';

/** Runs `act` on the ledger of the repository that the verb was called in, or that `--queue` names. */
export async function withBatches<T>(call: Call, act: (batches: Opened) => Promise<T>): Promise<T> {
  const { openBatches } = await import('../batch/batches.ts');
  try {
    const batches = await openBatches({
      from: call.cwd,
      root: batchesRoot(call.env),
      env: call.env,
      now: () => Date.now(),
      queue: queueOf(call),
    });
    try {
      return await act(batches);
    } finally {
      await batches.close();
    }
  } catch (error) {
    throw asBatchFailure(error);
  }
}

/** Address of the queue, if it is not the file of this host. In the environment a password is seen by fewer people than on the command line. */
function queueOf(call: Call): string | null {
  const word = call.options.queue ?? call.env.HERD_QUEUE;
  return typeof word === 'string' && word !== '' ? word : null;
}

/** Errors of ledger, plan and git say a sentence and a hint. */
export function asBatchFailure(error: unknown): unknown {
  if (!(error instanceof KnownError)) return error;
  const { code, message, hint, detail } = error;
  return new Failure(code, message, { hint, detail, exit: code === 'bad-task-file' ? 2 : 1 });
}

/** The batch named by `--batch`, or the newest. */
export async function chosenGoal(call: Call, batches: Opened): Promise<Goal> {
  const word = call.options.batch;
  if (word !== undefined && !/^\d{1,9}$/.test(String(word))) throw usage(`--batch is the number of a batch, not "${word}".`);
  const goal = word === undefined ? (await batches.ledger.goals())[0] : await batches.ledger.goal(Number(word));
  if (goal) return goal;
  throw new Failure('not-found', word === undefined ? 'This repository has had no batch yet.' : `There is no batch ${word} here.`, {
    hint: 'Start one: herd batch run FILE',
  });
}

/** Starts the batch's runner in a process session of its own: it outlives this command, the terminal and the log-out. */
export function startRunner(call: Call, batches: Opened, goal: Goal): void {
  const dir = batches.goalDir(goal);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const log = openSync(join(dir, 'runner.log'), 'a', 0o600);
  const [file, ...args] = outliveLogout([...ownProgram(), 'batch-runner', String(goal.id), '--session', goal.session]);
  const { HERD_HOLDER: _, HERD_TERMINAL: __, HERD_WORKSPACE: ___, HERD_TOKEN: ____, ...env } = call.env;
  const queue = queueOf(call);
  if (queue !== null) env.HERD_QUEUE = queue;
  const child = spawn(file!, args, { detached: true, cwd: batches.repository, env, stdio: ['ignore', log, log] });
  child.on('error', () => {});
  child.unref();
  closeSync(log);
}
