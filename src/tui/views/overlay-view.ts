// The view of whatever overlay is given: one line per kind.
import { type HintSet, hintLine } from '../hints.ts';
import type { Keymap } from '../input/keymap.ts';
import type { Rect } from '../layout.ts';
import { newestBatch } from '../rows/board-rows.ts';
import { commentTitle } from '../rows/review-rows.ts';
import { plain } from '../spans.ts';
import { attentionQueue } from '../store/attention.ts';
import type { Overlay, OverlayOf } from '../store/overlay.ts';
import { type ClientState, workspaceOf } from '../store/state.ts';
import { attentionOverlay } from './attention.ts';
import type { Block } from './block.ts';
import { board } from './board.ts';
import { commentList } from './comments.ts';
import { confirmBox } from './confirm.ts';
import { explainBox } from './explain.ts';
import { helpBox } from './help.ts';
import { inputBar } from './input-bar.ts';
import { newWorkspaceBox } from './new-workspace.ts';
import { paletteBox } from './palette.ts';
import { queueList } from './queue.ts';
import { textBox } from './text-box.ts';
import { workspaceList } from './workspaces.ts';

interface Props {
  overlay: Overlay;
  rect: Rect;
  state: ClientState;
  keymap: Keymap;
}

export function overlayView({ overlay, rect, state, keymap }: Props): Block {
  const foot = (set: HintSet) => hintLine(keymap, set, rect.cols - 6);
  const nameOf = (id: number) => plain(workspaceOf(state, id)?.name ?? '');
  const { now, workspaces, installed } = state;
  switch (overlay.kind) {
    case 'workspaces':
      return workspaceList({ rect, overlay, now, workspaces, foot: foot('picker') });
    case 'attention': {
      const queue = attentionQueue(state);
      return attentionOverlay({ rect, now, workspaces: queue, at: queue[overlay.at]?.id ?? null, foot: foot('attention') });
    }
    case 'palette':
      return paletteBox({ rect, overlay, keymap, foot: foot('picker') });
    case 'help':
      return helpBox({ rect, overlay, keymap, foot: foot('help') });
    case 'new':
      return newWorkspaceBox({ rect, form: overlay.form, installed, foot: foot('new') });
    case 'prompt':
    case 'preview':
    case 'commit':
    case 'comment':
      return textBox({
        rect,
        ...boxOf(overlay, nameOf),
        foot: foot(overlay.kind === 'prompt' && overlay.prompt !== null ? 'waiting' : overlay.kind),
      });
    case 'queue': {
      const { workspace, at } = overlay;
      return queueList({ rect, now, name: nameOf(workspace), prompts: state.prompts[workspace] ?? [], at, foot: foot('queue') });
    }
    case 'comments': {
      const { workspace, filter, at } = overlay;
      return commentList({ rect, name: nameOf(workspace), comments: state.comments[workspace] ?? [], filter, at, foot: foot('comments') });
    }
    case 'board':
      return board({ rect, now, view: newestBatch(state.batches), at: overlay.at, foot: foot('board') });
    case 'explain': {
      const { workspace, lines, top } = overlay;
      return explainBox({ rect, name: nameOf(workspace), lines, top, foot: foot('explain') });
    }
    case 'confirm':
      return confirmBox({ rect, overlay, keymap });
    case 'input':
      return inputBar({ rect, overlay });
  }
}

function boxOf(overlay: OverlayOf<'prompt' | 'preview' | 'commit' | 'comment'>, nameOf: (id: number) => string) {
  const { editor, busy } = overlay;
  const name = nameOf(overlay.workspace);
  if (overlay.kind === 'prompt')
    return {
      editor,
      busy,
      title:
        overlay.prompt === null
          ? `prompt · ${[overlay.workspace, ...(overlay.also ?? [])].map(nameOf).join(', ')}`
          : `edit prompt · ${name}`,
      context: [],
      empty: 'what should the agent do?',
    };
  if (overlay.kind === 'preview') {
    const count = overlay.comments.length;
    return {
      editor,
      busy,
      title: `send ${count} ${count === 1 ? 'comment' : 'comments'} to ${nameOf(overlay.to)}`,
      context: [],
      empty: '',
    };
  }
  if (overlay.kind === 'commit')
    return { editor, busy, title: `${overlay.amend ? 'amend' : 'commit'} · ${name}`, context: [], empty: 'what was done, and why?' };
  return { editor, busy, title: commentTitle(overlay), context: overlay.excerpt, empty: 'what should be different?' };
}
