// Prompts on their way to agents: each kept in the ledger from the moment somebody was told of it, delivered one per turn in order, held
// while the agent is blocked, limited or working. Never writes a byte itself: deliveries do, under the terminal's lease.
import type { AgentStatus } from '../../model/agent.ts';
import type { Prompt, Receipt } from '../../model/review/comment.ts';
import type { Store } from '../../store/store.ts';
import type { ServerEvent } from '../../wire/requests.ts';
import { Refusal } from '../refusal.ts';
import type { Delivered, Deliverer } from './delivery.ts';
import type { LiveTerminal } from './terminals.ts';
import type { Deliveries } from './waiting.ts';
import type { OpenWorkspace } from './workspaces.ts';

/** ms after an accepted prompt in which the agent may take to show work, before the next one is sent. */
const NEXT_TURN = 10_000;
/** Why a prompt waits that was meant to. */
const LATER = 'it waits for the end of the next turn';
/** Why a prompt waits for a program that has not come up yet. */
const STARTING = 'it is starting';
/** ms between looks at a program that starts, and before a prompt that was put back is tried again. */
const LOOK_AGAIN = 300;
const TRY_AGAIN = 5000;
/** ms that a program of an unknown kind has to say that it takes pastes; slow starts take up to 90 s. */
const STRANGE_AFTER = 90_000;

/** Prompts of a workspace that are done with and kept, the newest: nobody looks further back, and an agent may be sent one each minute. */
const PAST_KEPT = 200;

export interface PromptsOptions {
  store: Store;
  now(): number;
  emit(event: ServerEvent): void;
  agentOf(workspace: number): LiveTerminal | null;
  deliver: Deliverer;
  /** A prompt with comments was queued, dropped, or accepted. */
  onComments(ids: number[], what: { do: 'queue' } | { do: 'unqueue' } | { do: 'sent'; round: number }): Promise<void>;
  /** A prompt is about to be written to its agent. */
  onDeliver(prompt: Prompt): void;
  /** The queue's length, or where deliveries stand, has changed. */
  onChange(workspace: number): void;
  onReceipt(prompt: Prompt, receipt: Receipt): void;
}

export interface Sending {
  workspace: OpenWorkspace;
  text: string;
  queue: boolean;
  /** Queue it in any case, for the end of the turn that the agent is in or begins next. */
  later?: boolean | undefined;
  /** Deliver although the state is unknown. */
  force: boolean;
  comments?: { ids: number[]; round: number };
}

/** Where a workspace's deliveries stand. */
interface Line {
  waiting: Prompt[];
  running: Promise<Receipt> | null;
  /** The agent's `lastSeq` when the last prompt was accepted; null: none yet. */
  acceptedSeq: number | null;
  acceptedAt: number;
  timer: NodeJS.Timeout | null;
}

export class Prompts {
  readonly #o: PromptsOptions;
  readonly #all = new Map<number, Prompt>();
  readonly #lines = new Map<number, Line>();

  constructor(o: PromptsOptions) {
    this.#o = o;
  }

  /** From the ledger. */
  async load(): Promise<void> {
    const prompts = await this.#o.store.prompts();
    for (const prompt of prompts.sort((a, b) => a.created - b.created || a.id - b.id)) {
      this.#all.set(prompt.id, prompt);
      if (prompt.state === 'queued') this.#line(prompt.workspace).waiting.push(prompt);
      if (prompt.state === 'delivering') await this.#afterCrash(prompt);
      if (prompt.state === 'accepted') this.#accepted(prompt);
    }
  }

