// Starts a terminal in a workspace: its environment, its size, its place in the ledger.
import type { Kind } from '../agents/kinds/kind.ts';
import type { ClientPlace } from '../wire/requests.ts';
import { paneEnvironment } from './environment.ts';
import type { Session } from './session.ts';
import type { LiveTerminal } from './state/terminals.ts';
import { knownAgent } from './state/watch-memory.ts';
import type { OpenWorkspace } from './state/workspaces.ts';

/** Size of a terminal nobody has said one for. */
const DEFAULT_SIZE = { cols: 80, rows: 24 };

export interface TerminalStart {
  role: 'agent' | 'shell';
  argv: string[];
  place: ClientPlace;
  /** Watched as an agent of this kind; null: not watched. */
  kind: Kind | null;
  /** Where it starts; the workspace's folder unless given. */
  cwd?: string;
  cols?: number;
  rows?: number;
}

/** Resolves once the program runs and the ledger knows its terminal. Throws Refusal when it cannot be started. */
export async function startTerminal(session: Session, workspace: OpenWorkspace, start: TerminalStart): Promise<LiveTerminal> {
  const cwd = start.cwd ?? workspace.row.path;
  const { role, argv, kind, place } = start;
  const { cols = DEFAULT_SIZE.cols, rows = DEFAULT_SIZE.rows } = start;
  const { name, version, paths, herdDir } = session;
  const { id } = workspace.row;
  const terminal = await session.terminals.start({
    ...{ workspace: id, role, argv, cwd, cols, rows, kind, seq: knownAgent(workspace.row)?.seq ?? 0 },
    env: (number, token) =>
      paneEnvironment(place.env, cwd, {
        ...{ session: name, workspace: id, terminal: number, token, herdDir, version },
        ...{ bin: paths.bin, sshAgent: paths.sshAgent },
      }),
  });
  const known = workspace.row.terminals.filter((t) => role !== 'agent' || t.role !== 'agent');
  await session.workspaces.update(workspace, { terminals: [...known, { id: terminal.id, role, argv, cwd, proof: terminal.proof }] });
  session.log.add('terminal', id, `terminal ${terminal.id} runs ${argv[0]}`, { argv });
  return terminal;
}
