// All terminals of the session as the server has them: primes their screens from checkpoint and kept output, starts new ones, and
// passes on what they do. Programs live in the holder: nothing here ends one unless asked to.
import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OuterColours } from '../model/outer.ts';
import { HistoryFolder } from '../terminal/history-blocks.ts';
import { Looks } from '../terminal/looks.ts';
import type { Screen } from '../terminal/screen.ts';
import { Turns } from '../terminal/turns.ts';
import type { ExitState, HeldTerminal, HolderEvent, Leftover, SpawnSpec } from '../wire/holder-protocol.ts';
import { FRAME_PAUSE, Later } from '../wire/later.ts';
import type { WireError } from '../wire/requests.ts';
import { CheckpointBudget } from './checkpoint-budget.ts';
import { CheckpointFiles } from './checkpoint-files.ts';
import { type HolderLink, openHolderLink } from './holder-link.ts';
import { type HolderSide, HostedTerminal, type TerminalEvents } from './hosted-terminal.ts';
import type { OutputFlow } from './output-flow.ts';

const NOTHING = new Uint8Array(0);
/** Bytes of all histories together unless another quota is given. */
const HISTORY_QUOTA = 256 * 1024 * 1024;
const SET_ASIDE = 'This terminal was set aside: its output ended the server three times. Its program runs on.\r\n';

/**
 * ms for which output that nobody looks at is put off: the longer, the less there is to parse at once for the same output. Shorter than the
 * time after which the holder takes a server that is killed for one that was stuck.
 */
const REST = 400;

/** Time between the two sizes of a nudge, ms: a program that sees only the second has nothing to redraw. */
const NUDGE = 100;

export interface TerminalHostOptions {
  /** Path of the session's `holder.sock`, and the token. */
  socket: string;
  token: string;
  version: string;
  /** Private folder for checkpoints and the id counter. */
  dir: string;
  outer: () => OuterColours;
  scrollback?: number;
  /** Bytes that the histories of all terminals may take on disk. */
  historyQuota?: number;
  /** The quota has taken a terminal's oldest lines; told once per terminal. */
  onHistoryFull?(terminal: number): void;
  /** Terminals not to read: their output is what an earlier server died of. */
  quarantine?: readonly number[];
  events: TerminalEvents;
  /** A program without a screen has ended. */
  onPlainExit?(program: PlainProgram): void;
  /** The holder is gone, and with it every program. */
  onLost(why: WireError): void;
  log(line: string): void;
}

/** A terminal as `list` gives it. */
export interface HostedFacts {
  id: number;
  argv: string[];
  cwd: string;
  pid: number;
  cols: number;
  rows: number;
  /** ms since the epoch. */
  started: number;
  exit: ExitState | null;
  quarantined: boolean;
}

/** A program that runs in the holder without a screen; `pid` is null until the holder has confirmed its start. */
export type PlainProgram = Pick<HeldTerminal, 'id' | 'started' | 'exit'> & { tag: string; pid: number | null };

interface Entry {
  held: HeldTerminal;
  terminal: HostedTerminal;
  quarantined: boolean;
}

export class TerminalHost {
  readonly #o: TerminalHostOptions;
  readonly #entries = new Map<number, Entry>();
  /** Programs without a screen, by id: their output is in files, nobody follows them. There from the moment that a start is asked for. */
  readonly #plain = new Map<number, PlainProgram>();
  readonly #coming = new Map<string, Promise<PlainProgram>>();
  readonly #files: CheckpointFiles;
  readonly #histories: HistoryFolder;
  readonly #side: HolderSide;
  readonly #turns = new Turns();
  readonly #looks = new Looks();
  readonly #reports = new Later(FRAME_PAUSE, (send) => this.#link.together(send));
  readonly #rests = new Later(REST, (end) => end());
  readonly #budget = new CheckpointBudget(() => performance.now());
  #link!: HolderLink;
  #lastId = 0;

