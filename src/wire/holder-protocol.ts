// What server and holder say to each other, as frames. It only grows: a new server must work with the oldest released holder, so
// fields are added, never changed. Offsets are u64 counts of bytes a terminal's program has written since it started.

export const HOLDER_PROTOCOL = 1;

/** Frame types. Channel is the terminal id, 0 where none is meant. JSON unless said. */
export const HolderFrame = {
  /** Both ways, first frame: HolderHello. */
  hello: 1,
  /** Server to holder: HolderRequest; answered by `reply` with the same `id`. */
  request: 2,
  reply: 3,
  /** Holder to server: HolderEvent. */
  event: 4,
  /** Holder to server, binary: u64le offset of the first byte | bytes. */
  output: 5,
  /** Server to holder, binary: u64le offset processed up to | bytes for the program (replies; often none). Both take effect as one. */
  processed: 6,
  /** Server to holder, binary: bytes for the program (what a person typed). */
  input: 7,
} as const;

export interface HolderHello {
  protocol: number;
  version: string;
  token?: string;
  pid: number;
}

export interface SpawnSpec {
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  cols: number;
  rows: number;
}

/** A terminal as the holder knows it. */
export interface HeldTerminal {
  id: number;
  argv: string[];
  cwd: string;
  pid: number;
  cols: number;
  rows: number;
  started: number;
  /** Oldest byte kept, end of the stream, and what the server reported as processed. */
  kept: number;
  end: number;
  processed: number;
  /** Last acknowledged checkpoint: its id and the offset it stands for; `kept` is never above it unless output was lost. */
  checkpoint: { id: string; offset: number } | null;
  /** Output between `from` and `to` was dropped while no server read. */
  gap: { from: number; to: number } | null;
  exit: { code: number | null; signal: string | null } | null;
}

export type HolderRequest =
  | { id: number; do: 'list' }
  /** Terminal ids are given by the server, never reused in a session. */
  | { id: number; do: 'spawn'; terminal: number; spec: SpawnSpec }
  /** Starts `output` frames from `from` (≥ kept). */
  | { id: number; do: 'follow'; terminal: number; from: number }
  | { id: number; do: 'resize'; terminal: number; cols: number; rows: number }
  /** The checkpoint with this id is safely on disk: trim below `offset`. */
  | { id: number; do: 'checkpoint'; terminal: number; checkpoint: string; offset: number }
  /** Writes (base64) only if the PTY's foreground process group is `group`, checked right before. */
  | { id: number; do: 'write-if-foreground'; terminal: number; group: number; bytes: string }
  | { id: number; do: 'foreground'; terminal: number }
  /** SIGHUP and SIGTERM to the terminal's process session, SIGKILL after `grace` ms; answered when all that can be ended has ended. */
  | { id: number; do: 'kill'; terminal: number; grace: number }
  | { id: number; do: 'signal'; terminal: number; signal: string }
  /** The exit has been read and stored: drop the terminal. */
  | { id: number; do: 'forget'; terminal: number }
  /** Start the server anew when this connection closes. */
  | { id: number; do: 'restart-server' }
  /** End every terminal, then the holder. */
  | { id: number; do: 'stop'; grace: number };

export type HolderReply =
  | { id: number; error: string }
  | {
      id: number;
      error?: undefined;
      terminals?: HeldTerminal[];
      terminal?: HeldTerminal;
      /** write-if-foreground: false when another group was in front (nothing was written). */
      written?: boolean;
      group?: number | null;
      leftovers?: { pid: number; command: string }[];
    };

export type HolderEvent =
  /** After the last output frame. */
  | { event: 'exit'; terminal: number; code: number | null; signal: string | null; end: number }
  | { event: 'gap'; terminal: number; from: number; to: number };
