// Throughput: how long until the end of a flood is on the screen, and how many bytes the outer terminal had to take for it.
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuSeconds, median, type Row } from './figures.ts';
import { type Hosted, type HostName, startHost } from './hosts.ts';

/** Letters that stand in no flood and no chrome, so that every multiplexer writes them in one piece. */
const MARK = 'ЖЩЮЯ';
const ROUNDS = 3;

interface Result {
  ms: number;
  out: number;
  cpu: number;
}

/** Runs `script` (sh, prints the flood) in the host after a key, until the mark behind it is on the outer screen; checks the last rows. */
export async function run(name: HostName, script: string, expect: string): Promise<Result> {
  const host = await startHost(name, ['sh', '-c', `read go; ${script}; printf '\\n%s%s\\n' ЖЩ ЮЯ; sleep 1000`]);
  try {
    return await measure(name, host, expect);
  } finally {
    await host.stop();
  }
}

async function measure(name: HostName, host: Hosted, expect: string): Promise<Result> {
  await host.outer.settled(800);
  const pids = host.pids();
  const cpu0 = pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const bytes0 = host.outer.bytes;
  const seen = host.outer.seen(MARK, 120_000);
  const start = performance.now();
  host.outer.write('\r');
  const ms = (await seen) - start;
  const cpu = pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0) - cpu0;
  const out = host.outer.bytes - bytes0;
  if (name !== 'raw') {
    const rows = await host.outer.repainted();
    const at = rows.findIndex((row) => row.includes(MARK));
    if (at < 1 || !rows.slice(0, at).some((row) => row.includes(expect)))
      throw new Error(`${name}: the last rows are not what was printed:\n${rows.join('\n')}`);
  }
  return { ms, out, cpu };
}

/** A coloured log of `megabytes`; returns the file and its last line without colours. */
function writeLog(file: string, megabytes: number): string {
  const levels = ['\x1b[32mINFO\x1b[0m', '\x1b[33mWARN\x1b[0m', '\x1b[1;31mERROR\x1b[0m', '\x1b[2mDEBUG\x1b[0m'];
  const fd = openSync(file, 'w');
  let size = 0;
  let i = 0;
  let line = '';
  while (size < megabytes * 1e6) {
    let block = '';
    for (let k = 0; k < 500; k++) {
      i++;
      const at = `${String(i % 60).padStart(2, '0')}.${String(i % 1000).padStart(3, '0')}`;
      line = `\x1b[90m2026-11-30T00:00:${at}Z\x1b[39m ${levels[i % 4]} \x1b[36mmodule::sub${i % 17}\x1b[39m request \x1b[38;5;${i % 256}m#${i}\x1b[0m path=\x1b[4m/api/v1/items/${(i * 7) % 1000}\x1b[24m took \x1b[38;2;${i % 255};120;80m${i % 900}ms\x1b[0m`;
      block += `${line}\n`;
    }
    size += writeSync(fd, block);
  }
  closeSync(fd);
  return `request #${i} path=`;
}

async function compare(script: string, expect: string, input: number): Promise<{ ratio: number; out: number; detail: string }> {
  const names: HostName[] = ['raw', 'tmux', 'herd'];
  const results = new Map<HostName, Result[]>(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) for (const name of names) results.get(name)!.push(await run(name, script, expect));
  const of = (name: HostName, key: keyof Result): number => median(results.get(name)!.map((r) => r[key]));
  const share = (name: HostName): string => `${((100 * of(name, 'out')) / input).toFixed(1)} %`;
  return {
    ratio: of('herd', 'ms') / of('tmux', 'ms'),
    out: of('herd', 'out') / input,
    detail: names.map((n) => `${n} ${Math.round(of(n, 'ms'))} ms, cpu ${of(n, 'cpu').toFixed(1)} s, out ${share(n)}`).join('; '),
  };
}

export async function floods(): Promise<Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'herd-bench-log-'));
  const log = join(dir, 'log');
  const last = writeLog(log, 50);
  const seq = await compare('seq 1 2000000', '2000000', 14_888_896);
  const colour = await compare(`cat ${log}`, last, 50e6);
  rmSync(dir, { recursive: true });
  return [
    {
      measure: 'seq 1 2000000, herd / tmux',
      must: '≤ 1.2x (first bar 1.6x)',
      figure: `${seq.ratio.toFixed(2)}x`,
      holds: seq.ratio <= 1.2,
      detail: seq.detail,
    },
    {
      measure: '50 MB colour log, herd / tmux',
      must: '≤ 0.7x (first bar 1.0x)',
      figure: `${colour.ratio.toFixed(2)}x`,
      holds: colour.ratio <= 0.7,
      detail: colour.detail,
    },
    { measure: 'bytes to the tty, colour log', must: '≤ 5 %', figure: `${(100 * colour.out).toFixed(2)} %`, holds: colour.out <= 0.05 },
  ];
}
