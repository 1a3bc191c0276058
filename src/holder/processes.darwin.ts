// Processes by macOS's `ps`: its output has no fixed width, so columns are asked for without headings and cut at blanks.
import { execFileSync } from 'node:child_process';
import type { ProcessRow } from './process-row.ts';

/** Time for `ps`, ms: it takes some 10; without an answer nothing is written or ended. */
const PS_TIMEOUT = 2000;

/** The group in the output of `ps -o tpgid= -p PID`; 0 and -1 mean no terminal. */
export function parseForeground(text: string): number | null {
  const group = Number.parseInt(text.trim(), 10);
  return Number.isSafeInteger(group) && group > 0 ? group : null;
}

/** Rows of `ps -axo pid=,ppid=,pgid=,tty=,stat=,command=`. `ps` prints no session there: it is found by the terminal's leader. */
export function parseRows(text: string): ProcessRow[] {
  const rows = text
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(.*)$/.exec(line))
    .filter((m) => m !== null)
    .map((m) => ({
      pid: Number(m[1]),
      parent: Number(m[2]),
      group: Number(m[3]),
      tty: m[4]!,
      leader: m[5]!.includes('s'),
      zombie: m[5]!.startsWith('Z'),
      command: m[6]!,
    }));
  const leaders = new Map(rows.filter((row) => row.leader && row.tty !== '??').map((row) => [row.tty, row.pid]));
  return rows.map(({ tty, leader, ...row }) => ({ ...row, session: leader ? row.pid : (leaders.get(tty) ?? row.group) }));
}

/** Pids in the output of `ps -axEww -o pid=,command=` whose environment (appended to the command) has `entry`. */
export function parseEnvironment(text: string, entry: string): number[] {
  return text
    .split('\n')
    .filter((line) => ` ${line} `.includes(` ${entry} `))
    .map((line) => Number.parseInt(line.trim(), 10))
    .filter(Number.isSafeInteger);
}

/** The same for words that begin with `start` and not with `but`. */
export function parseEnvironmentLike(text: string, start: string, but: string): number[] {
  return text
    .split('\n')
    .filter((line) => line.split(' ').some((word) => word.startsWith(start) && !word.startsWith(but)))
    .map((line) => Number.parseInt(line.trim(), 10))
    .filter(Number.isSafeInteger);
}

export function foregroundGroup(pid: number): number | null {
  return parseForeground(ps(['-o', 'tpgid=', '-p', String(pid)]));
}

export function list(): ProcessRow[] {
  return parseRows(ps(['-axo', 'pid=,ppid=,pgid=,tty=,stat=,command=']));
}

export function withEnvironment(entry: string): number[] {
  return parseEnvironment(ps(['-axEww', '-o', 'pid=,command=']), entry);
}

export function withEnvironmentLike(start: string, but: string): number[] {
  return parseEnvironmentLike(ps(['-axEww', '-o', 'pid=,command=']), start, but);
}

function ps(args: string[]): string {
  try {
    return execFileSync('/bin/ps', args, { encoding: 'utf8', timeout: PS_TIMEOUT, stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}
