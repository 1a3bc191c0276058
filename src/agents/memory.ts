// What is kept of a tracker over a restart of the server, as JSON: verdict, turns, and the evidence that no new look at the screen would
// bring back. A tracker that goes on from it says what the old one said, with the same `since`, and begins and ends no turn by itself.
import type { AgentStatus } from '../model/agent.ts';
import type { ProgramStatus } from '../model/terminal-facts.ts';
import type { AgentEvidence, HitHistory } from './agent-evidence.ts';
import type { Motion } from './motion.ts';
import type { Tracker } from './tracker.ts';

/** Grows when a field's meaning changes; another version's memory is not used. */
const MEMORY_VERSION = 2;

const KEPT = [
  ...(['dialogSince', 'composerSince', 'dialogId', 'composerStood', 'report', 'title', 'hook', 'foreground', 'submitted', 'sent'] as const),
  ...(['input', 'resized', 'ready', 'readySince', 'proven', 'signed', 'bearing', 'bearingSince', 'asksInTurn'] as const),
];

export interface AgentMemory {
  version: typeof MEMORY_VERSION;
  status: AgentStatus;
  evidence: Pick<AgentEvidence, (typeof KEPT)[number]>;
  hits: [string, HitHistory][];
  motion: Omit<Motion, 'rows'>;
  children: ProgramStatus[];
  progress: number | null;
  lookedAt: number;
  owed: boolean;
  turn: number;
  confirmed: boolean;
}

/** Plain data; times that have not been stay -Infinity, which `readMemory` knows how to read back from JSON's null. */
export function remember(tracker: Tracker): AgentMemory {
  const { evidence: e, children, progress, lookedAt, owed, turn, confirmed, status } = tracker;
  const { rows: _rows, ...motion } = e.motion;
  const evidence = Object.fromEntries(KEPT.map((name) => [name, e[name]])) as AgentMemory['evidence'];
  return {
    ...{ version: MEMORY_VERSION, status, evidence, hits: [...e.hits], motion, children: [...children.values()] },
    ...{ progress, lookedAt, owed, turn, confirmed },
  };
}

/** Memory as it came from the ledger; null when it is none, of another version or of another kind than `kind`. */
export function readMemory(json: unknown, kind: string): AgentMemory | null {
  const memory = json as AgentMemory | null | undefined;
  if (typeof memory !== 'object' || memory?.version !== MEMORY_VERSION || memory.status?.kind !== kind) return null;
  const { evidence, motion } = memory;
  return {
    ...memory,
    evidence: { ...evidence, submitted: never(evidence.submitted), input: never(evidence.input), resized: never(evidence.resized) },
    motion: { ...motion, last: never(motion.last) },
    lookedAt: never(memory.lookedAt),
  };
}

function never(time: number | null): number {
  return time ?? Number.NEGATIVE_INFINITY;
}

/**
 * Goes on from `memory` at `now`. While a turn ran nobody looked: its quiet is counted from now on, so that the time without a server
 * ends no turn.
 */
export function resumeTracker(tracker: Tracker, memory: AgentMemory, now: number): void {
  const { evidence: e } = tracker;
  Object.assign(e, memory.evidence);
  e.hits = new Map(memory.hits);
  Object.assign(e.motion, memory.motion, { rows: null });
  if (e.bearing === 'working') e.motion.changed = now;
  for (const child of memory.children) tracker.children.set(child.id, child);
  const { status, progress, lookedAt, owed, turn, confirmed } = memory;
  Object.assign(tracker, { status, progress, lookedAt, owed, turn, confirmed });
}
