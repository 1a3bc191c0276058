// The request table: every thing a client can ask of the server, with the shapes of its parameters and its result. Keys, command-line
// verbs, the batch runner and skills all end here; a handler missing in server/commands is a compile error.

import type { AgentState, AgentStatus, Evidence } from '../model/agent.ts';
import type { BatchAsk, BatchChange, BatchRow, BatchSummary } from '../model/batch.ts';
import type { Cursor, TextPoint } from '../model/cell.ts';
import type { InputEvent } from '../model/input.ts';
import type { OuterTerminal } from '../model/outer.ts';
import type { PaneArrangement } from '../model/panes.ts';
import type { Changeset, CommitFacts, FileDiff, MovedIn, Scope } from '../model/review/changeset.ts';
import type { Comment, ListedComment, Prompt, Receipt, Side } from '../model/review/comment.ts';
import type { DiffArrangement } from '../model/review/diff-arrangement.ts';
import type { NotificationForm } from '../model/terminal-facts.ts';
import type { TerminalFacts, Workspace } from '../model/workspace.ts';

/** A workspace by id, name or branch, or by an absolute path in it. */
export type WorkspaceRef = number | string;

/** What a new pane inherits from the client that asked for it. */
export interface ClientPlace {
  cwd: string;
  env: Record<string, string>;
}

export interface CommentTarget {
  /** null for the whole change. */
  path: string | null;
  side: Side;
  /** 1-based, inclusive; null for the file. */
  range: { start: number; end: number } | null;
  /** Text of the lines and up to three around them as the person saw them: by it the place is found when the file has changed since. */
  seen?: { lines: string[]; before: string[]; after: string[] };
  /** The scope whose lines the range counts; 'base' unless given. */
  scope?: Scope;
  /** It comes from elsewhere: what it is about may not be here, and it is then listed as gone rather than refused. */
  foreign?: boolean;
}

/** Hunks as they were shown. */
export interface SeenHunks {
  /** Of the reading of `changeset.file` that they were in, and what else it was asked for with. */
  revision: string;
  context?: number;
  load?: boolean;
  /** By their index in it. */
  hunks: number[];
  /** Only these lines of them: ranges [from, to) counted from 0 through the hunks named, context included. */
  lines?: [from: number, to: number][];
}

export interface ViewSpec {
  /** Chosen by the client, unique in it. */
  view: number;
  terminal: number;
  cols: number;
  rows: number;
  /** This client wants the terminal at this size (focused desktop client); false only looks. */
  sizing: boolean;
  /** Focused pane of the client. */
  focused: boolean;
  /** For a view that the server does not know yet: the place that is at its top; absent: where the last reader left, or the tail. */
  at?: TextPoint;
  /** With `at`: the last line there was when it was scrolled up. */
  seen?: number;
  /** The person is marking text: the view stays on the text it shows although it is at the tail, and on the screen of a full-screen program. */
  hold?: boolean;
  /** Cell of the client's screen at its top left, and whether the tty's cursor is its own; absent: nobody else need know. */
  place?: { x: number; y: number; front: boolean };
}

/** What a terminal shows before the app is loaded: ready to be written, and what it was made from. Sizes in cells. */
export interface FirstFrame {
  cols: number;
  rows: number;
  /** Bytes for the terminal; '' when the session has no screen to begin with. */
  paint: string;
  /** Views whose cells came just before; their ids are those of `view.set`. */
  panes: { view: number; x: number; y: number; cols: number; rows: number }[];
  cursor: Cursor | null;
}

export type { OuterTerminal, TextPoint };

export interface Requests {
  // session and server
  'session.state': { params: Record<string, never>; result: SessionState };
  'session.reset': { params: Record<string, never>; result: Record<string, never> };
  'server.status': { params: Record<string, never>; result: ServerStatus };
  'server.stop': { params: { force?: boolean }; result: { agents: number } };
  'server.restart': { params: Record<string, never>; result: Record<string, never> };
  'events.follow': { params: { since?: number }; result: { events: LoggedEvent[] } };
  'events.log': { params: { workspace?: WorkspaceRef; limit?: number; grep?: string }; result: { events: LoggedEvent[] } };

