// The table from command to what it does; a command without an entry is a compile error. Refusals become notices here and nowhere else.
import { createEditor } from '../editor.ts';
import type { CommandId } from '../input/keymap-table.ts';
import { openOverlay } from '../store/overlay-stack.ts';
import { focusedPane } from '../store/state.ts';
import { answerAtHand, explainAgent, goToNext, interruptAgent, markLooked, openAttention, resumeAgent } from './attention.ts';
import { openBoard, pauseBatch } from './board.ts';
import { type Command, type CommandContext, change, sayError } from './context.ts';
import { confirm, discardText, editStep, leaveDialog, leaveText, saveText, stepField } from './editing.ts';
import {
  answerEntry,
  copyComments,
  dropEntry,
  editEntry,
  filterComments,
  leaveList,
  moveEntry,
  moveList,
  openDiff,
  openEntry,
  pageList,
  resolveEntry,
  sendEntryNow,
  typeEntry,
} from './lists.ts';
import {
  closePane,
  focusDirection,
  focusList,
  focusOther,
  moveDivider,
  splitShell,
  swapPane,
  takeSize,
  terminalAtHand,
  toggleSidebar,
  toggleZoom,
} from './panes.ts';
import {
  copyReview,
  editOutside,
  markForPrompt,
  nextTarget,
  openComments,
  openQueue,
  previewSend,
  sendLater,
  sendReviewNow,
  writePrompt,
  writeReviewFile,
} from './review.ts';
import { closeWorkspace, jumpTo, openNew, pickWorkspace, renameWorkspace, showLast, stepWorkspace } from './workspaces.ts';

type DiffCommand = Extract<CommandId, `diff.${string}`>;
type EditCommand = Extract<CommandId, `edit.${string}`>;
type CopyCommand = Exclude<Extract<CommandId, `copy.${string}`>, 'copy.enter' | 'copy.search' | 'copy.page-up' | 'copy.editor'>;
type NamedCommand = Exclude<CommandId, DiffCommand | EditCommand | CopyCommand>;

