// Commands that answer and explain agents. An answer is bound to the dialog that was on the screen, and waits a moment after it appeared.
import { clean } from '../../model/clean.ts';
import { createEditor } from '../editor.ts';
import { explainLines } from '../rows/explain-lines.ts';
import { nextNeedy, questionAtHand } from '../store/attention.ts';
import { changeOverlay, openOverlay } from '../store/overlay-stack.ts';
import { showWorkspace } from '../store/panes.ts';
import { workspaceOf } from '../store/state.ts';
import { type CommandContext, change, say } from './context.ts';
import { workspaceAtHand } from './workspaces.ts';

/** A question must have been here this long before a key answers it, ms: what one was typing is not an answer. */
const GRACE = 500;

export function goToNext(context: CommandContext): void {
  const next = nextNeedy(context.store.getState());
  if (!next) return say(context, 'nobody needs you');
  change(context, (state) => showWorkspace(state, next.id));
}

export function openAttention(context: CommandContext): void {
  change(context, (state) => openOverlay(state, { kind: 'attention', at: 0 }));
}

export type Answer = 'approve' | 'reject' | number | { text: string };

/** Answers the question that a workspace's agent asks now. */
export async function answer(context: CommandContext, id: number | null, with_: Answer): Promise<void> {
  const state = context.store.getState();
  const workspace = workspaceOf(state, id);
  const question = workspace?.agent.question;
  if (!workspace || !question) return say(context, 'there is no question to answer');
  const seen = state.questions[workspace.id];
  if (seen && context.now() - seen.at < GRACE) return say(context, 'that question has just appeared: press again');
  if (typeof with_ === 'number' && question.options.length > 0 && with_ > question.options.length)
    return say(context, `there is no option ${with_}`);
  const { answered } = await context.request('agent.answer', { workspace: workspace.id, answer: with_, dialog: question.id });
  say(context, `${workspace.name}: ${clean(answered)}`, 'good');
}

/** The question in the status bar or of the workspace shown. */
export function answerAtHand(with_: 'approve' | 'reject'): (context: CommandContext) => Promise<void> {
  return (context) => answer(context, questionAtHand(context.store.getState())?.id ?? null, with_);
}

/** Asks for the words of an answer. */
export function typeAnswer(context: CommandContext, id: number | null): void {
  const workspace = workspaceOf(context.store.getState(), id);
  const question = workspace?.agent.question;
  if (!workspace || !question) return say(context, 'there is no question to answer');
  const purpose = { for: 'answer', workspace: workspace.id, dialog: question.id } as const;
  change(context, (state) =>
    openOverlay(state, { kind: 'input', purpose, label: `answer ${workspace.name}`, editor: createEditor('', { singleLine: true }) }),
  );
}

export async function explainAgent(context: CommandContext): Promise<void> {
  const workspace = workspaceAtHand(context.store.getState());
  if (!workspace) return;
  change(context, (state) =>
    openOverlay(state, { kind: 'explain', workspace: workspace.id, title: `why · ${workspace.name}`, lines: null, top: 0 }),
  );
  const { status, evidence, screen } = await context.request('agent.explain', { workspace: workspace.id });
  const lines = explainLines(status, evidence, screen, context.now());
  change(context, (state) => changeOverlay(state, 'explain', (overlay) => ({ ...overlay, lines })));
}

export async function interruptAgent(context: CommandContext): Promise<void> {
  const workspace = workspaceAtHand(context.store.getState());
  if (!workspace) return;
  await context.request('agent.interrupt', { workspace: workspace.id });
  say(context, `${workspace.name}: interrupt sent`);
}

/** Takes the conversation of an agent that has exited up again; `fresh`: starts a new one in its place. */
export function resumeAgent(fresh: boolean): (context: CommandContext) => Promise<void> {
  return async (context) => {
    const workspace = workspaceAtHand(context.store.getState());
    if (!workspace) return;
    await context.request('workspace.resume', { workspace: workspace.id, place: context.place, fresh });
    say(context, `${workspace.name}: ${fresh ? 'started anew' : 'resumed'}`, 'good');
  };
}

export async function markLooked(context: CommandContext): Promise<void> {
  const workspace = workspaceAtHand(context.store.getState());
  if (workspace) await context.request('workspace.look', { workspace: workspace.id });
}
