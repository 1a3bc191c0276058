// A host in a PTY with a modern terminal around it and the test's own program inside: what goes in at one end, and what comes out at the
// other, both ways. Waits only for conditions: a mark written behind what is tried has come through when that has.
import { eventually } from '../support/held-session.ts';
import { Outer } from '../support/outer.ts';
import { type Host, type HostName, openHost } from './hosts.ts';
import { installOuter, type OuterState } from './outer-answers.ts';
import { ProgramLink } from './program-link.ts';

/** ms that a host may take to end before it is killed. */
const END_TIME = 1500;

export class Stage {
  readonly host: HostName;
  readonly outer: Outer;
  readonly seen: OuterState;
  readonly program = new ProgramLink();
  /** ms until something that should have come counts as not coming. */
  readonly patience: number;
  readonly #opened: Host;
  #marks = 0;

  private constructor(name: HostName, patience: number) {
    this.host = name;
    this.patience = patience;
    this.#opened = openHost(name, this.program.argv);
    const { argv, env: own } = this.#opened;
    this.outer = new Outer({ cols: 80, rows: 25, argv, env: own });
    this.seen = installOuter(this.outer.emulator, (bytes) => this.outer.send(bytes));
    this.outer.emulator.onData((bytes) => this.outer.send(bytes));
  }

  /** Ready for the first case. */
  static async open(name: HostName, patience: number): Promise<Stage> {
    const stage = new Stage(name, patience);
    await stage.program.started();
    await stage.fresh();
    return stage;
  }

  write(text: string | Uint8Array): void {
    this.program.write(text);
  }

  /** What the program has read since `fresh`. */
  get input(): string {
    return this.program.input;
  }

  /** Waits until the outer terminal shows what the program has written so far. */
  async shown(): Promise<void> {
    const mark = `mark ${++this.#marks}`;
    this.write(`\x1b7\x1b[?6l\x1b[${this.program.size.rows};1H\x1b[m${mark}\x1b8`);
    await this.becomes(() => this.row(this.program.size.rows - 1).startsWith(mark));
    this.write(`\x1b7\x1b[${this.program.size.rows};1H\x1b[m\x1b[2K\x1b8`);
    await this.becomes(() => !this.row(this.program.size.rows - 1).startsWith(mark));
  }

  /** Waits until the host has taken in what the program has written so far; returns what the program has been answered meanwhile. */
  async answered(): Promise<string> {
    this.write('\x1b[5n');
    await this.becomes(() => this.input.includes('\x1b[0n'));
    return this.input.replace('\x1b[0n', '');
  }

  /** Whether `condition` comes true soon. */
  async becomes(condition: () => boolean, patience = this.patience): Promise<boolean> {
    return eventually(condition, '', patience).then(
      () => true,
      () => false,
    );
  }

  /** What the program reads when `bytes` are typed, until `done` says it is all. */
  async typed(bytes: string, done: (read: string) => boolean): Promise<string> {
    this.program.input = '';
    this.outer.send(bytes);
    await this.becomes(() => done(this.input));
    return this.input;
  }

  /** A row of the pane on the outer screen, trailing blanks cut. */
  row(y: number): string {
    return this.outer.rows()[y] ?? '';
  }

  cell(x: number, y: number) {
    const { active } = this.outer.emulator.buffer;
    return active.getLine(active.baseY + y)!.getCell(x)!;
  }

  /** As at the start: modes off, screen empty, nothing seen and nothing read. */
  async fresh(): Promise<void> {
    this.write(
      '\x18\x1b\\\x1bc\x1b[<9u\x1b[>4;0m\x1b[?1049l\x1b[?2004l\x1b[?1004l\x1b[?1003l\x1b[?1006l\x1b[?1016l\x1b[?2026l\x1b[2J\x1b[H',
    );
    await this.shown();
    this.program.input = '';
    const { osc, images, titles } = this.seen;
    for (const list of [osc, images, titles]) list.length = 0;
    this.seen.bells = 0;
  }

  async close(): Promise<void> {
    this.program.close();
    await Promise.race([this.outer.exited, new Promise((resolve) => setTimeout(resolve, END_TIME))]);
    this.outer.kill();
    await this.#opened.end();
  }
}
