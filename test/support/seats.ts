// A session with the test's own program in it, and people at it: each a modern terminal in a PTY that runs herd, with chrome or without.
import { join } from 'node:path';
import { installOuter, type OuterState } from '../conformance/outer-answers.ts';
import { ProgramLink } from '../conformance/program-link.ts';
import { Driver } from './driver.ts';
import { eventually } from './held-session.ts';
import { Outer } from './outer.ts';

const MAIN = join(import.meta.dirname, '../../dist/main.js');

export interface SeatOptions {
  cols?: number;
  rows?: number;
  env?: Record<string, string>;
  /** Answers nothing and can do little, like a plain xterm. */
  plain?: boolean;
  /** Has a light ground. */
  light?: boolean;
}

export class Seat {
  readonly outer: Outer;
  readonly seen: OuterState | null;

  constructor(driver: Driver, { cols = 120, rows = 30, env = {}, plain = false, light = false }: SeatOptions) {
    const argv = [process.execPath, MAIN, '--session', driver.session];
    this.outer = new Outer({ cols, rows, argv, env: { ...driver.env, SHELL: '/bin/sh', ...env } });
    this.seen = plain ? null : installOuter(this.outer.emulator, (bytes) => this.outer.send(bytes), light);
    this.outer.emulator.onData((bytes) => this.outer.send(bytes));
  }

  /** Place of `text` on the screen, in cells; waits until it is there. */
  async find(text: string): Promise<{ x: number; y: number }> {
    const look = () => {
      const y = this.outer.rows().findIndex((row) => row.includes(text));
      return y < 0 ? null : { x: columnOf(this.outer, y, text), y };
    };
    return eventually(look, () => `the screen shows ${JSON.stringify(text)}:\n${this.outer.rows().join('\n')}`);
  }

  /** Presses keys after herd's prefix. */
  command(keys: string): void {
    this.outer.send(`\x02${keys}`);
  }

  cell(x: number, y: number) {
    const { active } = this.outer.emulator.buffer;
    return active.getLine(active.baseY + y)!.getCell(x)!;
  }
}

/** Column at which `text` begins: characters are not columns. */
function columnOf(outer: Outer, y: number, text: string): number {
  for (let x = 0; x < outer.emulator.cols; x++) if (outer.cells(y, x, outer.emulator.cols).startsWith(text)) return x;
  return -1;
}

export class Seats {
  readonly driver = new Driver();
  readonly program = new ProgramLink();
  readonly #seats: Seat[] = [];

  /** The program runs; nobody looks. `env` is that of the person who started it. */
  static async open(env: Record<string, string> = {}): Promise<Seats> {
    const seats = new Seats();
    await seats.driver.ok(['run', '--detach', '--session', seats.driver.session, '--', ...seats.program.argv], { env });
    await seats.program.started();
    return seats;
  }

  /** Somebody sits down; the pane is on the screen when this resolves: with `shown` on it, else with a mark and nothing else. */
  async sit(options: SeatOptions = {}, shown?: string): Promise<Seat> {
    const seat = new Seat(this.driver, options);
    this.#seats.push(seat);
    if (shown === undefined) this.program.write('\x1b[m\x1b[H\x1b[2J#here#');
    await seat.find(shown ?? '#here#');
    // The pane may be there before the rest of the client, which then says that its person has come.
    await seat.find(' herd ');
    return seat;
  }

  /** Somebody gets up; the client has ended when this resolves. */
  async leave(seat: Seat): Promise<void> {
    seat.command('d');
    await seat.outer.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { outer } of this.#seats) outer.kill();
    this.program.close();
    await this.driver[Symbol.asyncDispose]();
  }
}
