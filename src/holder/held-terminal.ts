// One terminal as the holder has it: PTY, the bytes since the checkpoint, and the server that follows them, if any. Interprets
// nothing. While nobody follows, its program never waits; while somebody does, it waits for a reader that falls behind.
import { type ExitState, type HeldTerminal, type HolderEvent, type Leftover, QUIET, type SpawnSpec } from '../wire/holder-protocol.ts';
import { FRAME_PAUSE, type Later } from '../wire/later.ts';
import { endTerminal, type System } from './end-terminal.ts';
import { clampSize, Pty } from './pty.ts';
import { CUT_SEARCH, Ring } from './ring.ts';
import type { Typing } from './typing.ts';

/**
 * Bytes sent but not yet parsed at which sending stops: what the server parses in FLIGHT_TIME, within these bounds. In a flood it sees much
 * at once, and parses the less of it; of what it parses slowly little is on its way, so that a program that is stopped stops.
 */
const FLIGHT_MIN = 256 * 1024;
const FLIGHT_MAX = 1024 * 1024;
/** ms. */
const FLIGHT_TIME = 40;
/** Unparsed bytes at which the program is made to wait, at least: twice what may be in flight, so that the next is there when it has landed. */
const WINDOW = 512 * 1024;
/** Bytes of one output frame: a slice that the server parses in one go. */
const SLICE = 64 * 1024;
/**
 * While more than an echo is on its way to be parsed, less than this waits for the report on it, bytes, and more where more may be in
 * flight: a flood comes from the kernel in pieces of 2 KB, and each frame costs both sides four system calls.
 */
const BATCH = 16 * 1024;
/** Bytes kept at most for a server: more than it lets come together between two checkpoints (12 MiB), even in a flood. */
const KEEP_MAX = 16 * 1024 * 1024;
/** Bytes that may come while no server reads before old ones are dropped. */
const KEEP_UNREAD = 4 * 1024 * 1024;
/** Bytes that stay when some are dropped. */
const KEEP_CUT = 1024 * 1024;

/**
 * ms after the last byte for the program in which its output is sent as it comes: somebody may wait for it. Later what comes in small pieces
 * waits a little for what other terminals have: two hundred agents that redraw a spinner would cost a write and a wake-up for each piece.
 */
const LIVELY = 1000;

/**
 * ms between two pieces of a program that draws again and again, a spinner or a film. Nobody having written to it for LIVELY, it is read in
 * rounds with all its like: to look in vain at some of two hundred costs less than to be woken for each. What comes faster floods.
 */
const OFTEN_MIN = 10;
const OFTEN_MAX = 150;
/** Bytes that such a piece has at most: a flood comes from the kernel in pieces of 2-4 KB. */
const DRAWN = 2 * 1024;
/** Bytes in a round of who floods, and is read as it comes. */
const ROUND_MAX = 16 * 1024;

/**
 * While a person types elsewhere: bytes sent in a pause of FRAME_PAUSE ms, 1.6 MB/s, more than programs print that somebody reads and a
 * fraction of what the machine can take. With twice as much a key took a third longer.
 */
const PACED = 32 * 1024;

/** Where a terminal's output goes. */
export interface Follower {
  /** False: hold back until `pump` is called again. */
  output(terminal: number, offset: number, bytes: Uint8Array): boolean;
  event(event: HolderEvent): void;
}

interface Following {
  to: Follower;
  sent: number;
  /** What the follower has parsed in this life; below `processed` while it primes. */
  read: number;
  /** When the oldest byte sent and not parsed became that. */
  since: number;
  /** Bytes that may be in flight. */
  flight: number;
  /** Sizes already told, as an index into `#sizes`. */
  sizes: number;
  exitTold: boolean;
}

