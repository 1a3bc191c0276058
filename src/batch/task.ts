// The nouns of a batch: what a task is once its file is expanded, how an attempt ended, what a batch is allowed to spend. Plain data,
// stored as JSON in the ledger; nothing here does anything.

/** `headless`: a command that ends by itself, its output in a file. `live`: an agent in a pane, watched and steered like any other. */
export type Mode = 'headless' | 'live';

/** What a task is for: the work itself, turning outputs into rows, or looking into one row that needs a decision. */
export type Stage = 'work' | 'reduce' | 'followup';

/** A command: words as they are, never through a shell unless the first word is one. */
export type Argv = string[];

export interface TaskSpec {
  id: string;
  stage: Stage;
  prompt: string;
  /** Headless kind, a key of `HEADLESS`; 'command' for a command of its own. */
  agent: string;
  /** Replaces the kind's own command. `{prompt}` in a word stands for the prompt, which otherwise comes on standard input. */
  command: Argv | null;
  mode: Mode;
  env: Record<string, string>;
  /** Path patterns it may touch; empty: any. */
  allow: string[];
  /** Run in the worktree after the agent, each with `checkTimeout`; a failing one marks the result, the patch is kept. */
  checks: Argv[];
  /** ms */
  checkTimeout: number;
  /** A file it must have written; null: none. */
  expect: string | null;
  /** ms from the start of an attempt; kept as a deadline in the ledger. */
  timeout: number;
  budget: { cost: number | null; tokens: number | null };
  /** Larger first. */
  priority: number;
  /** Ids of tasks that must be done before. */
  needs: string[];
  /** Tasks that are copies of one another share this id; null: no copies. */
  group: string | null;
  /** What the limits of one account are shared by. */
  provider: string;
  /** Who is right when two differ: where in the task file it stands, 1-based. */
  line: number;
}

export interface StopRules {
  /** Share of settled tasks, 0-1, that may have failed; looked at after `after` tasks. */
  failureShare: number;
  after: number;
  /** US dollars, tokens, ms; null: no limit. */
  cost: number | null;
  tokens: number | null;
  time: number | null;
}

export interface RunRules {
  slots: number;
  canary: number;
  /** ms between asking an agent to end and killing it. */
  grace: number;
  /** How often a task may wait for a rate limit, and be started again after its host or agent vanished. */
  rateRetries: number;
  lostRetries: number;
  /** Open decisions above which nothing new is claimed: people are the bottleneck then. */
  decisions: number;
  /** Keep worktrees of: every task, those that failed, none. */
  keep: 'all' | 'failed' | 'none';
}

export interface ReduceRules {
  agent: string;
  command: Argv | null;
  prompt: string;
  /** Outputs in one reduce task. */
  chunk: number;
  timeout: number;
}

export interface FollowupRules {
  agent: string;
  command: Argv | null;
  prompt: string;
  timeout: number;
}

export interface LandingRules {
  /** Integration branch. */
  branch: string;
  /** Checks on the combination. */
  checks: Argv[];
  checkTimeout: number;
}

/** A task file after checking and expanding. */
export interface Plan {
  name: string;
  /** Ref the worktrees start from; null: where the repository stands. */
  base: string | null;
  tasks: TaskSpec[];
  run: RunRules;
  stop: StopRules;
  reduce: ReduceRules | null;
  followup: FollowupRules | null;
  landing: LandingRules;
}

/**
 * How an attempt ended. `rate` and `limit` spend nothing and are tried again; `lost` (host or agent vanished) too, once or twice; `stale`
 * is the late word of an attempt that holds its task no more and changes nothing.
 */
export type OutcomeKind = 'ok' | 'rate' | 'limit' | 'timeout' | 'crash' | 'fail' | 'lost' | 'check' | 'cancelled' | 'stale';

export interface Outcome {
  kind: OutcomeKind;
  /** One clause for people; null for ok. */
  why: string | null;
  /** US dollars; null: the agent did not say. Never 0 for unknown. */
  cost: number | null;
  tokens: number | null;
  /** ms since the epoch before which the task is not tried again. */
  runAfter?: number;
  /** Lost before its agent ever ran: does not count as a loss. */
  unstarted?: boolean;
  /** Its last words, at most a few hundred characters. */
  result?: string | null;
  /** Lines added by its patch; null without one. */
  added?: number | null;
}

/** One claimed attempt, as the runner holds it. */
export interface Claim {
  goal: number;
  task: string;
  n: number;
  spec: TaskSpec;
  /** ms since the epoch. */
  deadline: number;
  claimed: number;
  rateHits: number;
  lostHits: number;
  host: string;
  /** The job behind it where an engine keeps one, and its try. */
  job: string | null;
  jobTry: number;
}

/** Names one attempt among all of a ledger: "goal.task.n". */
export function claimKey(claim: { goal: number; task: string; n: number }): string {
  return `${claim.goal}.${claim.task}.${claim.n}`;
}