  // a drawing client
  'client.attach': {
    params: { cols: number; rows: number; outer: OuterTerminal; place: ClientPlace; workspace?: WorkspaceRef };
    result: SessionState;
  };
  /** Before attaching, never again: the views of the last client of this size, and by `first-frame` how they look together. */
  'client.begin': {
    params: { cols: number; rows: number; env: { TERM?: string; COLORTERM?: string; TERM_PROGRAM?: string } };
    result: Record<string, never>;
  };
  'client.size': { params: { cols: number; rows: number }; result: Record<string, never> };
  'client.focus': { params: { focused: boolean; workspace: number | null }; result: Record<string, never> };
  'client.outer': { params: { outer: OuterTerminal }; result: Record<string, never> };
  /** `screen`: cells of the client's screen on which the views have their places. */
  'view.set': { params: { views: ViewSpec[]; screen?: { cols: number; rows: number } }; result: Record<string, never> };
  /** How the panes of a workspace, or its diff, were left here: those who attach later begin with it. */
  'layout.save': { params: { workspace: number; arrangement?: PaneArrangement; diff?: DiffArrangement }; result: Record<string, never> };
  /** Text begun in a client and not saved, by what it is for; null when it was saved or dropped. A client that attaches later has it. */
  'draft.keep': { params: { workspace: number; key: string; text: string | null }; result: Record<string, never> };
  /** Scrolls a view to a place or to the tail (null), from there by rows (negative: up). */
  'view.scroll': { params: { view: number; by?: number; to?: TextPoint | null }; result: { atTail: boolean; newLines: number } };

  // workspaces and worktrees
  'workspace.new': {
    params: {
      place: ClientPlace;
      repository?: string;
      branch?: string;
      base?: string;
      agent?: string;
      argv?: string[];
      prompt?: string;
      noAgent?: boolean;
      cols?: number;
      rows?: number;
    };
    result: { workspace: Workspace; notes: string[] };
  };
  'workspace.open': {
    params: { place: ClientPlace; path: string; agent?: string; argv?: string[] };
    result: { workspace: Workspace; existed: boolean };
  };
  /** With `ephemeral` the session ends with its last terminal. */
  'workspace.run': {
    params: { place: ClientPlace; argv: string[]; agent?: string; cols?: number; rows?: number; ephemeral?: boolean };
    result: { workspace: Workspace; terminal: number };
  };
  /** The worktree stays; so do `comments` comments, for when it is opened again. */
  'workspace.close': { params: { workspace: WorkspaceRef }; result: { leftovers: { pid: number; command: string }[]; comments: number } };
  /** First without `discard`: refused with the counts when something would be lost; then with it: saved to `savedRef` first. */
  'workspace.remove': { params: { workspace: WorkspaceRef; discard?: boolean }; result: { removed: string; savedRef: string | null } };
  'workspace.rename': { params: { workspace: WorkspaceRef; name: string }; result: { workspace: Workspace } };
  'workspace.get': { params: { workspace?: WorkspaceRef; from?: ClientPlace }; result: { workspace: Workspace } };
  'workspace.look': { params: { workspace: WorkspaceRef }; result: Record<string, never> };
  /** Takes the conversation of an exited agent up again; `fresh`: starts it anew instead. Never done by itself. */
  'workspace.resume': { params: { workspace: WorkspaceRef; place: ClientPlace; fresh?: boolean }; result: { workspace: Workspace } };
  /**
   * A worktree without a workspace, on a new branch that is the asker's own, at a commit (full id); `prepared`: the path of one that was
   * prepared becomes it, refused with 'not-prepared' when that cannot be.
   */
  'worktree.add': {
    params: { repository: string; branch: string; commit: string; prepared?: string };
    result: { path: string; notes: string[] };
  };
  /** A worktree for a later `worktree.add`, on no branch; `name`, a branch's, is the asker's own and never used again. */
  'worktree.prepare': {
    params: { repository: string; name: string; commit: string };
    result: { path: string; notes: string[] };
  };
  /** Worktree and branch of `worktree.add`, or one of `worktree.prepare`, whatever is in it: the asker has saved it. */
  'worktree.remove': { params: { repository: string; path: string; branch?: string }; result: Record<string, never> };
  /** What the `.herd.toml` of the repository asks for; `allowed`: this user has agreed to this content, named by `hash`. */
  'worktree.settings': {
    params: { repository: string };
    result: { main: string; copy: string[]; setup: string[]; faults: string[]; hash: string; allowed: boolean };
  };
  'worktree.list': { params: { repository: string }; result: { worktrees: WorktreeRow[] } };