export interface HeldOptions {
  id: number;
  spec: SpawnSpec;
  /** 'NAME=value' put into the environment: the mark of all that is started here. */
  mark: string;
  system: System;
  now: number;
  /** Sends what nobody waits for, of all terminals together. */
  later: Pick<Later, 'add'>;
  /** Calls those who are to be read together. */
  rounds: Pick<Later, 'add' | 'withdraw'>;
  /** Where a person types; shared by all terminals. */
  typing: Pick<Typing, 'elsewhere'>;
  /** What output is read into, of READ bytes, shared by all terminals. */
  room: Buffer;
}

export class Held {
  readonly id: number;
  readonly #spec: SpawnSpec;
  readonly #mark: string;
  readonly #system: System;
  readonly #started: number;
  readonly #pty: Pty;
  readonly #ring = new Ring();
  /** Bytes kept at most, as long as the follower is who it is. */
  #limit = KEEP_UNREAD;
  /** Sizes since the oldest byte kept; the first is the size at that byte. */
  #sizes: { offset: number; cols: number; rows: number }[];
  #processed = 0;
  #checkpoint: { id: string; offset: number } | null = null;
  #gap: { from: number; to: number } | null = null;
  #exit: ExitState | null = null;
  #following: Following | null = null;
  #paused = false;
  readonly #onExit: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #later: HeldOptions['later'];
  /** When the program was last written to; on `System.now`. */
  #written: number;
  readonly #rounds: HeldOptions['rounds'];
  /** It is read in rounds. */
  #inRounds = false;
  /** When output came last; on `System.now`. */
  #printed = Number.NEGATIVE_INFINITY;
  readonly #typing: HeldOptions['typing'];
  /** Start of the pause at hand, on `System.now`, and bytes sent in it. */
  #pauseSince = Number.NEGATIVE_INFINITY;
  #pauseSent = 0;
  readonly #pumpLater = () => this.pump();

