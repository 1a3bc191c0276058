// Many terminals: memory of each, CPU of two hundred that chatter, CPU of twenty that are silent.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuSeconds, memoryMb, pidsOf, type Row } from './figures.ts';
import { COLS, environment, HERD, herd, ROWS } from './hosts.ts';
import { Outer } from './outer.ts';

const CHATTERING = 200;
const FILLED = 50;
const SILENT = 20;
/** Time over which CPU is taken, s. */
const WINDOW = 15;

/** Time after which a start is over, s: some ten seconds later V8 still collects what it left. */
const SETTLED = 20;

/** 512 bytes of redraw ten times a second: 5 KB/s, as a working agent's spinner and text. */
const CHATTER = `#!/usr/bin/perl
$| = 1; my $i = 0;
while (1) { $i++; my $s = "\\e[2;1H\\e[K\\e[38;5;" . ($i % 200) . "mThinking ($i s)\\e[m"; $s .= "\\e[" . (4 + $i % 30) . ";1H" . ("word $i " x 40); print substr($s, 0, 512); select(undef, undef, undef, 0.1); }
`;

const processes = (): number[] => [...pidsOf(HERD[1]!, 'holder', 'bench'), ...pidsOf(HERD[1]!, 'server', 'bench')];
const sum = (values: number[]): number => values.reduce((a, b) => a + b, 0);
const wait = (seconds: number): Promise<void> => new Promise((r) => setTimeout(r, seconds * 1000));

/** CPU share of herd's processes over the window, percent of one core. */
async function cpuShare(pids: number[]): Promise<number> {
  const before = sum(pids.map(cpuSeconds));
  const start = performance.now();
  await wait(WINDOW);
  return (100 * (sum(pids.map(cpuSeconds)) - before)) / ((performance.now() - start) / 1000);
}

async function inSession<T>(measure: (dir: string, attach: () => Outer) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'herd-bench-'));
  herd(dir, 'run', '--detach', '--', 'sleep', '1000');
  try {
    return await measure(
      dir,
      () => new Outer([...HERD, '--session', 'bench'], { cols: COLS, rows: ROWS, cwd: dir, env: environment({ HERD_DIR: dir }) }),
    );
  } finally {
    herd(dir, 'server', 'stop', '--yes');
    rmSync(dir, { recursive: true, force: true });
  }
}

export async function scale(): Promise<Row[]> {
  return [await memory(), await chatter(), await silence()];
}

async function memory(): Promise<Row> {
  return inSession(async (dir) => {
    await wait(2);
    const before = sum(processes().map(memoryMb));
    const line = `awk 'BEGIN { for (i = 0; i < 3000; i++) printf "\\033[3%dm%s %d\\033[m\\n", i % 8, "a line of text that fills a good part of the row, as a transcript does", i }'; sleep 1000`;
    for (let i = 0; i < FILLED; i++) herd(dir, 'run', '--detach', '--', 'sh', '-c', line);
    await wait(5);
    const each = (sum(processes().map(memoryMb)) - before) / FILLED;
    return {
      measure: 'memory per terminal, 3,000 lines',
      must: '≤ 3.5 MB (first bar 4)',
      figure: `${each.toFixed(2)} MB`,
      holds: each <= 3.5,
      detail: `${before.toFixed(0)} MB with none`,
    };
  });
}

async function chatter(): Promise<Row> {
  return inSession(async (dir, attach) => {
    const script = join(dir, 'chatter.pl');
    writeFileSync(script, CHATTER);
    for (let i = 0; i < CHATTERING; i++) herd(dir, 'run', '--detach', '--', 'perl', script);
    const outer = attach();
    await wait(5);
    const share = await cpuShare(processes());
    await outer.end();
    return {
      measure: '200 terminals at 5 KB/s',
      must: '≤ 15 % of a core (first bar 30 %)',
      figure: `${share.toFixed(1)} %`,
      holds: share <= 15,
    };
  });
}

async function silence(): Promise<Row> {
  return inSession(async (dir, attach) => {
    for (let i = 1; i < SILENT; i++) herd(dir, 'run', '--detach', '--', 'sleep', '1000');
    const outer = attach();
    await wait(SETTLED);
    const share = await cpuShare([...processes(), outer.pty.pid]);
    await outer.end();
    return { measure: '20 silent panes, client attached', must: '< 0.5 % CPU', figure: `${share.toFixed(2)} %`, holds: share < 0.5 };
  });
}
