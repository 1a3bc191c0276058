// What the ledger keeps of a workspace's agent, and how it is read back. Holds nothing.
import { type AgentMemory, readMemory } from '../../agents/memory.ts';
import type { AgentState } from '../../model/agent.ts';
import type { StoredWorkspace } from '../../store/rows.ts';

/** A state entered. `seq` counts up within the workspace's life. */
export interface StateChange {
  seq: number;
  state: AgentState;
  at: number;
  turn: number;
}

export interface WatchMemory {
  tracker: AgentMemory;
  /** Number of the last change of state, and the last of them: what waits are answered from. */
  seq: number;
  changes: StateChange[];
}

/** What the ledger has of a workspace's agent; null when nothing that this version understands. */
export function knownAgent(row: StoredWorkspace): WatchMemory | null {
  const known = row.more?.agent as Partial<WatchMemory> | undefined;
  const tracker = readMemory(known?.tracker, row.agentKind);
  if (!tracker || !Array.isArray(known?.changes) || typeof known.seq !== 'number') return null;
  return { tracker, seq: known.seq, changes: known.changes };
}
