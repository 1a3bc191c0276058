// The server's side of one terminal: what the holder sends goes into its screen strictly in order, and only what has been parsed is
// reported, together with what the screen answered. Output that an earlier server had parsed is parsed again without a sound.
import type { OuterColours } from '../model/outer.ts';
import type { TerminalFact } from '../model/terminal-facts.ts';
import type { HistoryFolder } from '../terminal/history-blocks.ts';
import type { Looks } from '../terminal/looks.ts';
import { Screen } from '../terminal/screen.ts';
import type { Turns } from '../terminal/turns.ts';
import { type ExitState, QUIET } from '../wire/holder-protocol.ts';
import type { Later } from '../wire/later.ts';
import type { CheckpointBudget } from './checkpoint-budget.ts';
import { OutputFlow } from './output-flow.ts';

/** Bytes after which a checkpoint is due: some 50 ms of parsing for the next server. */
const CHECKPOINT_BYTES = 512 * 1024;
/** Bytes after which one is taken whatever it costs: three quarters of what the holder keeps. */
const CHECKPOINT_NOW = 12 * 1024 * 1024;
/**
 * Bytes of a burst that are parsed as they come, and ms from its start until which what follows waits: of a flood that comes piece by piece
 * each would be parsed whole and have a wake-up of its own, of what comes together little need be parsed, and others have the machine.
 */
const BURST = 16 * 1024;
const BURST_TIME = 10;
/** Bytes that do not wait: the holder would soon send no more. */
const BURST_MAX = 192 * 1024;

const NOTHING = new Uint8Array(0);

/** What a terminal asks of the link to the holder. */
export interface HolderSide {
  /** Parsed up to `offset`; `reply` is for the program. */
  processed(terminal: number, offset: number, reply: Uint8Array): void;
  input(terminal: number, bytes: Uint8Array): void;
  /** Stores the checkpoint, then tells the holder. Never rejects; false when it could not be stored. */
  checkpoint(terminal: number, offset: number, vt: Uint8Array): Promise<boolean>;
}

/** What the rest of the server hears. */
export interface TerminalEvents {
  /** Output was parsed live: cells may have changed. `bytes` is how many. */
  onOutput(terminal: number, bytes: number): void;
  onFact(terminal: number, fact: TerminalFact): void;
  onResized(terminal: number, cols: number, rows: number): void;
  /** All output has been parsed. */
  onExit(terminal: number, exit: ExitState): void;
  /** Something people should know: output was lost, the terminal was set aside. One sentence. */
  onTrouble(terminal: number, text: string): void;
}

export interface HostedOptions {
  id: number;
  cols: number;
  rows: number;
  /** Offset from which its output is asked for; infinite: it is not. */
  from: number;
  scrollback?: number;
  /** Files of what scrolls off; without it that is forgotten. */
  history?: HistoryFolder;
  version: string;
  outer: () => OuterColours;
  holder: HolderSide;
  events: TerminalEvents;
  /** Shared by all terminals. */
  budget: CheckpointBudget;
  turns: Turns;
  looks: Looks;
  reports: Later;
  /** When the last of what a screen has put off is parsed. */
  rests: Later;
}

export interface Priming {
  cols: number;
  rows: number;
  /** A checkpoint's bytes, or none. */
  vt: Uint8Array;
  offset: number;
  /** Output from here on is new; below, an earlier server has parsed it: no replies, no notifications. */
  liveFrom: number;
}

type Item =
  | { kind: 'output'; offset: number; bytes: Uint8Array }
  | { kind: 'resized'; cols: number; rows: number }
  | { kind: 'exit'; exit: ExitState };

