// Figures of a run: medians and percentiles, processes' CPU and memory from /proc, and the table at the end.
import { readdirSync, readFileSync } from 'node:fs';

export interface Row {
  measure: string;
  /** What it must reach, as printed. */
  must: string;
  figure: string;
  /** Compared value, where there is one; the bench never fails on it, it prints. */
  holds: boolean | null;
  detail?: string;
}

export const median = (values: number[]): number => percentile(values, 0.5);

/** The value below which `share` of the values lie; NaN of none. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** CPU seconds (user and system) that process `pid` has used; clock ticks are 1/100 s on Linux. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Memory of process `pid` that is its own, MB: PSS where the kernel tells, else RSS. */
export function memoryMb(pid: number): number {
  const kb = (file: string, key: string): number | null => {
    try {
      const match = new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'));
      return match ? Number(match[1]) : null;
    } catch {
      return null;
    }
  };
  return (kb('smaps_rollup', 'Pss') ?? kb('status', 'VmRSS') ?? 0) / 1024;
}

/** Processes whose command line holds every one of `words`. */
export function pidsOf(...words: string[]): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return words.every((word) => line.includes(word));
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** The rows as a Markdown table. */
export function table(rows: Row[]): string {
  const mark = (holds: boolean | null): string => (holds === null ? '' : holds ? 'yes' : '**no**');
  const lines = rows.map((r) => `| ${r.measure} | ${r.figure} | ${r.must} | ${mark(r.holds)} | ${r.detail ?? ''} |`);
  return ['| measure | figure | must | holds | detail |', '|---|---|---|---|---|', ...lines].join('\n');
}
