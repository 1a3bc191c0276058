// What a server or a command asks of the holder, checked and done. Every request gets one reply.
import { constants } from 'node:os';
import type { Json } from '../wire/connection.ts';
import type { Leftover, SpawnSpec } from '../wire/holder-protocol.ts';
import type { Follower, Held } from './held-terminal.ts';
import { SpawnError } from './pty.ts';

/** Longest grace before SIGKILL, ms. */
const GRACE_MAX = 60_000;

/** What a request may touch. */
export interface Holding {
  terminals: Map<number, Held>;
  /** Highest terminal id ever given here. */
  highest: number;
  readonly serverPid: number | null;
  start(id: number, spec: SpawnSpec): Held;
  strays(): Leftover[];
  restartServer(): void;
  /** Ends server and holder, after the reply has gone out. */
  finish(): void;
}

/** A request that cannot be done; its message goes back as the reply's error. */
class Refusal extends Error {}

/** Does `request` for the link `from`; resolves with the reply's body. Never rejects. */
export async function answer(request: Json, from: Follower, holding: Holding): Promise<Json> {
  try {
    return await perform(request, from, holding);
  } catch (error) {
    if (error instanceof Refusal || error instanceof SpawnError) return { error: error.message };
    return { error: `The request failed: ${(error as Error).message}` };
  }
}

async function perform(request: Json, from: Follower, holding: Holding): Promise<Json> {
  switch (request.do) {
    case 'list':
      return {
        terminals: [...holding.terminals.values()].map((held) => held.describe()),
        highest: holding.highest,
        server: holding.serverPid,
      };
    case 'spawn':
      return { terminal: holding.start(newId(request, holding), spawnSpec(request.spec)).describe() };
    case 'strays':
      return { leftovers: holding.strays() };
    case 'restart-server':
      holding.restartServer();
      return {};
    case 'stop': {
      const leftovers = await endAll(holding, grace(request));
      holding.finish();
      return { leftovers };
    }
  }
  const held = holding.terminals.get(number(request.terminal));
  if (!held) throw new Refusal(`There is no terminal ${String(request.terminal)}.`);
  return performOn(held, request, from, holding);
}

async function performOn(held: Held, request: Json, from: Follower, holding: Holding): Promise<Json> {
  switch (request.do) {
    case 'follow': {
      const size = held.follow(from, number(request.from));
      if (!size) throw new Refusal('The output from there on is not kept.');
      // After the reply: its size belongs before the first output.
      setImmediate(() => held.pump());
      return { ...size, terminal: held.describe() };
    }
    case 'resize':
      held.resize(number(request.cols), number(request.rows));
      return {};
    case 'checkpoint':
      // Refused, or the server would remove the one that counts.
      if (!held.checkpointed(text(request.checkpoint), number(request.offset)))
        throw new Refusal('A checkpoint is of what was parsed, and newer than the last.');
      return {};
    case 'write-if-foreground':
      return { written: held.writeIfForeground(number(request.group), Buffer.from(text(request.bytes), 'base64')) };
    case 'foreground':
      return { group: held.foreground() };
    case 'kill':
      return { leftovers: await held.end(grace(request)) };
    case 'signal':
      held.signal(signal(request.signal));
      return {};
    case 'forget':
      if (held.alive) throw new Refusal(`Terminal ${held.id} is still running.`);
      holding.terminals.delete(held.id);
      return {};
    default:
      throw new Refusal('This holder is older than its server and does not know the request.');
  }
}

async function endAll(holding: Holding, time: number): Promise<Leftover[]> {
  const ended = await Promise.all([...holding.terminals.values()].map((held) => held.end(time)));
  return ended.flat();
}

function newId(request: Json, holding: Holding): number {
  const id = number(request.terminal);
  if (id < 1 || id > 0xffffffff || id <= holding.highest) throw new Refusal(`Terminal ${id} has been there already.`);
  return id;
}

function spawnSpec(value: unknown): SpawnSpec {
  const { argv, cwd, env, cols, rows, tag } = (value ?? {}) as Record<string, unknown>;
  const strings = (list: unknown[]) => list.every((item) => typeof item === 'string' && !item.includes('\0'));
  if (!Array.isArray(argv) || !strings(argv) || typeof cwd !== 'string' || !env || typeof env !== 'object' || !strings(Object.values(env)))
    throw new Refusal('The program to start is not described well.');
  return {
    argv,
    cwd,
    env: env as Record<string, string>,
    cols: number(cols),
    rows: number(rows),
    ...(tag === undefined ? {} : { tag: text(tag) }),
  };
}

function number(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Refusal('A number is missing or wrong.');
  return value as number;
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new Refusal('A text is missing.');
  return value;
}

function grace(request: Json): number {
  return Math.min(number(request.grace), GRACE_MAX);
}

function signal(value: unknown): NodeJS.Signals {
  if (typeof value !== 'string' || !Object.hasOwn(constants.signals, value)) throw new Refusal('There is no such signal.');
  return value as NodeJS.Signals;
}