  // terminals
  'terminal.new': {
    params: { workspace: WorkspaceRef; place: ClientPlace; argv?: string[]; cols?: number; rows?: number };
    result: { terminal: TerminalFacts };
  };
  'terminal.close': { params: { terminal: number }; result: { leftovers: { pid: number; command: string }[] } };
  'terminal.input': { params: { terminal: number; events: InputEvent[] }; result: Record<string, never> };
  /** Plain rows (or ANSI) of screen and, with `lines` beyond it, of scrollback and history. */
  'terminal.read': {
    params: { workspace?: WorkspaceRef; terminal?: number; lines?: number; ansi?: boolean };
    result: { text: string; cols: number; rows: number; cursor: { x: number; y: number } };
  };
  'terminal.keys': {
    params: { workspace?: WorkspaceRef; terminal?: number; text?: string; keys?: string[] };
    result: Record<string, never>;
  };
  'terminal.text': { params: { terminal: number; from: TextPoint; to: TextPoint; rectangle?: boolean }; result: { text: string } };
  /** Writes all text there is, earlier screens included, into a private file for an editor or pager; replaces the last one. */
  'terminal.dump': {
    params: { workspace?: WorkspaceRef; terminal?: number; ansi?: boolean; at?: TextPoint };
    /** `line`: the file's line, from 1, with the place `at`; the last one without it. */
    result: { path: string; lines: number; bytes: number; line: number };
  };
  /** In history, screen and earlier screens. Without `caseSensitive`: capitals count when the pattern has some. */
  'terminal.search': {
    params: { terminal: number; pattern: string; regex?: boolean; caseSensitive?: boolean; limit?: number };
    /** The newest hits, in reading order; `total` counts all. `complete` false: given up for time. */
    result: { hits: { line: number; col: number; length: number }[]; total: number; complete?: boolean };
  };

  // pictures that people paste who sit at another host than the session's
  /** Who has a file, ms since 1970 when it was last changed. `picture`: where its bytes are to go; null: the session's host has this very file. */
  'picture.begin': { params: { path: string; size: number; inode: number; modified: number }; result: { picture: string | null } };
  /** The next bytes, base64. `path`: of the whole picture on the session's host, once all bytes are there. */
  'picture.part': { params: { picture: string; bytes: string }; result: { path: string | null } };

  // programs without a screen: attempts of batches. They run in the holder and outlive server and runner; how they ended is kept
  // until it is forgotten.
  /** Starting the same attempt twice gives the one that is there. `env` is added to the cleaned environment of `place`. */
  'attempt.start': {
    params: { attempt: string; place: ClientPlace; argv: string[]; env?: Record<string, string> };
    result: { attempt: AttemptFacts; existed: boolean };
  };
  /** Those whose names begin with `prefix`, from the moment that their start was asked for; with `follow`, `attempt` events tell of their ends from now on. */
  'attempt.list': { params: { prefix: string; follow?: boolean }; result: { attempts: AttemptFacts[] } };
  /** Asks, kills after `grace` ms; resolves when the program has ended. */
  'attempt.end': { params: { attempt: string; grace: number }; result: Record<string, never> };
  'attempt.forget': { params: { attempt: string }; result: Record<string, never> };

  // batches: their runners tell, everybody looks and asks
  'batch.publish': { params: BatchChange; result: Record<string, never> };
  'batch.list': { params: Record<string, never>; result: { batches: { summary: BatchSummary; rows: BatchRow[] }[] } };
  'batch.ask': { params: { key: string; ask: BatchAsk; task?: string }; result: Record<string, never> };

  // agents
  'agent.explain': { params: { workspace: WorkspaceRef }; result: { status: AgentStatus; evidence: Evidence[]; screen: string[] } };
  'agent.answer': {
    params: { workspace: WorkspaceRef; answer: 'approve' | 'reject' | number | { text: string }; dialog?: string };
    result: { answered: string };
  };
  'agent.interrupt': { params: { workspace: WorkspaceRef }; result: Record<string, never> };
  /** `closing`: a person has closed the workspace, and the agent ends or has ended for that. */
  'agent.wait': {
    params: { workspace: WorkspaceRef; until: AgentState[]; timeout?: number };
    result: { state: AgentState; at: number; closing: boolean };
  };
  'agent.report': {
    /** From a hook in the pane. `child`: the state is that of a sub-agent. */
    params: { terminal: number; token: string; seq: number; state: string; message?: string; session?: string; child?: string };
    result: Record<string, never>;
  };

