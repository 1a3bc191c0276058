// One program in one pseudo-terminal. Sole user of node-pty, and of three of its private fields, because it loses the last output of a
// program that exits: the slave is held open here, and reading ends only after the kernel has nothing more to give.
import { accessSync, closeSync, constants, openSync, readSync, readvSync, statSync, writeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { constants as os } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { type IPty, spawn } from 'node-pty';
import { type DirectSocket, READ, takeOver } from '../wire/direct-socket.ts';
import type { ExitState, SpawnSpec } from '../wire/holder-protocol.ts';

/** Bytes read after the exit at most: many times what a kernel buffers for a terminal, so that a flooding grandchild cannot hold us. */
const DRAIN_MAX = 1024 * 1024;
/** Bytes of a read behind which there may be more: the kernel gives a flood in pieces of 2-4 KB. */
const PIECE = 2 * 1024;
/** Input kept for a program that does not read, bytes: several of the largest pastes. */
const INPUT_MAX = 8 * 1024 * 1024;
/** Pauses between tries to write to a full terminal, ms. */
const RETRY_FIRST = 1;
const RETRY_MAX = 40;
/** Smallest and largest size the kernel and the programs take well, cells. */
const SIZE_MIN = 2;
const SIZE_MAX = 1000;

/** A program that could not be started. The message is for people. */
export class SpawnError extends Error {}

/** What node-pty keeps to itself and this file needs. */
interface Internals {
  _pty: string;
  _fd: number;
  _socket: Socket & { _handle?: unknown };
  /** True: node-pty reports the exit at once and leaves closing to us. */
  _emittedClose: boolean;
}

export class Pty {
  readonly pid: number;
  readonly #pty: IPty;
  readonly #inner: Internals;
  readonly #output: DirectSocket;
  readonly #slave: number;
  readonly #room: [Buffer];
  readonly #onOutput: (bytes: Buffer) => void;
  readonly #input: Buffer[] = [];
  #queued = 0;
  #retry: NodeJS.Timeout | null = null;
  #retryAfter = RETRY_FIRST;
  #open = true;

  /**
   * Starts `spec`; `onOutput` gets all bytes, which it has until it returns, then `onExit` comes once. `room`: READ bytes that every terminal
   * reads into, so that what two hundred have to say comes through the same few cache lines. Throws SpawnError.
   */
  constructor(spec: SpawnSpec, room: Buffer, onOutput: (bytes: Buffer) => void, onExit: (exit: ExitState) => void) {
    checkProgram(spec);
    this.#onOutput = onOutput;
    this.#room = [room];
    const [file, ...args] = spec.argv;
    try {
      this.#pty = spawn(file!, args, { cwd: spec.cwd, env: spec.env, ...clampSize(spec.cols, spec.rows), encoding: null });
    } catch (error) {
      throw new SpawnError(`No terminal could be opened: ${(error as Error).message}`);
    }
    this.pid = this.#pty.pid;
    this.#inner = internals(this.#pty);
    this.#slave = openSync(this.#inner._pty, constants.O_RDWR | constants.O_NOCTTY);
    this.#inner._emittedClose = true;
    this.#output = takeOver(this.#inner._socket, room);
    this.#output.on('error', () => {});
    this.#output.deliverTo(onOutput);
    this.#pty.onExit(({ exitCode, signal }) => {
      this.#drain();
      this.#close();
      onExit(signal ? { code: null, signal: signalName(signal) } : { code: exitCode, signal: null });
    });
  }

  /** Queues bytes for the program. False when it has not read for so long that they are dropped. */
  write(bytes: Uint8Array): boolean {
    if (!this.#open || bytes.length === 0) return this.#open;
    if (this.#queued + bytes.length > INPUT_MAX) return false;
    this.#input.push(Buffer.from(bytes));
    this.#queued += bytes.length;
    if (!this.#retry) this.#flush();
    return true;
  }

  /** Sizes outside 2..1000 are clamped. */
  resize(cols: number, rows: number): void {
    if (!this.#open) return;
    const size = clampSize(cols, rows);
    this.#pty.resize(size.cols, size.rows);
  }

  /** Stops reading: the program blocks once the kernel's buffer is full. */
  pause(): void {
    if (this.#open) this.#output.pause();
  }

  resume(): void {
    if (this.#open) this.#output.resume();
  }

  /** Reads what a program that is paused has printed meanwhile, until there is no more or `max` bytes have come; returns how many did. */
  collect(max: number): number {
    let total = 0;
    for (let read = PIECE; this.#open && read >= PIECE && total < max; total += read) {
      read = tryRead(this.#inner._fd, this.#room);
      if (read > 0) this.#onOutput(this.#room[0].subarray(0, read));
    }
    return total;
  }

  #flush(): void {
    this.#retry = null;
    while (this.#open && this.#input.length > 0) {
      const written = tryWrite(this.#inner._fd, this.#input[0]!);
      if (written === 'gone') {
        this.#input.length = this.#queued = 0;
        return;
      }
      if (written === 'full') {
        this.#retry = setTimeout(() => this.#flush(), this.#retryAfter);
        this.#retryAfter = Math.min(this.#retryAfter * 2, RETRY_MAX);
        return;
      }
      this.#retryAfter = RETRY_FIRST;
      this.#queued -= written;
      if (written === this.#input[0]!.length) this.#input.shift();
      else this.#input[0] = this.#input[0]!.subarray(written);
    }
  }

  /** Reads what the kernel still holds. The slave is open here, so nothing of it has been dropped. */
  #drain(): void {
    this.#output.pause();
    const buffer = Buffer.allocUnsafe(READ);
    for (let total = 0; total < DRAIN_MAX; ) {
      let read = 0;
      try {
        read = readSync(this.#inner._fd, buffer);
      } catch {
        return; // EAGAIN: empty; EIO: hung up
      }
      if (read === 0) return;
      total += read;
      this.#onOutput(buffer.subarray(0, read));
    }
  }

  #close(): void {
    this.#open = false;
    if (this.#retry) clearTimeout(this.#retry);
    closeSync(this.#slave);
    this.#output.destroy();
  }
}

/** node-pty's private fields, checked: another version may lack them, and without them output would be lost silently. */
function internals(pty: IPty): Internals {
  const inner = pty as unknown as Internals;
  const whole =
    typeof inner._pty === 'string' &&
    typeof inner._fd === 'number' &&
    typeof inner._socket?._handle === 'object' &&
    typeof inner._emittedClose === 'boolean';
  if (!whole) throw new SpawnError('This version of node-pty is not the one herd was made for.');
  return inner;
}

/** Bytes read; 0 where there are none, or never will be. As a vector it costs less: of what is not there Node makes an error each time. */
function tryRead(fd: number, into: [Buffer]): number {
  try {
    return readvSync(fd, into);
  } catch {
    return 0;
  }
}

function tryWrite(fd: number, bytes: Buffer): number | 'full' | 'gone' {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'full' : 'gone';
  }
}

/** Throws SpawnError when the folder or the program is not there: after the fork nobody could tell. */
function checkProgram(spec: SpawnSpec): void {
  if (!statSync(spec.cwd, { throwIfNoEntry: false })?.isDirectory()) throw new SpawnError(`There is no folder ${spec.cwd}.`);
  const [file] = spec.argv;
  if (!file) throw new SpawnError('No command was given.');
  const places = file.includes('/')
    ? [isAbsolute(file) ? file : resolve(spec.cwd, file)]
    : (spec.env.PATH ?? '/usr/bin:/bin').split(delimiter).map((dir) => resolve(spec.cwd, join(dir, file)));
  if (places.some(isProgram)) return;
  throw new SpawnError(file.includes('/') ? `${file} is not a program that can be run.` : `There is no program "${file}" on the PATH.`);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A size that a PTY and its programs take; anything else becomes the nearest. */
export function clampSize(cols: number, rows: number): { cols: number; rows: number } {
  const clamp = (n: number) => Math.min(SIZE_MAX, Math.max(SIZE_MIN, Math.trunc(n) || SIZE_MIN));
  return { cols: clamp(cols), rows: clamp(rows) };
}

function signalName(number: number): string {
  return Object.entries(os.signals).find(([, n]) => n === number)?.[0] ?? `SIG${number}`;
}
