// The boards of batches whose runners have told about them, kept while this server lives: the ledger of a batch is its runner's, never
// read here. A runner that went away is shown as gone.
import type { BatchAsk, BatchChange, BatchRow, BatchSummary } from '../../model/batch.ts';
import type { ServerEvent } from '../../wire/requests.ts';
import type { ClientLink } from '../clients.ts';
import { Refusal } from '../refusal.ts';

/** Boards kept of batches that have ended; older ones are in `herd batch status`. */
const ENDED_KEPT = 20;

interface Board {
  summary: BatchSummary;
  rows: Map<string, BatchRow>;
  runner: ClientLink | null;
}

export class Batches {
  readonly #boards = new Map<string, Board>();
  readonly #emit: (event: ServerEvent) => void;
  readonly #now: () => number;

  constructor(emit: (event: ServerEvent) => void, now: () => number) {
    this.#emit = emit;
    this.#now = now;
  }

  publish(change: BatchChange, runner: ClientLink): void {
    const { key } = change.summary;
    const board = this.#boards.get(key) ?? { summary: change.summary, rows: new Map(), runner: null };
    board.summary = { ...change.summary, gone: null };
    for (const row of change.rows) board.rows.set(row.id, row);
    if (board.runner !== runner) {
      board.runner = runner;
      runner.onEnd(() => this.#left(key, runner));
    }
    this.#boards.set(key, board);
    this.#emit({ event: 'batch', change });
    this.#trim();
  }

  list(): { summary: BatchSummary; rows: BatchRow[] }[] {
    return [...this.#boards.values()].map(({ summary, rows }) => ({ summary, rows: [...rows.values()] }));
  }

  /** Passes it to the runner. Throws Refusal when there is none. */
  ask(key: string, ask: BatchAsk, task: string | null): void {
    const board = this.#boards.get(key);
    if (!board) throw new Refusal('not-found', 'There is no such batch.');
    if (!board.runner) {
      throw new Refusal('no-runner', `The runner of batch ${board.summary.name} is not there.`, 'Start it again: herd batch resume');
    }
    board.runner.send({ event: 'batch.ask', key, ask, task });
  }

  #left(key: string, runner: ClientLink): void {
    const board = this.#boards.get(key);
    if (board?.runner !== runner) return;
    board.runner = null;
    if (['done', 'cancelled', 'stopped'].includes(board.summary.state)) return;
    board.summary = { ...board.summary, gone: this.#now() };
    this.#emit({ event: 'batch', change: { summary: board.summary, rows: [] } });
  }

  #trim(): void {
    const ended = [...this.#boards].filter(([, board]) => board.runner === null);
    for (const [key] of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT))) this.#boards.delete(key);
  }
}
