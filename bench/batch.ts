// What a batch costs: its supervisor while twenty agents run, the way from claim to start in a large repository, worktrees by the dozen,
// and the board while tasks come and go.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sessionPaths } from '../src/config/paths.ts';
import { connectClient } from '../src/wire/client.ts';
import { cpuSeconds, median, memoryMb, percentile, type Row } from './figures.ts';
import { environment, HERD } from './hosts.ts';
import { Outer } from './outer.ts';

const SLOTS = 20;
/** Rounds of twenty whose supervisor is watched, and s that an agent takes. */
const ROUNDS = 3;
const AGENT_TIME = 6;
/** Files of the large repository, per folder and folders. */
const FILES = 100;
const FOLDERS = 100;
/** Agents in that repository, at a time, and s that each works: the shortest for which a next worktree is to be ready. */
const CLAIMS = 10;
const CLAIM_SLOTS = 2;
const CLAIM_TIME = 8;
const PLAIN = 4;
const WORKTREES = 40;
/** Tasks on the board, of which so many stay at the top of it while the rest come and go in the last slot. */
const BOARD_TASKS = 200;
const RESTING = SLOTS - 1;
const KEYS = 200;

type Task = { id: string; command: string[] };

/** A repository and a session of its own. */
class Bench {
  readonly dir = mkdtempSync(join(tmpdir(), 'herd-bench-'));
  readonly repository = join(this.dir, 'repo');
  readonly env = environment({ HERD_DIR: this.dir, HERD_SESSION: 'bench' });

  constructor(folders: number, files: number) {
    for (let folder = 0; folder < folders; folder++) {
      const dir = join(this.repository, `folder-${folder}`);
      mkdirSync(dir, { recursive: true });
      for (let file = 0; file < files; file++)
        writeFileSync(join(dir, `file-${file}.ts`), `export const value = ${folder * files + file};\n`.repeat(20));
    }
    this.git('init', '-q', '-b', 'main');
    this.git('add', '-A');
    this.git('commit', '-qm', 'start');
  }

  git(...args: string[]): void {
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@localhost', ...args], { cwd: this.repository, env: this.env });
  }

