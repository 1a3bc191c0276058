// A repository's batches, opened: what verbs, runner and worker share.
import type { Runner as GitRunner } from '../git/run.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Goal } from './ledger/rows.ts';
import type { Sql } from './ledger/sql.ts';
import type { Queue } from './queue/queue.ts';

export interface Opened {
  sql: Sql;
  ledger: Ledger;
  queue: Queue;
  git: GitRunner;
  /** Main folder of the repository. */
  repository: string;
  /** Top of the worktree asked from. */
  worktree: string;
  /** Folder of the ledger. */
  dir: string;
  /** Folder of a goal's files. */
  goalDir(goal: Pick<Goal, 'uid'>): string;
  /** With a queue for many hosts: locks of processes, by name, and reading what batches there are. */
  shared: { lock(name: string): Promise<boolean>; locked(name: string): Promise<boolean>; learn(): Promise<void> } | null;
  close(): Promise<void>;
}
