// The terminals of a session as the server has them beside their screens: whose they are, their agents, their title and folder, how they
// ended. Every change becomes an event. Programs live in the holder; this only follows them.
import { createHash, randomBytes } from 'node:crypto';
import type { Kind } from '../../agents/kinds/kind.ts';
import { isHeadless } from '../../agents/kinds/table.ts';
import type { AgentState, AgentStatus } from '../../model/agent.ts';
import type { TerminalFact } from '../../model/terminal-facts.ts';
import type { TerminalFacts } from '../../model/workspace.ts';
import type { Screen } from '../../terminal/screen.ts';
import type { ExitState, Leftover } from '../../wire/holder-protocol.ts';
import type { TerminalEvents } from '../hosted-terminal.ts';
import type { OutputFlow } from '../output-flow.ts';
import { processLooks } from '../process-looks.ts';
import { Refusal } from '../refusal.ts';
import type { HostedFacts, TerminalHost } from '../terminal-host.ts';
import { AgentWatch } from './agent-watch.ts';
import { InputLease } from './input-lease.ts';
import { WakeUps } from './wake-ups.ts';
import type { WatchMemory } from './watch-memory.ts';

/** ms between two looks at which program is in front of an agent's terminal, while it prints. */
const FOREGROUND_PACE = 1000;
/** ms without output after which is looked at where a program works: asking costs a process on macOS, and a busy one seldom moves. */
const FOLDER_REST = 500;
/** ms that programs get to end by themselves when their terminal is closed. */
export const CLOSE_GRACE = 5000;

export interface LiveTerminal {
  id: number;
  workspace: number;
  role: 'agent' | 'shell';
  argv: string[];
  cwd: string;
  pid: number;
  /** SHA-256, hex, of the token by which a program in the pane may report about it. */
  proof: string;
  screen: Screen;
  /** Its programs' output as it comes. */
  flow: OutputFlow;
  title: string;
  /** Folder by OSC 7; without it that of its first program, as last looked at. */
  folder: string;
  exit: ExitState | null;
  trouble: string | null;
  watch: AgentWatch | null;
  /** Id of the agent's conversation, once it is known of this very terminal. */
  conversation: string | null;
  lease: InputLease;
  foregroundAt: number;
  /** When output came last. */
  printedAt: number;
  /** What is done once the output rests. */
  rest: () => void;
  /** Looks at which program is in front. */
  front: () => void;
}

export interface TerminalsOptions {
  now(): number;
  stallAfter: number;
  /** Something of it that people see has changed. */
  onChange(terminal: LiveTerminal): void;
  /** Output was parsed. */
  onOutput(terminal: LiveTerminal): void;
  onFact(terminal: LiveTerminal, fact: TerminalFact): void;
  onStatus(terminal: LiveTerminal, status: AgentStatus, before: AgentState): void;
  onExit(terminal: LiveTerminal, exit: ExitState): void;
  /** It was dropped. */
  onGone(terminal: number): void;
}

/** What is asked for when a terminal is started; the environment may name the terminal. */
export interface Start {
  workspace: number;
  role: 'agent' | 'shell';
  argv: string[];
  cwd: string;
  cols: number;
  rows: number;
  kind: Kind | null;
  /** Where the changes of the agent before it end; they are counted on. */
  seq: number;
  env(terminal: number, token: string): Record<string, string>;
}

/** Whose a terminal is, and what is known of the agent in it. */
export interface Whose {
  workspace: number;
  role: 'agent' | 'shell';
  /** Watched as an agent of this kind; null: not watched. */
  kind: Kind | null;
  /** As `LiveTerminal.proof`; '' when it is not known: then nothing may report about it. */
  proof: string;
  known: WatchMemory | { seq: number } | null;
}

export class Terminals {
  readonly #o: TerminalsOptions;
  readonly #live = new Map<number, LiveTerminal>();
  readonly #wakeUps = new WakeUps(() => performance.now());
  /** Trouble with terminals that are not known here yet. What their screens have been told meanwhile, the screens keep. */
  readonly #early = new Map<number, string>();
  #host!: TerminalHost;

  constructor(o: TerminalsOptions) {
    this.#o = o;
  }

