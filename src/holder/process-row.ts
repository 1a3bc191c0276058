// A process as the system shows it, and what can be asked of the system. Plain data.

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
  /** The same for entries that begin with `start` and are not `but`. */
  withEnvironmentLike(start: string, but: string): number[];
}