  /** A wait goes on from the last prompt that was accepted, whichever server delivered it. */
  #accepted({ workspace, receipt }: Prompt): void {
    const line = this.#line(workspace);
    if (receipt?.seq === undefined || receipt.at < line.acceptedAt) return;
    line.acceptedSeq = receipt.seq;
    line.acceptedAt = receipt.at;
  }

  of(workspace: number): Prompt[] {
    const waiting = this.#line(workspace).waiting;
    const others = [...this.#all.values()].filter((p) => p.workspace === workspace && !waiting.includes(p));
    return [...others.filter((p) => p.state === 'delivering' || p.state === 'undelivered'), ...waiting];
  }

  /** What waits and what this workspace was sent of late, oldest first. */
  all(workspace: number): Prompt[] {
    return [...this.#all.values()].filter((prompt) => prompt.workspace === workspace).sort((a, b) => a.id - b.id);
  }

  /** Highest round among the prompts for a workspace or with comments of it; 0 when there is none. Dropped ones gave theirs back. */
  lastRound(workspace: number, comments: ReadonlySet<number>): number {
    const rounds = [...this.#all.values()].map((prompt) => {
      const ours = prompt.workspace === workspace || prompt.comments.some((id) => comments.has(id));
      return ours && prompt.state !== 'dropped' ? (prompt.round ?? 0) : 0;
    });
    return Math.max(0, ...rounds);
  }

  queued(workspace: number): number {
    return this.#lines.get(workspace)?.waiting.length ?? 0;
  }

  deliveries(workspace: number): Deliveries {
    const line = this.#line(workspace);
    const due = () => line.waiting.filter((prompt) => this.#due(prompt)).length;
    return { pending: () => due() + (line.running ? 1 : 0), lastSeq: () => line.acceptedSeq };
  }

  /** Delivers at once when the agent takes it, queues when asked to, refuses otherwise; a refusal stores nothing. */
  async send(sending: Sending): Promise<Receipt> {
    const { workspace, queue, later = false, force } = sending;
    const { id } = workspace.row;
    const text = sending.text.replace(/\r\n?/g, '\n');
    if (text.trim() === '') throw new Refusal('empty', 'There is no text to send.');
    const line = this.#line(id);
    const busy = this.#hold(id, force);
    const before = line.running || line.waiting.some((prompt) => this.#due(prompt)) ? 'other prompts are before it' : null;
    const hold = busy ?? before ?? (later ? LATER : null);
    if (hold === 'exited') return this.#refused(0, 'the agent has exited');
    if (hold !== null && !queue && !later) return this.#refused(0, hold);
    const created = await this.#create(id, text, sending.comments);
    const prompt = later ? { ...created, afterTurn: this.#turnBefore(id) } : created;
    if (hold !== null) {
      await this.#enqueue(prompt);
      return { prompt: prompt.id, outcome: 'queued', reason: hold, at: this.#o.now() };
    }
    return this.#run(prompt, queue);
  }

  async edit(id: number, text: string): Promise<Prompt> {
    const prompt = this.#waiting(id);
    if (text.trim() === '') throw new Refusal('empty', 'There is no text to send.', 'Drop the prompt instead.');
    return this.#put({ ...prompt, text });
  }

  /** A prompt that waits or is being delivered carries this comment. */
  carries(comment: number): boolean {
    return [...this.#all.values()].some(
      ({ state, comments }) => (state === 'queued' || state === 'delivering') && comments.includes(comment),
    );
  }

  /** Prompts that wait and carry a comment. */
  waitingWith(comment: number): Prompt[] {
    return [...this.#lines.values()].flatMap((line) => line.waiting.filter((prompt) => prompt.comments.includes(comment)));
  }

  /** What a waiting prompt carries has changed. */
  async rewrite(id: number, text: string, comments: number[]): Promise<void> {
    const prompt = this.#all.get(id);
    if (prompt?.state === 'queued') await this.#put({ ...prompt, text, comments });
  }

  /** Before another waiting prompt, or to the end. */
  async move(id: number, before: number | null): Promise<Prompt[]> {
    const prompt = this.#waiting(id);
    const line = this.#line(prompt.workspace);
    const rest = line.waiting.filter((p) => p !== prompt);
    const at = before === null ? rest.length : rest.findIndex((p) => p.id === before);
    if (at < 0) throw new Refusal('not-found', `Prompt ${before} does not wait.`);
    rest.splice(at, 0, prompt);
    line.waiting = rest;
    // The order of the ledger is the order of `created`.
    const times = rest.map((p) => p.created).sort((a, b) => a - b);
    for (const [i, waiting] of [...rest].entries()) if (waiting.created !== times[i]) await this.#put({ ...waiting, created: times[i]! });
    this.#o.onChange(prompt.workspace);
    return this.of(prompt.workspace);
  }

  async drop(id: number): Promise<Prompt> {
    const prompt = this.#all.get(id);
    if (prompt?.state !== 'queued' && prompt?.state !== 'undelivered') throw new Refusal('not-found', `Prompt ${id} does not wait.`);
    const line = this.#line(prompt.workspace);
    line.waiting = line.waiting.filter((p) => p.id !== id);
    const dropped = await this.#put({ ...prompt, state: 'dropped' });
    await this.#o.onComments(prompt.comments, { do: 'unqueue' });
    await this.#dropPast(prompt.workspace);
    return dropped;
  }

  /** Tries a queued or undelivered prompt now. */
  async retry(id: number): Promise<Receipt> {
    const prompt = this.#all.get(id);
    if (prompt?.state !== 'queued' && prompt?.state !== 'undelivered') throw new Refusal('not-found', `Prompt ${id} does not wait.`);
    const line = this.#line(prompt.workspace);
    const hold = this.#hold(prompt.workspace, false) ?? (line.running ? 'another prompt is being delivered' : null);
    if (hold !== null) return this.#refused(id, hold);
    line.waiting = line.waiting.filter((p) => p.id !== id);
    const { afterTurn: _, ...now } = prompt;
    return this.#run(now, true);
  }

  /** The agent's status changed: the next prompt may be due. */
  pump(workspace: number): void {
    const line = this.#lines.get(workspace);
    if (!line || line.running || !line.waiting.some((prompt) => this.#due(prompt))) return;
    const hold = this.#hold(workspace, false);
    if (hold !== null && hold !== STARTING) return;
    const wait = hold === STARTING ? LOOK_AGAIN : this.#untilNextTurn(workspace, line);
    if (wait > 0) return this.#pumpLater(workspace, line, wait);
    const prompt = line.waiting.find((waiting) => this.#due(waiting))!;
    line.waiting = line.waiting.filter((waiting) => waiting !== prompt);
    void this.#run(prompt, true);
  }

  /** Nothing but the agent's state keeps it waiting. A turn before the one it was written in is another run of the agent. */
  #due({ workspace, afterTurn }: Prompt): boolean {
    return afterTurn === undefined || this.#turn(workspace) !== afterTurn;
  }

  #turn(workspace: number): number {
    return this.#o.agentOf(workspace)?.watch?.status.turn ?? 0;
  }

  /** The turn before the one that the agent is in or begins next. */
  #turnBefore(workspace: number): number {
    const state = this.#o.agentOf(workspace)?.watch?.status.state;
    return this.#turn(workspace) - (state === 'working' || state === 'blocked' ? 1 : 0);
  }

  #pumpLater(workspace: number, line: Line, wait: number): void {
    line.timer ??= setTimeout(() => {
      line.timer = null;
      this.pump(workspace);
    }, wait);
  }

  forget(workspace: number): void {
    const line = this.#lines.get(workspace);
    if (line?.timer) clearTimeout(line.timer);
    this.#lines.delete(workspace);
    for (const prompt of [...this.#all.values()]) if (prompt.workspace === workspace) this.#all.delete(prompt.id);
  }

  close(): void {
    for (const line of this.#lines.values()) if (line.timer) clearTimeout(line.timer);
  }

  /** Why nothing may be sent to the agent now; null when it may. */
  #hold(workspace: number, force: boolean): string | null {
    const terminal = this.#o.agentOf(workspace);
    if (!terminal?.watch || terminal.exit) return 'exited';
    const { status, ready, kind } = terminal.watch;
    if (status.marks.limit) return status.marks.limit.resets ? `its limit resets ${status.marks.limit.resets}` : 'it has reached its limit';
    // A program that never says that it takes pastes is not waited for: the delivery refuses it with that reason.
    const strange = kind.composer === null && this.#o.now() - status.since > STRANGE_AFTER;
    return holdBy(status, { ready: ready || strange, composer: kind.composer !== null, force });
  }

  /** ms until the agent must have shown the turn that the last prompt began. */
  #untilNextTurn(workspace: number, line: Line): number {
    if (line.acceptedSeq === null) return 0;
    const watch = this.#o.agentOf(workspace)?.watch;
    if (watch?.changes.some((change) => change.seq > line.acceptedSeq! && change.state === 'working')) return 0;
    return line.acceptedAt + NEXT_TURN - this.#o.now();
  }

  async #create(workspace: number, text: string, comments: Sending['comments']): Promise<Prompt> {
    const id = await this.#o.store.nextId('prompt');
    const now = this.#o.now();
    return {
      ...{ id, workspace, text, comments: comments?.ids ?? [], round: comments?.round ?? null },
      ...{ state: 'queued', receipt: null, created: now, updated: now },
    };
  }

  async #enqueue(prompt: Prompt): Promise<void> {
    this.#line(prompt.workspace).waiting.push(prompt);
    await this.#put(prompt);
    await this.#o.onComments(prompt.comments, { do: 'queue' });
    this.pump(prompt.workspace);
  }

  /** Delivers; `queue`: one that could not be begun goes back to the head of the queue. */
  #run(prompt: Prompt, queue: boolean): Promise<Receipt> {
    const line = this.#line(prompt.workspace);
    const running = this.#deliver(prompt, queue);
    line.running = running;
    const next = (wait: number): void => {
      if (line.running === running) line.running = null;
      this.#o.onChange(prompt.workspace);
      if (wait > 0) this.#pumpLater(prompt.workspace, line, wait);
      else this.pump(prompt.workspace);
    };
    // One that was put back is not tried again at once.
    running.then(
      (receipt) => next(receipt.outcome === 'queued' ? TRY_AGAIN : 0),
      () => next(TRY_AGAIN),
    );
    return running;
  }

  async #deliver(prompt: Prompt, queue: boolean): Promise<Receipt> {
    const terminal = this.#o.agentOf(prompt.workspace);
    const line = this.#line(prompt.workspace);
    await this.#put({ ...prompt, state: 'delivering' });
    this.#o.onDeliver(prompt);
    const done: Delivered = terminal ? await this.#o.deliver(terminal, prompt) : { outcome: 'refused', reason: 'the agent has exited' };
    const { outcome, reason } = done;
    const receipt: Receipt = { prompt: prompt.id, outcome, reason, at: this.#o.now(), turn: done.turn, seq: done.seq };
    if (outcome === 'accepted') {
      line.acceptedSeq = done.seq ?? terminal?.watch?.lastSeq ?? 0;
      line.acceptedAt = this.#o.now();
    }
    // Its workspace went meanwhile.
    if (!this.#all.has(prompt.id)) return receipt;
    if (outcome === 'refused' && queue && terminal && !terminal.exit) {
      // Nothing was written: it waits for the agent's next rest.
      // Written first: writing replaces the list.
      const back = await this.#put({ ...prompt, state: 'queued' });
      line.waiting.unshift(back);
      await this.#o.onComments(prompt.comments, { do: 'queue' });
      return { ...receipt, outcome: 'queued' };
    }
    await this.#settle(prompt, receipt);
    return receipt;
  }

  async #settle(prompt: Prompt, receipt: Receipt): Promise<void> {
    const state = receipt.outcome === 'queued' ? 'queued' : receipt.outcome;
    const settled = await this.#put({ ...prompt, state, receipt });
    await this.#o.store.putReceipt(receipt);
    if (receipt.outcome === 'accepted' && prompt.round !== null)
      await this.#o.onComments(prompt.comments, { do: 'sent', round: prompt.round });
    else if (receipt.outcome !== 'accepted') await this.#o.onComments(prompt.comments, { do: 'unqueue' });
    this.#o.onReceipt(settled, receipt);
    await this.#dropPast(prompt.workspace);
  }

  async #dropPast(workspace: number): Promise<void> {
    const past = this.all(workspace).filter(({ state }) => state === 'accepted' || state === 'dropped');
    for (const { id } of past.slice(0, -PAST_KEPT)) {
      this.#all.delete(id);
      await this.#o.store.removePrompt(id);
    }
  }

  /** The server died while it delivered: the delivery goes on from its last step, by looking; nothing is pasted again. */
  async #afterCrash(prompt: Prompt): Promise<void> {
    const steps = await this.#o.store.steps(prompt.id);
    const terminal = this.#o.agentOf(prompt.workspace);
    if (steps.length === 0) {
      const back = await this.#put({ ...prompt, state: 'queued' });
      this.#line(prompt.workspace).waiting.unshift(back);
    } else if (terminal && !terminal.exit) {
      void this.#run(prompt, false);
    } else {
      const reason = 'the agent ended while it was delivered';
      await this.#settle(prompt, { prompt: prompt.id, outcome: 'undelivered', reason, at: this.#o.now() });
    }
  }

  #waiting(id: number): Prompt {
    const prompt = this.#all.get(id);
    if (prompt?.state !== 'queued') throw new Refusal('not-found', `Prompt ${id} does not wait.`, 'herd queue WS lists those that do.');
    return prompt;
  }

  async #put(prompt: Prompt): Promise<Prompt> {
    const put = { ...prompt, updated: this.#o.now() };
    const line = this.#line(put.workspace);
    line.waiting = line.waiting.map((p) => (p.id === put.id ? put : p));
    this.#all.set(put.id, put);
    await this.#o.store.putPrompt(put);
    this.#o.emit({ event: 'prompt', prompt: put });
    this.#o.onChange(put.workspace);
    return put;
  }

  #refused(prompt: number, reason: string): Receipt {
    return { prompt, outcome: 'refused', reason, at: this.#o.now() };
  }

  #line(workspace: number): Line {
    const line = this.#lines.get(workspace) ?? { waiting: [], running: null, acceptedSeq: null, acceptedAt: 0, timer: null };
    this.#lines.set(workspace, line);
    return line;
  }
}

/** What else decides whether an agent takes a prompt. */
interface Openness {
  /** It has shown that it reads keys. */
  ready: boolean;
  /** Its kind has an input box that herd knows. */
  composer: boolean;
  /** The person wants it sent all the same. */
  force: boolean;
}

/** Why an agent in this state takes no prompt; null when it does. */
function holdBy(status: AgentStatus, { ready, composer, force }: Openness): string | null {
  switch (status.state) {
    case 'blocked':
      return `it is blocked: ${status.question ? status.question.text.slice(0, 120).replaceAll('\n', ' ') : 'it waits for an answer'}`;
    case 'working':
      return 'it is working';
    case 'exited':
      return 'exited';
    case 'unknown':
      // A kind without a known input box is never seen idle: the delivery itself looks whether it takes pastes.
      if (force) return null;
      if (!ready) return STARTING;
      return composer ? 'its state is unknown' : null;
    default:
      return ready || force ? null : STARTING;
  }
}
