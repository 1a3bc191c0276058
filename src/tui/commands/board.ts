// Commands of a batch's board: it is asked of its runner, by way of the server.
import type { BatchAsk, BatchView } from '../../model/batch.ts';
import { newestBatch } from '../rows/board-rows.ts';
import { taskUnder, withBatches } from '../store/events.ts';
import { finishOverlay, openOverlay } from '../store/overlay-stack.ts';
import { showWorkspace } from '../store/panes.ts';
import { type CommandContext, change, say } from './context.ts';

export async function openBoard(context: CommandContext): Promise<void> {
  change(context, (state) => openOverlay(state, { kind: 'board', at: 0 }));
  await listBatches(context);
}

/** Learns of all batches; from then on events tell what changes. */
async function listBatches(context: CommandContext): Promise<void> {
  const { batches } = await context.request('batch.list', {});
  const known: Record<string, BatchView> = Object.fromEntries(batches.map((view) => [view.summary.key, view]));
  change(context, (state) => withBatches(state, known));
}

/** Pauses a batch that runs, lets a paused one go on. */
export async function pauseBatch(context: CommandContext): Promise<void> {
  if (context.store.getState().batches === null) await listBatches(context);
  const view = newestBatch(context.store.getState().batches);
  if (view) await askBatch(context, view, view.summary.state === 'paused' ? 'resume' : 'pause', null);
}

/** Cancels or tries again the task under the cursor. */
export async function askTask(context: CommandContext, ask: 'cancel' | 'retry'): Promise<void> {
  const state = context.store.getState();
  const view = newestBatch(state.batches);
  const task = taskUnder(state);
  if (view && task) await askBatch(context, view, ask, task.id);
}

/** Shows the workspace of the task under the cursor, if it has one. */
export function openTask(context: CommandContext): void {
  const workspace = taskUnder(context.store.getState())?.workspace;
  if (typeof workspace !== 'number') return say(context, 'it runs without a workspace; its output is a file: herd batch status');
  change(context, (now) => showWorkspace(finishOverlay(now, 'board'), workspace));
}

async function askBatch(context: CommandContext, { summary }: BatchView, ask: BatchAsk, task: string | null): Promise<void> {
  await context.request('batch.ask', { key: summary.key, ask, task: task ?? undefined });
  say(context, `${ask}: ${task ?? summary.name}`, 'good');
}
