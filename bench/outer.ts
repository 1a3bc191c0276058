// The outer terminal of a measurement: a real PTY whose bytes are counted, searched for marks and, where cells are verified, parsed.
import xterm from '@xterm/headless';
import { type IPty, spawn } from 'node-pty';

/** Bytes kept behind a match, so that a mark cut by chunks is found. */
const OVERLAP = 256;

export interface OuterOptions {
  cols: number;
  rows: number;
  cwd: string;
  env: Record<string, string>;
}

export class Outer {
  readonly pty: IPty;
  readonly cols: number;
  readonly rows: number;
  /** Bytes written by the program so far. */
  bytes = 0;
  /** When the last byte came, ms of `performance.now()`. */
  last = performance.now();
  readonly exited: Promise<number>;
  #tail = '';
  #watches: { mark: string; found: (at: number) => void }[] = [];
  #record: string[] | null = null;

  constructor(argv: string[], options: OuterOptions) {
    this.cols = options.cols;
    this.rows = options.rows;
    this.pty = spawn(argv[0]!, argv.slice(1), {
      name: 'xterm-256color',
      cols: options.cols,
      rows: options.rows,
      cwd: options.cwd,
      env: options.env,
      encoding: null,
    });
    this.pty.onData((chunk) => this.#data(chunk as unknown as Buffer));
    this.exited = new Promise((resolve) => this.pty.onExit(({ exitCode }) => resolve(exitCode)));
  }

  #data(chunk: Buffer): void {
    this.bytes += chunk.length;
    this.last = performance.now();
    const text = chunk.toString('latin1');
    this.#record?.push(text);
    if (this.#watches.length === 0) return;
    const seen = this.#tail + text;
    const isFound = ({ mark }: { mark: string }) => seen.includes(mark);
    const found = this.#watches.filter(isFound);
    this.#watches = this.#watches.filter((watch) => !isFound(watch));
    this.#tail = this.#watches.length > 0 ? seen.slice(-OVERLAP) : '';
    for (const watch of found) watch.found(this.last);
  }

  write(text: string): void {
    this.pty.write(text);
  }

  /** Waits until the program writes `text` (its UTF-8 bytes in one piece) from now on; resolves to the time, ms. */
  seen(text: string, limit = 120_000): Promise<number> {
    const mark = Buffer.from(text).toString('latin1');
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no ${JSON.stringify(text)} within ${limit} ms`)), limit);
      this.#watches.push({
        mark,
        found: (at) => {
          clearTimeout(timer);
          resolve(at);
        },
      });
    });
  }

  /** Waits until nothing has been written for `quiet` ms. */
  async settled(quiet = 300, limit = 30_000): Promise<void> {
    const until = performance.now() + limit;
    while ((this.bytes === 0 || performance.now() - this.last < quiet) && performance.now() < until)
      await new Promise((r) => setTimeout(r, quiet / 4));
  }

  /** The rows as the program paints them anew: a resize makes it repaint, and what it paints is parsed by a fresh terminal. */
  async repainted(): Promise<string[]> {
    this.#record = [];
    this.pty.resize(this.cols, this.rows - 1);
    await this.settled();
    this.#record = [];
    this.pty.resize(this.cols, this.rows);
    await new Promise((r) => setTimeout(r, 200));
    await this.settled();
    const painted = Buffer.from(this.#record.join(''), 'latin1');
    this.#record = null;
    return rowsOf(painted, this.cols, this.rows);
  }

  /** Ends the program and waits for it. */
  async end(): Promise<void> {
    try {
      this.pty.kill('SIGHUP');
    } catch {
      // It has ended by itself.
    }
    await Promise.race([this.exited, new Promise((r) => setTimeout(r, 3000))]);
  }
}

/** Rows of text that `bytes` leave on a fresh terminal. */
export async function rowsOf(bytes: Uint8Array, cols: number, rows: number): Promise<string[]> {
  const terminal = new xterm.Terminal({ cols, rows, scrollback: 0, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(bytes, resolve));
  const buffer = terminal.buffer.active;
  const text = Array.from({ length: rows }, (_, y) => buffer.getLine(buffer.viewportY + y)?.translateToString(true) ?? '');
  terminal.dispose();
  return text;
}
