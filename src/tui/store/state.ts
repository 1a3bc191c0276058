// What the client knows and where its person is: facts as the server last told them, and the person's own focus, selection, layout
// and drafts. Facts are replaced whole by events and never changed here; nothing in it is a socket, a timer or a grid.

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { BatchView } from '../../model/batch.ts';
import type { ListedComment, Prompt } from '../../model/review/comment.ts';
import type { Workspace } from '../../model/workspace.ts';
import type { SessionState, TextPoint } from '../../wire/requests.ts';
import type { PaneArrangement, PaneId } from '../layout.ts';
import type { Hit } from '../selection.ts';
import type { Overlay } from './overlay.ts';

/** Whether what is shown is live. While it is not, old states stay on the screen and the bar says since when (ms since the epoch). */
export type Link = { state: 'up' } | { state: 'silent' | 'down'; since: number; why?: string };

export interface Notice {
  text: string;
  hint?: string;
  tone: 'plain' | 'good' | 'error';
  /** ms since the epoch: a notice leaves when its time is over, at a key, or when a newer one comes. */
  until: number;
}

/** Looking back in one terminal with a cursor of one's own. Places are logical lines, so they outlive resizes and new output. */
export interface CopyMode {
  terminal: number;
  cursor: TextPoint;
  /** Column that steps up and down lead to, where a line is long enough; null: the cursor's. */
  goal: number | null;
  /** Other end of the selection. */
  anchor: TextPoint | null;
  shape: 'characters' | 'lines' | 'block';
  search: { pattern: string; back: boolean; hits: Hit[]; total: number; at: number } | null;
}

/** How a view of a terminal stands to its tail. */
export interface ViewScroll {
  atTail: boolean;
  newLines: number;
}

export interface ClientState {
  cols: number;
  rows: number;
  session: string;
  version: string;
  link: Link;
  workspaces: readonly Workspace[];
  /** Comments and prompts by workspace, as far as asked for; those of closed ones under CLOSED_WORKSPACE. */
  comments: Readonly<Record<number, readonly ListedComment[]>>;
  prompts: Readonly<Record<number, readonly Prompt[]>>;
  /** Batches whose runners have told this session about them, by key; null while they were never asked for. */
  batches: Readonly<Record<string, BatchView>> | null;
  /** Paths that a workspace's changeset holds, for seeing overlaps. */
  paths: Readonly<Record<number, readonly string[]>>;
  /** When each workspace's present question was first seen here, ms: answers wait a moment after it. */
  questions: Readonly<Record<number, { id: string; at: number }>>;
  /** Workspace in the panes, and the one before it. */
  shown: number | null;
  last: number | null;
  arrangements: Readonly<Record<number, PaneArrangement>>;
  zone: 'list' | 'panes';
  sidebar: 'auto' | 'hidden';
  /** Workspace under the cursor of the overview list. */
  listAt: number | null;
  /** Workspaces that the next prompt from the list goes to. */
  marked: readonly number[];
  prefix: boolean;
  overlays: readonly Overlay[];
  /** Text begun and not saved, by what it is for; see `draftKey`. */
  drafts: Readonly<Record<string, string>>;
  copy: CopyMode | null;
  scrolls: Readonly<Record<number, ViewScroll>>;
  notice: Notice | null;
  /** The outer terminal has the focus. */
  focused: boolean;
  /** This client sizes the terminals it shows. A phone or any narrow client only looks, until asked to. */
  sizing: boolean;
  /** Agent programs found on this machine, by kind; null until asked. */
  installed: readonly InstalledKind[] | null;
  /** The repository the person stands in; asked for only while there is no workspace. */
  standing: Standing | null;
  /** ms since the epoch as of the last visible change of an age. */
  now: number;
}

export interface Standing {
  /** Path of its main worktree. */
  main: string;
  branch: string | null;
  /** Worktrees that a workspace could be opened on. */
  worktrees: number;
}

export interface InstalledKind {
  kind: string;
  title: string;
  /** The command looked for; null path when it is not there. */
  command: string;
  path: string | null;
}

export type ClientStore = StoreApi<ClientState>;

/** Columns below which a client only looks at the size others chose (a phone must not shrink what a desktop shows). */
export const SIZING_COLS = 80;

export function createClientState(cols: number, rows: number, now: number): ClientState {
  return {
    cols,
    rows,
    session: '',
    version: '',
    link: { state: 'up' },
    workspaces: [],
    comments: {},
    prompts: {},
    batches: null,
    paths: {},
    questions: {},
    shown: null,
    last: null,
    arrangements: {},
    zone: cols < SIZING_COLS ? 'list' : 'panes',
    sidebar: 'auto',
    listAt: null,
    marked: [],
    prefix: false,
    overlays: [],
    drafts: {},
    copy: null,
    scrolls: {},
    notice: null,
    focused: true,
    sizing: cols >= SIZING_COLS,
    installed: null,
    standing: null,
    now,
  };
}

export function createClientStore(cols: number, rows: number, now: number): ClientStore {
  return createStore(() => createClientState(cols, rows, now));
}

/** The workspace with this id; null when there is none (any more). */
export function workspaceOf(state: ClientState, id: number | null): Workspace | null {
  return id === null ? null : (state.workspaces.find((workspace) => workspace.id === id) ?? null);
}

/** The workspace whose panes are on the screen; null while there is none. */
export function shownWorkspace(state: ClientState): Workspace | null {
  return workspaceOf(state, state.shown);
}

/** The pane that has the keys when nothing lies above it. */
export function focusedPane(state: ClientState): PaneId | null {
  if (state.zone === 'list' || state.shown === null) return null;
  return state.arrangements[state.shown]?.focus ?? null;
}

/** Facts of a whole session, as on attach: what is the person's own stays where it still has a place. */
export function takeSession(state: ClientState, session: SessionState, now: number): ClientState {
  const known = { ...state, session: session.session, version: session.version, workspaces: sortWorkspaces(session.workspaces), now };
  const alive = (id: number | null) => id !== null && session.workspaces.some((workspace) => workspace.id === id);
  const shown = alive(state.shown) ? state.shown : alive(session.selected) ? session.selected : (known.workspaces[0]?.id ?? null);
  const notice: Notice | null =
    session.notices.length > 0 ? { text: session.notices.join(' · '), tone: 'error', until: now + NOTICE_TIME.error } : null;
  return {
    ...known,
    link: { state: 'up' },
    shown,
    last: alive(state.last) ? state.last : null,
    listAt: alive(state.listAt) ? state.listAt : shown,
    notice: notice ?? state.notice,
  };
}

/** How long a notice stays, ms: long enough to read one sentence, errors twice. */
export const NOTICE_TIME = { plain: 5000, good: 4000, error: 12_000 };

/** By repository (in order of their oldest workspace), then by id. */
export function sortWorkspaces(workspaces: readonly Workspace[]): Workspace[] {
  const first = new Map<string, number>();
  const keyOf = (workspace: Workspace) => workspace.repository ?? '';
  for (const workspace of workspaces) first.set(keyOf(workspace), Math.min(workspace.id, first.get(keyOf(workspace)) ?? workspace.id));
  return [...workspaces].sort((a, b) => first.get(keyOf(a))! - first.get(keyOf(b))! || a.id - b.id);
}

export function noticeOf(text: string, tone: Notice['tone'], now: number, hint?: string): Notice {
  return { text, tone, until: now + NOTICE_TIME[tone], ...(hint ? { hint } : {}) };
}