  /** What the host calls; may be before `connect`. */
  readonly events: TerminalEvents = {
    onOutput: (id) => {
      const terminal = this.#live.get(id);
      if (!terminal) return;
      terminal.watch?.screenChanged();
      this.#o.onOutput(terminal);
      this.#printed(terminal);
    },
    onFact: (id, fact) => this.#fact(id, fact),
    onResized: (id) => {
      const terminal = this.#live.get(id);
      if (!terminal) return;
      terminal.watch?.fact({ fact: 'resize' });
      this.#o.onOutput(terminal);
      this.#o.onChange(terminal);
    },
    onExit: (id, exit) => {
      const terminal = this.#live.get(id);
      if (terminal && !terminal.exit) this.#ended(terminal, exit);
    },
    onTrouble: (id, text) => {
      const terminal = this.#live.get(id);
      if (!terminal) this.#early.set(id, text);
      else {
        terminal.trouble = text;
        this.#o.onChange(terminal);
      }
    },
  };

  connect(host: TerminalHost): void {
    this.#host = host;
  }

  get host(): TerminalHost {
    return this.#host;
  }

  find(id: number): LiveTerminal | undefined {
    return this.#live.get(id);
  }

  get(id: number): LiveTerminal {
    const terminal = this.#live.get(id);
    if (!terminal) throw new Refusal('not-found', `There is no terminal ${id}.`);
    return terminal;
  }

