// Which program a terminal runs: the user's shell, an agent by its kind, a command as given.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Kind } from '../agents/kinds/kind.ts';
import { detectKind } from '../agents/kinds/table.ts';
import { Refusal } from './refusal.ts';

/** The client's shell, as an interactive one. */
export function userShell(env: Record<string, string>): string[] {
  const shell = env.SHELL;
  return [shell?.startsWith('/') && runnable(shell) ? shell : '/bin/sh'];
}

/** What a workspace's agent terminal runs, and as what kind it is watched. */
export interface AgentProgram {
  kind: Kind;
  argv: string[];
}

export interface AgentChoice {
  agent?: string;
  argv?: string[];
  noAgent?: boolean;
  env: Record<string, string>;
  /** Kind of `agents.default`; '' for none. */
  preferred: string;
}

/** Throws Refusal: 'unknown-kind', or 'no-agent' naming what was looked for. */
export function agentProgram(kinds: ReadonlyMap<string, Kind>, choice: AgentChoice): AgentProgram {
  const { agent, argv, noAgent, env, preferred } = choice;
  if (noAgent) return { kind: kinds.get('shell')!, argv: userShell(env) };
  if (argv && argv.length > 0) return { kind: kindOf(kinds, agent ?? detectKind(argv, kinds)), argv };
  const wanted = agent ?? preferred;
  if (wanted) {
    const kind = kindOf(kinds, wanted);
    if (kind.id === 'shell') return { kind, argv: userShell(env) };
    if (kind.command.length === 0)
      throw new Refusal('usage', `Kind ${wanted} needs a command.`, `herd new NAME --agent ${wanted} -- CMD ARG…`);
    if (!onPath(kind.command[0]!, env)) throw missing(kind.command[0]!, kind.name);
    return { kind, argv: kind.command };
  }
  const agents = [...kinds.values()].filter((kind) => kind.command.length > 0 && kind.id !== 'shell');
  const found = agents.find((kind) => onPath(kind.command[0]!, env));
  if (found) return { kind: found, argv: found.command };
  throw new Refusal(
    'no-agent',
    `No agent is installed: looked for ${agents.map((kind) => kind.command[0]).join(', ')}.`,
    'Name a command: herd new NAME -- CMD ARG…; or see the loop without one: herd demo',
  );
}

function kindOf(kinds: ReadonlyMap<string, Kind>, id: string): Kind {
  const kind = kinds.get(id);
  if (!kind) throw new Refusal('unknown-kind', `herd knows no kind of agent "${id}".`, `It knows: ${[...kinds.keys()].join(', ')}.`);
  return kind;
}

function missing(program: string, name: string): Refusal {
  return new Refusal(
    'no-program',
    `${name} is not installed: there is no program "${program}" on the PATH.`,
    'Install it, or name a command: herd new NAME -- CMD ARG…',
    { program },
  );
}

function onPath(program: string, env: Record<string, string>): boolean {
  if (program.includes('/')) return runnable(program);
  return (env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && runnable(join(folder, program)));
}

function runnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
