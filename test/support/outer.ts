// The terminal a person sits in, for tests: a program in a PTY, its output in @xterm/headless, which can stop reading and answers
// questions only when told how. Never shows part of a synchronized frame, nor an exit before all that was written.
import { createRequire } from 'node:module';
import { StringDecoder } from 'node:string_decoder';
import type { Terminal as Emulator } from '@xterm/headless';
import { Pty } from '../../src/holder/pty.ts';
import { READ } from '../../src/wire/direct-socket.ts';
import type { ExitState } from '../../src/wire/holder-protocol.ts';
import { signal } from './driver.ts';

const require = createRequire(import.meta.url);

const FRAME_BEGINS = '\x1b[?2026h';
const FRAME_ENDS = '\x1b[?2026l';

export interface OuterOptions {
  cols: number;
  rows: number;
  argv: string[];
  env?: Record<string, string>;
  cwd?: string;
  /** Gets what the program writes, as it comes. */
  onText?(text: string): void;
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
  /** All bytes the program wrote, as a string. */
  written = '';
  /** Resolves when the emulator has all that was written. */
  readonly exited: Promise<ExitState>;
  /** Bytes to answer when a pattern comes by, each once. */
  readonly answers: [when: RegExp, bytes: string][] = [];
  readonly #pty: Pty;
  readonly #decoder = new StringDecoder();
  #seen = 0;
  /** Written, but not for the emulator before its frame is whole. */
  #held = '';
  #ended = false;

  constructor({ cols, rows, argv, env, cwd = process.cwd(), onText }: OuterOptions) {
    this.emulator = openEmulator(cols, rows);
    const clean = {
      PATH: process.env.PATH!,
      HOME: process.env.HOME ?? '/',
      CI: 'false',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      ...env,
    };
    const { promise, resolve } = Promise.withResolvers<ExitState>();
    this.exited = promise;
    const take = (bytes: Buffer) => {
      const text = this.#decoder.write(bytes);
      this.written += text;
      this.#held += text;
      this.#show(wholeFrames(this.#held));
      this.#answer();
      onText?.(text);
    };
    this.#pty = new Pty({ argv, cwd, env: clean, cols, rows }, Buffer.allocUnsafeSlow(READ), take, (exit) => {
      this.#ended = true;
      this.#show(this.#held.length);
      this.emulator.write('', () => resolve(exit));
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** So many characters of what is held are for the emulator. */
  #show(length: number): void {
    if (length > 0) this.emulator.write(this.#held.slice(0, length));
    this.#held = this.#held.slice(length);
  }

  #answer(): void {
    const fresh = this.written.slice(this.#seen);
    for (const [when, bytes] of this.answers.filter(([when]) => when.test(fresh))) {
      this.answers.splice(
        this.answers.findIndex(([other]) => other === when),
        1,
      );
      this.send(bytes);
      this.#seen = this.written.length;
    }
  }

  /** Types or answers: bytes for the program. */
  send(bytes: string): void {
    this.#pty.write(Buffer.from(bytes));
  }

  resize(cols: number, rows: number): void {
    this.#pty.resize(cols, rows);
    this.emulator.resize(cols, rows);
  }

  /** Nobody reads what the program writes until `resume`. */
  stall(): void {
    this.#pty.pause();
  }

  resume(): void {
    this.#pty.resume();
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

  get cursor(): { x: number; y: number; visible: boolean } {
    const { cursorX: x, cursorY: y } = this.emulator.buffer.active;
    // The public API does not tell.
    const { coreService } = (this.emulator as unknown as { _core: { coreService: { isCursorHidden: boolean } } })._core;
    return { x, y, visible: !coreService.isCursorHidden };
  }

  /** To the program alone; none once it has ended. */
  signal(name: NodeJS.Signals): void {
    if (!this.#ended) signal(this.pid, name);
  }

  kill(): void {
    this.signal('SIGKILL');
  }
}

/** Length of the text before a synchronized frame that is still open, or may be about to begin. */
function wholeFrames(text: string): number {
  const begun = text.lastIndexOf(FRAME_BEGINS);
  if (begun > text.lastIndexOf(FRAME_ENDS)) return begun;
  const last = text.lastIndexOf('\x1b');
  return last >= 0 && FRAME_BEGINS.startsWith(text.slice(last)) ? last : text.length;
}
