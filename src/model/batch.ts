// A batch as people see it: its board. Made by the batch's runner, passed on by the server, drawn by clients. Pure data.

export type BatchState = 'checking' | 'canary' | 'asking' | 'running' | 'paused' | 'reducing' | 'stopped' | 'done' | 'cancelled';

/** States in which tasks are taken up. */
export const TAKING_STATES: readonly BatchState[] = ['canary', 'running', 'reducing'];

/** States in which a batch goes on by itself, given a runner. */
export const GOING_STATES: readonly BatchState[] = ['checking', ...TAKING_STATES];

/** Columns of the board, in their order. `needs`: waits for a person. */
export const BATCH_COLUMNS = ['queued', 'running', 'needs', 'failed', 'done'] as const;
export type BatchColumn = (typeof BATCH_COLUMNS)[number];

export interface BatchRow {
  id: string;
  column: BatchColumn;
  /** Why it waits, failed or needs somebody; '' when there is nothing to say. */
  why: string;
  attempt: number;
  agent: string;
  /** ms since the epoch: start of the attempt that runs, else when it came into its column. */
  since: number;
  /** US dollars; null when unknown. */
  cost: number | null;
  /** Workspace that shows it; null when it runs without one. */
  workspace: number | null;
}

export interface BatchSummary {
  /** Unique among the batches of all repositories. */
  key: string;
  goal: number;
  name: string;
  repository: string;
  state: BatchState;
  /** Why it is not running, or runs slower than it could. */
  why: string;
  /** How many may run now, and at most. */
  limit: number;
  slots: number;
  counts: Record<BatchColumn, number>;
  total: number;
  /** Settled per minute, over the last minutes; US dollars; ms left. Null: not known. */
  rate: number | null;
  cost: number | null;
  tokens: number | null;
  left: number | null;
  started: number;
  /** Pid of the runner, and since when it does not answer. */
  runner: number;
  gone: number | null;
}

/** A board that changes: the summary whole, of the rows those that are new or different. */
export interface BatchChange {
  summary: BatchSummary;
  rows: BatchRow[];
}

/** What a person asks of a batch. */
export type BatchAsk = 'pause' | 'resume' | 'cancel' | 'retry';

/** A board as a client has it. */
export interface BatchView {
  summary: BatchSummary;
  rows: readonly BatchRow[];
}
