// A workspace as everyone sees it: the sidebar, `herd ls --json`, skills. The JSON shape is public and only grows.
import type { AgentStatus } from './agent.ts';
import type { CommentState, Placement } from './review/comment.ts';

export interface TerminalFacts {
  id: number;
  workspace: number;
  /** The first is the agent's. */
  role: 'agent' | 'shell';
  argv: string[];
  cols: number;
  rows: number;
  title: string;
  /** Folder by OSC 7; without it where its first program works. */
  cwd: string | null;
  pid: number | null;
  exit: { code: number | null; signal: string | null } | null;
  /** OSC 9;4, as in `TerminalFact`; null or absent: none. */
  progress?: { state: 0 | 1 | 2 | 3 | 4; value: number | null } | null;
  /** '#rrggbb' that the program gave its cursor; null or absent: none. */
  cursorColour?: string | null;
  /** The holder lost output, or the screens were not primed: what happened. */
  trouble: string | null;
}

export interface DiffSize {
  files: number;
  added: number;
  removed: number;
  /** ms since the epoch of the reading; null before the first; error when the last try failed. */
  at: number | null;
  error?: string;
  /** A newer reading is under way and takes long. */
  slow?: true;
}

export interface Workspace {
  /** Small integer, never reused in a session. */
  id: number;
  name: string;
  /** Worktree or folder. */
  path: string;
  /** Main worktree or bare repository the worktree belongs to; null for a plain folder. */
  repository: string | null;
  branch: string | null;
  /** Short hash when detached. */
  head: string | null;
  base: { name: string; commit: string } | null;
  agent: AgentStatus;
  /** Id by which its agent's conversation can be resumed; null when none is known. */
  conversation: string | null;
  terminals: TerminalFacts[];
  diff: DiffSize;
  comments: Record<CommentState, number> & Partial<Record<Placement, number>>;
  /** Prompts waiting. */
  queue: number;
  /** The worktree has vanished, is locked, …: one clause. */
  trouble: string | null;
  created: number;
}
