// One attempt from claim to settling: worktree, agent, waiting, what came out. Holds no state that a killed runner would miss: worktree,
// deadline and start ticket are on disk before the agent starts, and `adopt` goes on from there.
import { existsSync } from 'node:fs';
import type { Runner as GitRunner } from '../../git/run.ts';
import { RequestError } from '../../wire/client.ts';
import type { ClientPlace } from '../../wire/requests.ts';
import type { Goal } from '../ledger/rows.ts';
import type { LiveAttempt, Queue, Result } from '../queue/queue.ts';
import { type Claim, claimKey, type Outcome } from '../task.ts';
import {
  type AttemptFiles,
  attemptArgv,
  attemptFiles,
  type Ending,
  eachLine,
  exitStatus,
  notedEnding,
  noteEnding,
  noteStatus,
  tailOf,
  takeTicket,
  writePrompt,
} from './attempt-files.ts';
import { classify } from './classify.ts';
import { commandFor, HEADLESS, type HeadlessKind, OutputReader } from './headless.ts';
import { type LiveWork, startLive } from './live.ts';
import { OutputFollower } from './output-follower.ts';
import type { SessionLink } from './session-link.ts';
import { MARK, sweep } from './sweep.ts';
import { type Site, Worksite } from './worksite.ts';

export interface AttemptContext {
  goal: Goal;
  queue: Queue;
  link: SessionLink;
  git: GitRunner;
  /** Folder of the goal's files. */
  dir: string;
  /** Environment that agents inherit. */
  place: ClientPlace;
  patchesBefore(task: string): Promise<{ task: string; file: string }[]>;
  /** Something changed that a board shows. */
  onChange(): void;
  now(): number;
  /** 0-1 */
  chance(): number;
  /** Called at points where a test may end the process. */
  fault?(point: 'spawned'): void;
}

/** ms between looks at what an agent with a budget has spent. */
const SPEND_EVERY = 1000;

type End = { code: number | null; signal: string | null };

export class Attempt {
  readonly claim: Claim;
  readonly files: AttemptFiles;
  readonly #o: AttemptContext;
  readonly #worksite: Worksite;
  site: Site | null = null;
  /** Its workspace, when it is live; and whether a person is asked for there. */
  workspace: number | null = null;
  blocked: string | null = null;
  /** Its agent may be running, without a screen. */
  started = false;
  #live: LiveWork | null = null;
  #wanted: Ending | null = null;
  #lost = false;
  readonly #over = Promise.withResolvers<End>();
  #isOver = false;
  /** Follows what it spends, where its task has a budget. */
  #spending: OutputFollower | null = null;
  #spendAt = 0;

  constructor(claim: Claim, options: AttemptContext) {
    this.claim = claim;
    this.#o = options;
    this.files = attemptFiles(options.dir, claim.task, claim.n);
    this.#worksite = new Worksite(options);
  }

