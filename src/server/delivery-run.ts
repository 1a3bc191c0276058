// Runs a delivery: shows the step machine the screen, and does what it says. Every write is in the ledger before it is made and reaches
// the terminal only while the agent's own process group is in front. After a crash it looks on from the last step and never pastes again.
import { couldNotWrite, type Delivery, type DeliveryAction, planDelivery, resumeDelivery, step, wrote } from '../agents/deliver.ts';
import type { Prompt } from '../model/review/comment.ts';
import type { Store } from '../store/store.ts';
import type { AgentWatch } from './state/agent-watch.ts';
import type { Delivered, Deliverer } from './state/delivery.ts';
import type { LiveTerminal } from './state/terminals.ts';
import type { TerminalHost } from './terminal-host.ts';

/** ms between looks at the screen when nothing says that it changed: an echo may come without a judgement. */
const LOOK_EVERY = 50;

export interface DelivererOptions {
  store: Store;
  host(): TerminalHost;
  now(): number;
}

type Write = Extract<DeliveryAction, { do: 'write' }>;

/** Delivers one prompt at a time to a terminal, whose lease it holds meanwhile. The outcome is a value; what is thrown is a bug. */
export function createDeliverer(o: DelivererOptions): Deliverer {
  return async (terminal, prompt) => {
    const { watch } = terminal;
    const lease = terminal.lease.take();
    if (!watch || !lease) return { outcome: 'refused', reason: 'another delivery has its terminal' };
    try {
      return await new Run(o, terminal, watch, prompt, lease.signal).toTheEnd();
    } finally {
      lease.release();
    }
  };
}

class Run {
  readonly #o: DelivererOptions;
  readonly #terminal: LiveTerminal;
  readonly #watch: AgentWatch;
  readonly #prompt: Prompt;
  readonly #signal: AbortSignal;
  #steps = 0;
  #seq: number;

  constructor(o: DelivererOptions, terminal: LiveTerminal, watch: AgentWatch, prompt: Prompt, signal: AbortSignal) {
    this.#o = o;
    this.#terminal = terminal;
    this.#watch = watch;
    this.#prompt = prompt;
    this.#signal = signal;
    this.#seq = watch.lastSeq;
  }

  async toTheEnd(): Promise<Delivered> {
    const delivery = await this.#begin();
    for (;;) {
      if (this.#signal.aborted) return this.#interrupted(delivery);
      let action = step(delivery, this.#sight());
      if (!('done' in action) && action.do === 'write') action = await this.#write(delivery, action);
      if ('done' in action) return this.#end(action);
      await this.#somethingHappens(action.do === 'wait' ? action.until : null);
    }
  }

  /** From the start, or from the last step that the ledger has. */
  async #begin(): Promise<Delivery> {
    const { kind } = this.#watch;
    const taken = await this.#o.store.steps(this.#prompt.id);
    const last = taken.at(-1);
    this.#steps = last?.step ?? 0;
    const now = this.#o.now();
    if (last?.what !== 'paste' && last?.what !== 'enter') return planDelivery(kind, this.#prompt.text, now);
    return resumeDelivery(kind, this.#prompt.text, last.what, Number(last.detail?.turn ?? 0), now);
  }

  #sight() {
    const now = this.#o.now();
    return { screen: this.#terminal.screen.text(), status: this.#watch.status, stood: this.#watch.stood(now), at: now };
  }

  /** In the ledger, then to the terminal; the action is what to do next. */
  async #write(delivery: Delivery, { step: name, bytes }: Write): Promise<DeliveryAction> {
    const { turn } = this.#watch.status;
    await this.#o.store.putStep({ prompt: this.#prompt.id, step: ++this.#steps, at: this.#o.now(), what: name, detail: { turn } });
    if (name === 'enter') this.#seq = this.#watch.lastSeq;
    const { id, pid } = this.#terminal;
    const written = await this.#o
      .host()
      .writeIfForeground(id, pid, bytes)
      .catch(() => false);
    if (!written) return couldNotWrite(delivery, this.#terminal.exit ? 'the agent has exited' : 'another program is in front of the agent');
    wrote(delivery, name, this.#o.now());
    this.#watch.fact({ fact: 'input', by: 'herd', submit: name === 'enter' });
    return { do: 'wait', until: null };
  }

  /** A person's keys waited too long: they go first. */
  #interrupted(delivery: Delivery): Delivered {
    if (delivery.step === 'ready') return { outcome: 'refused', reason: 'somebody types into its terminal' };
    return { outcome: 'undelivered', reason: 'somebody typed meanwhile: the text may stand in its input box' };
  }

  #end(action: Extract<DeliveryAction, { done: unknown }>): Delivered {
    const outcome = action.done === 'queued' ? 'refused' : action.done;
    return { outcome, reason: action.reason, turn: action.turn, seq: this.#seq };
  }

  /** The next judgement, `until` (ms, the caller's clock), the lease's end, or a short while. */
  async #somethingHappens(until: number | null): Promise<void> {
    const wait = Math.min(LOOK_EVERY, until === null ? LOOK_EVERY : Math.max(1, until - this.#o.now()));
    const { promise, resolve } = Promise.withResolvers<void>();
    const unlisten = this.#watch.listen(resolve);
    const timer = setTimeout(resolve, wait);
    this.#signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    clearTimeout(timer);
    unlisten();
  }
}
