// What the ledger keeps, as plain rows, and the changes that can be made to them. A change is whole: it puts or removes rows by key,
// so that applying it again is harmless.
import type { KeptComment, Prompt, Receipt } from '../model/review/comment.ts';

/** Ids that are counted up and never given twice in a session. */
export type CounterKind = 'workspace' | 'terminal' | 'comment' | 'reply' | 'prompt' | 'round';

/** The part of a workspace that outlives the server. */
export interface StoredWorkspace {
  id: number;
  name: string;
  path: string;
  repository: string | null;
  branch: string | null;
  base: { name: string; commit: string } | null;
  agentKind: string;
  argv: string[];
  /** Ids by which agents resume a conversation, by kind. */
  resume: Record<string, string>;
  /** `proof`: SHA-256 of the token by which programs in it report. */
  terminals: { id: number; role: 'agent' | 'shell'; argv: string[]; cwd: string; proof?: string }[];
  created: number;
  /** What later versions add. */
  more?: Record<string, unknown>;
}

/** One line of the append-only event log; `at` in ms since the epoch. */
export interface StoredEvent {
  seq: number;
  at: number;
  workspace: number | null;
  kind: string;
  text: string;
  detail?: Record<string, unknown>;
}

/** A step of a delivery, written before it is done, so that a crash in between is seen and nothing is pasted twice. */
export interface DeliveryStep {
  prompt: number;
  /** Counts up within the prompt. */
  step: number;
  at: number;
  what: string;
  detail?: Record<string, unknown>;
}

/** A point a scope can start from: the start of a turn, or a person's look; `commit` is a snapshot commit in the repository. */
export interface Mark {
  workspace: number;
  kind: 'turn' | 'look';
  /** Turn number; for looks it counts up. */
  number: number;
  at: number;
  commit: string;
}

/** One change of the ledger. All changes of one write take effect together or not at all. */
export type Change =
  | { put: 'workspace'; row: StoredWorkspace }
  | { put: 'comment'; row: KeptComment }
  | { put: 'prompt'; row: Prompt }
  | { put: 'receipt'; row: Receipt }
  | { put: 'step'; row: DeliveryStep }
  | { put: 'viewed'; workspace: number; path: string; fingerprint: string }
  | { put: 'mark'; row: Mark }
  | { put: 'event'; row: StoredEvent }
  | { put: 'counter'; kind: CounterKind; last: number }
  /** With everything that belongs to it but its events. */
  | { remove: 'workspace'; id: number }
  | { remove: 'comment'; id: number }
  | { remove: 'prompt'; id: number }
  | { remove: 'viewed'; workspace: number; path: string };

/** Names the row that a change is about. */
export function rowKey(change: Change): string {
  if ('remove' in change) return change.remove === 'viewed' ? viewedKey(change) : `${change.remove} ${change.id}`;
  switch (change.put) {
    case 'viewed':
      return viewedKey(change);
    case 'counter':
      return `counter ${change.kind}`;
    case 'receipt':
      return `receipt ${change.row.prompt} ${change.row.at}`;
    case 'step':
      return `step ${change.row.prompt} ${change.row.step}`;
    case 'mark':
      return `mark ${change.row.workspace} ${change.row.kind} ${change.row.number}`;
    case 'event':
      return `event ${change.row.seq}`;
    default:
      return `${change.put} ${change.row.id}`;
  }
}

function viewedKey({ workspace, path }: { workspace: number; path: string }): string {
  return `viewed ${workspace} ${path}`;
}

export interface EventQuery {
  /** Only events with a larger seq. */
  since?: number;
  workspace?: number;
  /** A JavaScript regular expression, matched against kind and text without regard to case. */
  grep?: string;
  /** The newest so many, oldest first. */
  limit?: number;
}

/** What can be asked of the ledger. */
export interface Queries {
  workspaces: { params: Record<string, never>; result: StoredWorkspace[] };
  comments: { params: { workspace?: number }; result: KeptComment[] };
  prompts: { params: { workspace?: number }; result: Prompt[] };
  receipts: { params: { prompt: number }; result: Receipt[] };
  steps: { params: { prompt: number }; result: DeliveryStep[] };
  viewed: { params: { workspace: number }; result: Record<string, string> };
  marks: { params: { workspace: number; kind?: Mark['kind'] }; result: Mark[] };
  events: { params: EventQuery; result: StoredEvent[] };
  counters: { params: Record<string, never>; result: Partial<Record<CounterKind, number>> };
  lastSeq: { params: Record<string, never>; result: number };
}

export type QueryName = keyof Queries;
