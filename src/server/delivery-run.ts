// A delivery: paste, seen on the screen, carriage return alone, accepted when the input box emptied or the turn went on. Every write is in
// the ledger before it is made and reaches the terminal only while the agent's own process group is in front.
import { type Composer, findComposer } from '../agents/composer.ts';
import { compileKind } from '../agents/kinds/compile.ts';
import type { Prompt } from '../model/review/comment.ts';
import type { ScreenText } from '../model/screen-text.ts';
import type { Store } from '../store/store.ts';
import type { AgentWatch } from './state/agent-watch.ts';
import type { Delivered, Deliverer } from './state/delivery.ts';
import type { LiveTerminal } from './state/terminals.ts';
import type { TerminalHost } from './terminal-host.ts';

/** ms for a paste to show; agents take up to a second on a loaded machine. */
const SHOWN_WITHIN = 10_000;
/** ms for a submitted prompt to show effect before the carriage return is sent once more, and after that. */
const TAKEN_WITHIN = 3000;
const TAKEN_AGAIN = 7000;
/** ms between looks at the screen while waiting for it. */
const LOOK_EVERY = 30;
/** Characters from the text's end that must show. */
const TAIL = 24;

export interface DelivererOptions {
  store: Store;
  host(): TerminalHost;
  now(): number;
}

/** Gives a delivery up with its outcome. */
class Stop extends Error {
  readonly delivered: Delivered;
  constructor(outcome: Delivered['outcome'], reason: string) {
    super(reason);
    this.delivered = { outcome, reason };
  }
}

export function createDeliverer(o: DelivererOptions): Deliverer {
  return async (terminal, prompt, force) => {
    const lease = terminal.lease.take();
    if (!lease || !terminal.watch) return { outcome: 'refused', reason: 'another delivery has its terminal' };
    try {
      return await new Delivery(o, terminal, terminal.watch, prompt, lease.signal).run(force);
    } catch (error) {
      if (error instanceof Stop) return error.delivered;
      throw error;
    } finally {
      lease.release();
    }
  };
}

class Delivery {
  readonly #o: DelivererOptions;
  readonly #terminal: LiveTerminal;
  readonly #watch: AgentWatch;
  readonly #prompt: Prompt;
  readonly #signal: AbortSignal;
  readonly #composer: ReturnType<typeof compileKind>['composer'];
  #step = 0;

  constructor(o: DelivererOptions, terminal: LiveTerminal, watch: AgentWatch, prompt: Prompt, signal: AbortSignal) {
    this.#o = o;
    this.#terminal = terminal;
    this.#watch = watch;
    this.#prompt = prompt;
    this.#signal = signal;
    this.#composer = compileKind(watch.kind).composer;
  }

  async run(force: boolean): Promise<Delivered> {
    const { kind } = this.#watch;
    const screen = this.#terminal.screen.text();
    this.#check(screen, force);
    const before = this.#look(screen);
    const text = clean(this.#prompt.text);
    await this.#write('paste', Buffer.from(screen.bracketedPaste ? `\x1b[200~${text}\x1b[201~` : text), 'refused');
    await this.#until(() => this.#shown(text, before), SHOWN_WITHIN, 'its text did not show in the input box');
    await pause(kind.prompt.settle);
    this.#still();
    const { turn } = this.#watch.status;
    const seq = this.#watch.lastSeq;
    const taken = () => this.#taken(turn, seq);
    await this.#write('submit', Buffer.from('\r'), 'undelivered');
    this.#watch.fact({ fact: 'input', by: 'herd', submit: true });
    if (!(await this.#within(taken, TAKEN_WITHIN))) {
      this.#still();
      await this.#write('submit again', Buffer.from('\r'), 'undelivered');
      await this.#until(taken, TAKEN_AGAIN, 'the agent did not take it: its text stands in the input box');
    }
    return { outcome: 'accepted', turn: Math.max(turn + 1, this.#watch.status.turn), seq };
  }

  /** Nothing is written into a dialog, over a draft, or to a program that would take a paste for keys. */
  #check(screen: ScreenText, force: boolean): void {
    const { kind, status } = this.#watch;
    if (this.#terminal.exit) throw new Stop('refused', 'the agent has exited');
    if (kind.prompt.method === 'none') throw new Stop('refused', `herd sends nothing to a ${kind.name}`);
    if (status.state === 'blocked') throw new Stop('refused', 'it is blocked');
    if (!screen.bracketedPaste && (!this.#composer || this.#prompt.text.includes('\n'))) {
      throw new Stop('refused', 'the program has not said that it takes pasted text');
    }
    if (!this.#composer) return;
    const composer = findComposer(screen, this.#composer);
    if (!composer && !force) throw new Stop('refused', 'its input box is not on the screen');
    if (composer && composer.draft !== '') throw new Stop('refused', 'somebody’s draft stands in its input box');
  }

  /** Still the agent's turn to read, and nobody has waited too long for the terminal. */
  #still(): void {
    if (this.#terminal.exit) throw new Stop('undelivered', 'the agent exited meanwhile');
    if (this.#signal.aborted) throw new Stop('undelivered', 'somebody typed meanwhile');
    if (this.#watch.status.state === 'blocked') throw new Stop('undelivered', 'a dialog came up meanwhile');
  }

  #look(screen: ScreenText): Composer | null {
    return findComposer(screen, this.#composer);
  }

  #shown(text: string, before: Composer | null): boolean {
    const screen = this.#terminal.screen.text();
    const composer = this.#look(screen);
    const seen = squeeze(composer ? composer.shown : screen.lines.map((line) => line.text).join(''));
    if (this.#watch.kind.prompt.folded.some((mark) => new RegExp(mark, 'i').test(composer?.shown ?? ''))) return true;
    return seen !== squeeze(before?.shown ?? '') && seen.includes(squeeze(text).slice(-TAIL));
  }

  #taken(turn: number, seq: number): boolean {
    const { status, changes } = this.#watch;
    if (status.turn > turn || changes.some((change) => change.seq > seq && change.state !== 'idle')) return true;
    if (!this.#composer) return true;
    return this.#look(this.#terminal.screen.text())?.draft === '';
  }

  /** In the ledger first; `otherwise` is the outcome when another program is in front. */
  async #write(what: string, bytes: Uint8Array, otherwise: 'refused' | 'undelivered'): Promise<void> {
    await this.#o.store.putStep({ prompt: this.#prompt.id, step: ++this.#step, at: this.#o.now(), what, detail: { bytes: bytes.length } });
    const { id, pid } = this.#terminal;
    if (!(await this.#o.host().writeIfForeground(id, pid, bytes))) throw new Stop(otherwise, 'another program is in front of the agent');
  }

  async #until(seen: () => boolean, within: number, otherwise: string): Promise<void> {
    if (!(await this.#within(seen, within))) throw new Stop('undelivered', otherwise);
  }

  async #within(seen: () => boolean, within: number): Promise<boolean> {
    const deadline = performance.now() + within;
    while (performance.now() < deadline) {
      if (seen()) return true;
      this.#still();
      await pause(LOOK_EVERY);
    }
    return seen();
  }
}

/** Nothing in a prompt may end the paste or steer the terminal. */
function clean(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
}

function squeeze(text: string): string {
  return text.replace(/[\s│┃|]+/g, '');
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
