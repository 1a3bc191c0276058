// What server and holder say to each other, as frames. It only grows: a new server must work with the oldest released holder, so
// fields are added, never changed. Offsets are counts of bytes a terminal's program has written since it started.

export const HOLDER_PROTOCOL = 1;

/** Frame types. Channel is the terminal id, 0 where none is meant. JSON unless said. The first four are the same on every link. */
export const HolderFrame = {
  /** Both ways, first frame: Hello; role 'server' (one at a time) or 'control' (commands that need no server). */
  hello: 1,
  /** To the holder: HolderRequest; answered by `reply` with the same `id`. */
  request: 2,
  reply: 3,
  /** From the holder: HolderEvent. */
  event: 4,
  /** Holder to server, binary: u64le offset of the first byte | bytes. */
  output: 5,
  /**
   * Server to holder, binary: u64le offset parsed up to | bytes for the program (replies; often none). Both take effect as one. Also sent
   * for bytes parsed again while priming: it opens the window for more output.
   */
  processed: 6,
  /** Server to holder, binary: bytes for the program (what a person typed). */
  input: 7,
} as const;

export interface SpawnSpec {
  /** The program (by PATH of `env`, or a path relative to `cwd`) and its arguments. */
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  cols: number;
  rows: number;
  /** What the server calls it, given back by `list`: it finds its own again after a death. */
  tag?: string;
}

/** A terminal as the holder knows it. */
export interface HeldTerminal {
  id: number;
  tag?: string;
  argv: string[];
  cwd: string;
  pid: number;
  cols: number;
  rows: number;
  /** ms since the epoch. */
  started: number;
  /** Oldest byte kept, end of the stream, and what the server reported as processed. */
  kept: number;
  end: number;
  processed: number;
  /** Last acknowledged checkpoint: its id and the offset it stands for; `kept` is never above it unless output was lost. */
  checkpoint: { id: string; offset: number } | null;
  /** Output between the checkpoint (or the start) and `to` was dropped, from `from` on, because nobody read or acknowledged it. */
  gap: { from: number; to: number } | null;
  exit: ExitState | null;
}

export interface ExitState {
  code: number | null;
  signal: string | null;
}

export type HolderRequest =
  | { id: number; do: 'list' }
  /** Processes that an earlier holder of the session had started and that outlived it, as `leftovers`. */
  | { id: number; do: 'strays' }
  /** Terminal ids are given by the server, never reused in a session. */
  | { id: number; do: 'spawn'; terminal: number; spec: SpawnSpec }
  /** Starts `output` frames and `resized` events from `from` (kept ≤ from ≤ end). The reply has the size the terminal had at `from`. */
  | { id: number; do: 'follow'; terminal: number; from: number }
  /** Takes effect at once; the screen changes its size where the `resized` event stands in the output. */
  | { id: number; do: 'resize'; terminal: number; cols: number; rows: number }
  /** The checkpoint with this id is safely on disk: trim below `offset`. */
  | { id: number; do: 'checkpoint'; terminal: number; checkpoint: string; offset: number }
  /** Writes (base64) only if the PTY's foreground process group is `group`, checked right before. */
  | { id: number; do: 'write-if-foreground'; terminal: number; group: number; bytes: string }
  | { id: number; do: 'foreground'; terminal: number }
  /** SIGHUP and SIGTERM to the terminal's process session, SIGKILL after `grace` ms; answered when all that can be ended has ended. */
  | { id: number; do: 'kill'; terminal: number; grace: number }
  /** To the foreground process group. */
  | { id: number; do: 'signal'; terminal: number; signal: string }
  /** The exit has been read and stored: drop the terminal. Refused while its program lives. */
  | { id: number; do: 'forget'; terminal: number }
  /** End the server (SIGTERM, SIGKILL after a while) and start it anew, from what is on disk now. */
  | { id: number; do: 'restart-server' }
  /** End every terminal, then the server, then the holder; answered before the last two. */
  | { id: number; do: 'stop'; grace: number };

/** A process that outlives what was ended. */
export interface Leftover {
  pid: number;
  command: string;
}

export type HolderReply =
  | { id: number; error: string }
  | {
      id: number;
      error?: undefined;
      terminals?: HeldTerminal[];
      terminal?: HeldTerminal;
      /** Highest terminal id this holder has ever been given. */
      highest?: number;
      /** Pid of the server that the holder has started; null while there is none. */
      server?: number | null;
      cols?: number;
      rows?: number;
      /** write-if-foreground: false when another group was in front (nothing was written). */
      written?: boolean;
      group?: number | null;
      leftovers?: Leftover[];
    };

export type HolderEvent =
  /** After the last output frame. */
  | { event: 'exit'; terminal: number; code: number | null; signal: string | null; end: number }
  /** In order with the output frames: from this offset on the terminal has this size. */
  | { event: 'resized'; terminal: number; offset: number; cols: number; rows: number };

/**
 * Bytes parsed that need not be reported at once, a screenful: so little output is an echo or a redraw, of which people wait for the screen.
 * While no more than this is unreported the holder sends what comes at once.
 */
export const QUIET = 4 * 1024;

/** Bytes of the offset before the bytes of `output` and `processed`. */
export const OFFSET_BYTES = 8;
/** What the upper half of an offset counts. Both halves as numbers: a BigInt is an object, and each piece of output has an offset. */
const HIGH = 2 ** 32;

/** Start of the payload of an `output` or `processed` frame: its bytes follow. */
export function encodeOffset(offset: number): Buffer {
  const payload = Buffer.allocUnsafe(OFFSET_BYTES);
  payload.writeUInt32LE(offset % HIGH, 0);
  payload.writeUInt32LE(Math.floor(offset / HIGH), 4);
  return payload;
}

/** Offset and bytes (a view) of an `output` or `processed` payload; null when malformed. */
export function decodeStretch(payload: Buffer): { offset: number; bytes: Buffer } | null {
  if (payload.length < OFFSET_BYTES) return null;
  const offset = payload.readUInt32LE(4) * HIGH + payload.readUInt32LE(0);
  return Number.isSafeInteger(offset) ? { offset, bytes: payload.subarray(OFFSET_BYTES) } : null;
}
