// The terminal herd runs in, as a whole: raw mode, its modes while herd has it, its size, its bytes in and out. It always gets back
// what it had: at exit, at a crash, on signals; only kill -9 leaves it to `herd reset`.
import type { ReadStream } from 'node:tty';
import { type DirectSocket, takeOver } from '../wire/direct-socket.ts';
import { afterReading } from './after-reading.ts';
import { ENTER, LEAVE, REENTER } from './tty-modes.ts';
import { TtyOutput, writeLastWords } from './tty-output.ts';

/** Sizes in cells outside these are a terminal that lies, or 0x0 of one that does not know. */
const MIN_SIDE = 1;
const MAX_SIDE = 1000;
const UNKNOWN_SIZE = { cols: 80, rows: 24 };
/** A terminal that does not read within this time, ms, is left as it is. */
const LEAVE_TIME = 500;

/** Who has the terminal. */
export interface TtyListener {
  onBytes(bytes: Buffer): void;
  onResize(cols: number, rows: number): void;
  /** The terminal is gone: closed window, broken link. */
  onGone(): void;
}

/** The part of libuv's handle of a tty that Node keeps to itself. */
interface TtyHandle {
  /** 0, or an error number. */
  setRawMode(raw: boolean): number;
}

export class Tty {
  readonly #stream: ReadStream;
  readonly #handle: TtyHandle;
  /** Reads, from the first `listen` on. */
  #input: DirectSocket | null = null;
  readonly #output: TtyOutput;
  #listener: TtyListener | null = null;
  #entered = false;
  #gone = false;
  /** What a crash must undo. */
  readonly #atExit = () => {
    if (this.#entered) writeLastWords(LEAVE);
  };
  readonly #onGone = () => {
    this.#gone = true;
    this.#listener?.onGone();
  };
  readonly #onWinch = () => {
    const { cols, rows } = this.size();
    this.#listener?.onResize(cols, rows);
  };

  /** `outputFd`: descriptor of the same terminal, for writing. */
  constructor(input: ReadStream, outputFd: number) {
    this.#stream = input;
    this.#handle = (input as unknown as { _handle: TtyHandle })._handle;
    this.#output = new TtyOutput(outputFd, this.#onGone);
  }

  /** Herd has taken it. */
  get entered(): boolean {
    return this.#entered;
  }

  size(): { cols: number; rows: number } {
    const { cols, rows } = this.#output.size();
    if (!(cols >= MIN_SIDE && rows >= MIN_SIDE)) return UNKNOWN_SIZE;
    return { cols: Math.min(cols, MAX_SIDE), rows: Math.min(rows, MAX_SIDE) };
  }

  /** Takes the terminal and shows `paint` on it. Nothing is read before `listen`: what is typed meanwhile waits in the kernel. */
  enter(paint = ''): void {
    if (this.#entered) return;
    this.#entered = true;
    process.on('exit', this.#atExit);
    process.on('SIGWINCH', this.#onWinch);
    this.#handle.setRawMode(true);
    this.#output.write(ENTER + paint, () => {});
    if (this.#listener) this.#read();
  }

  /** From now on the terminal's bytes and news go there. */
  listen(listener: TtyListener): void {
    this.#listener = listener;
    if (this.#gone) listener.onGone();
    else if (this.#entered) this.#read();
  }

  /** Gives the terminal back; resolves when it has taken that, or will not. */
  async leave(): Promise<void> {
    if (!this.#entered) return;
    process.off('SIGWINCH', this.#onWinch);
    const { promise, resolve } = Promise.withResolvers<void>();
    const inTime = afterReading(LEAVE_TIME, resolve);
    this.#output.write(LEAVE, resolve);
    await promise;
    inTime();
    this.#deafen();
    this.#entered = false;
    process.off('exit', this.#atExit);
  }

  /** After SIGCONT: whoever had the terminal meanwhile may have set it otherwise. */
  reclaim(): void {
    this.#deafen();
    this.#handle.setRawMode(true);
    this.#read();
    this.#output.write(REENTER, () => {});
  }

  write(bytes: string, done: () => void): void {
    this.#output.write(bytes, done);
  }

  /** Nothing more is written or read. */
  close(): void {
    this.#input?.pause();
    this.#output.close();
  }

  #read(): void {
    if (this.#input) this.#input.resume();
    else {
      this.#input = takeOver(this.#stream);
      this.#input.on('error', this.#onGone).on('end', this.#onGone);
      this.#input.deliverTo((bytes) => this.#listener?.onBytes(bytes));
    }
  }

  #deafen(): void {
    this.#input?.pause();
    this.#handle.setRawMode(false);
  }
}
