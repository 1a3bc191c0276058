// What the ledger's rows are called in the program: one interface each, and how a row is read.
import type { BatchState } from '../../model/batch.ts';
import type { Plan, TaskSpec } from '../task.ts';
import { maybeNumber, maybeText, number, type Row, text } from './sql.ts';

/** A plan without its tasks: what a goal keeps of it. */
export type Settings = Omit<Plan, 'tasks'> & {
  /** A person said beforehand that what comes after the canary may run. */
  yes: boolean;
};

export interface Goal {
  id: number;
  uid: string;
  name: string;
  repository: string;
  baseName: string;
  baseCommit: string;
  state: BatchState;
  why: string | null;
  created: number;
  ended: number | null;
  /** ms that its runner spent on it. */
  runMs: number;
  settings: Settings;
  session: string;
  file: string | null;
}

export type TaskState = 'held' | 'ready' | 'active' | 'done' | 'failed' | 'cancelled';

export interface TaskRow {
  goal: number;
  id: string;
  stage: TaskSpec['stage'];
  spec: TaskSpec;
  state: TaskState;
  attempt: number;
  rateHits: number;
  runAfter: number;
  since: number;
  why: string | null;
  outcome: string | null;
  wonAttempt: number | null;
  canary: boolean;
  verdict: 'accepted' | 'rejected' | null;
  landed: string | null;
  landedCommit: string | null;
  mergedShare: number | null;
}

export interface AttemptRow {
  task: string;
  n: number;
  host: string;
  claimed: number;
  started: number | null;
  ended: number | null;
  outcome: string | null;
  why: string | null;
  cost: number | null;
  tokens: number | null;
  added: number | null;
  result: string | null;
  workspace: number | null;
  worktree: string | null;
  waited: number;
}

export interface Finding {
  id: number;
  task: string;
  reducer: string | null;
  file: string | null;
  kind: string;
  severity: 'info' | 'warning' | 'error';
  line: number | null;
  text: string;
  needsDecision: boolean;
}

export interface Decision {
  id: number;
  finding: number | null;
  task: string | null;
  question: string;
  options: string[];
  answer: string | null;
  who: string | null;
  asked: number;
  at: number | null;
  unblocks: string | null;
}

export interface Artifact {
  task: string;
  attempt: number;
  kind: string;
  path: string;
  sha256: string;
  size: number;
}

export interface Ask {
  id: number;
  kind: string;
  data: string | null;
  actor: string;
}

export interface LoggedEvent {
  seq: number;
  at: number;
  actor: string;
  subject: string;
  kind: string;
  data: string | null;
}

export interface NewFinding {
  /** Unique in the goal: the same row told twice is one row. */
  mark: string;
  task: string;
  reducer: string;
  file: string | null;
  kind: string;
  severity: Finding['severity'];
  line: number | null;
  text: string;
  needsDecision: boolean;
}

export function asGoal(row: Row): Goal {
  return {
    ...{ id: number(row, 'id'), uid: text(row, 'uid'), name: text(row, 'name'), repository: text(row, 'repository') },
    ...{ baseName: text(row, 'base_name'), baseCommit: text(row, 'base_commit'), state: text(row, 'state') as BatchState },
    ...{ why: maybeText(row, 'why'), created: number(row, 'created'), ended: maybeNumber(row, 'ended'), runMs: number(row, 'run_ms') },
    ...{ settings: JSON.parse(text(row, 'settings')) as Settings, session: text(row, 'session'), file: maybeText(row, 'file') },
  };
}

export function asTask(row: Row): TaskRow {
  return {
    ...{ goal: number(row, 'goal'), id: text(row, 'id'), stage: text(row, 'stage') as TaskSpec['stage'] },
    ...{ spec: JSON.parse(text(row, 'spec')) as TaskSpec, state: text(row, 'state') as TaskState, attempt: number(row, 'attempt') },
    ...{ rateHits: number(row, 'rate_hits'), runAfter: number(row, 'run_after'), since: number(row, 'since'), why: maybeText(row, 'why') },
    ...{ outcome: maybeText(row, 'outcome'), wonAttempt: maybeNumber(row, 'won_attempt'), canary: number(row, 'canary') === 1 },
    ...{ verdict: maybeText(row, 'verdict') as TaskRow['verdict'], landed: maybeText(row, 'landed') },
    ...{ landedCommit: maybeText(row, 'landed_commit'), mergedShare: maybeNumber(row, 'merged_share') },
  };
}

export function asAttempt(row: Row): AttemptRow {
  return {
    ...{ task: text(row, 'task'), n: number(row, 'n'), host: text(row, 'host'), claimed: number(row, 'claimed') },
    ...{ started: maybeNumber(row, 'started'), ended: maybeNumber(row, 'ended'), outcome: maybeText(row, 'outcome') },
    ...{ why: maybeText(row, 'why'), cost: maybeNumber(row, 'cost'), tokens: maybeNumber(row, 'tokens'), added: maybeNumber(row, 'added') },
    ...{ result: maybeText(row, 'result'), workspace: maybeNumber(row, 'workspace'), waited: number(row, 'waited') },
    worktree: maybeText(row, 'worktree'),
  };
}