  // prompts
  /** `queue`: wait where the agent cannot take it now; `later`: wait in any case, for the end of the turn it is in or begins next. */
  'prompt.send': {
    params: { workspace: WorkspaceRef; text: string; queue: boolean; later?: boolean; force?: boolean };
    result: { receipt: Receipt };
  };
  /** Those that wait, are being delivered or were not; with `all` also what became of the others. */
  'prompt.list': { params: { workspace: WorkspaceRef; all?: boolean }; result: { prompts: Prompt[] } };
  'prompt.edit': { params: { prompt: number; text: string }; result: { prompt: Prompt } };
  'prompt.move': { params: { prompt: number; before: number | null }; result: { prompts: Prompt[] } };
  'prompt.drop': { params: { prompt: number }; result: { prompt: Prompt } };
  /** Tries a queued or undelivered prompt now. */
  'prompt.retry': { params: { prompt: number }; result: { receipt: Receipt } };

  // review
  'changeset.get': {
    params: { workspace: WorkspaceRef; scope?: Scope; ignoreWhitespace?: boolean };
    /** `places`: where comments stand in a scope other than 'base', by id, where that is elsewhere; null: not in it. */
    result: { changeset: Changeset; viewed: Record<string, string>; places?: Record<number, Comment['place'] | null> };
  };
  /** `rows`: at most so many lines behind the `after` first ones, with `part` when there are more; only news since `held`, a revision. */
  'changeset.file': {
    params: {
      workspace: WorkspaceRef;
      path: string;
      scope?: Scope;
      context?: number;
      ignoreWhitespace?: boolean;
      load?: boolean;
      rows?: number;
      after?: number;
      held?: string;
    };
    result: { diff: FileDiff };
  };
  /** Lines of a file as they stand on one side, 1-based inclusive, for opening gaps. */
  'changeset.lines': {
    params: { workspace: WorkspaceRef; path: string; side: Side; scope?: Scope; from: number; to: number };
    result: { lines: string[]; total: number };
  };
  'changeset.base': { params: { workspace: WorkspaceRef; base: string }; result: { changeset: Changeset } };
  'changeset.viewed': { params: { workspace: WorkspaceRef; path: string; viewed: boolean }; result: Record<string, never> };
  /** Commits since the base, newest first. */
  'changeset.commits': { params: { workspace: WorkspaceRef }; result: { commits: CommitFacts[] } };
  /** Lines moved within and across files, for the generation said. */
  'changeset.moved': {
    params: { workspace: WorkspaceRef; scope?: Scope; ignoreWhitespace?: boolean };
    result: { moved: MovedIn[]; generation: number };
  };
  /** With `binary` the patch makes binary files too; else it names them. */
  'changeset.patch': { params: { workspace: WorkspaceRef; scope?: Scope; path?: string; binary?: boolean }; result: { patch: string } };
  /** `seen` null: the whole file as `scope` has it. `scope` and `ignoreWhitespace` as in the reading that was seen. */
  'hunk.apply': {
    params: {
      workspace: WorkspaceRef;
      path: string;
      seen: SeenHunks | null;
      action: 'stage' | 'unstage' | 'discard';
      fingerprint: string;
      scope?: Scope;
      ignoreWhitespace?: boolean;
    };
    result: { undoRef: string | null };
  };
  /** Takes back the newest discard in the worktree; `paths` that it wrote. */
  'hunk.undo': { params: { workspace: WorkspaceRef }; result: { paths: string[] } };
  'commit.create': { params: { workspace: WorkspaceRef; message: string; amend?: boolean }; result: { commit: string } };

