// Commands about comments and prompts: write, preview, send, queue.
import type { Receipt } from '../../model/review/comment.ts';
import { createEditor } from '../editor.ts';
import type { OverlayOf } from '../store/overlay.ts';
import { changeOverlay, finishOverlay, openOverlay, withDraft } from '../store/overlay-stack.ts';
import { workspaceOf } from '../store/state.ts';
import { type CommandContext, change, say } from './context.ts';
import { workspaceAtHand } from './workspaces.ts';

export function writePrompt(context: CommandContext): void {
  change(context, (state) => {
    const workspace = workspaceAtHand(state);
    if (!workspace) return state;
    return openOverlay(
      state,
      withDraft(state, { kind: 'prompt', workspace: workspace.id, prompt: null, editor: createEditor(), busy: false }),
    );
  });
}

export async function openQueue(context: CommandContext): Promise<void> {
  const workspace = workspaceAtHand(context.store.getState());
  if (!workspace) return;
  change(context, (state) => openOverlay(state, { kind: 'queue', workspace: workspace.id, at: 0 }));
  const { prompts } = await context.request('prompt.list', { workspace: workspace.id });
  change(context, (state) => ({ ...state, prompts: { ...state.prompts, [workspace.id]: prompts } }));
}

export async function openComments(context: CommandContext): Promise<void> {
  const workspace = workspaceAtHand(context.store.getState());
  if (!workspace) return;
  change(context, (state) => openOverlay(state, { kind: 'comments', workspace: workspace.id, at: 0 }));
  await loadComments(context, workspace.id);
}

export async function loadComments(context: CommandContext, workspace: number): Promise<void> {
  const { comments } = await context.request('comment.list', { workspace });
  change(context, (state) => ({ ...state, comments: { ...state.comments, [workspace]: comments } }));
}

/** What would be sent, to be read and changed before it goes. */
export async function previewSend(context: CommandContext): Promise<void> {
  const workspace = workspaceAtHand(context.store.getState());
  if (!workspace) return;
  const { text, comments } = await context.request('comment.preview', { workspace: workspace.id });
  if (comments.length === 0) return say(context, 'no comment waits to be sent', 'plain', 'c on a line of the diff writes one');
  const editor = { ...createEditor(text), caret: 0 };
  change(context, (state) =>
    openOverlay(state, { kind: 'preview', workspace: workspace.id, comments, editor, original: text, busy: false }),
  );
}

export async function sendReview(context: CommandContext, overlay: OverlayOf<'preview'>): Promise<void> {
  const { workspace, comments, editor, original } = overlay;
  await whileBusy(context, 'preview', async () => {
    const text = editor.text === original ? {} : { text: editor.text };
    const { receipt } = await context.request('comment.send', { workspace, comments: [...comments], queue: true, ...text });
    sayReceipt(context, workspace, receipt, `${comments.length} ${comments.length === 1 ? 'comment' : 'comments'}`);
  });
}

export async function savePrompt(context: CommandContext, overlay: OverlayOf<'prompt'>): Promise<void> {
  const { workspace, prompt, editor } = overlay;
  const text = editor.text.trim();
  if (text === '') return say(context, 'there is nothing to send');
  await whileBusy(context, 'prompt', async () => {
    if (prompt !== null) await context.request('prompt.edit', { prompt, text });
    else sayReceipt(context, workspace, (await context.request('prompt.send', { workspace, text, queue: true })).receipt, 'prompt');
  });
}

export async function saveComment(context: CommandContext, overlay: OverlayOf<'comment'>): Promise<void> {
  const { workspace, target, comment, reply, editor } = overlay;
  const body = editor.text.trim();
  if (body === '') return say(context, 'an empty comment is not saved');
  await whileBusy(context, 'comment', async () => {
    if (comment === null) await context.request('comment.add', { workspace, target, body, author: 'user' });
    else if (reply) await context.request('comment.reply', { comment, body, author: 'user' });
    else await context.request('comment.edit', { comment, body });
  });
}

/** Runs while an overlay says it is busy; closes it when done, opens it for keys again when refused. */
async function whileBusy(context: CommandContext, kind: 'prompt' | 'comment' | 'preview', run: () => Promise<void>): Promise<void> {
  const setBusy = (busy: boolean) => change(context, (state) => changeOverlay(state, kind, (overlay) => ({ ...overlay, busy })));
  const open = context.store.getState().overlays.find((overlay) => overlay.kind === kind);
  if (!open || ('busy' in open && open.busy)) return;
  setBusy(true);
  try {
    await run();
  } catch (error) {
    setBusy(false);
    throw error;
  }
  change(context, (state) => finishOverlay(state, kind));
}

function sayReceipt(context: CommandContext, workspace: number, { outcome, reason }: Receipt, what: string): void {
  const name = workspaceOf(context.store.getState(), workspace)?.name ?? '';
  const why = reason ? `: ${reason}` : '';
  if (outcome === 'accepted') say(context, `${what} sent to ${name}`, 'good');
  else if (outcome === 'queued') say(context, `${what} for ${name} waits${why}`, 'plain');
  else say(context, `${what} for ${name} ${outcome}${why}`, 'error', 'the text is kept in the prompt queue');
}
