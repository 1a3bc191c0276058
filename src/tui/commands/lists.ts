// Commands of lists and pickers: the cursor in whatever list is on top, and what its keys do there.

import { counted } from '../../model/counted.ts';
import { commentsMarkdown } from '../../model/review/export.ts';
import { joinSuggestion } from '../../model/review/suggestion.ts';
import { createEditor } from '../editor.ts';
import { innerRect } from '../overlay-geometry.ts';
import { newestBatch } from '../rows/board-rows.ts';
import { explainRows } from '../rows/explain-lines.ts';
import { helpEnd } from '../rows/help-rows.ts';
import { paletteHits, workspaceHits } from '../rows/picker-hits.ts';
import { commentRows, listedComments, placeText, queueRows } from '../rows/review-rows.ts';
import { attentionList, attentionQueue } from '../store/attention.ts';
import type { ShownComment } from '../store/begun-comments.ts';
import { COMMENT_FILTERS, type Overlay, type OverlayOf } from '../store/overlay.ts';
import { changeOverlay, closeOverlay, finishOverlay, openOverlay, openWriting, topOverlay } from '../store/overlay-stack.ts';
import { focusPane, showWorkspace } from '../store/panes.ts';
import { type ClientState, workspaceOf } from '../store/state.ts';
import { type Answer, answer, typeAnswer } from './attention.ts';
import { askTask, openTask } from './board.ts';
import { type CommandContext, change, say } from './context.ts';
import { loadComments } from './review.ts';
import { jumpTo } from './workspaces.ts';

/** Rows a page key moves. */
const PAGE = 10;

/** Workspaces of the overview in the order in which they are drawn. */
function overview(state: ClientState, context: CommandContext) {
  return context.layout().tier === 'narrow' ? attentionList(state) : state.workspaces;
}

/** Entries of the overlay's list, and how far its cursor may go. */
function listEnd(overlay: Overlay, state: ClientState, context: CommandContext): number {
  switch (overlay.kind) {
    case 'workspaces':
      return workspaceHits(overlay.query.text, state.workspaces).length - 1;
    case 'palette':
      return paletteHits(overlay.query.text).length - 1;
    case 'attention':
      return attentionQueue(state).length - 1;
    case 'board':
      return (newestBatch(state.batches)?.rows.length ?? 1) - 1;
    case 'queue':
      return queueRows(state.prompts[overlay.workspace] ?? []).length - 1;
    case 'comments':
      return shownComments(state, overlay).length - 1;
    case 'explain':
      return explainEnd(overlay, context);
    case 'help':
      return helpEnd(context.keymap, overlay.query.text, context.layout().overlays.at(-1) ?? context.layout().screen);
    default:
      return 0;
  }
}

/** The first row of the last screenful. */
function explainEnd({ lines }: OverlayOf<'explain'>, context: CommandContext): number {
  const { cols, rows } = innerRect(context.layout().overlays.at(-1) ?? context.layout().screen);
  return explainRows(lines ?? [], cols).length - rows;
}

function shownComments(state: ClientState, { workspace, filter }: OverlayOf<'comments'>): ShownComment[] {
  return commentRows(listedComments(state, workspace), filter);
}

/** A comment of a closed workspace can be read and dropped only; says so. */
function isLeft(context: CommandContext, { left }: ShownComment): boolean {
  if (left !== undefined) say(context, 'its workspace is closed', 'plain', 'open its worktree again to go on with it');
  return left !== undefined;
}

/** A comment that is not saved yet can be gone on with or dropped only; says so. */
export function isBegun(context: CommandContext, { begun }: ShownComment): boolean {
  if (begun) say(context, 'it is not saved yet', 'plain', 'enter goes on with it');
  return begun !== undefined;
}

/** Shows other comments in their list. */
export function filterComments(context: CommandContext): void {
  change(context, (state) =>
    changeOverlay(state, 'comments', (overlay) => {
      const next = COMMENT_FILTERS[(COMMENT_FILTERS.indexOf(overlay.filter) + 1) % COMMENT_FILTERS.length]!;
      return { ...overlay, filter: next, at: 0 };
    }),
  );
}

/** Copies the comments of the list as Markdown. */
export function copyComments(context: CommandContext): void {
  const state = context.store.getState();
  const top = topOverlay(state);
  if (top?.kind !== 'comments') return;
  const comments = shownComments(state, top);
  if (comments.length === 0) return;
  context.copyText(commentsMarkdown(comments), `copied ${counted(comments.length, 'comment')}`);
}