  all(): LiveTerminal[] {
    return [...this.#live.values()];
  }

  of(workspace: number): LiveTerminal[] {
    return this.all().filter((terminal) => terminal.workspace === workspace);
  }

  agentOf(workspace: number): LiveTerminal | null {
    return this.of(workspace).find((terminal) => terminal.role === 'agent') ?? null;
  }

  async start(start: Start): Promise<LiveTerminal> {
    const token = randomBytes(16).toString('hex');
    const { argv, cwd, cols, rows } = start;
    let id: number;
    try {
      id = await this.#host.spawn((terminal) => ({ argv, cwd, cols, rows, env: start.env(terminal, token) }));
    } catch (error) {
      throw spawnRefusal(error, argv[0] ?? '');
    }
    const held = this.#host.list().find((t) => t.id === id)!;
    const { workspace, role, kind, seq } = start;
    return this.#follow(held, { workspace, role, kind, proof: proofOf(token), known: { seq } });
  }

  /** A terminal that the holder already had, with what an earlier server knew of it. */
  adopt(held: HostedFacts, whose: Whose): LiveTerminal {
    return this.#follow(held, whose);
  }

  /** Ends everything in it and drops it; resolves with processes that live on. */
  async close(id: number): Promise<Leftover[]> {
    const terminal = this.get(id);
    const leftovers = await this.#host.kill(id, CLOSE_GRACE);
    this.#live.delete(id);
    terminal.watch?.close();
    this.#o.onGone(id);
    await this.#host.forget(id).catch(() => {});
    return leftovers;
  }

  /** Writes what a person typed, before this returns (null) unless herd is delivering: then it waits. */
  type(terminal: LiveTerminal, bytes: Uint8Array): Promise<void> | null {
    if (terminal.lease.taken) return terminal.lease.wait().then(() => this.#type(terminal, bytes));
    this.#type(terminal, bytes);
    return null;
  }

  #type(terminal: LiveTerminal, bytes: Uint8Array): void {
    if (terminal.exit || bytes.length === 0) return;
    this.#host.write(terminal.id, bytes);
    terminal.watch?.typed(bytes.includes(13));
  }

  /** Tells a program that asked (mode 1004) that a person has it before them now, or no longer. */
  focus(id: number, focused: boolean): void {
    const terminal = this.#live.get(id);
    const bytes = terminal?.exit === null ? terminal.screen.encode({ type: 'focus', focused }) : null;
    if (bytes) this.#host.write(id, bytes);
  }

  /** As everyone sees it. */
  facts(terminal: LiveTerminal): TerminalFacts {
    const { id, workspace, role, argv, screen, title, folder, pid, exit, trouble } = terminal;
    const { cols, rows, progress, cursorColour } = screen;
    return { id, workspace, role, argv, cols, rows, title, cwd: folder, pid, exit, trouble, progress, cursorColour };
  }

  #follow(held: HostedFacts, { workspace, role, kind, proof, known }: Whose): LiveTerminal {
    const [screen, flow] = [this.#host.screen(held.id)!, this.#host.flow(held.id)!];
    const { said, title } = screen;
    const terminal: LiveTerminal = {
      ...{ id: held.id, workspace, role, argv: held.argv, cwd: held.cwd, pid: held.pid, proof, screen, flow, title },
      ...{ folder: said.find((fact) => fact.fact === 'cwd')?.path ?? held.cwd, exit: null, trouble: this.#early.get(held.id) ?? null },
      ...{ watch: null, conversation: null, lease: new InputLease(), foregroundAt: 0, printedAt: 0 },
      rest: () => this.#rested(terminal),
      front: () => void this.#checkForeground(terminal),
    };
    this.#early.delete(held.id);
    if (kind) {
      terminal.watch = new AgentWatch({
        ...{ kind, screen, started: held.started, stallAfter: this.#o.stallAfter, known, now: this.#o.now, wakeUps: this.#wakeUps },
        headless: isHeadless(kind, held.argv),
        said: title ? [...said, { fact: 'title', title }] : said,
        onStatus: (status, before) => this.#o.onStatus(terminal, status, before),
      });
    }
    this.#live.set(held.id, terminal);
    terminal.watch?.screenChanged();
    this.#printed(terminal);
    if (held.exit) this.#ended(terminal, held.exit);
    return terminal;
  }

  #ended(terminal: LiveTerminal, exit: ExitState): void {
    terminal.exit = exit;
    terminal.watch?.fact({ fact: 'exit', code: exit.code, signal: exit.signal });
    this.#o.onOutput(terminal);
    this.#o.onExit(terminal, exit);
  }

  #fact(id: number, fact: TerminalFact): void {
    const terminal = this.#live.get(id);
    if (!terminal) return;
    if (fact.fact === 'title') terminal.title = fact.title;
    if (fact.fact === 'cwd') terminal.folder = fact.path;
    terminal.watch?.fact({ fact: 'terminal', report: fact });
    this.#o.onFact(terminal, fact);
  }

  /** Its programs have printed: they may be others now, or elsewhere. */
  #printed(terminal: LiveTerminal): void {
    if (terminal.exit) return;
    const now = this.#o.now();
    terminal.printedAt = now;
    if (!this.#wakeUps.has(terminal.rest)) this.#wakeUps.in(FOLDER_REST, terminal.rest);
    if (!terminal.watch || now - terminal.foregroundAt < FOREGROUND_PACE) return;
    terminal.foregroundAt = now;
    // Not here: an echo would wait for it.
    this.#wakeUps.in(0, terminal.front);
  }

  async #checkForeground(terminal: LiveTerminal): Promise<void> {
    const { watch } = terminal;
    if (!watch || terminal.exit) return;
    const group = await processLooks.foregroundGroup(terminal.pid);
    if (group === null) return;
    const ours = group === terminal.pid;
    const name = ours ? '' : ((await processLooks.programName(group)) ?? `process ${group}`);
    if (terminal.exit) return;
    if (!ours || watch.shadowed) terminal.screen.forgetStatus();
    watch.fact({ fact: 'foreground', ours, name });
  }

  #rested(terminal: LiveTerminal): void {
    // The clock may be set back.
    const left = Math.min(FOLDER_REST, terminal.printedAt + FOLDER_REST - this.#o.now());
    if (left > 0) this.#wakeUps.in(left, terminal.rest);
    else if (!terminal.screen.said.some(({ fact }) => fact === 'cwd')) void this.#checkFolder(terminal);
  }

  async #checkFolder(terminal: LiveTerminal): Promise<void> {
    const folder = await processLooks.workingFolder(terminal.pid);
    if (folder === null || folder === terminal.folder || terminal.exit) return;
    terminal.folder = folder;
    this.#o.onChange(terminal);
  }
}

/** What the ledger keeps of a report token. */
export function proofOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function spawnRefusal(error: unknown, program: string): Error {
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
    return new Refusal('full', 'No room is left on the disk: no terminal can be started.', 'Free some space and try again.');
  const said = (error as Error).message;
  if (/no program|not a program/i.test(said)) {
    return new Refusal('no-program', said, 'Is it installed, and on the PATH of the terminal you started from?', { program });
  }
  return new Refusal('cannot-start', said, 'herd doctor looks for common causes.');
}
