// The server as the holder's child: started, started again when it dies, and started with terminals set aside when their output seems
// to be what kills it.
import type { ChildProcess } from 'node:child_process';

/** Deaths within this time count together, ms. */
const DEATHS_WITHIN = 60_000;
const DEATHS_MAX = 3;
/** A server that dies before it spoke to us is started again after this time, doubled each time, ms. */
const RETRY_FIRST = 200;
const RETRY_MAX = 30_000;
/** Time for a server to save and go, ms. */
const TERM_TIME = 3000;

/** A server that was killed from outside had trouble with a stretch of output only if it had not moved for this time, ms. */
const STUCK = 500;

/** Output that a server had been sent and not parsed when it died, and for how many ms nothing of it had been. */
export interface Unparsed {
  terminal: number;
  from: number;
  to: number;
  stuck: number;
}

export interface ServerOptions {
  start(quarantine: number[]): ChildProcess;
  /** Asked when the server with this pid has died. */
  unparsed(pid: number | undefined): Unparsed[];
  now(): number;
  log(line: string): void;
}

export class ServerProcess {
  readonly #o: ServerOptions;
  #child: ChildProcess | null = null;
  #deaths: { at: number; unparsed: Unparsed[] }[] = [];
  #failures = 0;
  #retry: NodeJS.Timeout | null = null;
  #stopped = false;
  /** The child that we are ending ourselves. */
  #ending: ChildProcess | null = null;

  constructor(options: ServerOptions) {
    this.#o = options;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  start(): void {
    if (this.#child || this.#stopped) return;
    if (this.#retry) clearTimeout(this.#retry);
    this.#retry = null;
    const quarantine = suspects(this.#deaths);
    if (quarantine.length > 0) this.#o.log(`the server died ${DEATHS_MAX} times on the same output: setting aside terminals ${quarantine}`);
    const child = this.#o.start(quarantine);
    this.#child = child;
    this.#o.log(`server ${child.pid} started`);
    child.once('error', (error) => this.#died(child, error.message, true));
    child.once('exit', (code, signal) => this.#died(child, signal ?? `code ${code}`, signal !== 'SIGKILL' && signal !== 'SIGTERM'));
  }

  /** It has connected and said hello: what comes next is not a failure to start. */
  spoke(): void {
    this.#failures = 0;
  }

  /** Ends the server and starts it anew; its end does not count as a death. */
  async restart(): Promise<void> {
    this.#deaths = [];
    this.#failures = 0;
    if (!this.#child) return this.start();
    this.#ending = this.#child;
    await end(this.#child);
  }

  /** Ends the server for good. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#retry) clearTimeout(this.#retry);
    if (this.#child) await end(this.#child);
  }

  #died(child: ChildProcess, how: string, itself: boolean): void {
    if (this.#child !== child) return;
    this.#child = null;
    const unparsed = this.#o.unparsed(child.pid).filter((stretch) => itself || stretch.stuck >= STUCK);
    if (child !== this.#ending) this.#record(unparsed);
    this.#o.log(`server ${child.pid} ended: ${how}`);
    if (this.#stopped) return;
    const pause = !itself || this.#failures === 0 ? 0 : Math.min(RETRY_MAX, RETRY_FIRST * 2 ** (this.#failures - 1));
    if (itself) this.#failures++;
    this.#retry = setTimeout(() => this.start(), pause);
  }

  #record(unparsed: Unparsed[]): void {
    const at = this.#o.now();
    this.#deaths = [...this.#deaths.filter((death) => at - death.at < DEATHS_WITHIN), { at, unparsed }].slice(-DEATHS_MAX);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), TERM_TIME);
  await gone;
  clearTimeout(timer);
}

/** Terminals with a stretch that was unparsed at each of the last three deaths: what kills once and is read on is not to blame. */
export function suspects(deaths: readonly { unparsed: readonly Unparsed[] }[]): number[] {
  if (deaths.length < DEATHS_MAX) return [];
  const [first, ...others] = deaths.slice(-DEATHS_MAX);
  return first!.unparsed
    .filter((start) => {
      let { from, to } = start;
      for (const death of others) {
        const next = death.unparsed.find((stretch) => stretch.terminal === start.terminal);
        if (!next) return false;
        from = Math.max(from, next.from);
        to = Math.min(to, next.to);
      }
      return from < to;
    })
    .map((stretch) => stretch.terminal);
}
