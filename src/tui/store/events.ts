// Server events into client state: each replaces one fact. Pure; asks for nothing.
import type { BatchChange, BatchRow, BatchView } from '../../model/batch.ts';
import type { Comment, Prompt } from '../../model/review/comment.ts';
import type { TerminalFacts, Workspace } from '../../model/workspace.ts';
import type { ServerEvent } from '../../wire/requests.ts';
import { boardTasks, newestBatch } from '../rows/board-rows.ts';
import { queueRows } from '../rows/review-rows.ts';
import { withDraft } from './overlay-stack.ts';
import { fitPanes, showArranged } from './panes.ts';
import { type ClientState, noticeOf, sortWorkspaces } from './state.ts';

type Boards = NonNullable<ClientState['batches']>;

/** The state after an event. Events that are things to do rather than to know (clipboard, bell, attention, log) leave it as it is. */
export function takeEvent(state: ClientState, event: ServerEvent, now: number): ClientState {
  switch (event.event) {
    case 'workspace':
      return takeWorkspace(state, event.workspace, now);
    case 'workspace.gone':
      return dropWorkspace(state, event.id);
    case 'terminal':
      return takeTerminal(state, event.terminal, now);
    case 'comment':
      return { ...state, comments: putById(state.comments, event.comment.workspace, event.comment) };
    case 'comment.gone':
      return { ...state, comments: dropById(state.comments, event.workspace, event.id) };
    case 'draft':
      return { ...state, drafts: withDraft(state.drafts, event.key, event.text) };
    case 'prompt':
      return { ...state, prompts: putPrompt(state.prompts, event.prompt) };
    case 'batch':
      // Changes of boards that were never asked for are parts of something unknown.
      if (state.batches === null) return state;
      return withBatches(state, { ...state.batches, [event.change.summary.key]: takeBatch(state.batches, event.change) });
    case 'notice':
      return { ...state, notice: noticeOf(event.text, 'error', now, event.hint) };
    case 'server.stopping':
      return { ...state, notice: noticeOf(event.restart ? 'the server restarts; agents go on' : 'the server stops', 'plain', now) };
    default:
      return state;
  }
}

function takeWorkspace(state: ClientState, workspace: Workspace, now: number): ClientState {
  const before = state.workspaces.find(({ id }) => id === workspace.id);
  const closed = before?.terminals.filter(({ id }) => !workspace.terminals.some((terminal) => terminal.id === id)) ?? [];
  const workspaces = before
    ? state.workspaces.map((old) => (old.id === workspace.id ? workspace : old))
    : sortWorkspaces([...state.workspaces, workspace]);
  const shown = state.shown ?? workspace.id;
  const scrolls = without(state.scrolls, idsOf(closed));
  return fitPanes(noteQuestion({ ...state, workspaces, shown, listAt: state.listAt ?? shown, scrolls }, workspace, now), workspace);
}

/** Remembers since when a question is on the screen here. */
function noteQuestion(state: ClientState, workspace: Workspace, now: number): ClientState {
  const question = workspace.agent.question;
  const seen = state.questions[workspace.id];
  if (question?.id === seen?.id) return state;
  const { [workspace.id]: _old, ...others } = state.questions;
  return { ...state, questions: question ? { ...others, [workspace.id]: { id: question.id, at: now } } : others };
}

function takeTerminal(state: ClientState, terminal: TerminalFacts, now: number): ClientState {
  const owner = state.workspaces.find(({ id }) => id === terminal.workspace);
  if (!owner) return state;
  const known = owner.terminals.some(({ id }) => id === terminal.id);
  const terminals = known ? owner.terminals.map((old) => (old.id === terminal.id ? terminal : old)) : [...owner.terminals, terminal];
  return takeWorkspace(state, { ...owner, terminals }, now);
}

function dropWorkspace(state: ClientState, id: number): ClientState {
  const index = state.workspaces.findIndex((workspace) => workspace.id === id);
  if (index < 0) return state;
  const { terminals } = state.workspaces[index]!;
  const workspaces = state.workspaces.toSpliced(index, 1);
  const beside = (workspaces[index] ?? workspaces[index - 1])?.id ?? null;
  const lastAlive = workspaces.some((workspace) => workspace.id === state.last) ? state.last : null;
  const shown = state.shown === id ? (lastAlive ?? beside) : state.shown;
  const copy = state.shown === id ? null : state.copy;
  const overlays = state.overlays.filter((overlay) => !('workspace' in overlay) || overlay.workspace !== id);
  return showArranged({
    ...state,
    workspaces,
    shown,
    copy,
    overlays,
    last: lastAlive,
    listAt: state.listAt === id ? beside : state.listAt,
    comments: without(state.comments, [id]),
    prompts: without(state.prompts, [id]),
    questions: without(state.questions, [id]),
    arrangements: without(state.arrangements, [id]),
    scrolls: without(state.scrolls, idsOf(terminals)),
  });
}

function idsOf(all: readonly { id: number }[]): number[] {
  return all.map(({ id }) => id);
}

/** The record without these keys; the same one where it has none of them. */
function without<T>(record: Readonly<Record<number, T>>, keys: readonly number[]): Readonly<Record<number, T>> {
  if (!keys.some((key) => key in record)) return record;
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(Number(key))));
}

/** The state with other boards; the cursor of the board that is shown stays on its task, wherever that is now. */
export function withBatches(state: ClientState, batches: Boards): ClientState {
  const task = taskUnder(state)?.id;
  const to = newestBatch(batches);
  const at = task !== undefined && to ? boardTasks(to).findIndex(({ id }) => id === task) : -1;
  const overlays = at < 0 ? state.overlays : state.overlays.map((overlay) => (overlay.kind === 'board' ? { ...overlay, at } : overlay));
  return { ...state, batches, overlays };
}

/** The task under the cursor of the board. */
export function taskUnder(state: ClientState): BatchRow | null {
  const overlay = state.overlays.find(({ kind }) => kind === 'board');
  const view = newestBatch(state.batches);
  return (view && overlay?.kind === 'board' && boardTasks(view)[overlay.at]) || null;
}

/** The board with what changed in it; what did not keeps its place. */
function takeBatch(batches: Boards, { summary, rows }: BatchChange): BatchView {
  const fresh = new Map(rows.map((row) => [row.id, row]));
  const known = batches[summary.key]?.rows ?? [];
  const kept = known.map((row) => fresh.get(row.id) ?? row);
  const old = new Set(known.map((row) => row.id));
  return { summary, rows: [...kept, ...rows.filter((row) => !old.has(row.id))] };
}

type ById<T> = Readonly<Record<number, readonly T[]>>;

function putById<T extends Comment | Prompt>(all: ById<T>, workspace: number, item: T): ById<T> {
  const list = all[workspace] ?? [];
  const known = list.some(({ id }) => id === item.id);
  return { ...all, [workspace]: known ? list.map((old) => (old.id === item.id ? item : old)) : [...list, item] };
}

/** What the list of prompts no longer shows goes: an agent may be sent one each minute. */
function putPrompt(all: ById<Prompt>, prompt: Prompt): ById<Prompt> {
  const { [prompt.workspace]: put = [], ...others } = putById(all, prompt.workspace, prompt);
  const shown = new Set(queueRows(put));
  return { ...others, [prompt.workspace]: put.filter((one) => shown.has(one)) };
}

function dropById<T extends { id: number }>(all: ById<T>, workspace: number, id: number): ById<T> {
  const list = all[workspace];
  return list ? { ...all, [workspace]: list.filter((item) => item.id !== id) } : all;
}