export class HostedTerminal {
  readonly id: number;
  readonly screen: Screen;
  readonly flow = new OutputFlow();
  exit: ExitState | null = null;
  readonly #o: HostedOptions;
  #queue: Item[] = [];
  /** The screen is at work, or not primed yet: what comes is queued. */
  #busy = true;
  /** Start of the burst at hand, ms, and bytes that the screen has got of it. */
  #burstSince = Number.NEGATIVE_INFINITY;
  #burst = 0;
  #rest: NodeJS.Timeout | null = null;
  /** End of the output that has come. */
  #received: number;
  #parsed = 0;
  /** End of the output that the screen has; what is not parsed of it has been put off. */
  #taken = 0;
  /** Output below was parsed by an earlier server. */
  #liveFrom = 0;
  #replies: Uint8Array[] = [];
  /** What the holder knows as parsed. */
  #reported = 0;
  #reportSoon: NodeJS.Immediate | null = null;
  #checkpointAt = 0;
  #retry: NodeJS.Timeout | null = null;
  #storing = false;
  #awaited: { offset: number; done: () => void }[] = [];

  constructor(options: HostedOptions) {
    this.id = options.id;
    this.#o = options;
    this.#received = options.from;
    const { cols, rows, scrollback, version, outer, history, turns, looks } = options;
    this.screen = new Screen({
      ...{ cols, rows, scrollback, version, outer, turns, looks },
      ...(history ? { history: { folder: history, stream: String(this.id) } } : {}),
      onReply: (bytes) => this.#reply(bytes),
      onFact: (fact) => options.events.onFact(this.id, fact),
      onFault: (error) => this.#leftOut(error),
    });
  }

  /** Offset up to which the output is parsed. */
  get parsed(): number {
    return this.#parsed;
  }

  /** Starts the screen, at the size it had then, with `vt`, which stands for the output below `offset`; what came since follows. */
  async prime(o: Priming): Promise<void> {
    this.screen.resize(o.cols, o.rows);
    await this.screen.restore(o.vt);
    this.#parsed = this.#taken = this.#reported = this.#checkpointAt = o.offset;
    this.#liveFrom = o.liveFrom;
    this.#replies = [];
    this.#run();
  }