  get name(): string {
    return attemptName(this.#o.goal, this.claim);
  }

  get key(): string {
    return claimKey(this.claim);
  }

  /**
   * From the beginning, in a worktree that was prepared, if there is one. Resolves with the outcome after it was settled; null when the task
   * is not ours any more. Rejects when the ledger cannot be used.
   */
  async run(prepared: string | null): Promise<Outcome | null> {
    try {
      this.site = await this.#worksite.make(this.claim, prepared);
    } catch (error) {
      return this.#settle({ kind: 'fail', why: `no worktree: ${(error as Error).message}`, cost: null, tokens: null });
    }
    const { now, queue } = this.#o;
    await queue.started(this.claim, { at: now(), pid: null, workspace: null, ...this.site });
    if (this.#lost || this.#wanted) return this.#end();
    try {
      await this.#start();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return this.#settle({ kind: 'fail', why: error.message, cost: null, tokens: null });
    }
    return this.#end();
  }

  /** Goes on with an attempt of an earlier runner. */
  async adopt(live: LiveAttempt): Promise<Outcome | null> {
    const { worktree, branch, base } = live;
    this.site = worktree && branch && base ? { worktree, branch, base } : null;
    this.workspace = live.workspace;
    const noted = notedEnding(this.files);
    if (noted !== null) this.end(noted);
    if (live.spec.mode === 'live' && this.site) {
      const code = exitStatus(this.files);
      if (code !== null) this.#finish({ code, signal: null });
      await this.#start();
      return this.#end();
    }
    if (await takeTicket(this.files)) {
      return this.#settle({ kind: 'lost', why: 'its runner ended before the agent started', cost: null, tokens: null, unstarted: true });
    }
    this.started = true;
    return this.#end();
  }

  /**
   * A look at the clock and the status file; `exit` is what the holder says: how it ended, null while it runs (or is being started),
   * undefined when it knows no such program.
   */
  look(exit: End | null | undefined, holderAsked: boolean): void {
    if (this.#live && this.#o.now() > this.claim.deadline) this.end('timeout');
    if (!this.started) return;
    const code = exitStatus(this.files);
    if (code !== null) return this.#finish({ code, signal: null });
    // Without the status file nobody knows how the agent ended: a script that found its ticket taken ends well, having run nothing.
    if (exit) return this.#finish({ code: null, signal: exit.signal });
    if (exit === undefined && holderAsked) return this.#finish({ code: null, signal: null });
    if (this.#o.now() > this.claim.deadline) this.end('timeout');
    else this.#watchSpending();
  }

  #watchSpending(): void {
    const { cost, tokens } = this.claim.spec.budget;
    const now = this.#o.now();
    if ((cost === null && tokens === null) || now < this.#spendAt) return;
    this.#spendAt = Number.POSITIVE_INFINITY;
    this.#spending ??= new OutputFollower(this.files.output, this.#kind.readings);
    void this.#spending
      .read()
      .then((told) => {
        if ((told.cost ?? 0) > (cost ?? Infinity) || (told.tokens ?? 0) > (tokens ?? Infinity)) this.end('budget');
      })
      .catch(() => {})
      .finally(() => {
        this.#spendAt = this.#o.now() + SPEND_EVERY;
      });
  }

  get #kind(): HeadlessKind {
    return HEADLESS[this.claim.spec.agent] ?? HEADLESS.command!;
  }

  /** Ends it on purpose. */
  end(why: Ending): void {
    if (!this.#isOver) this.#wanted = why;
    this.#finish({ code: null, signal: null });
  }

  /** The first word of how it ended holds. */
  #finish(end: End): void {
    this.#isOver = true;
    this.#over.resolve(end);
  }

  /** The task is somebody else's now: ends the agent, settles nothing. */
  lose(): void {
    this.#lost = true;
    this.#finish({ code: null, signal: null });
  }

  /** Its session ends, and its agent with it: the next runner gives the task back with no try spent, unless the agent had ended well. */
  leave(): void {
    if (this.#wanted === null && exitStatus(this.files) !== 0) noteEnding(this.files, 'handed-back');
  }

  async #start(): Promise<void> {
    const { claim, site } = this;
    if (claim.spec.mode === 'live') {
      this.#live = await startLive({
        ...{ link: this.#o.link, claim, branch: site!.branch, workspace: this.workspace },
        place: { cwd: site!.worktree, env: { ...this.#o.place.env, ...claim.spec.env } },
        onWorkspace: async (workspace) => {
          this.workspace = workspace;
          await this.#o.queue.started(claim, { at: this.#o.now(), pid: null, workspace, ...site! });
        },
        onBlocked: (question) => {
          if (question === this.blocked) return;
          this.blocked = question;
          this.#o.onChange();
        },
      });
      this.#live.over.then(
        (end) => (end ? this.#finish(end) : this.end('closed')),
        () => this.#finish({ code: null, signal: null }),
      );
      return;
    }
    const { argv, input } = commandFor(this.#kind, claim.spec);
    writePrompt(this.files, input);
    const env = { ...claim.spec.env, [MARK]: this.name, HERD_TASK: claim.task, HERD_BATCH: this.#o.goal.name };
    await this.#o.link.request('attempt.start', {
      ...{ attempt: this.name, argv: attemptArgv(this.files, argv), env },
      place: { cwd: site!.worktree, env: this.#o.place.env },
    });
    this.#o.fault?.('spawned');
    // Only now: of an attempt that is just being started the holder's silence says nothing.
    this.started = true;
  }

  /** Waits, ends what is left of it, looks at what it made, settles. */
  async #end(): Promise<Outcome | null> {
    const end = await this.#over.promise;
    if (this.#wanted) noteEnding(this.files, this.#wanted);
    else if (this.#live && end.code !== null) noteStatus(this.files, end.code);
    await this.#stopAll();
    if (this.#lost) {
      await this.#clear();
      return null;
    }
    const { claim, site, files } = this;
    const told = await this.#told();
    const tail = await tailOf(files.output);
    let outcome = classify(
      { ...end, ended: this.#wanted, told, tail, rateHits: claim.rateHits },
      claim.spec.provider,
      this.#o.now(),
      this.#o.chance(),
    );
    if (!site) return this.#settle(outcome);
    let result: (Result & { added: number | null }) | undefined;
    try {
      result = await this.#worksite.takeResult(claim, site, files);
    } catch (error) {
      outcome = { ...outcome, kind: outcome.kind === 'ok' ? 'fail' : outcome.kind, why: `no patch: ${(error as Error).message}` };
    }
    if (outcome.kind === 'ok') outcome = await this.#verify(outcome, result!);
    return this.#settle({ ...outcome, added: result?.added ?? null }, result);
  }

  async #verify(outcome: Outcome, result: Result): Promise<Outcome> {
    const missing = result.findings.find((finding) => finding.kind === 'expect');
    if (missing) return { ...outcome, kind: 'check', why: missing.text };
    const why = await this.#worksite.check(this.claim, this.site!, this.files, this.name);
    if (this.claim.spec.checks.length > 0) await sweep(this.name);
    return why ? { ...outcome, kind: 'check', why } : outcome;
  }

  async #stopAll(): Promise<void> {
    const { link, goal } = this.#o;
    if (this.#live) await this.#live.close();
    else if (this.started)
      await link.request('attempt.end', { attempt: this.name, grace: exitStatus(this.files) === null ? goal.settings.run.grace : 0 });
    await sweep(this.name);
  }

  async #told(): Promise<OutputReader['told']> {
    const reader = new OutputReader(this.#kind.readings);
    if (!this.#live) await eachLine(this.files.output, (line) => reader.line(line));
    return reader.told;
  }

  async #settle(outcome: Outcome, result?: Result): Promise<Outcome | null> {
    const held = await this.#o.queue.settle(this.claim, outcome, result);
    await this.#clear();
    return held ? outcome : null;
  }

  async #clear(): Promise<void> {
    await this.#o.link.request('attempt.forget', { attempt: this.name }).catch(() => null);
  }

  /** Takes the worktree away; after settling. */
  async removeSite(): Promise<void> {
    if (this.site && existsSync(this.site.worktree)) await this.#worksite.remove(this.site);
  }
}

/** What the holder and the marks of processes call an attempt. */
export function attemptName(goal: Pick<Goal, 'uid'>, { task, n }: Pick<Claim, 'task' | 'n'>): string {
  return `${goal.uid}.${task}.${n}`;
}
