// Ends everything that runs in a terminal: asks, waits, then kills. Processes that left the terminal's process session are never
// killed, they are named.
import type { Leftover } from '../wire/holder-protocol.ts';
import type { Processes, ProcessRow } from './process-row.ts';

/** Pause between looks while processes end, ms. */
const LOOK_EVERY = 50;
/** Time for the kernel to do away with killed processes, ms; one in uninterruptible sleep can take longer and is then named. */
const KILL_TIME = 2000;

export interface EndingTerminal {
  /** Pid of the program that was started: leader of the terminal's process session. */
  leader: number;
  /** That program has been reaped: its number may belong to somebody else, only processes with `mark` count. */
  reaped(): boolean;
  /** 'NAME=value' in the environment of all that was started in this terminal. */
  mark: string;
  /** ms between the asking signals and SIGKILL. */
  grace: number;
}

export interface System {
  processes: Processes;
  signal(pid: number, signal: NodeJS.Signals): void;
  wait(ms: number): Promise<void>;
  /** ms on a clock that never jumps. */
  now(): number;
}

/** Resolves with what still lives and belongs to the terminal by descent or by its mark. */
export async function endTerminal(terminal: EndingTerminal, system: System): Promise<Leftover[]> {
  const kin = descendants(system.processes.list(), terminal.leader);
  const members = () => sessionMembers(terminal, system.processes);
  for (const { pid } of members()) for (const signal of ['SIGHUP', 'SIGTERM', 'SIGCONT'] as const) system.signal(pid, signal);
  await untilGone(members, terminal.grace, system);
  const deadline = KILL_TIME / LOOK_EVERY;
  for (let look = 0; look < deadline; look++) {
    const left = members();
    if (left.length === 0) break;
    for (const { pid } of left) system.signal(pid, 'SIGKILL');
    await system.wait(LOOK_EVERY);
  }
  return leftovers(kin, terminal, system.processes);
}

async function untilGone(members: () => ProcessRow[], time: number, system: System): Promise<void> {
  for (let waited = 0; waited < time && members().length > 0; waited += LOOK_EVERY) await system.wait(LOOK_EVERY);
}

function sessionMembers(terminal: EndingTerminal, processes: Processes): ProcessRow[] {
  const rows = processes.list().filter((row) => row.session === terminal.leader && !row.zombie);
  if (rows.length === 0 || !terminal.reaped()) return rows;
  const marked = new Set(processes.withEnvironment(terminal.mark));
  return rows.filter((row) => marked.has(row.pid));
}

/** `leader`'s descendants, itself left out, as pid to command. */
function descendants(rows: ProcessRow[], leader: number): Map<number, string> {
  const found = new Map<number, string>();
  const parents = new Set([leader]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const row of rows) {
      if (!parents.has(row.parent) || parents.has(row.pid)) continue;
      parents.add(row.pid);
      found.set(row.pid, row.command);
      grown = true;
    }
  }
  return found;
}

/** The command must be the one seen before: a pid alone may have been given away since. */
function leftovers(kin: Map<number, string>, terminal: EndingTerminal, processes: Processes): Leftover[] {
  const marked = new Set(processes.withEnvironment(terminal.mark));
  return processes
    .list()
    .filter((row) => !row.zombie && (marked.has(row.pid) || kin.get(row.pid) === row.command))
    .map(({ pid, command }) => ({ pid, command }));
}