/** Moves the cursor by `by` entries; beyond an end it stays there. */
export function moveList(by: number): (context: CommandContext) => void {
  return (context) => change(context, (state) => moveBy(state, context, by));
}

export const pageList = (sign: 1 | -1) => moveList(sign * PAGE);

function moveBy(state: ClientState, context: CommandContext, by: number): ClientState {
  const top = topOverlay(state);
  if (!top) {
    const rows = overview(state, context);
    const at = rows.findIndex(({ id }) => id === state.listAt);
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
    return next ? { ...state, listAt: next.id } : state;
  }
  const end = Math.max(0, listEnd(top, state, context));
  const clamp = (at: number) => Math.max(0, Math.min(end, at + by));
  const moved = top.kind === 'explain' ? { ...top, top: clamp(top.top) } : 'at' in top ? { ...top, at: clamp(top.at) } : top;
  return { ...state, overlays: state.overlays.with(-1, moved) };
}

/** The workspace under the cursor of the attention queue or the overview. */
function workspaceUnder(state: ClientState): number | null {
  const top = topOverlay(state);
  if (!top) return state.listAt;
  return top.kind === 'attention' ? (attentionQueue(state)[top.at]?.id ?? null) : null;
}

/** Opens what is under the cursor. `run` runs a command of the palette. */
export function openEntry(context: CommandContext, run: (id: string) => void): void {
  const state = context.store.getState();
  const top = topOverlay(state);
  const show = (id: number | undefined | null, kind?: Overlay['kind']) =>
    change(context, (now) => (typeof id === 'number' ? showWorkspace(kind ? finishOverlay(now, kind) : now, id) : now));
  if (!top) return show(state.listAt);
  if (top.kind === 'board') return openTask(context);
  if (top.kind === 'attention') return show(workspaceUnder(state), 'attention');
  if (top.kind === 'workspaces') return show(workspaceHits(top.query.text, state.workspaces)[top.at]?.id, 'workspaces');
  if (top.kind === 'palette') {
    const hit = paletteHits(top.query.text)[top.at];
    change(context, closeOverlay);
    if (hit) run(hit[0]);
  } else if (top.kind === 'comments') goToComment(context, top.workspace, shownComments(state, top)[top.at]);
  else if (top.kind === 'queue') editEntry(context);
}

/** Opens the diff of the workspace under the cursor. */
export function openDiff(context: CommandContext): void {
  change(context, (state) => {
    const id = workspaceUnder(state);
    if (id === null) return state;
    return focusPane(showWorkspace(finishOverlay(state, 'attention'), id), 'diff');
  });
}

function goToComment(context: CommandContext, workspace: number, comment: ShownComment | undefined): void {
  if (!comment || isLeft(context, comment)) return;
  change(context, (state) => focusPane(showWorkspace(finishOverlay(state, 'comments'), workspace), 'diff'));
  const { id, place, anchor } = comment;
  context.diff.reveal(place.path ?? anchor.path, anchor.side, (place.range ?? anchor.range)?.start ?? null, id);
}

/** Yes and no stand for the question under the cursor; a digit for its option, or for a workspace where nothing is asked. */
export function answerEntry(with_: (chord: string) => Answer): (context: CommandContext, chord: string) => Promise<void> {
  return async (context, chord) => {
    const state = context.store.getState();
    const id = workspaceUnder(state);
    const asked = workspaceOf(state, id)?.agent.question;
    if (!asked && /^[1-9]$/.test(chord)) return jumpTo(context, chord);
    await answer(context, id, with_(chord));
  };
}

export function typeEntry(context: CommandContext): void {
  typeAnswer(context, workspaceUnder(context.store.getState()));
}

/** Edits the prompt or comment under the cursor. */
export function editEntry(context: CommandContext): void {
  const now = context.store.getState();
  const list = topOverlay(now);
  const chosen = list?.kind === 'comments' ? shownComments(now, list)[list.at] : undefined;
  if (chosen && isLeft(context, chosen)) return;
  if (chosen?.begun && list?.kind === 'comments') return goToComment(context, list.workspace, chosen);
  change(context, (state) => {
    const top = topOverlay(state);
    if (top?.kind === 'queue') {
      const prompt = queueRows(state.prompts[top.workspace] ?? [])[top.at];
      if (!prompt || prompt.state === 'accepted' || prompt.state === 'delivering') return state;
      return openWriting(state, {
        kind: 'prompt',
        workspace: top.workspace,
        prompt: prompt.id,
        editor: createEditor(prompt.text),
        busy: false,
      });
    }
    if (top?.kind !== 'comments') return state;
    const comment = shownComments(state, top)[top.at];
    return comment ? openCommentEditor(state, comment.id, top.workspace, comment.state === 'sent' || comment.state === 'addressed') : state;
  });
}

