// Runs one batch: claims as many tasks as slots, pace and caps allow, follows their attempts, stops where the rules say so. Everything it
// knows is in the ledger: ended at any moment and started again, it goes on with the attempts that live. One loop, no other timers.
import { join } from 'node:path';
import { TAKING_STATES } from '../../model/batch.ts';
import type { ServerEvent } from '../../wire/requests.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Ask } from '../ledger/rows.ts';
import type { Queue } from '../queue/queue.ts';
import type { Outcome, Stage } from '../task.ts';
import { Attempt, type AttemptContext, attemptName } from './attempt.ts';
import { allowance, type Standing, stopReason } from './caps.ts';
import { closeWorkspace } from './live.ts';
import { Pace } from './pace.ts';
import type { SessionLink } from './session-link.ts';
import { Stock } from './stock.ts';
import { sweep } from './sweep.ts';
import { removeEnded, removePrepared, type TidyOptions } from './tidy.ts';
import { branchesOf, Worksite } from './worksite.ts';

/** Pause between looks, ms: half a second from an exit to the next start would waste a slot on short tasks, ten looks a second cost 1 % of a core. */
const TICK = 100;
/** ms between questions to the holder whether what we follow is still there; in between, events and status files tell. */
const HOLDER_EVERY = 5000;
/** ms that a claim holds without renewal, where several hosts claim. */
export const LEASE = 10_000;
/** ms between reads of what people ask. */
const ASKS_EVERY = 250;
/** ms for which what was spent need not be read again when nothing settled here. */
const STANDING_AGE = 1000;
/** Worktrees prepared while all slots are busy, each a whole checkout on the disk: so many agents may end within the time that one takes. */
const AHEAD = 4;
/** ms between signs of life. */
const SEEN_EVERY = 2000;

export interface RunnerOptions extends Omit<AttemptContext, 'link' | 'patchesBefore' | 'onChange'> {
  ledger: Ledger;
  queue: Queue;
  host: string;
  slots: number;
  /** Who else may settle what we do: leases are renewed and lost claims dropped. */
  shared: boolean;
  /** Open decisions do not hold it up, caps and stops do not count: they are the supervisor's. */
  makeLink(onEvent: (event: ServerEvent) => void, onConnect: () => void): SessionLink;
  /** A (new) server is there, which knows nothing of the batch. */
  onConnect(runner: Runner): void;
  /** Something changed that a board shows. */
  onChange(runner: Runner): void;
  /** An ask that is not the runner's own. */
  onAsk(ask: Ask): Promise<void>;
  /** False on a host that only helps: asks are the supervisor's to answer. */
  asksOf?: boolean;
  /** ms after SIGTERM until agents that run are left to the next runner (or, shared, handed back). */
  drainTimeout: number;
}

export type RunEnd = 'settled' | 'asking' | 'paused' | 'stopped' | 'cancelled' | 'drained';

export class Runner {
  readonly running = new Map<string, Attempt>();
  readonly pace: Pace;
  readonly #o: RunnerOptions;
  readonly #link: SessionLink;
  readonly #stock: Stock;
  /** What the holder said of our attempts; null until it was asked since the last connection. */
  #exits: Map<string, { code: number | null; signal: string | null } | null> | null = null;
  #asking = false;
  #lastAsked = 0;
  #lastRead = 0;
  #lastRenewed = 0;
  #lastSeen = 0;
  #draining = 0;
  #cancelled = false;
  #fault: unknown = null;
  #orphaned = false;
  /** What was spent, as of `at`; read again when something settled. */
  #known: { standing: Standing; at: number } | null = null;
  readonly #clearing = new Set<Promise<void>>();
  readonly #settledAt: number[] = [];