  private constructor(options: TerminalHostOptions) {
    this.#o = options;
    this.#files = new CheckpointFiles(options.dir);
    this.#histories = new HistoryFolder({
      ...{ dir: options.dir, quota: options.historyQuota ?? HISTORY_QUOTA },
      onDropped: (stream) => options.onHistoryFull?.(Number.parseInt(stream, 10)),
      onFault: options.log,
    });
    this.#side = {
      processed: (terminal, offset, reply) => this.#link.processed(terminal, offset, reply),
      input: (terminal, bytes) => this.#link.input(terminal, bytes),
      checkpoint: (terminal, offset, vt) => this.#storeCheckpoint(terminal, offset, vt),
    };
  }

  /** Connects to the holder and primes every screen; resolves when all show what their programs have written. */
  static async open(options: TerminalHostOptions): Promise<TerminalHost> {
    const host = new TerminalHost(options);
    host.#link = await openHolderLink({
      ...{ socket: options.socket, token: options.token, version: options.version, role: 'server' },
      onOutput: (terminal, offset, bytes) => host.#entries.get(terminal)?.terminal.output(offset, bytes),
      onEvent: (event) => host.#take(event),
      onClose: options.onLost,
    });
    const { terminals = [], highest = 0 } = await host.#link.ask({ do: 'list' });
    const streams = new Set(terminals.flatMap(({ id }) => [`${id}`, `${id}e`]));
    for (const stream of host.#histories.streams) if (!streams.has(stream)) host.#histories.remove(stream);
    host.#lastId = Math.max(highest, readLastId(options.dir));
    // What an earlier server stored and the holder never heard of. Before any output comes: the next checkpoint is this server's own.
    await Promise.all(terminals.map(({ id, checkpoint }) => host.#files.prune(id, checkpoint?.id ?? null)));
    await Promise.all(terminals.map((held) => (isTagged(held) ? void host.#plain.set(held.id, held) : host.#adopt(held))));
    return host;
  }

  get holder(): { pid: number; version: string; protocol: number } {
    return this.#link.holder;
  }

  list(): HostedFacts[] {
    return [...this.#entries.values()].map(({ held, terminal, quarantined }) => ({
      ...{ id: held.id, argv: held.argv, cwd: held.cwd, pid: held.pid, started: held.started, quarantined },
      ...{ cols: terminal.screen.cols, rows: terminal.screen.rows, exit: terminal.exit },
    }));
  }

  /**
   * Starts a program; resolves with the terminal's id, never used before in this session. A spec that names it is made by a function.
   * Rejects with HolderRefusal saying why not.
   */
  async spawn(spec: SpawnSpec | ((id: number) => SpawnSpec)): Promise<number> {
    const id = ++this.#lastId;
    writeLastId(this.#o.dir, id);
    const { terminal: held } = await this.#link.ask({ do: 'spawn', terminal: id, spec: typeof spec === 'function' ? spec(id) : spec });
    await this.#follow(held!, NOTHING, 0, 0);
    return id;
  }

  /**
   * Starts a program without a screen; it is found again by `tag`, also by another server. A tag that is there, or just being started,
   * starts nothing. Rejects like `spawn`.
   */
  async spawnPlain(spec: SpawnSpec & { tag: string }): Promise<{ program: PlainProgram; existed: boolean }> {
    const coming = this.#coming.get(spec.tag);
    if (coming) return { program: await coming, existed: true };
    const there = this.plain().find((program) => program.tag === spec.tag);
    if (there) return { program: there, existed: true };
    const start = this.#startPlain(spec).finally(() => this.#coming.delete(spec.tag));
    this.#coming.set(spec.tag, start);
    return { program: await start, existed: false };
  }

  async #startPlain(spec: SpawnSpec & { tag: string }): Promise<PlainProgram> {
    const id = ++this.#lastId;
    writeLastId(this.#o.dir, id);
    const program: PlainProgram = { id, tag: spec.tag, pid: null, started: Date.now(), exit: null };
    // Before the holder is asked: it may run, and even end, before the answer is read.
    this.#plain.set(id, program);
    try {
      const { terminal } = await this.#link.ask({ do: 'spawn', terminal: id, spec });
      return Object.assign(program, { pid: terminal!.pid, started: terminal!.started });
    } catch (error) {
      this.#plain.delete(id);
      throw error;
    }
  }

  /** Programs without a screen, those whose start is under way and ended ones too until they are forgotten. */
  plain(): PlainProgram[] {
    return [...this.#plain.values()];
  }

  /** Drops a program without a screen that has ended. */
  async forgetPlain(id: number): Promise<void> {
    await this.#link.ask({ do: 'forget', terminal: id });
    this.#plain.delete(id);
  }

  /** The terminal's screen; undefined when there is no such terminal. */
  screen(id: number): Screen | undefined {
    return this.#entries.get(id)?.terminal.screen;
  }

  /** The terminal's output as it comes. */
  flow(id: number): OutputFlow | undefined {
    return this.#entries.get(id)?.terminal.flow;
  }

  /** Bytes for the program. */
  write(id: number, bytes: Uint8Array): void {
    this.#link.input(id, bytes);
  }

  /** Writes if the process group `group` is in front of the terminal, checked right before; false when another is. */
  async writeIfForeground(id: number, group: number, bytes: Uint8Array): Promise<boolean> {
    const reply = await this.#link.ask({ do: 'write-if-foreground', terminal: id, group, bytes: Buffer.from(bytes).toString('base64') });
    return reply.written === true;
  }

  /** The program learns of it at once, the screen changes where the program's output does. */
  async resize(id: number, cols: number, rows: number): Promise<void> {
    await this.#link.ask({ do: 'resize', terminal: id, cols, rows });
  }

  /** To the process group in front. */
  async signal(id: number, signal: NodeJS.Signals): Promise<void> {
    await this.#link.ask({ do: 'signal', terminal: id, signal });
  }

  /** Ends all that runs in the terminal: asks, kills after `grace` ms. Resolves with what lives on outside of it. */
  async kill(id: number, grace: number): Promise<Leftover[]> {
    return (await this.#link.ask({ do: 'kill', terminal: id, grace })).leftovers ?? [];
  }

  /** Drops a terminal whose program has ended, with its screen and files. */
  async forget(id: number): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry) await this.#link.ask({ do: 'forget', terminal: id });
    this.#entries.delete(id);
    await entry?.terminal.screen.removeHistory();
    entry?.terminal.dispose();
    await this.#files.prune(id, null);
    await rm(join(this.#o.dir, `${id}.txt`), { force: true });
  }

  /** Reads a terminal that was set aside after all. */
  async release(id: number): Promise<void> {
    const entry = this.#entries.get(id);
    if (!entry?.quarantined) return;
    entry.terminal.dispose();
    const { terminals = [] } = await this.#link.ask({ do: 'list' });
    const held = terminals.find((terminal) => terminal.id === id);
    if (held) await this.#prime(held);
  }

  /** Processes that outlived an earlier holder of this session, which had died. */
  async strays(): Promise<Leftover[]> {
    return (await this.#link.ask({ do: 'strays' })).leftovers ?? [];
  }

  /** Checkpoints every screen that can be; call before going down. */
  async save(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ terminal }) => terminal.save()));
  }

  /** Has the holder end this server and start it anew from what is on disk. */
  async restartServer(): Promise<void> {
    await this.#link.ask({ do: 'restart-server' });
  }

  /** Ends every program, then this server and the holder. Resolves with what lives on. */
  async stop(grace: number): Promise<Leftover[]> {
    return (await this.#link.ask({ do: 'stop', grace })).leftovers ?? [];
  }

  close(): void {
    this.#link.close();
    for (const { terminal } of this.#entries.values()) terminal.dispose();
  }

  #create({ id, cols, rows }: HeldTerminal, from: number): HostedTerminal {
    const { scrollback, version, outer, events } = this.#o;
    const [history, holder, budget] = [this.#histories, this.#side, this.#budget];
    const shared = { turns: this.#turns, looks: this.#looks, reports: this.#reports, rests: this.#rests };
    return new HostedTerminal({ id, cols, rows, from, scrollback, history, version, outer, events, holder, budget, ...shared });
  }

  async #adopt(held: HeldTerminal): Promise<void> {
    if (!this.#o.quarantine?.includes(held.id)) return this.#prime(held);
    const terminal = this.#create(held, Number.POSITIVE_INFINITY);
    await terminal.prime({ cols: held.cols, rows: held.rows, vt: Buffer.from(SET_ASIDE), offset: 0, liveFrom: 0 });
    terminal.exit = held.exit;
    this.#entries.set(held.id, { held, terminal, quarantined: true });
    this.#o.events.onTrouble(held.id, 'Set aside: its output ended the server three times; the program runs on.');
  }

  /** Builds the screen from the checkpoint and what came after it; where output was lost, from what is kept. */
  async #prime(held: HeldTerminal): Promise<void> {
    const { checkpoint, gap, kept, processed, end } = held;
    const vt = checkpoint && !gap ? await this.#files.load(held.id, checkpoint.id) : null;
    const lost = vt ? 0 : gap ? gap.to - gap.from : kept;
    const terminal = await this.#follow(held, vt ?? (lost > 0 ? lostNotice(lost) : NOTHING), vt ? checkpoint!.offset : kept, processed);
    await terminal.parsedTo(end);
    if (lost > 0) await this.#repaint(held, terminal);
  }

  /** The terminal is known before its output is asked for: none may come early. */
  async #follow(held: HeldTerminal, vt: Uint8Array, offset: number, liveFrom: number): Promise<HostedTerminal> {
    const terminal = this.#create(held, offset);
    this.#entries.set(held.id, { held, terminal, quarantined: false });
    const { cols = held.cols, rows = held.rows } = await this.#link.ask({ do: 'follow', terminal: held.id, from: offset });
    await terminal.prime({ cols, rows, vt, offset, liveFrom });
    return terminal;
  }

  async #repaint(held: HeldTerminal, terminal: HostedTerminal): Promise<void> {
    await terminal.save();
    this.#o.events.onTrouble(held.id, 'Some output was lost while no server could read it.');
    if (held.exit) return;
    await this.resize(held.id, held.cols, held.rows - 1);
    setTimeout(() => this.resize(held.id, held.cols, held.rows).catch(() => {}), NUDGE);
  }

  #take(event: HolderEvent): void {
    const plain = this.#plain.get(event.terminal);
    if (plain && event.event === 'exit') {
      plain.exit = { code: event.code, signal: event.signal };
      this.#o.onPlainExit?.(plain);
      return;
    }
    const terminal = this.#entries.get(event.terminal)?.terminal;
    if (event.event === 'resized') terminal?.resized(event.cols, event.rows);
    if (event.event === 'exit') terminal?.exited({ code: event.code, signal: event.signal }, event.end);
  }

  async #storeCheckpoint(terminal: number, offset: number, vt: Uint8Array): Promise<boolean> {
    const id = randomBytes(8).toString('hex');
    try {
      await this.#files.store(terminal, id, vt);
      await this.#link.ask({ do: 'checkpoint', terminal, checkpoint: id, offset });
      await this.#files.prune(terminal, id);
      return true;
    } catch (error) {
      this.#o.log(`checkpoint of terminal ${terminal} failed: ${(error as Error).message}`);
      return false;
    }
  }
}

function isTagged(held: HeldTerminal): held is HeldTerminal & { tag: string } {
  return held.tag !== undefined;
}

function lostNotice(bytes: number): Uint8Array {
  return Buffer.from(`\x1b[7m herd: ${Math.ceil(bytes / 1024)} KiB of output lost \x1b[m\r\n`);
}

/** Ids outlive the holder: files and events name them. */
function readLastId(dir: string): number {
  try {
    const id = Number(readFileSync(join(dir, 'last-terminal'), 'utf8'));
    return Number.isSafeInteger(id) && id > 0 ? id : 0;
  } catch {
    return 0;
  }
}

function writeLastId(dir: string, id: number): void {
  const path = join(dir, 'last-terminal');
  writeFileSync(`${path}.new`, String(id), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
