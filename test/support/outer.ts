// The terminal a person sits in, for tests: a program in a PTY, its output in @xterm/headless, which can stop reading and answers
// questions only when told how.
import { createRequire } from 'node:module';
import type { Terminal as Emulator } from '@xterm/headless';
import { type IPty, spawn } from 'node-pty';

const require = createRequire(import.meta.url);

export interface OuterOptions {
  cols: number;
  rows: number;
  argv: string[];
  env?: Record<string, string>;
  cwd?: string;
}

/** Loads the graphemes addon with a table of its own; its module reads at offset 0 of a pooled buffer otherwise. */
function openEmulator(cols: number, rows: number): Emulator {
  const pool = Buffer.poolSize;
  Buffer.poolSize = 0;
  const { Terminal } = require('@xterm/headless') as typeof import('@xterm/headless');
  const { UnicodeGraphemesAddon } = require('@xterm/addon-unicode-graphemes') as typeof import('@xterm/addon-unicode-graphemes');
  const emulator = new Terminal({ cols, rows, scrollback: 1000, allowProposedApi: true });
  emulator.loadAddon(new UnicodeGraphemesAddon());
  emulator.unicode.activeVersion = '15-graphemes';
  Buffer.poolSize = pool;
  return emulator;
}

export class Outer {
  readonly emulator: Emulator;
  readonly pty: IPty;
  /** All bytes the program wrote, as a string. */
  written = '';
  readonly exited: Promise<{ exitCode: number; signal?: number }>;
  /** Bytes to answer when a pattern comes by, each once. */
  readonly answers: [when: RegExp, bytes: string][] = [];
  #seen = 0;

  constructor({ cols, rows, argv, env, cwd }: OuterOptions) {
    this.emulator = openEmulator(cols, rows);
    const [file = '', ...args] = argv;
    const clean = {
      PATH: process.env.PATH!,
      HOME: process.env.HOME ?? '/',
      CI: 'false',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      ...env,
    };
    this.pty = spawn(file, args, { cols, rows, cwd, env: clean, name: clean.TERM });
    this.exited = new Promise((resolve) => this.pty.onExit(resolve));
    this.pty.onData((text) => {
      this.written += text;
      this.emulator.write(text);
      this.#answer();
    });
  }

  #answer(): void {
    const fresh = this.written.slice(this.#seen);
    for (const [when, bytes] of this.answers.filter(([when]) => when.test(fresh))) {
      this.answers.splice(
        this.answers.findIndex(([other]) => other === when),
        1,
      );
      this.pty.write(bytes);
      this.#seen = this.written.length;
    }
  }

  /** Types or answers: bytes for the program. */
  send(bytes: string): void {
    this.pty.write(bytes);
  }

  resize(cols: number, rows: number): void {
    this.pty.resize(cols, rows);
    this.emulator.resize(cols, rows);
  }

  /** Nobody reads what the program writes until `resume`. */
  stall(): void {
    this.pty.pause();
  }

  resume(): void {
    this.pty.resume();
  }

  /** Rows of the screen without trailing blanks. */
  rows(): string[] {
    const buffer = this.emulator.buffer.active;
    return Array.from({ length: this.emulator.rows }, (_, y) => buffer.getLine(buffer.viewportY + y)?.translateToString(true) ?? '');
  }

  /** Text in columns [from, to) of a row. */
  cells(y: number, from: number, to: number): string {
    const buffer = this.emulator.buffer.active;
    return buffer.getLine(buffer.viewportY + y)?.translateToString(false, from, to) ?? '';
  }

  get cursor(): { x: number; y: number } {
    const { cursorX: x, cursorY: y } = this.emulator.buffer.active;
    return { x, y };
  }

  kill(): void {
    this.pty.kill('SIGKILL');
  }
}