  /** Starts the program. Throws SpawnError. */
  constructor(o: HeldOptions) {
    this.id = o.id;
    this.#mark = o.mark;
    this.#system = o.system;
    this.#started = o.now;
    this.#later = o.later;
    this.#rounds = o.rounds;
    this.#typing = o.typing;
    this.#written = o.system.now();
    const [name, value] = o.mark.split('=') as [string, string];
    const size = clampSize(o.spec.cols, o.spec.rows);
    this.#spec = { ...o.spec, ...size, env: { ...o.spec.env, [name]: value, HERD_TERMINAL: String(o.id) } };
    this.#sizes = [{ offset: 0, ...size }];
    this.#pty = new Pty(
      this.#spec,
      o.room,
      (bytes) => this.#take(bytes),
      (exit) => {
        this.#exit = exit;
        this.#leaveRounds();
        this.#onExit.resolve();
        this.pump();
      },
    );
  }

  get pid(): number {
    return this.#pty.pid;
  }

  get alive(): boolean {
    return this.#exit === null;
  }

  get followed(): boolean {
    return this.#following !== null;
  }

  /** Resolves when the program has ended and its output is read. */
  get exited(): Promise<void> {
    return this.#onExit.promise;
  }

  describe(): HeldTerminal {
    const { cols, rows } = this.#sizes.at(-1)!;
    const { argv, cwd, tag } = this.#spec;
    const { kept, end } = this.#ring;
    return {
      ...{ id: this.id, argv, cwd, pid: this.#pty.pid, cols, rows, started: this.#started, kept, end },
      ...(tag === undefined ? {} : { tag }),
      ...{ processed: this.#processed, checkpoint: this.#checkpoint, gap: this.#gap, exit: this.#exit },
    };
  }

  /** Sends all output from `from` on to `to`, instead of whom it went to before. Null when `from` is not kept; else the size there. */
  follow(to: Follower, from: number): { cols: number; rows: number } | null {
    if (from < this.#ring.kept || from > this.#ring.end) return null;
    const at = Math.max(
      0,
      this.#sizes.findLastIndex((size) => size.offset <= from),
    );
    this.#limit = KEEP_MAX;
    this.#following = { to, sent: from, read: from, since: 0, flight: FLIGHT_MIN, sizes: at + 1, exitTold: false };
    const { cols, rows } = this.#sizes[at]!;
    return { cols, rows };
  }

  /** The follower is gone; returns the stretch that it had been sent and not parsed, and for how many ms; null when there was none. */
  unfollow(follower: Follower): { from: number; to: number; stuck: number } | null {
    const following = this.#following;
    if (following?.to !== follower) return null;
    this.#following = null;
    this.#limit = Math.min(KEEP_MAX, this.#ring.size + KEEP_UNREAD);
    this.#balance();
    const { read, sent, since } = following;
    return sent > read ? { from: read, to: sent, stuck: this.#system.now() - since } : null;
  }

  /** The follower has parsed up to `offset`; what its screen answered goes to the program. */
  parsed(follower: Follower, offset: number, reply: Uint8Array): void {
    const following = this.#following;
    if (following?.to !== follower || offset > following.sent) return;
    const now = this.#system.now();
    const pace = Math.max(0, offset - following.read) / Math.max(1, now - following.since);
    following.flight = Math.min(FLIGHT_MAX, Math.max(FLIGHT_MIN, following.flight / 2, pace * FLIGHT_TIME));
    following.read = Math.max(following.read, offset);
    following.since = now;
    this.#processed = Math.max(this.#processed, offset);
    this.write(reply);
    this.pump();
  }

  write(bytes: Uint8Array): boolean {
    if (bytes.length > 0) {
      this.#written = this.#system.now();
      this.#leaveRounds();
    }
    return this.#pty.write(bytes);
  }

  /** Writes only if `group` is the terminal's foreground process group right now. */
  writeIfForeground(group: number, bytes: Uint8Array): boolean {
    return this.alive && this.foreground() === group && this.write(bytes);
  }

  foreground(): number | null {
    return this.alive ? this.#system.processes.foregroundGroup(this.#pty.pid) : null;
  }

  signal(signal: NodeJS.Signals): void {
    const group = this.foreground();
    if (group) this.#system.signal(-group, signal);
  }

  resize(cols: number, rows: number): void {
    const size = clampSize(cols, rows);
    const last = this.#sizes.at(-1)!;
    if (!this.alive || (last.cols === size.cols && last.rows === size.rows)) return;
    // What was printed at the old size comes before the new one.
    if (this.#inRounds) this.#pty.collect(ROUND_MAX);
    this.#pty.resize(size.cols, size.rows);
    this.#sizes.push({ offset: this.#ring.end, ...size });
    this.pump();
  }

  /** A checkpoint of the state at `offset` is safely stored: what lies below is not needed any more. False: it is not taken, the last one counts. */
  checkpointed(id: string, offset: number): boolean {
    if (offset > this.#processed || offset < (this.#checkpoint?.offset ?? 0)) return false;
    this.#checkpoint = { id, offset };
    if (offset >= this.#ring.kept) this.#gap = null;
    this.#trim(() => this.#ring.trim(offset));
    return true;
  }

  /** Ends all that runs here; resolves with what could not be ended or left the terminal. */
  async end(grace: number): Promise<Leftover[]> {
    const left = await endTerminal({ leader: this.#pty.pid, reaped: () => !this.alive, mark: this.#mark, grace }, this.#system);
    await Promise.race([this.#onExit.promise, this.#system.wait(grace)]);
    return left;
  }

  /** Sends what may be sent: all of it, up to the window, the pace and what the follower's socket takes. */
  pump(): void {
    const f = this.#following;
    const paced = this.#paced;
    if (paced) this.#beginPause();
    for (let open = f !== null; f && open; ) {
      const mark = this.#sizes[f.sizes];
      if (mark && mark.offset <= f.sent) {
        f.to.event({ event: 'resized', terminal: this.id, offset: mark.offset, cols: mark.cols, rows: mark.rows });
        f.sizes++;
        continue;
      }
      if (f.sent - f.read >= QUIET && this.#ring.end - f.sent < Math.max(BATCH, Math.min(SLICE, f.flight / 8))) break;
      const pace = paced ? PACED - this.#pauseSent : SLICE;
      if (pace <= 0 && this.#ring.end > f.sent) this.#later.add(this.#pumpLater);
      const limit = Math.min(SLICE, pace, f.read + f.flight - f.sent, (mark?.offset ?? Number.POSITIVE_INFINITY) - f.sent);
      const bytes = limit > 0 ? this.#ring.read(f.sent, limit) : null;
      if (!bytes?.length) break;
      const offset = f.sent;
      if (offset === f.read) f.since = this.#system.now();
      f.sent += bytes.length;
      this.#pauseSent += bytes.length;
      open = f.to.output(this.id, offset, bytes);
    }
    if (f && this.#exit && !f.exitTold && f.sent === this.#ring.end) {
      f.exitTold = true;
      f.to.event({ event: 'exit', terminal: this.id, ...this.#exit, end: this.#ring.end });
    }
    this.#balance();
  }

  #take(bytes: Buffer): void {
    this.#ring.append(bytes);
    const now = this.#system.now();
    const since = now - this.#printed;
    this.#printed = now;
    const f = this.#following;
    const isSmall = f !== null && this.#ring.end - f.sent < QUIET;
    if (!isSmall || now - this.#written <= LIVELY) this.pump();
    else if (!this.#inRounds) {
      this.#later.add(this.#pumpLater);
      if (since >= OFTEN_MIN && since <= OFTEN_MAX && bytes.length < DRAWN) this.#joinRounds();
    }
    if (this.#ring.size > this.#limit) this.#cut();
  }

  #joinRounds(): void {
    this.#inRounds = true;
    this.#pty.pause();
    this.#rounds.add(this.#round);
  }

  readonly #round = (): void => {
    const read = this.#pty.collect(ROUND_MAX);
    if (read > 0) this.pump();
    if (!this.#inRounds) return;
    if (read < ROUND_MAX && this.#system.now() - this.#printed <= OFTEN_MAX) this.#rounds.add(this.#round);
    else this.#leaveRounds();
  };

  #leaveRounds(): void {
    if (!this.#inRounds) return;
    this.#inRounds = false;
    this.#rounds.withdraw(this.#round);
    if (!this.#paused) this.#pty.resume();
  }

  /** It floods at a pace; not what an earlier server had parsed, for which this one is waited for. */
  get #paced(): boolean {
    return this.#following !== null && this.#following.read >= this.#processed && this.#typing.elsewhere(this.id);
  }

  #beginPause(): void {
    const now = this.#system.now();
    if (now - this.#pauseSince < FRAME_PAUSE) return;
    this.#pauseSince = now;
    this.#pauseSent = 0;
  }

  /** Lets the program wait or go on. */
  #balance(): void {
    const { read, flight } = this.#following ?? { read: this.#ring.end, flight: FLIGHT_MIN };
    const behind = this.#ring.end - read;
    const [low, high] = this.#paced ? [PACED, 2 * PACED] : [flight, Math.max(WINDOW, 2 * flight)];
    const pause = this.#paused ? behind >= low : behind > high;
    if (pause === this.#paused) return;
    this.#paused = pause;
    this.#leaveRounds();
    if (pause) this.#pty.pause();
    else this.#pty.resume();
  }

  /** Drops the oldest bytes, never one that the follower has yet to parse. */
  #cut(): void {
    const from = this.#gap?.from ?? this.#ring.kept;
    const unread = this.#following ? this.#ring.end - this.#following.read : 0;
    const keep = Math.max(KEEP_CUT, unread + CUT_SEARCH);
    if (this.#ring.size <= keep) return;
    this.#trim(() => this.#ring.cut(keep));
    this.#gap = { from, to: this.#ring.kept };
    if (!this.#following) this.#limit = KEEP_UNREAD;
  }

  /** Trims the ring and, with it, the sizes that no reader can need any more. */
  #trim(trim: () => void): void {
    trim();
    const first = Math.max(
      0,
      this.#sizes.findLastIndex((size) => size.offset <= this.#ring.kept),
    );
    this.#sizes = this.#sizes.slice(first);
    if (this.#following) this.#following.sizes -= first;
  }
}
