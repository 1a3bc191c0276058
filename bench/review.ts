// The diff pane on the workloads of docs/review.md: first frame, a line, a page, a refresh, memory, rest. Wall times mean something only on a
// machine at rest; CPU and bytes always do.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuSeconds, median, memoryMb, percentile, type Row } from './figures.ts';
import { environment, HERD, herd } from './hosts.ts';
import { Outer } from './outer.ts';
import { makeWorkload, WORKLOADS, type Workload } from './review-workloads.ts';

const SIZE = { cols: 160, rows: 48 };
/** ms without a byte after which a key's effect counts as whole. */
const SETTLED = 60;
/** ms without a byte after which a start counts as coloured and quiet: the colours come up to half a second after the text. */
const QUIET = 1200;
/** ms without a tick of CPU, of which there are a hundred a second, after which what a key began counts as done. */
const CALM = 800;
/** ms after which a key that drew nothing is taken for one at the end of the stream. */
const NO_EFFECT = 250;
const STARTS = 3;
const STEPS = 30;
const PAGES = 15;
const REFRESHES = 5;
/** Refreshes over which memory must stay flat, on the workload with the most files. */
const MANY_REFRESHES = 100;
const WARM_REFRESHES = 25;

export async function reviews(): Promise<Row[]> {
  const rows: Row[] = [];
  const wanted = process.env.HERD_BENCH_WORKLOAD;
  for (const [i, workload] of WORKLOADS.entries()) {
    if (wanted && workload.name !== wanted) continue;
    process.stderr.write(`  ${workload.name}\n`);
    const measured = await measure(workload, `opened${i}x`);
    for (const { measure: what, figure, detail } of measured) process.stderr.write(`    ${what}: ${figure} (${detail ?? ''})\n`);
    rows.push(...measured);
  }
  return rows;
}

