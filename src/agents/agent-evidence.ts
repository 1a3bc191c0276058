// Everything the tracker holds of an agent, as it was told. Draws no verdict.
import type { AgentState } from '../model/agent.ts';
import type { ProgramStatus } from '../model/terminal-facts.ts';
import type { FooterSign } from './footer.ts';
import type { CompiledKind } from './kinds/compile.ts';
import type { Look, Looker } from './look.ts';
import type { Motion } from './motion.ts';

/** What the agent is at, before anybody's looking counts: `rest` becomes done or idle. */
export type Bearing = 'working' | 'blocked' | 'rest' | 'exited' | 'unknown';

/** A rule that matches: its text, when that last changed, and how often it has moved since it came up. */
export interface HitHistory {
  text: string;
  at: number;
  moves: number;
}

export interface AgentEvidence {
  kind: CompiledKind;
  readonly looker: Looker;
  started: number;
  /** It was started without a screen of its own. */
  headless: boolean;
  look: Look | null;
  /** Since when this dialog, or none, has stood; when the composer that now stands came up. */
  dialogSince: number;
  composerSince: number;
  /** Identity of the dialog in place of the composer at the last look; whether the composer stood then. They outlive the look itself. */
  dialogId: string | null;
  composerStood: boolean;
  /** What each matching rule has shown. */
  hits: Map<string, HitHistory>;
  motion: Motion;
  report: { status: ProgramStatus; at: number } | null;
  /** `moved`: when its text last changed, though it says the same: one that turns is alive. */
  title: { text: string; says: 'working' | 'blocked' | 'rest'; at: number; moved: number } | null;
  hook: { state: AgentState; sequence: number; at: number; message?: string } | null;
  foreground: { ours: boolean; name: string; at: number } | null;
  exit: { code: number | null; signal: string | null; at: number } | null;
  /** Last carriage return that was sent. */
  submitted: number;
  /**
   * A carriage return that went into a composer with a draft, and what has not yet answered it. `behind`: the agent was still to draw keys
   * from before it, so that what stands in its box says nothing.
   */
  sent: { at: number; draft: string; behind: boolean } | null;
  /** When the text in its box was last seen to change. */
  drafted: number;
  input: number;
  resized: number;
  /** Its composer was seen, or it reported: start-up is over, since then. */
  ready: boolean;
  readySince: number;
  /** A rule, title or report has shown the present turn: its end will be shown by them, too. */
  proven: boolean;
  /** A sign that stands as long as a turn runs (no spinner) has shown the present turn: that it has gone says more than quiet does. */
  signed: boolean;
  footer: FooterSign;
  /** The bearing before this one, and since when it stands. */
  bearing: Bearing;
  bearingSince: number;
  /** The dialog it is blocked by came up while it worked, or by itself after a turn: one goes on once it is answered. */
  asksInTurn: boolean;
}