  /** Output from the holder. `bytes` must stay as they are. */
  output(offset: number, bytes: Uint8Array): void {
    this.#received = offset + bytes.length;
    this.flow.come(bytes.length, performance.now());
    if (!this.#busy && this.#queue.length === 0 && this.#putOff(offset, bytes)) return;
    this.#take({ kind: 'output', offset, bytes });
  }

  resized(cols: number, rows: number): void {
    this.#take({ kind: 'resized', cols, rows });
  }

  /**
   * The program has ended; its output ends at `end`. Of a program that ends before its output is asked for the holder tells that at once, and
   * again behind the output: only what comes there counts.
   */
  exited(exit: ExitState, end: number): void {
    if (end <= this.#received) this.#take({ kind: 'exit', exit });
  }

  /**
   * Resolves when all output below `offset` has been parsed. The holder is told of it at once: a server that dies of another terminal's output
   * as soon as it is up must not have this one's under suspicion.
   */
  parsedTo(offset: number): Promise<void> {
    if (this.#taken >= offset) {
      this.#reportAtRest();
      return Promise.resolve();
    }
    return new Promise((done) => this.#awaited.push({ offset, done }));
  }

  /** Takes a checkpoint now if anything is new and the parser is between sequences; resolves when it is stored. */
  async save(): Promise<void> {
    this.#catchUp();
    if (this.#parsed > this.#checkpointAt && this.#mayCheckpoint()) await this.#checkpoint();
  }

  dispose(): void {
    this.#queue = [];
    if (this.#retry) clearTimeout(this.#retry);
    if (this.#rest) clearTimeout(this.#rest);
    this.#cancelReport();
    this.screen.dispose();
  }

  #take(item: Item): void {
    this.#queue.push(item);
    if (!this.#busy) this.#run();
  }

  /** Works the queue off; goes on by itself after a write that takes more than one turn. */
  #run(): void {
    this.#busy = true;
    for (let item = this.#next(); item; item = this.#next()) {
      const current = item;
      const pending = this.#attempt(current);
      if (!pending) continue;
      pending.catch((error) => this.#failed(current, error)).then(() => this.#run());
      return;
    }
    this.#busy = false;
  }

  /**
   * The next item, if its time has come; output that has come in several pieces meanwhile is one: the more the screen sees at once, the less
   * of it it must parse.
   */
  #next(): Item | undefined {
    const first = this.#queue[0];
    if (first?.kind !== 'output') return this.#queue.shift();
    if (this.#rests(first.offset)) return undefined;
    let count = 1;
    while (this.#queue[count]?.kind === 'output') count++;
    const pieces = this.#queue.splice(0, count) as (typeof first)[];
    return count === 1 ? first : { ...first, bytes: Buffer.concat(pieces.map(({ bytes }) => bytes)) };
  }

  /** What is queued, from `offset` on, waits until its burst is over. */
  #rests(offset: number): boolean {
    const left = this.#burstLeft();
    if (this.#burst < BURST || this.#received - offset >= BURST_MAX || this.#queue.at(-1)!.kind !== 'output') return false;
    this.#rest ??= setTimeout(() => {
      this.#rest = null;
      if (!this.#busy) this.#run();
    }, left);
    return true;
  }

  /** ms until the burst at hand is over; a new one begins with what comes now when that is none. */
  #burstLeft(): number {
    const now = performance.now();
    const left = this.#burstSince + BURST_TIME - now;
    if (left <= 0) {
      this.#burstSince = now;
      this.#burst = 0;
    }
    return left;
  }

  #attempt(item: Item): Promise<void> | undefined {
    try {
      return this.#handle(item);
    } catch (error) {
      this.#failed(item, error);
      return undefined;
    }
  }

  /** A bug of ours costs the piece of output that showed it, not the terminal and not the server. */
  #failed(item: Item, error: unknown): void {
    this.#leftOut(error);
    if (item.kind === 'output' && this.#parsed < item.offset + item.bytes.length) this.#done(item.offset + item.bytes.length, 0);
  }

  #leftOut(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#o.events.onTrouble(this.id, `A piece of output could not be shown and was left out: ${reason}`);
  }

  #handle(item: Item): Promise<void> | undefined {
    switch (item.kind) {
      case 'output':
        return this.#write(item.offset, item.bytes);
      case 'resized':
        this.#catchUp();
        this.screen.resize(item.cols, item.rows);
        if (this.#replies.length > 0) this.#report();
        this.#o.events.onResized(this.id, item.cols, item.rows);
        return undefined;
      case 'exit':
        this.#catchUp();
        this.exit = item.exit;
        this.#o.events.onExit(this.id, item.exit);
        return undefined;
    }
  }

  #write(offset: number, bytes: Uint8Array): Promise<void> | undefined {
    const muted = Math.min(bytes.length, Math.max(0, this.#liveFrom - offset));
    const first = this.screen.write(bytes.subarray(0, muted), { muted: true });
    if (first) return first.then(() => this.#live(offset, bytes, muted));
    return this.#live(offset, bytes, muted);
  }

  #live(offset: number, bytes: Uint8Array, muted: number): Promise<void> | undefined {
    const pending = this.screen.write(bytes.subarray(muted));
    if (pending) return pending.then(() => this.#done(offset + bytes.length, bytes.length - muted));
    this.#done(offset + bytes.length, bytes.length - muted);
    return undefined;
  }

  #done(offset: number, live: number): void {
    this.#burst += offset - this.#taken;
    this.flow.take(offset - this.#taken, performance.now());
    this.#parsed = this.#taken = offset;
    if (live > 0) this.#o.events.onOutput(this.id, live);
    if (this.#replies.length > 0 || this.#awaited.length > 0) this.#report();
    // A program that was asked for nothing does not wait: those who look get their frame first, and of an echo they have the machine alone.
    else if (offset - this.#reported >= QUIET) this.#reportSoon ??= setImmediate(this.#reportAtRest);
    else this.#o.reports.add(this.#reportAtRest);
    if (this.#awaited.length > 0) {
      for (const { done } of this.#awaited.filter((waiter) => waiter.offset <= offset)) done();
      this.#awaited = this.#awaited.filter((waiter) => waiter.offset > offset);
    }
    this.#considerCheckpoint();
  }

  /** Output of which nobody need hear: whoever looks at the screen has it parsed, and else it is when the holder should know. False: it is to be parsed. */
  #putOff(offset: number, bytes: Uint8Array): boolean {
    this.#burstLeft();
    if (this.#burst >= BURST || offset < this.#liveFrom || this.#awaited.length > 0 || !this.screen.putOff(bytes)) return false;
    this.#burst += bytes.length;
    this.flow.take(bytes.length, performance.now());
    this.#taken = this.#received;
    this.#o.events.onOutput(this.id, bytes.length);
    if (this.#taken - this.#reported >= QUIET) this.#reportSoon ??= setImmediate(this.#reportAtRest);
    else this.#o.rests.add(this.#restOver);
    return true;
  }

  /** A turn for each: two hundred terminals have much to parse together. */
  readonly #restOver = (): void =>
    this.#o.turns.add(() => {
      if (!this.#busy) this.#catchUp();
      this.#o.reports.add(this.#reportAtRest);
      return false;
    });

  #catchUp(): void {
    this.screen.catchUp();
    this.#parsed = this.#taken;
  }

  /** In the midst of a write there may be answers to what is not reported as parsed yet: they go with that report, or a next server gives them again. */
  readonly #reportAtRest = (): void => {
    this.#cancelReport();
    if (this.#busy) return;
    this.#catchUp();
    this.#report();
    this.#considerCheckpoint();
  };

  #cancelReport(): void {
    if (this.#reportSoon) clearImmediate(this.#reportSoon);
    this.#reportSoon = null;
    this.#o.reports.withdraw(this.#reportAtRest);
    this.#o.rests.withdraw(this.#restOver);
  }

  /** Tells the holder how far the output is parsed, and what the screen answered. */
  #report(): void {
    this.#cancelReport();
    this.#reported = this.#parsed;
    const replies = this.#replies;
    this.#replies = [];
    this.#o.holder.processed(this.id, this.#parsed, replies.length > 1 ? Buffer.concat(replies) : (replies[0] ?? NOTHING));
  }

  /** An answer to output goes with the report that the output was parsed; any other goes at once. */
  #reply(bytes: Uint8Array): void {
    if (this.#busy) this.#replies.push(bytes);
    else this.#o.holder.input(this.id, bytes);
  }

  /** Takes a checkpoint when one is due and affordable; looks again later when it is due but not affordable. */
  #considerCheckpoint(): void {
    const fresh = this.#parsed - this.#checkpointAt;
    if (fresh < CHECKPOINT_BYTES || !this.#mayCheckpoint()) return;
    const wait = fresh < CHECKPOINT_NOW ? this.#o.budget.wait : 0;
    if (wait === 0) void this.#checkpoint();
    else this.#retry ??= setTimeout(() => this.#lookAgain(), wait);
  }

  #lookAgain(): void {
    this.#retry = null;
    if (!this.#busy) this.#considerCheckpoint();
  }

  #mayCheckpoint(): boolean {
    return !this.#storing && this.#parsed >= this.#liveFrom && this.screen.ground;
  }

  async #checkpoint(): Promise<void> {
    this.#catchUp();
    // The holder takes no checkpoint above what it knows as parsed.
    if (this.#reported < this.#parsed) this.#report();
    const offset = this.#parsed;
    const vt = this.#o.budget.spend(() => this.screen.checkpoint());
    this.#storing = true;
    // The checkpoint stands for lines that must not be in memory only.
    await this.screen.historyWritten();
    if (await this.#o.holder.checkpoint(this.id, offset, vt)) this.#checkpointAt = offset;
    this.#storing = false;
  }
}
