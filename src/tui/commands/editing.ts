// Commands of text that is being written, and of the dialogs around it.
import { createEditor, type EditName, edit, insert } from '../editor.ts';
import { editorRect } from '../overlay-geometry.ts';
import { boxedOverlays } from '../present.ts';
import { clusterCells, plain } from '../spans.ts';
import { type Ask, draftKey, editorOf, isChoice, NEW_FIELDS, type NewForm, type Overlay, withEditor } from '../store/overlay.ts';
import { closeOverlay, finishOverlay, topOverlay, withDraft } from '../store/overlay-stack.ts';
import type { ClientState } from '../store/state.ts';
import { answer } from './attention.ts';
import { type CommandContext, change, say, saying } from './context.ts';
import { saveComment, saveCommit, savePrompt, sendReview } from './review.ts';
import { createAsked, createFromForm, removeWorkspace, stepRepository } from './workspaces.ts';

/** Width that up and down go by when the editor is drawn elsewhere (in the diff). */
const INLINE_COLS = 60;

/** The overlay on top with another version of itself. */
function replaceTop(state: ClientState, overlay: Overlay): ClientState {
  return { ...state, overlays: state.overlays.with(-1, overlay) };
}

/** One editing step in the editor on top. */
export function editStep(name: EditName): (context: CommandContext) => void | Promise<void> {
  return (context) => {
    const state = context.store.getState();
    const top = topOverlay(state);
    if (!top) return;
    const stepped = top.kind === 'new' && stepForm(context, top.form, name);
    if (stepped) return stepped === true ? undefined : stepped;
    const editor = editorOf(top);
    if (!editor) return;
    if (name === 'newline' && editor.singleLine)
      return top.kind === 'input' ? saveText(context) : top.kind === 'new' ? stepField(1)(context) : undefined;
    const next = edit(editor, name, { cols: editorCols(context, state, top), width: clusterCells });
    if (next !== editor) change(context, (now) => replaceTop(now, withEditor(top, next)));
  };
}

function editorCols(context: CommandContext, state: ClientState, overlay: Overlay): number {
  const shown = context.layout();
  const rect = shown.overlays[boxedOverlays(state, shown).indexOf(overlay)];
  return (rect && editorRect(overlay, rect)?.cols) ?? INLINE_COLS;
}

/** In the dialog for a new workspace arrows choose: repository and agent sideways, an existing worktree up and down from the name. */
function stepForm(context: CommandContext, form: NewForm, name: EditName): boolean | Promise<void> {
  const set = (part: Partial<NewForm>) => change(context, (state) => replaceTop(state, { kind: 'new', form: { ...form, ...part } }));
  if (isChoice(form.field)) {
    const by = name === 'left' ? -1 : name === 'right' ? 1 : 0;
    if (name === 'newline') stepField(1)(context);
    if (by === 0) return true;
    if (form.field === 'repository') return stepRepository(context, form, by);
    const installed = (context.store.getState().installed ?? []).filter(({ path }) => path !== null).map(({ kind }) => kind);
    const kinds = [...installed, null];
    set({ agent: kinds[(kinds.indexOf(form.agent) + by + kinds.length) % kinds.length] ?? null });
    return true;
  }
  if (form.field !== 'name' || form.worktrees.length === 0 || (name !== 'up' && name !== 'down')) return false;
  const at = (form.worktree ?? -1) + (name === 'down' ? 1 : -1);
  if (at >= form.worktrees.length) return true;
  const worktree = at < 0 ? null : at;
  const taken = worktree === null ? '' : (form.worktrees[worktree]!.branch ?? '');
  set({ worktree, name: createEditor(taken, { singleLine: true }), error: null });
  return true;
}

/** Typed or pasted text into the editor on top; false when nothing takes text there. */
export function typeText(context: CommandContext, text: string, paste: boolean): boolean {
  const top = topOverlay(context.store.getState());
  const editor = top && editorOf(top);
  if (!top || !editor) return false;
  const next = insert(editor, text, { paste });
  const typed = withEditor(top, next);
  // A name that is typed is a new name, no longer that of a worktree that exists.
  const fresh = typed.kind === 'new' && typed.form.field === 'name' ? { ...typed, form: { ...typed.form, worktree: null } } : typed;
  if (next !== editor) change(context, (state) => replaceTop(state, fresh));
  return true;
}

