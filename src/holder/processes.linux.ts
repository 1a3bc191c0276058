// Processes by /proc. A process that vanishes while it is read is simply not there.
import { readdirSync, readFileSync } from 'node:fs';
import type { ProcessRow } from './process-row.ts';

/** Fields of /proc/PID/stat; null when malformed. The name in parentheses may hold anything, parentheses and blanks too. */
export function parseStat(text: string): (Omit<ProcessRow, 'command'> & { foreground: number; name: string }) | null {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  if (open < 0 || close < open) return null;
  const rest = text.slice(close + 2).split(' ');
  const [parent, group, session, , foreground] = rest.slice(1, 6).map(Number);
  const pid = Number.parseInt(text, 10);
  if (![pid, parent, group, session, foreground].every(Number.isSafeInteger)) return null;
  return {
    pid,
    parent: parent!,
    group: group!,
    session: session!,
    foreground: foreground!,
    zombie: rest[0] === 'Z' || rest[0] === 'X',
    name: text.slice(open + 1, close),
  };
}

/** The process group in front of the terminal that `pid` has; null when it has none. */
export function foregroundGroup(pid: number): number | null {
  const row = parseStat(read(`/proc/${pid}/stat`));
  return row && row.foreground > 0 ? row.foreground : null;
}

/** All processes that can be read. */
export function list(): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const pid of pids()) {
    const row = parseStat(read(`/proc/${pid}/stat`));
    if (row) rows.push({ ...row, command: commandLine(pid) || row.name });
  }
  return rows;
}

/** Processes that were started with exactly this `NAME=value` in their environment. */
export function withEnvironment(entry: string): number[] {
  return pids().filter((pid) => read(`/proc/${pid}/environ`).split('\0').includes(entry));
}

/** The same for an entry that begins with `start` and not with `but`. */
export function withEnvironmentLike(start: string, but: string): number[] {
  const matches = (entry: string) => entry.startsWith(start) && !entry.startsWith(but);
  return pids().filter((pid) => read(`/proc/${pid}/environ`).split('\0').some(matches));
}

function pids(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isSafeInteger);
}

function commandLine(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