  herd(...args: string[]): string {
    return execFileSync(HERD[0]!, [HERD[1]!, ...args], {
      cwd: this.repository,
      env: this.env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  }

  start(tasks: Task[], slots: number): void {
    const file = join(this.dir, 'tasks.jsonl');
    const batch = { name: 'bench', run: { canary: 0, slots }, stop: { failures: 1 } };
    writeFileSync(file, [{ batch }, ...tasks.map((task) => ({ prompt: 'go', ...task }))].map((line) => JSON.stringify(line)).join('\n'));
    this.herd('batch', 'run', file, '--yes', '--detach');
  }

  query(sql: string): Record<string, unknown>[] {
    const root = join(this.dir, 'state', '_batches');
    const db = new DatabaseSync(join(root, readdirSync(root)[0]!, 'ledger.db'), { readOnly: true, timeout: 5000 });
    try {
      return db.prepare(sql).all() as Record<string, unknown>[];
    } finally {
      db.close();
    }
  }

  count(what: string): number {
    return Number(this.query(`select count(*) as n from ${what}`)[0]!.n);
  }

  /** Resolves once `seen`; looks so seldom that looking costs nothing. */
  async until(seen: () => boolean): Promise<void> {
    for (const end = Date.now() + 300_000; !seen(); ) {
      if (Date.now() > end) throw new Error('the batch did not come that far');
      await new Promise((wait) => setTimeout(wait, 200));
    }
  }

  async done(): Promise<void> {
    await this.until(() => this.query('select state from goal')[0]?.state === 'done');
  }

  [Symbol.dispose](): void {
    try {
      this.herd('batch', 'cancel');
    } catch {
      // It is over, or never was.
    }
    this.herd('server', 'stop', '--yes');
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

export async function batches(): Promise<Row[]> {
  return [...(await supervisor()), ...(await claims()), await worktrees(), ...(await board())];
}

/** From the first agent's start to the last one's end, starting and settling included. */
async function supervisor(): Promise<Row[]> {
  using bench = new Bench(1, 10);
  const tasks = Array.from({ length: SLOTS * ROUNDS }, (_, i) => ({
    id: `t${i}`,
    command: ['sh', '-c', `sleep ${AGENT_TIME}; echo x >note-${i}`],
  }));
  bench.start(tasks, SLOTS);
  await bench.until(() => bench.count('attempt where started is not null') >= SLOTS);
  const pid = Number(bench.query('select pid from host')[0]!.pid);
  const [from, before] = [performance.now(), cpuSeconds(pid)];
  let [most, cpu, at] = [0, 0, from];
  await bench.until(() => {
    [most, cpu, at] = [Math.max(most, memoryMb(pid)), cpuSeconds(pid) - before, performance.now()];
    return bench.count('attempt where ended is not null') > SLOTS * ROUNDS - 2;
  });
  const share = (cpu / ((at - from) / 1000)) * 100;
  await bench.done();
  return [
    { measure: `batch: supervisor while ${SLOTS} run, memory`, must: '≤ 120 MB', figure: `${most.toFixed(0)} MB`, holds: most <= 120 },
    { measure: `batch: supervisor while ${SLOTS} run, CPU`, must: '≤ 10 % of a core', figure: `${share.toFixed(1)} %`, holds: share <= 10 },
  ];
}

/** Beside a plain `git worktree add` of the same repository in the same minute: writing ten thousand files is the system's time, not herd's. */
async function claims(): Promise<Row[]> {
  using bench = new Bench(FOLDERS, FILES);
  const plain: number[] = [];
  const addPlainly = (): void => {
    const from = performance.now();
    bench.git('worktree', 'add', '--quiet', join(bench.dir, `plain-${plain.length}`));
    plain.push((performance.now() - from) / 1000);
  };
  for (let i = 0; i < PLAIN / 2; i++) addPlainly();
  const began = Date.now();
  bench.start(
    Array.from({ length: CLAIMS }, (_, i) => ({ id: `t${i}`, command: ['sleep', String(CLAIM_TIME)] })),
    CLAIM_SLOTS,
  );
  await bench.done();
  for (let i = 0; i < PLAIN / 2; i++) addPlainly();
  const attempts = bench.query('select claimed, started, ended from attempt order by started').map((row) => ({
    ...{ claimed: Number(row.claimed), started: Number(row.started), ended: Number(row.ended) },
  }));
  const times = attempts.map(({ claimed, started }) => (started - claimed) / 1000);
  const ends = attempts.map(({ ended }) => ended).sort((one, other) => one - other);
  const empty = attempts.slice(CLAIM_SLOTS).map(({ started }, i) => (started - ends[i]!) / 1000);
  const what = `worktree of ${(FILES * FOLDERS).toLocaleString('en')} files`;
  const claim = { median: median(times), worst: Math.max(...times) };
  return [
    {
      measure: `batch: claim to start, ${what}`,
      must: '≤ 1.5 s',
      figure: `${claim.median.toFixed(2)} s`,
      holds: claim.worst <= 1.5,
      detail: `longest of ${CLAIMS}: ${claim.worst.toFixed(2)} s; git worktree add takes ${median(plain).toFixed(2)} s`,
    },
    {
      measure: `batch: an agent's end to the next one's start, agents of ${CLAIM_TIME} s`,
      must: '',
      figure: `${median(empty).toFixed(2)} s`,
      holds: null,
      detail: `longest of ${empty.length}: ${Math.max(...empty).toFixed(2)} s`,
    },
    {
      measure: 'batch: its beginning to the first start',
      must: '',
      figure: `${((attempts[0]!.started - began) / 1000).toFixed(2)} s`,
      holds: null,
      detail: 'nothing could be prepared yet',
    },
  ];
}

/** C27: all asked for at the same moment. */
async function worktrees(): Promise<Row> {
  using bench = new Bench(10, 20);
  bench.herd('open', bench.repository, '--', 'sleep', '1000');
  const paths = sessionPaths('bench', bench.env);
  const client = await connectClient({ socket: paths.socket, token: readFileSync(paths.token, 'utf8').trim(), version: 'bench' });
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: bench.repository, encoding: 'utf8' }).trim();
  const from = performance.now();
  const made = await Promise.allSettled(
    Array.from({ length: WORKTREES }, (_, i) =>
      client.request('worktree.add', { repository: bench.repository, branch: `herd-batch/bench/w.${i}`, commit }),
    ),
  );
  const took = (performance.now() - from) / 1000;
  client.close();
  const refused = made.find((one) => one.status === 'rejected');
  const whole = made.filter((one) => one.status === 'fulfilled' && readdirSync(one.value.path).length === 11).length;
  return {
    measure: `batch: ${WORKTREES} worktrees asked for at once`,
    must: `${WORKTREES} of ${WORKTREES}`,
    figure: `${whole} of ${WORKTREES}`,
    holds: whole === WORKTREES,
    detail: refused ? String(refused.reason) : `${took.toFixed(1)} s in all`,
  };
}

/** Keys in the board while tasks start and end and one agent has printed 50 MB, each until the row it moves to stands marked on the screen. */
async function board(): Promise<Row[]> {
  using bench = new Bench(1, 10);
  const name = (i: number) => `row-${String(i).padStart(3, '0')}`;
  const tasks = Array.from({ length: BOARD_TASKS }, (_, i) => ({
    id: name(i),
    command: ['sh', '-c', i === 0 ? 'head -c 50000000 /dev/zero; sleep 600' : i < RESTING ? 'sleep 600' : 'sleep 0.1'],
  }));
  bench.start(tasks, SLOTS);
  await bench.until(() => bench.count('attempt where ended is not null') >= 3);
  const outer = new Outer([...HERD], { cols: 160, rows: 48, cwd: bench.repository, env: bench.env });
  await outer.seen('ctrl+b');
  const opened = outer.seen(name(RESTING - 1));
  outer.write('\x02B');
  await opened;
  const times: number[] = [];
  const before = bench.count('attempt where ended is not null');
  for (let [key, at, step] = [0, 0, 1]; key < KEYS; key++) {
    if (at + step < 0 || at + step >= RESTING) step = -step;
    at += step;
    const seen = outer.seen(name(at), 2000).catch(() => Number.NaN);
    const sent = performance.now();
    outer.write(step > 0 ? '\x1b[B' : '\x1b[A');
    times.push((await seen) - sent);
    await new Promise((wait) => setTimeout(wait, 15 + (key % 5) * 10));
  }
  const ended = bench.count('attempt where ended is not null') - before;
  await outer.end();
  const seen = times.filter((time) => !Number.isNaN(time));
  const [p95, worst] = [percentile(seen, 0.95), Math.max(...seen)];
  return [
    {
      measure: `batch: key to frame of the board, ${BOARD_TASKS} tasks`,
      must: '≤ 50 ms',
      figure: `${median(seen).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
      holds: worst <= 50,
      detail: `longest of ${seen.length}: ${worst.toFixed(1)} ms, while ${ended} tasks ended`,
    },
    {
      measure: 'batch: keys whose frame came',
      must: `${KEYS} of ${KEYS}`,
      figure: `${seen.length} of ${KEYS}`,
      holds: seen.length === KEYS,
    },
  ];
}
