// The view of whatever overlay is given: one line per kind.
import type { ReactElement } from 'react';
import { counted } from '../../model/counted.ts';
import { type HintSet, hintLine } from '../hints.ts';
import type { Keymap } from '../input/keymap.ts';
import type { Rect } from '../layout.ts';
import { newestBatch } from '../rows/board-rows.ts';
import { commentTitle, listedComments } from '../rows/review-rows.ts';
import { plain } from '../spans.ts';
import { attentionQueue } from '../store/attention.ts';
import type { Overlay, OverlayOf } from '../store/overlay.ts';
import { type ClientState, workspaceOf } from '../store/state.ts';
import type { Theme } from '../theme.ts';
import { AttentionOverlay } from './attention.tsx';
import { Board } from './board.tsx';
import { Comments } from './comments.tsx';
import { Confirm } from './confirm.tsx';
import { Explain } from './explain.tsx';
import { Help } from './help.tsx';
import { InputBar } from './input-bar.tsx';
import { NewWorkspace } from './new-workspace.tsx';
import { Palette } from './palette.tsx';
import { Queue } from './queue.tsx';
import { TextBox } from './text-box.tsx';
import { Workspaces } from './workspaces.tsx';

interface Props {
  overlay: Overlay;
  rect: Rect;
  state: ClientState;
  keymap: Keymap;
  theme: Theme;
}

export function OverlayView({ overlay, rect, state, keymap, theme }: Props): ReactElement {
  const foot = (set: HintSet) => hintLine(keymap, set, rect.cols - 6);
  const nameOf = (id: number) => plain(workspaceOf(state, id)?.name ?? '');
  const { now } = state;
  switch (overlay.kind) {
    case 'workspaces':
      return <Workspaces {...{ rect, overlay, now, theme }} workspaces={state.workspaces} foot={foot('picker')} />;
    case 'attention': {
      const queue = attentionQueue(state);
      return <AttentionOverlay {...{ rect, now, theme }} workspaces={queue} at={queue[overlay.at]?.id ?? null} foot={foot('attention')} />;
    }
    case 'palette':
      return <Palette {...{ rect, overlay, keymap, theme }} foot={foot('picker')} />;
    case 'help':
      return <Help {...{ rect, overlay, keymap, theme }} foot={foot('help')} />;
    case 'new':
      return <NewWorkspace {...{ rect, theme }} form={overlay.form} installed={state.installed} foot={foot('new')} />;
    case 'prompt':
    case 'preview':
    case 'commit':
    case 'comment':
      return (
        <TextBox
          {...{ rect, theme }}
          {...boxOf(overlay, nameOf)}
          foot={foot(overlay.kind === 'prompt' && overlay.prompt !== null ? 'waiting' : overlay.kind)}
        />
      );
    case 'queue':
      return (
        <Queue
          {...{ rect, now, theme }}
          name={nameOf(overlay.workspace)}
          prompts={state.prompts[overlay.workspace] ?? []}
          at={overlay.at}
          foot={foot('queue')}
        />
      );
    case 'comments':
      return (
        <Comments
          {...{ rect, theme }}
          name={nameOf(overlay.workspace)}
          comments={listedComments(state, overlay.workspace)}
          filter={overlay.filter}
          at={overlay.at}
          foot={foot('comments')}
        />
      );
    case 'board':
      return <Board {...{ rect, now, theme }} view={newestBatch(state.batches)} asking={state.batches === null} foot={foot('board')} />;
    case 'explain':
      return <Explain {...{ rect, theme }} {...overlay} foot={foot('explain')} />;
    case 'confirm':
      return <Confirm {...{ rect, overlay, keymap, theme }} />;
    case 'input':
      return <InputBar {...{ rect, overlay, theme }} />;
  }
}

const DOING = { prompt: 'sending …', preview: 'sending …', commit: 'committing …', comment: 'saving …' };

function boxOf(overlay: OverlayOf<'prompt' | 'preview' | 'commit' | 'comment'>, nameOf: (id: number) => string) {
  const { editor } = overlay;
  const busy = overlay.busy ? DOING[overlay.kind] : null;
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
      title: `send ${counted(count, 'comment')} to ${nameOf(overlay.to)}`,
      context: [],
      empty: '',
    };
  }
  if (overlay.kind === 'commit')
    return { editor, busy, title: `${overlay.amend ? 'amend' : 'commit'} · ${name}`, context: [], empty: 'what was done, and why?' };
  return { editor, busy, title: commentTitle(overlay), context: overlay.excerpt, empty: 'what should be different?' };
}
