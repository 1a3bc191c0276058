// What the system says about processes, for both systems herd runs on: who is in front of a terminal, who belongs to it.
import * as darwin from './processes.darwin.ts';
import * as linux from './processes.linux.ts';

export interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
  /** Process session: the pid of its leader. On macOS the group of the terminal's leader stands for it where `ps` does not say. */
  session: number;
  zombie: boolean;
  command: string;
}

export interface Processes {
  /** The foreground process group of the terminal that `pid` has as its controlling one; null when there is none. */
  foregroundGroup(pid: number): number | null;
  list(): ProcessRow[];
  /** Pids of this user's processes that have `entry` ('NAME=value') in their environment. */
  withEnvironment(entry: string): number[];
}

export const processes: Processes = process.platform === 'darwin' ? darwin : linux;