export function stepField(by: 1 | -1): (context: CommandContext) => void {
  return (context) =>
    change(context, (state) => {
      const top = topOverlay(state);
      if (top?.kind !== 'new') return state;
      const field = NEW_FIELDS[(NEW_FIELDS.indexOf(top.form.field) + by + NEW_FIELDS.length) % NEW_FIELDS.length]!;
      return replaceTop(state, { kind: 'new', form: { ...top.form, field } });
    });
}

/** Saves or sends what was written, whatever it is. */
export async function saveText(context: CommandContext): Promise<void> {
  const top = topOverlay(context.store.getState());
  switch (top?.kind) {
    case 'new':
      return createFromForm(context, top.form);
    case 'prompt':
      return savePrompt(context, top);
    case 'comment':
      return saveComment(context, top);
    case 'preview':
      return sendReview(context, top);
    case 'commit':
      return saveCommit(context, top);
    case 'input':
      return takeInput(context, top);
  }
}

async function takeInput(context: CommandContext, { purpose, editor }: Extract<Overlay, { kind: 'input' }>): Promise<void> {
  const text = editor.text.trim();
  change(context, (state) => finishOverlay(state, 'input'));
  switch (purpose.for) {
    case 'rename':
      if (text !== '') await context.request('workspace.rename', { workspace: purpose.workspace, name: text });
      return;
    case 'answer':
      if (text !== '') await answer(context, purpose.workspace, { text });
      return;
    case 'copy-search':
      return context.copy.find(editor.text, purpose.back);
    case 'diff-search':
      return context.diff.search(editor.text);
    case 'diff-line':
      return context.diff.goToLine(Number(text));
    case 'diff-base':
      if (text !== '') await context.diff.changeBase(purpose.workspace, text);
      return;
    case 'filter-files':
      return context.diff.filterFiles(text);
  }
}

/** Leaves; what was written stays as a draft and comes back at the same place. */
export function leaveText(context: CommandContext): void {
  const before = topOverlay(context.store.getState());
  change(context, closeOverlay);
  if (before?.kind === 'input' && before.purpose.for === 'filter-files') context.diff.filterFiles(before.purpose.before);
  const key = before && draftKey(before);
  if (key && context.store.getState().drafts[key] !== undefined) say(context, 'draft kept');
}

export function discardText(context: CommandContext): void {
  change(context, (state) => {
    const top = topOverlay(state);
    return top ? finishOverlay(state, top.kind) : state;
  });
}

/** The answer to a confirmation: yes, or the other choice where there is one. */
export function confirm(choice: 'yes' | 'other'): (context: CommandContext) => Promise<void> {
  return async (context) => {
    const top = topOverlay(context.store.getState());
    if (top?.kind !== 'confirm' || (choice === 'other' && top.other === null)) return;
    change(context, (state) => finishOverlay(state, 'confirm'));
    await carryOut(context, choice === 'other' ? otherOf(top.ask) : top.ask);
  };
}

function otherOf(ask: Ask): Ask {
  if (ask.do === 'close') return { do: 'remove', workspace: ask.workspace, discard: false };
  return ask.do === 'allow-setup' ? { ...ask, run: false } : ask;
}

async function carryOut(context: CommandContext, ask: Ask): Promise<void> {
  switch (ask.do) {
    case 'close': {
      const { leftovers } = await context.request('workspace.close', { workspace: ask.workspace });
      if (leftovers.length > 0)
        say(context, `still running: ${leftovers.map(({ pid, command }) => `${command} (${pid})`).join(', ')}`, 'error');
      return;
    }
    case 'remove':
      return removeWorkspace(context, ask.workspace, ask.discard);
    case 'allow-setup':
      if (ask.run) context.allowSetup(ask.settings);
      return createAsked(context);
    case 'close-terminal':
      await context.request('terminal.close', { terminal: ask.terminal });
      return;
    case 'remove-comment':
      await context.request('comment.remove', { comment: ask.comment });
      return;
    case 'drop-draft':
      return change(context, (state) => ({ ...state, drafts: withDraft(state.drafts, ask.key, null) }));
    case 'discard': {
      await saying(context, `discarding in ${plain(ask.params.path)} …`, context.request('hunk.apply', ask.params));
      say(context, 'discarded; U brings it back', 'good');
    }
  }
}

export function leaveDialog(context: CommandContext): void {
  change(context, closeOverlay);
}