/** The editor for a comment that exists: to change it, or to reply in its thread. */
export function openCommentEditor(state: ClientState, id: number, workspace: number, reply: boolean): ClientState {
  const comment = (state.comments[workspace] ?? []).find((item) => item.id === id);
  if (!comment) return state;
  const { place, anchor } = comment;
  const target = { path: place.path ?? anchor.path, side: anchor.side, range: place.range ?? anchor.range };
  const editor = createEditor(reply ? '' : joinSuggestion(comment));
  const excerpt = [placeText(comment), ...anchor.lines].slice(0, 4);
  return openWriting(state, { kind: 'comment', workspace, target, comment: id, reply, excerpt, editor, busy: false });
}

export async function dropEntry(context: CommandContext): Promise<void> {
  const state = context.store.getState();
  const top = topOverlay(state);
  if (top?.kind === 'queue') {
    const prompt = queueRows(state.prompts[top.workspace] ?? [])[top.at];
    if (prompt) await context.request('prompt.drop', { prompt: prompt.id });
  } else if (top?.kind === 'board') await askTask(context, 'cancel');
  else if (top?.kind === 'comments') {
    const comment = shownComments(state, top)[top.at];
    if (comment) askRemoveComment(context, comment);
  }
}

/** Asks before a comment goes, saved or not; the first line of its text is shown. */
export function askRemoveComment(context: CommandContext, { id, body, begun }: ShownComment): void {
  change(context, (state) =>
    openOverlay(state, {
      kind: 'confirm',
      ask: begun ? { do: 'drop-draft', key: begun.key } : { do: 'remove-comment', comment: id },
      title: begun ? 'drop what was begun?' : 'remove this comment?',
      lines: [body.split('\n')[0] ?? ''],
      yes: begun ? 'drop' : 'remove',
      other: null,
    }),
  );
}

export async function resolveEntry(context: CommandContext): Promise<void> {
  const state = context.store.getState();
  const top = topOverlay(state);
  if (top?.kind === 'board') return askTask(context, 'retry');
  if (top?.kind !== 'comments') return;
  const comment = shownComments(state, top)[top.at];
  if (!comment || isLeft(context, comment) || isBegun(context, comment)) return;
  await context.request('comment.mark', { comment: comment.id, state: comment.state === 'resolved' ? 'reopened' : 'resolved' });
  await loadComments(context, top.workspace);
}

/** Moves a prompt that waits one place up or down the queue. */
export function moveEntry(by: 1 | -1): (context: CommandContext) => Promise<void> {
  return async (context) => {
    const top = topOverlay(context.store.getState());
    if (top?.kind !== 'queue') return;
    const rows = queueRows(context.store.getState().prompts[top.workspace] ?? []).filter(({ state }) => state === 'queued');
    const prompt = rows[top.at];
    const target = rows[top.at + by];
    if (!prompt || !target) return;
    const before = by < 0 ? target.id : (rows[top.at + 2]?.id ?? null);
    const { prompts } = await context.request('prompt.move', { prompt: prompt.id, before });
    change(context, (state) => moveBy({ ...state, prompts: { ...state.prompts, [top.workspace]: prompts } }, context, by));
  };
}

export async function sendEntryNow(context: CommandContext): Promise<void> {
  const top = topOverlay(context.store.getState());
  if (top?.kind !== 'queue') return;
  const prompt = queueRows(context.store.getState().prompts[top.workspace] ?? [])[top.at];
  if (!prompt || prompt.state === 'accepted') return;
  const { receipt } = await context.request('prompt.retry', { prompt: prompt.id });
  say(
    context,
    `prompt ${receipt.outcome}${receipt.reason ? `: ${receipt.reason}` : ''}`,
    receipt.outcome === 'accepted' ? 'good' : 'plain',
  );
}

/** Back: closes the list on top; from the overview to the panes. */
export function leaveList(context: CommandContext): void {
  change(context, (state) => (topOverlay(state) ? closeOverlay(state) : { ...state, zone: 'panes' }));
}
