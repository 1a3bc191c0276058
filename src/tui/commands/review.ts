// Commands about comments and prompts: write, preview, send, queue.
import { counted } from '../../model/counted.ts';
import { CLOSED_WORKSPACE, type Receipt } from '../../model/review/comment.ts';
import { splitSuggestion } from '../../model/review/suggestion.ts';
import { createEditor, replaceText } from '../editor.ts';
import { saidLines } from '../rows/explain-lines.ts';
import { editorOf, type OverlayOf, withEditor } from '../store/overlay.ts';
import { changeOverlay, finishOverlay, openOverlay, openWriting, topOverlay } from '../store/overlay-stack.ts';
import { type ClientState, workspaceOf } from '../store/state.ts';
import { type CommandContext, change, say } from './context.ts';
import { workspaceAtHand } from './workspaces.ts';

export function writePrompt(context: CommandContext): void {
  change(context, (state) => {
    const marked = state.zone === 'list' ? state.marked.filter((id) => workspaceOf(state, id) !== null) : [];
    const [first = workspaceAtHand(state)?.id, ...also] = marked;
    if (first === undefined) return state;
    return openWriting(state, { kind: 'prompt', workspace: first, prompt: null, also, editor: createEditor(), busy: false });
  });
}

/** Marks the workspace under the list's cursor for a prompt to several, or takes the mark away. */
export function markForPrompt(context: CommandContext): void {
  change(context, (state) => {
    const id = state.zone === 'list' ? state.listAt : null;
    if (id === null) return state;
    return { ...state, marked: state.marked.includes(id) ? state.marked.filter((other) => other !== id) : [...state.marked, id] };
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
  change(context, (state) => openOverlay(state, { kind: 'comments', workspace: workspace.id, at: 0, filter: 'all' }));
  await loadComments(context, workspace.id);
}

export async function loadComments(context: CommandContext, workspace: number): Promise<void> {
  const [{ comments }, closed] = await Promise.all([
    context.request('comment.list', { workspace }),
    context.request('comment.list', { closed: true }),
  ]);
  change(context, (state) => ({
    ...state,
    comments: { ...state.comments, [workspace]: comments, [CLOSED_WORKSPACE]: closed.comments },
  }));
}

/** What would be sent, to be read and changed before it goes. */
export async function previewSend(context: CommandContext): Promise<void> {
  const workspace = workspaceAtHand(context.store.getState());
  if (!workspace) return;
  const { text, comments } = await context.request('comment.preview', { workspace: workspace.id });
  if (comments.length === 0) return say(context, 'no comment waits to be sent', 'plain', 'c on a line of the diff writes one');
  const editor = { ...createEditor(text), caret: 0 };
  change(context, (state) =>
    openWriting(state, { kind: 'preview', workspace: workspace.id, to: workspace.id, comments, editor, original: text, busy: false }),
  );
}

/** When what was written goes: at once or as soon as the agent takes it; at once or not at all; after the turn. */
type When = 'soon' | 'now' | 'later';
const WHEN = { soon: { queue: true }, now: { queue: false }, later: { queue: true, later: true } } as const;

/** Sends what stands in the preview. */
export async function sendReview(context: CommandContext, overlay: OverlayOf<'preview'>, when: When = 'soon'): Promise<void> {
  const { workspace, to, comments, editor, original } = overlay;
  await whileBusy(context, 'preview', async () => {
    const text = editor.text === original ? {} : { text: editor.text };
    const target = to === workspace ? {} : { to };
    const { receipt } = await context.request('comment.send', { workspace, comments: [...comments], ...WHEN[when], ...text, ...target });
    if (when === 'now' && receipt.outcome === 'refused')
      throw Object.assign(new Error(`not sent: ${receipt.reason ?? 'not now'}`), { code: 'refused' });
    sayReceipt(context, to, receipt, counted(comments.length, 'comment'));
  });
}

export async function sendReviewNow(context: CommandContext): Promise<void> {
  const overlay = topOverlay(context.store.getState());
  if (overlay?.kind === 'preview') await sendReview(context, overlay, 'now');
}

/** Queues the review or prompt on top for the end of the turn that the agent is in or begins next. */
export async function sendLater(context: CommandContext): Promise<void> {
  const overlay = topOverlay(context.store.getState());
  if (overlay?.kind === 'preview') await sendReview(context, overlay, 'later');
  if (overlay?.kind === 'prompt') await savePrompt(context, overlay, 'later');
}

/** The next workspace with an agent gets the review. */
export function nextTarget(context: CommandContext): void {
  change(context, (state) =>
    changeOverlay(state, 'preview', (overlay) => {
      const able = state.workspaces.filter(
        ({ id, terminals }) => id === overlay.workspace || terminals.some(({ role }) => role === 'agent'),
      );
      const at = able.findIndex(({ id }) => id === overlay.to);
      return { ...overlay, to: able[(at + 1) % able.length]?.id ?? overlay.to };
    }),
  );
}

export function copyReview(context: CommandContext): void {
  const overlay = topOverlay(context.store.getState());
  const editor = overlay && editorOf(overlay);
  if (!editor || editor.text === '') return;
  context.copyText(editor.text, 'copied');
}

/** Writes the review where the agent can read it; its path goes to the clipboard. The comments stay drafts: nothing was sent. */
export async function writeReviewFile(context: CommandContext): Promise<void> {
  const overlay = topOverlay(context.store.getState());
  if (overlay?.kind !== 'preview') return;
  const { path } = await context.request('comment.write', { workspace: overlay.workspace, text: overlay.editor.text });
  context.copyText(path, `written to ${path}`, 'the path was copied');
}

/** Goes on in $EDITOR with the text on top. */
export async function editOutside(context: CommandContext): Promise<void> {
  const before = topOverlay(context.store.getState());
  const editor = before && editorOf(before);
  if (!before || !editor || editor.singleLine) return;
  const text = await context.editText(editor.text);
  if (text === null) return;
  change(context, (state) => {
    const at = state.overlays.findIndex((overlay) => overlay.kind === before.kind);
    const overlay = state.overlays[at];
    const now = overlay && editorOf(overlay);
    return overlay && now ? { ...state, overlays: state.overlays.with(at, withEditor(overlay, replaceText(now, text))) } : state;
  });
}

export async function savePrompt(context: CommandContext, overlay: OverlayOf<'prompt'>, when: When = 'soon'): Promise<void> {
  const { workspace, prompt, editor } = overlay;
  const text = editor.text.trim();
  if (text === '') return say(context, 'there is nothing to send');
  await whileBusy(context, 'prompt', async () => {
    if (prompt !== null) await context.request('prompt.edit', { prompt, text });
    else if (!overlay.also?.length) sayReceipt(context, workspace, (await sendPrompt(context, workspace, text, when)).receipt, 'prompt');
    else await sendToAll(context, [workspace, ...overlay.also], text, when);
  });
}

function sendPrompt(context: CommandContext, workspace: number, text: string, when: When) {
  return context.request('prompt.send', { workspace, text, ...WHEN[when] });
}

/** One prompt to several agents, each for itself: one that refuses keeps none of the others from it. */
async function sendToAll(context: CommandContext, workspaces: readonly number[], text: string, when: When): Promise<void> {
  const sent = await Promise.allSettled(workspaces.map((workspace) => sendPrompt(context, workspace, text, when)));
  const outcomes = sent.map((one) => (one.status === 'fulfilled' ? one.value.receipt.outcome : 'refused'));
  change(context, (state) => ({ ...state, marked: [] }));
  const counts = [...new Set(outcomes)].map((outcome) => `${outcomes.filter((other) => other === outcome).length} ${outcome}`);
  say(context, `prompt: ${counts.join(', ')}`, outcomes.every((outcome) => outcome === 'accepted') ? 'good' : 'plain');
}

export async function saveComment(context: CommandContext, overlay: OverlayOf<'comment'>): Promise<void> {
  const { workspace, target, comment, reply, editor } = overlay;
  const body = editor.text.trim();
  if (body === '') return say(context, 'an empty comment is not saved');
  await whileBusy(context, 'comment', async () => {
    const { suggestion, ...said } = splitSuggestion(body);
    if (comment === null) await context.request('comment.add', { workspace, target, body, author: 'user' });
    else if (reply) await context.request('comment.reply', { comment, body, author: 'user' });
    else await context.request('comment.edit', { comment, ...said, suggestion: suggestion ?? null });
  });
}

/** Opens the editor for a commit's message; an amended one starts with the message it has. */
export async function writeCommit(context: CommandContext, workspace: number, amend: boolean): Promise<void> {
  const { commits } = amend ? await context.request('changeset.commits', { workspace }) : { commits: [] };
  if (amend && commits.length === 0) return say(context, 'there is no commit since the base to amend');
  const editor = createEditor(commits[0]?.message ?? '');
  change(context, (state) => openWriting(state, { kind: 'commit', workspace, amend, editor, busy: false }));
}

export async function saveCommit(context: CommandContext, { workspace, amend, editor }: OverlayOf<'commit'>): Promise<void> {
  const message = editor.text.trim();
  if (message === '') return say(context, 'a commit needs a message');
  await whileBusy(context, 'commit', async () => {
    const { commit } = await context.request('commit.create', { workspace, message, amend });
    say(context, `${amend ? 'amended' : 'committed'}: ${commit.slice(0, 8)}`, 'good');
  }).catch((error: { detail?: { said?: unknown } }) => {
    const said = error.detail?.said;
    // Who has left the message is elsewhere by now: no keys are taken from there.
    if (typeof said !== 'string' || !said.trim().includes('\n') || topOverlay(context.store.getState())?.kind !== 'commit') throw error;
    change(context, (state) => openOverlay(state, refusal(state, workspace, said)));
  });
}

/** What a hook, or git, said against a commit, to be read above the message. */
function refusal(state: ClientState, workspace: number, said: string): OverlayOf<'explain'> {
  const kept = { text: 'the message is kept', tone: 'dim' } as const;
  const lines = [...saidLines(said), { text: '', tone: 'plain' } as const, kept];
  return { kind: 'explain', workspace, title: `not committed · ${workspaceOf(state, workspace)?.name ?? ''}`, lines, top: 0 };
}

/** Runs while an overlay says it is busy; closes it when done, opens it for keys again when refused. */
async function whileBusy(
  context: CommandContext,
  kind: 'prompt' | 'comment' | 'preview' | 'commit',
  run: () => Promise<void>,
): Promise<void> {
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
  else if (outcome === 'queued') say(context, `${what} queued for ${name}${why}`, 'plain');
  else say(context, `${what} for ${name} ${outcome}${why}`, 'error', 'the text is kept in the prompt queue');
}