  constructor(options: RunnerOptions) {
    this.#o = options;
    this.pace = new Pace(options.slots);
    this.#stock = new Stock(() => new Worksite(this.#context()).prepare(options.host));
    this.#link = options.makeLink(
      (event) => this.#take(event),
      () => {
        this.#exits = null;
        this.#lastAsked = 0;
        this.#o.onConnect(this);
      },
    );
  }

  get #leftovers(): TidyOptions {
    return { ...this.#o, link: this.#link };
  }

  get link(): SessionLink {
    return this.#link;
  }

  /** A person has ended the session: nothing goes on before a person wants it to. */
  get orphaned(): boolean {
    return this.#orphaned;
  }

  get draining(): boolean {
    return this.#draining > 0;
  }

  /** Times at which tasks settled in this run. */
  get settledAt(): readonly number[] {
    return this.#settledAt;
  }

  /** No new claims from now on. */
  drain(): void {
    this.#draining ||= this.#o.now();
    // Whoever wants the batch to go on must not count on this process.
    this.#lastSeen = 0;
  }

  /** Goes on with what an earlier runner of this host left running; ends what has become another host's meanwhile. */
  async adopt(): Promise<void> {
    const { queue, ledger, host, goal } = this.#o;
    const lives = await queue.live(host, goal.id);
    const held = new Set(lives.map((live) => attemptName(goal, live)));
    const gone = (await ledger.attempts(goal.id)).filter((attempt) => attempt.host === host && !held.has(attemptName(goal, attempt)));
    await this.#endForsaken(new Set(gone.map((attempt) => attemptName(goal, attempt))));
    await removePrepared(this.#leftovers).catch(() => {});
    for (const live of lives) this.#follow(new Attempt(live, this.#context()), (attempt) => attempt.adopt(live));
  }

  /** Agents whose attempts hold their tasks no more: nobody else looks after them. */
  async #endForsaken(names: ReadonlySet<string>): Promise<void> {
    const { goal } = this.#o;
    const { attempts } = await this.#link.request('attempt.list', { prefix: `${goal.uid}.` });
    const running = attempts.filter(({ attempt, exit }) => exit === null && names.has(attempt));
    await Promise.all(running.map(({ attempt }) => this.#link.request('attempt.end', { attempt, grace: goal.settings.run.grace })));
    await sweep(...names);
    const { workspaces } = await this.#link.request('session.state', {});
    for (const { id, branch } of workspaces) {
      if (branch?.startsWith(branchesOf(goal)) && names.has(`${goal.uid}.${branch.slice(branchesOf(goal).length)}`))
        await closeWorkspace(this.#link, id);
    }
  }

  /** Until everything of `stage` has settled, or it was stopped, paused, cancelled, drained. Rejects when the session was ended. */
  async run(stage: Stage | null): Promise<RunEnd> {
    const started = this.#o.now();
    let counted = started;
    for (;;) {
      if (this.#fault) throw this.#fault;
      await this.#look();
      const now = this.#o.now();
      if (now - counted > 1000) {
        await this.#o.ledger.addRunTime(this.#o.goal.id, now - counted);
        counted = now;
      }
      const end = await this.#step(stage);
      if (end) {
        await this.#o.ledger.addRunTime(this.#o.goal.id, this.#o.now() - counted);
        await Promise.all(this.#clearing);
        const held = new Set([...this.running.values()].map(({ name }) => name));
        if (end !== 'drained') await removeEnded(this.#leftovers, held, (kind) => this.#keeps(kind));
        return end;
      }
      await new Promise((resolve) => setTimeout(resolve, TICK));
    }
  }

  /** One step of the loop: an end, or null. */
  async #step(stage: Stage | null): Promise<RunEnd | null> {
    const { goal, ledger, now } = this.#o;
    if (this.#draining > 0) {
      if (this.running.size === 0) return 'drained';
      if (now() - this.#draining <= this.#o.drainTimeout) return null;
      // Alone, what runs is adopted by the next runner; among hosts it is handed back.
      if (!this.#o.shared) return 'drained';
      for (const attempt of this.running.values()) attempt.end('handed-back');
      return null;
    }
    const state = (await ledger.goal(goal.id))?.state;
    if (this.#cancelled || state === 'cancelled') {
      if (this.running.size > 0) return null;
      return 'cancelled';
    }
    if (state === 'paused' || state === 'stopped' || state === 'asking') return this.running.size === 0 ? state : null;
    const why = await this.#stop();
    if (why) {
      await ledger.setState(goal.id, 'stopped', why, TAKING_STATES);
      this.#o.onChange(this);
      return null;
    }
    await this.#claim();
    if (this.running.size > 0) return null;
    // Other hosts may still be at it: what they do decides what comes next.
    if (this.#o.shared && stage !== null && (await this.#o.queue.counts(goal.id)).active > 0) return null;
    return (await ledger.waiting(goal.id, stage)).count === 0 ? 'settled' : null;
  }

  async #stop(): Promise<string | null> {
    return stopReason(this.#o.goal.settings.stop, await this.#standing());
  }

  async #standing(): Promise<Standing> {
    const at = this.#o.now();
    if (this.#known && at - this.#known.at < STANDING_AGE) return { ...this.#known.standing, running: this.running.size };
    const { ledger, goal, queue } = this.#o;
    const [counts, attempts, fresh] = [await queue.counts(goal.id), await ledger.attempts(goal.id), await ledger.goal(goal.id)];
    const spent = attempts.filter((a) => a.ended !== null && !['rate', 'limit', 'lost'].includes(a.outcome ?? ''));
    const standing = {
      ...{ costs: spent.map((a) => a.cost), tokens: spent.map((a) => a.tokens), running: counts.active },
      ...{ settled: counts.done + counts.failed, failed: counts.failed, time: fresh?.runMs ?? 0 },
    };
    this.#known = { standing, at };
    return standing;
  }

  async #claim(): Promise<void> {
    const { goal, queue, host, ledger } = this.#o;
    const free = await this.#free();
    const wanted = free + AHEAD;
    const waiting = this.#stock.size < wanted ? (await ledger.waiting(goal.id, null)).count : wanted;
    this.#stock.want(Math.min(wanted, waiting));
    const count = Math.min(free, this.#stock.ready);
    if (count === 0) return;
    for (const claim of await queue.claim(goal.id, count, host, LEASE)) {
      const prepared = this.#stock.take();
      this.#follow(new Attempt(claim, this.#context()), (attempt) => attempt.run(prepared));
    }
  }

  /** How many tasks may be claimed now. */
  async #free(): Promise<number> {
    const { goal, now, ledger } = this.#o;
    if (!this.pace.open(now())) return 0;
    const slots = Math.min(this.pace.limit, this.#o.slots) - this.running.size;
    if (slots <= 0) return 0;
    const free = Math.min(slots, allowance(goal.settings.stop, await this.#standing()));
    if (free <= 0) return 0;
    const open = (await ledger.decisions(goal.id)).filter((decision) => decision.answer === null).length;
    return open > goal.settings.run.decisions ? 0 : free;
  }

  #follow(attempt: Attempt, act: (attempt: Attempt) => Promise<Outcome | null>): void {
    this.running.set(attempt.key, attempt);
    this.#o.onChange(this);
    void act(attempt)
      .then((outcome) => this.#ended(attempt, outcome))
      .catch((error: unknown) => {
        this.#fault ??= error;
      })
      .finally(() => {
        this.running.delete(attempt.key);
        this.#o.onChange(this);
      });
  }

  async #ended(attempt: Attempt, outcome: Outcome | null): Promise<void> {
    const { now, ledger } = this.#o;
    this.#known = null;
    if (outcome?.kind === 'ok') this.pace.succeeded();
    if (outcome?.kind === 'rate') this.pace.limited(now());
    if (outcome?.kind === 'limit') await ledger.hold(attempt.claim.spec.provider, outcome.runAfter!, outcome.why!);
    if (outcome && !['rate', 'limit', 'lost'].includes(outcome.kind)) this.#settledAt.push(now());
    if (outcome && this.#keeps(outcome.kind)) return;
    const clearing = attempt.removeSite().catch(() => {});
    this.#clearing.add(clearing);
    void clearing.finally(() => this.#clearing.delete(clearing));
  }

  #keeps(outcome: string): boolean {
    const { keep } = this.#o.goal.settings.run;
    return keep === 'all' || (keep === 'failed' && !['ok', 'rate', 'limit', 'lost', 'cancelled', 'stale'].includes(outcome));
  }

  /** Exits, deadlines, leases, signs of life, what people ask. */
  async #look(): Promise<void> {
    const now = this.#o.now();
    if (now - this.#lastAsked > HOLDER_EVERY) this.#askHolder(now);
    for (const attempt of this.running.values()) {
      attempt.look(
        this.#exits?.get(attempt.name),
        this.#exits !== null && this.#lastAsked > 0 && !this.#asking && this.#asked.has(attempt.name),
      );
    }
    if (this.#o.shared && this.running.size > 0 && now - this.#lastRenewed > LEASE / 3) {
      this.#lastRenewed = now;
      const kept = await this.#o.queue.renew(
        [...this.running.values()].map((attempt) => attempt.claim),
        LEASE,
      );
      for (const attempt of this.running.values()) if (!kept.has(attempt.key)) attempt.lose();
    }
    if (now - this.#lastSeen > SEEN_EVERY) {
      this.#lastSeen = now;
      if (this.#o.shared) await this.#o.queue.reconcile(this.#o.goal.id);
      await this.#o.ledger.seen(this.#o.host, this.draining);
    }
    if (this.#o.asksOf !== false && now - this.#lastRead > ASKS_EVERY) {
      this.#lastRead = now;
      for (const ask of await this.#o.ledger.asks(this.#o.goal.id)) await this.#answer(ask);
    }
  }

  /** Attempts that ran when the holder was asked last: of others its silence says nothing. */
  #asked = new Set<string>();

  #askHolder(now: number): void {
    if (this.#asking) return;
    this.#asking = true;
    this.#lastAsked = now;
    const asked = new Set([...this.running.values()].filter((attempt) => attempt.started).map((attempt) => attempt.name));
    void this.#link
      .request('attempt.list', { prefix: `${this.#o.goal.uid}.`, follow: true })
      .then(({ attempts }) => {
        this.#exits = new Map(attempts.map(({ attempt, exit }) => [attempt, exit]));
        this.#asked = asked;
      })
      .catch(() => {})
      .finally(() => {
        this.#asking = false;
      });
  }

  #take(event: ServerEvent): void {
    if (event.event === 'server.stopping' && !event.restart) this.#leave();
    if (event.event === 'attempt') this.#exits?.set(event.attempt.attempt, event.attempt.exit);
    if (event.event === 'batch.ask' && event.key === this.#o.goal.uid) {
      void this.#o.ledger.ask(this.#o.goal.id, event.ask, event.task, 'person').catch(() => {});
    }
  }

  #leave(): void {
    this.#orphaned = true;
    this.#link.close();
    for (const attempt of this.running.values()) attempt.leave();
    this.#fault ??= new Error('The session was ended.');
  }

  async #answer(ask: Ask): Promise<void> {
    const { ledger, goal } = this.#o;
    if (ask.kind === 'pause') await ledger.setState(goal.id, 'paused', 'paused by a person', TAKING_STATES);
    else if (ask.kind === 'cancel' && ask.data) {
      await ledger.cancelWaiting(goal.id, 'cancelled by a person', ask.data);
      for (const attempt of this.running.values()) if (attempt.claim.task === ask.data) attempt.end('cancelled');
    } else if (ask.kind === 'cancel') {
      this.#cancelled = true;
      await ledger.cancelWaiting(goal.id, 'the batch was cancelled');
      for (const attempt of this.running.values()) attempt.end('cancelled');
      await ledger.setState(goal.id, 'cancelled', 'cancelled by a person');
    } else if (ask.kind === 'retry') await ledger.retry(goal.id, ask.data ? [ask.data] : null, ask.actor);
    else if (ask.kind === 'resume') await ledger.setState(goal.id, 'running', null);
    else await this.#o.onAsk(ask);
    await ledger.answered(ask.id);
    this.#o.onChange(this);
  }

  #context(): AttemptContext {
    const { goal, queue, git, dir, place, now, chance, fault } = this.#o;
    return {
      ...{ goal, queue, git, dir, place, now, chance, fault, link: this.#link },
      patchesBefore: (task) => this.#patchesBefore(task),
      onChange: () => this.#o.onChange(this),
    };
  }

  /** Patches of everything `task` needs, directly or not, in an order that fits. */
  async #patchesBefore(task: string): Promise<{ task: string; file: string }[]> {
    const { ledger, goal } = this.#o;
    await ledger.fetchFiles(goal.id, this.#o.dir);
    const [tasks, deps, artifacts] = [await ledger.tasks(goal.id), await ledger.needs(goal.id), await ledger.artifacts(goal.id)];
    const needs = Map.groupBy(deps, (dep) => dep.task);
    const order: string[] = [];
    const visit = (id: string): void => {
      for (const { needs: need } of needs.get(id) ?? []) visit(need);
      if (id !== task && !order.includes(id)) order.push(id);
    };
    visit(task);
    const won = new Map(tasks.map((row) => [row.id, row.wonAttempt]));
    return order.flatMap((id) => {
      const patch = artifacts.find((a) => a.task === id && a.attempt === won.get(id) && a.kind === 'patch');
      return patch ? [{ task: id, file: join(this.#o.dir, patch.path) }] : [];
    });
  }

  async close(): Promise<void> {
    await this.#stock.close();
    await removePrepared(this.#leftovers).catch(() => {});
    this.#link.close();
  }
}