const TABLE: Record<NamedCommand, Command> = {
  'workspace.pick': pickWorkspace,
  'workspace.jump': jumpTo,
  'workspace.next': stepWorkspace(1),
  'workspace.previous': stepWorkspace(-1),
  'workspace.last': showLast,
  'workspace.new': openNew,
  'workspace.rename': renameWorkspace,
  'workspace.close': closeWorkspace,
  'list.focus': (context) => change(context, focusList),
  'list.hide': toggleSidebar,
  'attention.next': goToNext,
  'attention.list': openAttention,
  'attention.approve': answerAtHand('approve'),
  'attention.reject': answerAtHand('reject'),
  'agent.explain': explainAgent,
  'agent.interrupt': interruptAgent,
  'agent.look': markLooked,
  'agent.resume': resumeAgent(false),
  'agent.fresh': resumeAgent(true),
  'pane.other': focusOther,
  'pane.zoom': toggleZoom,
  'pane.split-beside': splitShell('beside'),
  'pane.split-stacked': splitShell('stacked'),
  'pane.close': closePane,
  'pane.left': focusDirection('left'),
  'pane.down': focusDirection('down'),
  'pane.up': focusDirection('up'),
  'pane.right': focusDirection('right'),
  'pane.swap-previous': swapPane(-1),
  'pane.swap-next': swapPane(1),
  'pane.narrower': moveDivider('beside', -1),
  'pane.wider': moveDivider('beside', 1),
  'pane.shorter': moveDivider('stacked', -1),
  'pane.taller': moveDivider('stacked', 1),
  'copy.enter': enterCopy('cursor'),
  'copy.search': searchHistory,
  'copy.page-up': enterCopy('page-up'),
  'copy.editor': openHistory,
  'review.send': previewSend,
  'review.comments': openComments,
  'prompt.write': writePrompt,
  'prompt.queue': openQueue,
  'batch.board': openBoard,
  'batch.pause': pauseBatch,
  'herd.palette': (context) => change(context, (state) => openOverlay(state, { kind: 'palette', query: line(), at: 0 })),
  // In the diff its own keys are asked for; another query shows the others.
  'herd.help': (context) =>
    change(context, (state) => openOverlay(state, { kind: 'help', query: line(focusedPane(state) === 'diff' ? 'diff:' : ''), at: 0 })),
  'herd.redraw': (context) => context.redraw(),
  'herd.take-size': takeSize,
  'herd.detach': (context) => context.leave(),
  'list.down': moveList(1),
  'list.up': moveList(-1),
  'list.page-down': pageList(1),
  'list.page-up': pageList(-1),
  'list.top': moveList(Number.NEGATIVE_INFINITY),
  'list.bottom': moveList(Number.POSITIVE_INFINITY),
  'list.open': (context) => openEntry(context, (id) => runCommand(context, id as CommandId, '')),
  'list.diff': openDiff,
  'list.mark': markForPrompt,
  'list.approve': answerEntry(() => 'approve'),
  'list.reject': answerEntry(() => 'reject'),
  'list.option': answerEntry(Number),
  'list.type': typeEntry,
  'list.edit': editEntry,
  'list.drop': dropEntry,
  'list.resolve': resolveEntry,
  'list.filter': filterComments,
  'list.copy': copyComments,
  'list.move-up': moveEntry(-1),
  'list.move-down': moveEntry(1),
  'list.send-now': sendEntryNow,
  'list.leave': leaveList,
  'dialog.yes': confirm('yes'),
  'dialog.other': confirm('other'),
  'dialog.no': leaveDialog,
  'editor.save': saveText,
  'editor.cancel': leaveText,
  'editor.discard': discardText,
  'editor.external': editOutside,
  'editor.target': nextTarget,
  'editor.later': sendLater,
  'editor.now': sendReviewNow,
  'editor.copy': copyReview,
  'editor.write': writeReviewFile,
  'editor.next-field': stepField(1),
  'editor.previous-field': stepField(-1),
};

function line(text = '') {
  return createEditor(text, { singleLine: true });
}

function enterCopy(at: 'cursor' | 'page-up'): Command {
  return (context) => {
    const terminal = terminalAtHand(context.store.getState());
    if (terminal !== null) context.copy.enter(terminal, at);
  };
}

/** Over the diff this searches the diff, elsewhere the terminal's whole history, from its end upwards. */
function searchHistory(context: CommandContext): void {
  if (focusedPane(context.store.getState()) === 'diff') return context.diff.run('diff.search');
  enterCopy('cursor')(context, '');
  change(context, (state) =>
    state.copy ? openOverlay(state, { kind: 'input', purpose: { for: 'copy-search', back: true }, label: '/', editor: line() }) : state,
  );
}

/** All text of the terminal at hand in $EDITOR, at the line that copy mode's cursor is in. */
async function openHistory(context: CommandContext): Promise<void> {
  const state = context.store.getState();
  const terminal = state.copy?.terminal ?? terminalAtHand(state);
  if (terminal === null) return;
  const at = state.copy?.cursor;
  const { path, line: fileLine } = await context.request('terminal.dump', { terminal, ...(at && { at }) });
  await context.openEditor(path, fileLine);
}

/** Runs a command; what is refused or fails is said in the status bar. */
export function runCommand(context: CommandContext, id: CommandId, chord: string): void {
  try {
    const result = commandFor(id)(context, chord);
    if (result instanceof Promise) result.catch((error) => sayError(context, error));
  } catch (error) {
    sayError(context, error);
  }
}

function commandFor(id: CommandId): Command {
  if (id in TABLE) return TABLE[id as NamedCommand];
  if (id.startsWith('edit.')) return editStep(id.slice('edit.'.length) as Parameters<typeof editStep>[0]);
  if (id.startsWith('copy.')) return (context) => context.copy.run(id);
  return (context) => context.diff.run(id);
}
