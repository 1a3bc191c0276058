// Comments on a changeset and where they stand. Plain data; moving through states and re-anchoring are pure functions beside it.

export type Side = 'old' | 'new';

/** Where a comment hangs. `range` is null for a comment on a file; `path` is null for one on the whole change. Lines are 1-based, inclusive. */
export interface Anchor {
  path: string | null;
  side: Side;
  range: { start: number; end: number } | null;
  /** Text of the commented lines, and up to three lines before and after, as they were when the comment was made. */
  lines: string[];
  before: string[];
  after: string[];
  baseCommit: string | null;
  /** It was made on this commit's diff, and its lines are no longer so in the worktree: range and lines are the commit's. */
  commit?: string;
  /** How often the same lines stood elsewhere in the file then: a text with twins is not recognised by its text alone. */
  twins?: number;
}

/** How the anchor stands against the present files. 'moved': same text elsewhere; 'changed': text edited in place; 'gone': not found. */
export type Placement = 'exact' | 'moved' | 'changed' | 'gone';

export type CommentState = 'draft' | 'queued' | 'sent' | 'addressed' | 'resolved';

export interface Reply {
  id: number;
  author: 'user' | 'agent';
  body: string;
  at: number;
}

export interface Comment {
  /** Small integer, unique in the session, never reused. */
  id: number;
  workspace: number;
  author: 'user' | 'agent';
  anchor: Anchor;
  /** Where the anchor was found on the last refresh; null range when gone, and the line behind which it stood, 0 for the beginning, if known. */
  place: { placement: Placement; path: string | null; range: { start: number; end: number } | null; behind?: number };
  body: string;
  /** Proposed replacement for the anchored lines. */
  suggestion?: string;
  state: CommentState;
  /** Rounds (prompts) it was sent in, oldest first; the receipt of each is in the prompt. */
  rounds: number[];
  /** Its workspace was closed: the worktree that it waits for. */
  left?: string;
  /** Where an imported comment came from. */
  source?: string;
  replies: Reply[];
  created: number;
  updated: number;
}

/** A comment as it is kept; `trace`: by which its lines are found again, see `makeTrace`. Nobody but the server needs it. */
export type KeptComment = Comment & { trace?: string };

/** The workspace of comments whose own was closed: none has this id. */
export const CLOSED_WORKSPACE = 0;

/** A comment in a list; `gone`: the worktree that it waits for is not there any more. */
export type ListedComment = Comment & { gone?: boolean };

export type DeliveryOutcome = 'accepted' | 'queued' | 'refused' | 'undelivered';

/** What became of a prompt. */
export interface Receipt {
  prompt: number;
  outcome: DeliveryOutcome;
  /** Why it was refused, queued or not delivered: one clause. */
  reason?: string;
  at: number;
  /** Turn that it began, when accepted, and the number of the agent's last change of state before. */
  turn?: number;
  seq?: number;
}

/** A message for an agent, kept until dealt with. `round` is set when it carries comments. */
export interface Prompt {
  id: number;
  workspace: number;
  text: string;
  comments: number[];
  round: number | null;
  /** It waits for the end of a turn after this one; absent: for the agent's next rest. */
  afterTurn?: number;
  state: 'queued' | 'delivering' | 'accepted' | 'refused' | 'undelivered' | 'dropped';
  receipt: Receipt | null;
  created: number;
  updated: number;
}
