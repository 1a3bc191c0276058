// The life of a batch, from its canary to its rows. Lives as long as there is something to do by itself; whatever waits for a person is a
// state in the ledger, and asking it to go on starts another one.
import { sweepScratch } from '../git/scratch.ts';
import { type BatchRow, GOING_STATES } from '../model/batch.ts';
import { makeBoard } from './board.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Goal } from './ledger/rows.ts';
import { collectRows, enqueueFollowups, enqueueReduce } from './reduce/reduce.ts';
import { makeFolders } from './runner/attempt-files.ts';
import { type RunEnd, Runner, type RunnerOptions } from './runner/runner.ts';

/** ms between two tellings of the board: people read no faster. */
const PUBLISH_EVERY = 500;

export interface SupervisorOptions extends Omit<RunnerOptions, 'onChange' | 'onConnect' | 'onAsk' | 'slots'> {
  signal: { onTerm(act: () => void): void };
}

/** Runs the goal as far as it goes without a person. Resolves with why it ended. */
export async function supervise(o: SupervisorOptions): Promise<RunEnd> {
  makeFolders(o.dir);
  void sweepScratch(o.now());
  const board = new BoardTeller(o);
  const runner = new Runner({
    ...o,
    slots: o.goal.settings.run.slots,
    onConnect: (connected) => {
      board.forget();
      board.changed(connected);
    },
    onChange: (changed) => board.changed(changed),
    onAsk: async () => {},
  });
  o.signal.onTerm(() => runner.drain());
  try {
    await runner.adopt();
    const end = await live(o, runner);
    await board.tell(runner);
    return end;
  } catch (error) {
    if (!runner.orphaned) throw error;
    await o.ledger.setState(o.goal.id, 'paused', 'its session was ended', GOING_STATES);
    return 'paused';
  } finally {
    await runner.close();
  }
}

async function live(o: SupervisorOptions, runner: Runner): Promise<RunEnd> {
  const { ledger, goal, queue } = o;
  const state = async () => (await ledger.goal(goal.id))!.state;
  const { held } = await queue.counts(goal.id);
  await ledger.setState(goal.id, held > 0 ? 'canary' : 'running', held > 0 ? 'tries a few tasks first' : null, ['checking']);
  if ((await state()) === 'canary') {
    const end = await runner.run('work');
    if (end !== 'settled') return end;
    if ((await queue.counts(goal.id)).held > 0) {
      if (!goal.settings.yes) {
        await ledger.setState(goal.id, 'asking', 'the canary has ended: look at its cost and results, then go on', ['canary']);
        return 'asking';
      }
      await ledger.release(goal.id, 'person');
    }
    await ledger.setState(goal.id, 'running', null, ['canary']);
  }
  do {
    for (const stage of ['work', 'reduce', 'followup'] as const) {
      if (stage === 'reduce') await enqueueReduce({ ...o, goal });
      if (stage === 'followup') {
        await collectRows({ ...o, goal });
        await enqueueFollowups({ ...o, goal });
      }
      if (stage !== 'work') await ledger.setState(goal.id, 'reducing', null, ['running']);
      const end = await runner.run(stage);
      if (end !== 'settled') return end;
    }
  } while (!(await ledger.finish(goal.id)));
  return 'settled';
}

/** Tells the session's server how the board stands, rows that changed only. */
class BoardTeller {
  readonly #o: { goal: Goal; ledger: Ledger; now(): number };
  #told = new Map<string, string>();
  #timer: NodeJS.Timeout | null = null;

  constructor(o: { goal: Goal; ledger: Ledger; now(): number }) {
    this.#o = o;
  }

  changed(runner: Runner): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.tell(runner).catch(() => {});
    }, PUBLISH_EVERY);
  }

  async tell(runner: Runner): Promise<void> {
    const { goal, ledger, now } = this.#o;
    const fresh = await ledger.goal(goal.id);
    if (!fresh) return;
    const blocked = [...runner.running.values()].flatMap((a) =>
      a.blocked === null ? [] : ([[a.claim.task, { workspace: a.workspace, question: a.blocked }]] as const),
    );
    const { summary, rows } = makeBoard({
      ...{
        goal: fresh,
        tasks: await ledger.tasks(goal.id),
        attempts: await ledger.attempts(goal.id),
        decisions: await ledger.decisions(goal.id),
      },
      ...{ holds: await ledger.holds(), blocked: new Map(blocked), limit: runner.pace.limit, runner: process.pid, now: now() },
    });
    const changed = rows.filter((row) => this.#told.get(row.id) !== JSON.stringify(row));
    await runner.link.tell('batch.publish', { summary, rows: changed.map(shortRow) });
    for (const row of changed) this.#told.set(row.id, JSON.stringify(row));
  }

  /** A server that was started anew knows nothing. */
  forget(): void {
    this.#told = new Map();
  }
}

/** Within what a request may carry. */
function shortRow(row: BatchRow): BatchRow {
  return { ...row, why: row.why.slice(0, 500), agent: row.agent.slice(0, 64) };
}