async function measure(workload: Workload, mark: string): Promise<Row[]> {
  const home = mkdtempSync(join(tmpdir(), 'herd-bench-'));
  const repository = join(home, 'work');
  makeWorkload(workload, repository, mark);
  herd(home, 'open', home);
  const empty = memoryMb(Number(herd(home, 'server', 'pid')));
  herd(home, 'open', repository);
  try {
    const starts = await startTimes(home, repository, mark);
    const opened = await openTimes(home, mark);
    const client = attach(home, repository);
    await client.seen(mark, 60_000);
    await client.settled(1500);
    client.write('\x02\t');
    await client.settled();
    if (workload.keys) {
      client.write(workload.keys);
      await calm(client);
    }
    const step = await keys(client, 'j', STEPS);
    // The first ones also pay for the compiling of what they run.
    const later = await keys(client, 'j', STEPS);
    const page = await keys(client, ' ', PAGES);
    client.write('g');
    await client.settled();
    const refresh = await refreshes(client, repository, workload, REFRESHES);
    const memory = workload.name === '1,000 files' ? await steadiness(client, home, repository, workload, empty) : [];
    const rest = await idle(client);
    const size = memoryMb(client.pty.pid);
    await client.end();
    return [...rowsOf(workload.name, { starts, opened, step, later, page, refresh, rest, size }), ...memory];
  } finally {
    herd(home, 'server', 'stop', '--yes');
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

function attach(home: string, repository: string): Outer {
  return new Outer([...HERD, repository, '--session', 'bench'], { ...SIZE, cwd: repository, env: environment({ HERD_DIR: home }) });
}

interface Starts {
  wall: number[];
  cpu: number[];
  /** Until the last byte of the coloured frame, ms. */
  quiet: number[];
}

/** From the start of the client's process until the first change is on the terminal, ms; and its CPU until then, ms. */
async function startTimes(home: string, repository: string, mark: string): Promise<Starts> {
  const times: Starts = { wall: [], cpu: [], quiet: [] };
  for (let i = 0; i < STARTS; i++) {
    const start = performance.now();
    const client = attach(home, repository);
    times.wall.push((await client.seen(mark, 60_000)) - start);
    times.cpu.push(cpuSeconds(client.pty.pid) * 1000);
    await client.settled(QUIET);
    times.quiet.push(client.last - start);
    await client.end();
  }
  return times;
}

interface Opened {
  /** Until the first change is on the terminal, ms. */
  wall: number[];
  /** Until the last byte of the coloured frame, ms. */
  quiet: number[];
}

/** From the key that opens the workspace in a client that shows another one. */
async function openTimes(home: string, mark: string): Promise<Opened> {
  const times: Opened = { wall: [], quiet: [] };
  for (let i = 0; i < STARTS; i++) {
    const client = attach(home, home);
    await client.settled(1500);
    const start = performance.now();
    const seen = client.seen(mark, 60_000);
    client.write('\x022');
    times.wall.push((await seen) - start);
    await client.settled(QUIET);
    times.quiet.push(client.last - start);
    await client.end();
  }
  return times;
}

/** Waits until the client has nothing left to do: what comes in below the window draws nothing. */
async function calm(client: Outer): Promise<void> {
  for (let before = -1; before !== cpuSeconds(client.pty.pid); ) {
    before = cpuSeconds(client.pty.pid);
    await new Promise((resolve) => setTimeout(resolve, CALM));
  }
}

interface KeyTimes {
  first: number[];
  last: number[];
  /** A press. */
  cpu: number;
  bytes: number;
}

async function keys(client: Outer, key: string, count: number): Promise<KeyTimes> {
  const times: KeyTimes = { first: [], last: [], cpu: 0, bytes: 0 };
  const [cpu, bytes] = [cpuSeconds(client.pty.pid), client.bytes];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    if (!(await draws(client, key))) {
      // At the end of the stream there is nothing to draw: on from its beginning, once that has been drawn.
      await draws(client, 'g');
      await client.settled();
      continue;
    }
    times.first.push(client.last - start);
    while (performance.now() - client.last < SETTLED) await new Promise((resolve) => setTimeout(resolve, 5));
    times.last.push(client.last - start);
  }
  times.cpu = ((cpuSeconds(client.pty.pid) - cpu) * 1000) / count;
  times.bytes = (client.bytes - bytes) / count;
  return times;
}

/** Presses a key; whether anything is drawn for it, once its first byte is there. */
async function draws(client: Outer, key: string): Promise<boolean> {
  const [start, before] = [performance.now(), client.bytes];
  client.write(key);
  while (client.bytes === before && performance.now() - start < NO_EFFECT) await new Promise((resolve) => setTimeout(resolve, 1));
  return client.bytes !== before;
}

/** From a write to the first file until its new text is on the terminal, ms. `from`: how many there were before. */
async function refreshes(client: Outer, repository: string, workload: Workload, count: number, from = 0): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    // No letter stands where it stood the time before, so that the whole word is written.
    const word = 'abcdefgh'[(from + i) % 8]!.repeat(8);
    const [first] = workload.files(word);
    const start = performance.now();
    const seen = client.seen(word, 30_000);
    writeFileSync(join(repository, first!.path), first!.after);
    times.push((await seen) - start);
    await client.settled(SETTLED * 4);
  }
  return times;
}

/** What the client takes, and the server more than `empty` MiB, over many refreshes. */
async function steadiness(client: Outer, home: string, repository: string, workload: Workload, empty: number): Promise<Row[]> {
  const server = Number(herd(home, 'server', 'pid'));
  const total = () => memoryMb(client.pty.pid) + memoryMb(server) - empty;
  // The first ones fill caches and warm the compiler.
  await refreshes(client, repository, workload, WARM_REFRESHES, REFRESHES);
  const before = total();
  await refreshes(client, repository, workload, MANY_REFRESHES, REFRESHES + WARM_REFRESHES);
  const after = total();
  const grown = after - before;
  const figure = `${after.toFixed(0)} MiB, ${grown >= 0 ? '+' : ''}${grown.toFixed(0)} in ${MANY_REFRESHES} refreshes`;
  return [
    {
      measure: `${workload.name}: client and server`,
      must: '≤ 150 MiB beyond an empty server, flat',
      figure,
      holds: after <= 150 && grown <= 15,
    },
  ];
}