  'comment.add': {
    params: {
      workspace: WorkspaceRef;
      target: CommentTarget;
      body: string;
      author: 'user' | 'agent';
      suggestion?: string;
      source?: string;
    };
    result: { comment: Comment };
  };
  /** `closed`: instead those that wait for the worktree of a closed workspace, `left`; `waiting` counts these in any case. */
  'comment.list': {
    params: { workspace?: WorkspaceRef; state?: string; closed?: boolean };
    result: { comments: (ListedComment & { excerpt: string[] })[]; waiting: number };
  };
  /** A suggestion of null takes it away. */
  'comment.edit': { params: { comment: number; body: string; suggestion?: string | null }; result: { comment: Comment } };
  'comment.reply': { params: { comment: number; body: string; author: 'user' | 'agent' }; result: { comment: Comment } };
  'comment.mark': {
    params: { comment: number; state: 'addressed' | 'resolved' | 'reopened'; body?: string };
    result: { comment: Comment };
  };
  /** It stands there too now: it is not brought in from there again, nor posted there. */
  'comment.source': { params: { comment: number; source: string }; result: { comment: Comment } };
  'comment.remove': { params: { comment: number }; result: Record<string, never> };
  /** The prompt that would be sent. */
  'comment.preview': { params: { workspace: WorkspaceRef; comments?: number[] }; result: { text: string; comments: number[] } };
  /** Writes a review into the worktree's private git directory, for an agent that is told of it by other means. */
  'comment.write': { params: { workspace: WorkspaceRef; text: string }; result: { path: string } };
  'comment.send': {
    params: { workspace: WorkspaceRef; comments?: number[]; text?: string; queue: boolean; later?: boolean; to?: WorkspaceRef };
    result: { receipt: Receipt; comments: number[] };
  };
}

export type Method = keyof Requests;
export type Params<M extends Method> = Requests[M]['params'];
export type Result<M extends Method> = Requests[M]['result'];

export interface AttemptFacts {
  attempt: string;
  /** null until its start is confirmed */
  pid: number | null;
  /** ms since the epoch. */
  started: number;
  exit: { code: number | null; signal: string | null } | null;
}

export interface WorktreeRow {
  path: string;
  branch: string | null;
  head: string;
  main: boolean;
  locked: boolean;
  prunable: boolean;
  /** Workspace open on it. */
  workspace: number | null;
}

export interface ServerStatus {
  session: string;
  version: string;
  protocol: number;
  pid: number;
  holder: { pid: number; version: string; protocol: number };
  started: number;
  clients: number;
  terminals: number;
  agents: number;
  quarantined: number[];
}

export interface SessionState {
  session: string;
  version: string;
  workspaces: Workspace[];
  /** The workspace that was looked at last. */
  selected: number | null;
  /** How its panes were left, by workspace. */
  layouts: Record<number, PaneArrangement>;
  /** How its diff was left, by workspace. */
  diffs: Record<number, DiffArrangement>;
  /** Text begun in clients and not saved, by what it is for. */
  drafts: Record<string, string>;
  notices: string[];
}

/** One line of the append-only event log. */
export interface LoggedEvent {
  seq: number;
  at: number;
  workspace: number | null;
  kind: string;
  text: string;
  detail?: Record<string, unknown>;
}

/** Server to client, unasked. */
export type ServerEvent =
  | { event: 'workspace'; workspace: Workspace }
  | { event: 'workspace.gone'; id: number }
  | { event: 'terminal'; terminal: TerminalFacts }
  | { event: 'changeset'; workspace: number; generation: number; files: string[] | null }
  | { event: 'comment'; comment: Comment }
  | { event: 'comment.gone'; id: number; workspace: number }
  /** Another client began, went on with, or ended a text. */
  | { event: 'draft'; key: string; text: string | null }
  | { event: 'prompt'; prompt: Prompt }
  | { event: 'log'; entry: LoggedEvent }
  /** `said`: nothing but programs' own notifications. */
  | { event: 'attention'; workspace: number; title: string; body: string; sound: boolean; said?: true }
  /** A program's own notification, for a client that shows that program alone. */
  | { event: 'notification'; terminal: number; title: string; body: string; form: NotificationForm }
  | { event: 'clipboard'; terminal: number; text: string }
  | { event: 'bell'; terminal: number }
  | { event: 'notice'; text: string; hint?: string }
  | { event: 'attempt'; attempt: AttemptFacts }
  | { event: 'batch'; change: BatchChange }
  | { event: 'batch.ask'; key: string; ask: BatchAsk; task: string | null }
  | ({ event: 'first-frame' } & FirstFrame)
  | { event: 'server.stopping'; restart: boolean };

/** A refusal or failure as it crosses the socket: one sentence and what to do about it. */
export interface WireError {
  /** kebab-case, stable: 'not-found', 'blocked', 'name-in-use', … */
  code: string;
  message: string;
  hint?: string;
  /** Counts and the like that a client may show. */
  detail?: Record<string, unknown>;
}
