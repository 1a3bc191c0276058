// What herd says of an agent: state, marks and the evidence for it. Plain data; the rules stand in agents/.

export type AgentState = 'working' | 'blocked' | 'done' | 'idle' | 'exited' | 'unknown';

/** Sources of evidence, most trusted first. */
export type EvidenceSource = 'exit' | '7501' | 'hook' | 'title' | 'screen' | 'progress' | 'motion' | 'process' | 'time' | 'start' | 'look';

/** One reason: what said so, which rule, the region or text it saw (cleaned, ≤ 200 characters), and when (ms, same clock as the caller's). */
export interface Evidence {
  source: EvidenceSource;
  rule: string;
  says: AgentState | 'error' | 'limited' | 'background';
  text?: string;
  at: number;
}

/** A dialog that waits for a person. `id` is an identity of its text: it changes when the dialog does. */
export interface Question {
  id: string;
  kind: 'permission' | 'question' | 'auth' | 'menu' | 'trust';
  text: string;
  options: { label: string; selected: boolean /** what to press, as key names */; keys: string[] }[];
}

export interface AgentMarks {
  /** Working without any sign of life for the configured time. */
  stalled?: boolean;
  /** The turn ended, jobs or sub-agents still run. */
  background?: string;
  /** Rate or usage limit, with the reset time as printed; never invented. */
  limit?: { kind: 'rate' | 'usage'; resets?: string };
  /** The turn ended on an error: its first line. */
  error?: string;
  /** One line of what the agent is at: task title or first line of its answer. */
  task?: string;
  /** Percent 0-100, from OSC 9;4 or 7501. */
  progress?: number;
  /** As shown by the agent ("12% context left", "$0.42"). */
  context?: string;
  cost?: string;
}

/** The server's judgement. `since` and evidence times are ms since the epoch. `turn` counts turns that began since the agent's start. */
export interface AgentStatus {
  kind: string;
  state: AgentState;
  since: number;
  /** One clause for people: "its approval dialog is on the screen". */
  why: string;
  evidence: Evidence[];
  marks: AgentMarks;
  question: Question | null;
  turn: number;
  exit?: { code: number | null; signal: string | null };
}
