// A stage for batches: a private session, a repository, the scripted agent, and the verbs of herd as people use them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { BatchRow, BatchSummary } from '../../src/model/batch.ts';
import { Driver, type Ran } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';

export const AGENT = join(import.meta.dirname, 'fake-agent.sh');

export interface Board {
  summary: BatchSummary;
  tasks: BatchRow[];
  runner: number | null;
}

export type Task = Record<string, unknown> & { id: string };

export class BatchStage {
  readonly herd: Driver;
  readonly repository: string;
  /** Where agents leave a line for each of their runs. */
  readonly state: string;

  /** `env` for every verb: HERD_QUEUE. */
  constructor(env: Record<string, string> = {}) {
    this.herd = new Driver({ session: 'b', env });
    this.repository = join(this.herd.dir, 'repo');
    this.state = join(this.herd.dir, 'agents');
    mkdirSync(this.repository);
    mkdirSync(this.state);
    this.herd.cwd = this.repository;
    this.git('init', '-q', '-b', 'main');
    for (const file of ['old.txt', 'mode.txt', 'shared.txt']) writeFileSync(join(this.repository, file), `${file}\n`.repeat(20));
    this.git('add', '-A');
    this.git('commit', '-qm', 'start');
  }

  git(...args: string[]): string {
    const env = { ...this.herd.env, GIT_CONFIG_NOSYSTEM: '1' };
    const own = ['-c', 'user.name=dev', '-c', 'user.email=dev@localhost'];
    return execFileSync('git', [...own, ...args], { cwd: this.repository, env, encoding: 'utf8' }).trim();
  }

  /** Writes a task file: JSON lines, settings first. Every task runs the scripted agent unless it says otherwise. */
  write(tasks: Task[], settings: Record<string, unknown> = {}, name = 'tasks.jsonl'): string {
    const { defaults, ...rest } = settings as Record<string, Record<string, unknown> | undefined>;
    const all = { command: [AGENT], timeout: '600s', ...defaults, env: { STATE: this.state, ...(defaults?.env as object) } };
    const batch = {
      name: 'test',
      ...rest,
      run: { canary: 0, ...(rest.run as object) },
      stop: { failures: 1, ...(rest.stop as object) },
      defaults: all,
    };
    const file = join(this.herd.dir, name);
    writeFileSync(
      file,
      [{ batch }, ...tasks.map((task) => ({ prompt: `do ${task.id}`, ...task }))].map((line) => JSON.stringify(line)).join('\n'),
    );
    return file;
  }

  run(file: string, ...words: string[]): Promise<Ran> {
    return this.herd.run(['batch', 'run', file, ...words]);
  }

  status(): Promise<Board> {
    return this.herd.json<Board>(['batch', 'status']);
  }

  /** Resolves when nobody runs a batch any more: its tasks may have ended a moment before. */
  async ended(): Promise<void> {
    await eventually(async () => (await this.status()).runner === null, 'the runner has ended');
  }

  /** Agents of kind `wait` go on, and those to come do not wait. */
  go(): void {
    writeFileSync(join(this.state, 'go'), '');
  }

  /** Lines that the agent of a task has left: one for each run. */
  runs(task: string): number {
    const file = join(this.state, `${task}.runs`);
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
  }

  totalRuns(): number {
    return readdirSync(this.state)
      .filter((name) => name.endsWith('.runs'))
      .reduce((sum, name) => sum + this.runs(name.slice(0, -5)), 0);
  }

  /** The ledger, to read from. */
  query(sql: string): Record<string, unknown>[] {
    const db = new DatabaseSync(join(this.ledgerDir, 'ledger.db'), { readOnly: true, timeout: 5000 });
    try {
      return db.prepare(sql).all() as Record<string, unknown>[];
    } finally {
      db.close();
    }
  }

  get ledgerDir(): string {
    const root = join(this.herd.dir, 'state', '_batches');
    return join(root, readdirSync(root)[0]!);
  }

  /** A file of a batch, by its path in the ledger; of the newest one in the ledger's file unless `uid` says which. */
  file(path: string, uid = String(this.query('select uid from goal order by id desc limit 1')[0]!.uid)): string {
    return join(this.ledgerDir, uid, path);
  }

  /** Whether the newest batch has this file by now. */
  has(path: string): boolean {
    return this.query('select 1 from goal').length > 0 && existsSync(this.file(path));
  }

  /** Living processes of agents of this stage; with `marks` those that have one of these entries in their environment. */
  strays(marks: ReadonlySet<string> = new Set([`STATE=${this.state}`])): number[] {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => Number.isSafeInteger(pid) && isMarked(pid, marks));
  }

  /** Head, index and content of the checkout, to compare. */
  checkout(): string {
    const index = readFileSync(join(this.repository, '.git/index')).toString('base64');
    return [this.git('rev-parse', 'HEAD'), this.git('status', '--porcelain=v2', '--untracked-files=all'), index].join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.herd.run(['batch', 'cancel']).catch(() => {});
    await this.herd[Symbol.asyncDispose]();
  }
}

function isMarked(pid: number, marks: ReadonlySet<string>): boolean {
  try {
    const env = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    if (!env.some((entry) => marks.has(entry))) return false;
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
