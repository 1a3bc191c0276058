// The terminal herd runs in, as a whole: raw mode, its modes while herd has it, its size, its bytes in and out. It always gets back
// what it had: at exit, at a crash, on signals; only kill -9 leaves it to `herd reset`.
import type { ReadStream } from 'node:tty';
import { ENTER, LEAVE } from './tty-modes.ts';
import { TtyOutput, writeLastWords } from './tty-output.ts';

/** Sizes in cells outside these are a terminal that lies, or 0x0 of one that does not know. */
const MIN_SIDE = 1;
const MAX_SIDE = 1000;
const UNKNOWN_SIZE = { cols: 80, rows: 24 };
/** A terminal that does not read within this time, ms, is left as it is. */
const LEAVE_TIME = 500;

export interface TtyOptions {
  input: ReadStream;
  /** Descriptor of the same terminal, for writing. */
  outputFd: number;
  onBytes(bytes: Buffer): void;
  onResize(cols: number, rows: number): void;
  /** The terminal is gone: closed window, broken link. */
  onGone(): void;
}

export class Tty {
  readonly #o: TtyOptions;
  readonly #output: TtyOutput;
  #entered = false;
  /** What a crash must undo. */
  readonly #atExit = () => {
    if (this.#entered) writeLastWords(LEAVE);
  };
  readonly #onBytes = (bytes: Buffer) => this.#o.onBytes(bytes);
  readonly #onWinch = () => {
    const { cols, rows } = this.size();
    this.#o.onResize(cols, rows);
  };

  constructor(options: TtyOptions) {
    this.#o = options;
    this.#output = new TtyOutput(options.outputFd, () => options.onGone());
    options.input.on('error', () => options.onGone());
    options.input.on('end', () => options.onGone());
  }

  size(): { cols: number; rows: number } {
    const { cols, rows } = this.#output.size();
    if (!(cols >= MIN_SIDE && rows >= MIN_SIDE)) return UNKNOWN_SIZE;
    return { cols: Math.min(cols, MAX_SIDE), rows: Math.min(rows, MAX_SIDE) };
  }

  /** Takes the terminal. */
  enter(): void {
    if (this.#entered) return;
    this.#entered = true;
    process.on('exit', this.#atExit);
    process.on('SIGWINCH', this.#onWinch);
    this.#listen();
    this.#output.write(ENTER, () => {});
  }

  /** Gives the terminal back; resolves when it has taken that, or will not. */
  async leave(): Promise<void> {
    if (!this.#entered) return;
    process.off('SIGWINCH', this.#onWinch);
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LEAVE_TIME);
    this.#output.write(LEAVE, resolve);
    await promise;
    clearTimeout(timer);
    this.#deafen();
    this.#entered = false;
    process.off('exit', this.#atExit);
  }

  /** After SIGCONT: whoever had the terminal meanwhile may have set it otherwise. */
  reclaim(): void {
    this.#deafen();
    this.#listen();
    this.#output.write(ENTER, () => {});
  }

  write(bytes: string, done: () => void): void {
    this.#output.write(bytes, done);
  }

  /** Nothing more is written or read. */
  close(): void {
    this.#o.input.pause();
    this.#output.close();
  }

  #listen(): void {
    this.#o.input.setRawMode(true);
    this.#o.input.on('data', this.#onBytes);
    this.#o.input.resume();
  }

  #deafen(): void {
    this.#o.input.off('data', this.#onBytes);
    this.#o.input.pause();
    try {
      this.#o.input.setRawMode(false);
    } catch {
      // The terminal is gone.
    }
  }
}