async function idle(client: Outer): Promise<{ cpu: number; bytes: number }> {
  await client.settled(1500);
  const [cpu, bytes] = [cpuSeconds(client.pty.pid), client.bytes];
  await new Promise((resolve) => setTimeout(resolve, 3000));
  return { cpu: (cpuSeconds(client.pty.pid) - cpu) * 1000, bytes: client.bytes - bytes };
}

interface Measured {
  starts: Starts;
  opened: Opened;
  step: KeyTimes;
  later: KeyTimes;
  page: KeyTimes;
  refresh: number[];
  rest: { cpu: number; bytes: number };
  size: number;
}

function coloured(name: string, from: string, times: number[]): Row {
  const best = Math.min(...times);
  return {
    measure: `${name}: coloured and quiet, ${from}`,
    must: '≤ 400 ms',
    figure: `${best.toFixed(0)} ms`,
    holds: best <= 400,
    detail: `median ${median(times).toFixed(0)} ms`,
  };
}

function rowsOf(name: string, { starts, opened, step, later, page, refresh, rest, size }: Measured): Row[] {
  const ms = (value: number) => value.toFixed(value < 10 ? 1 : 0);
  const load = `load ${loadavg()[0]!.toFixed(0)}`;
  const frame = Math.min(...starts.wall);
  return [
    {
      measure: `${name}: first frame, from the client's start`,
      must: '≤ 150 ms',
      figure: `${ms(frame)} ms`,
      holds: frame <= 150,
      detail: `median ${ms(median(starts.wall))} ms, CPU ${ms(Math.min(...starts.cpu))} ms, ${load}`,
    },
    {
      measure: `${name}: first frame, opened in a client`,
      must: '≤ 150 ms',
      figure: `${ms(Math.min(...opened.wall))} ms`,
      holds: Math.min(...opened.wall) <= 150,
      detail: `median ${ms(median(opened.wall))} ms, ${load}`,
    },
    coloured(name, "from the client's start", starts.quiet),
    coloured(name, 'opened in a client', opened.quiet),
    {
      measure: `${name}: line down`,
      must: 'p95 ≤ 16 ms, CPU ≤ 5 ms',
      figure: `${ms(median(later.first))} / ${ms(percentile(later.first, 0.95))} ms, CPU ${ms(later.cpu)} ms`,
      holds: percentile(later.first, 0.95) <= 16 && later.cpu <= 5,
      detail: `${step.bytes.toFixed(0)} bytes, ${load}; the first ${STEPS} after a start: ${ms(median(step.first))} / ${ms(percentile(step.first, 0.95))} ms, CPU ${ms(step.cpu)} ms`,
    },
    {
      measure: `${name}: page down, to the last byte`,
      must: '≤ 16 ms, ≤ 8 KB',
      figure: `${ms(median(page.last))} / ${ms(percentile(page.last, 0.95))} ms, ${(page.bytes / 1000).toFixed(1)} KB`,
      holds: median(page.last) <= 16 && page.bytes <= 8000,
      detail: `first byte ${ms(median(page.first))} ms, CPU ${ms(page.cpu)} ms`,
    },
    { measure: `${name}: refresh`, must: '≤ 300 ms', figure: `${ms(median(refresh))} ms`, holds: median(refresh) <= 300, detail: load },
    {
      measure: `${name}: rest for 3 s`,
      must: '0 bytes, CPU ≤ 10 ms',
      figure: `${ms(rest.cpu)} ms CPU, ${rest.bytes} bytes`,
      holds: rest.bytes === 0 && Math.round(rest.cpu) <= 10,
      detail: `client ${size.toFixed(0)} MiB`,
    },
  ];
}
