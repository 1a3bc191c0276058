// The port between the runner and whatever hands out tasks: eight calls. An adapter changes the ledger and its own jobs in one transaction.
// Every settling names its attempt; one that holds its task no more changes nothing.
import type { Claim, Outcome, TaskSpec } from '../task.ts';

export interface NewTask {
  spec: TaskSpec;
  /** Tried before all others. */
  canary: boolean;
  /** Not to be claimed before `release`. */
  held: boolean;
}

/** What else the ledger learns with a settled attempt, in the same transaction. */
export interface Result {
  artifacts: { kind: string; path: string; sha256: string; size: number }[];
  findings: { file: string | null; kind: string; severity: 'info' | 'warning' | 'error'; text: string }[];
}

/** An attempt that the ledger thinks is running. */
export interface LiveAttempt extends Claim {
  pid: number | null;
  started: number | null;
  workspace: number | null;
  worktree: string | null;
  branch: string | null;
  base: string | null;
}

export interface Started {
  at: number;
  pid: number | null;
  workspace: number | null;
  worktree: string;
  branch: string;
  /** Commit the worktree starts from. */
  base: string;
}

export interface Counts {
  held: number;
  ready: number;
  active: number;
  done: number;
  failed: number;
  cancelled: number;
}

export interface Spend {
  /** US dollars and tokens of ended attempts; `unknown`: how many of them did not say. */
  cost: number;
  tokens: number;
  unknownCost: number;
  ended: number;
}

export interface Queue {
  /** Adds tasks; those whose id is there already are left as they are. */
  enqueue(goal: number, tasks: readonly NewTask[]): Promise<void>;
  /** At most `n` tasks that are ready, with an attempt each; none of a goal that does not run, none of a provider that is held. */
  claim(goal: number, n: number, host: string, lease: number): Promise<Claim[]>;
  started(claim: Claim, started: Started): Promise<void>;
  /** Keys of those that are still ours. */
  renew(claims: readonly Claim[], lease: number): Promise<Set<string>>;
  /** False when the attempt holds its task no more: it is noted as stale. */
  settle(claim: Claim, outcome: Outcome, result?: Result): Promise<boolean>;
  /** Attempts of this host that have not ended, of all goals or one. */
  live(host: string, goal?: number): Promise<LiveAttempt[]>;
  counts(goal: number): Promise<Counts>;
  spend(goal: number): Promise<Spend>;
  /** Lets ledger and jobs agree again: what was released, retried, decided or lost becomes claimable. Returns how many gaps it closed. */
  reconcile(goal: number): Promise<number>;
  close(): Promise<void>;
}
