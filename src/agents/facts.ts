// What the tracker is told, by the server or by a replayed recording. Times are ms of one clock that only the caller knows.
import type { AgentState } from '../model/agent.ts';
import type { ScreenText } from '../model/screen-text.ts';
import type { TerminalFact } from '../model/terminal-facts.ts';

export type AgentFact =
  /** The screen after a change. Callers skip it when `Screen.changes` stands still and while a synchronized frame is open. */
  | { fact: 'screen'; screen: ScreenText }
  /** It wrote something, of which nothing may be to be seen. */
  | { fact: 'output' }
  /** Title, progress, OSC 7501 and the like, in stream order. */
  | { fact: 'terminal'; report: TerminalFact }
  /** Bytes were written to the program: by a person (who therefore looks) or by herd. `submit`: a carriage return was among them. */
  | { fact: 'input'; by: 'person' | 'herd'; submit: boolean }
  | { fact: 'resize' }
  /** A person looked once, or has begun or ceased to watch (pane focused in a focused client). */
  | { fact: 'look' }
  | { fact: 'watch'; on: boolean }
  /** The foreground program of the PTY; `ours` while it is the agent's process group. */
  | { fact: 'foreground'; ours: boolean; name: string }
  /** The agent's own hook. Sequence numbers that do not grow are dropped. */
  | { fact: 'hook'; sequence: number; state: Extract<AgentState, 'working' | 'blocked' | 'idle' | 'done'>; message?: string }
  | { fact: 'exit'; code: number | null; signal: string | null };
