// What stands around the panes: every rectangle of the layout with its view. Panes' insides and what lies above are others' work.
import type { Keymap } from '../input/keymap.ts';
import { type Layout, MIN_SCREEN } from '../layout.ts';
import { barQuestion, type DiffHead, hintSet, paneTitle } from '../present.ts';
import { sidebarProps } from '../rows/sidebar-rows.ts';
import { fitLine, type Line, type Span } from '../spans.ts';
import { attentionList, rollUp } from '../store/attention.ts';
import { type ClientState, focusedPane, shownWorkspace } from '../store/state.ts';
import { attentionScreen } from './attention-screen.ts';
import type { Block } from './block.ts';
import { dividerLine } from './divider.ts';
import { emptyScreen } from './empty.ts';
import { paneTitleBar } from './pane-title.ts';
import { sidebar } from './sidebar.ts';
import { statusBar } from './status-bar.ts';
import { titleBar } from './title-bar.ts';

export interface ScreenProps {
  state: ClientState;
  layout: Layout;
  keymap: Keymap;
  /** What the diff pane says of itself. */
  diff: DiffHead;
}

/** All of the chrome, as blocks of lines; what the panes show lies between them. */
export function screenBlocks(props: ScreenProps): Block[] {
  const { state, layout } = props;
  if (layout.tier === 'tiny')
    return [
      {
        rect: layout.screen,
        lines: [fitLine([{ text: `herd needs ${MIN_SCREEN.cols}x${MIN_SCREEN.rows}`, color: 'warning' }], layout.screen.cols)],
      },
    ];
  return [...bars(props), ...list(state, layout), ...(state.workspaces.length === 0 ? [beginning(props)] : panes(props))];
}

function bars({ state, layout, keymap, diff }: ScreenProps): Block[] {
  const { session, workspaces, link, notice } = state;
  const blocks: Block[] = [];
  if (layout.titleBar)
    blocks.push(titleBar({ rect: layout.titleBar, session, counts: rollUp(workspaces), workspace: shownWorkspace(state) }));
  if (layout.statusBar) {
    const question = state.prefix ? null : barQuestion(state);
    blocks.push(
      statusBar({ rect: layout.statusBar, keymap, set: hintSet(state, diff), link, notice, question, facts: statusFacts(state) }),
    );
  }
  return blocks;
}

function list(state: ClientState, { sidebar: rect, tier }: Layout): Block[] {
  if (!rect || state.workspaces.length === 0) return [];
  if (tier === 'narrow') return [attentionScreen({ rect, workspaces: attentionList(state), at: state.listAt, now: state.now })];
  return [sidebar({ rect, rail: tier === 'rail', ...sidebarProps(state) })];
}

function beginning({ state: { installed, standing }, layout, keymap }: ScreenProps): Block {
  const top = layout.titleBar ? 1 : 0;
  const { cols, rows } = layout.screen;
  return emptyScreen({ rect: { x: 0, y: top, cols, rows: rows - top - (layout.statusBar ? 1 : 0) }, keymap, installed, standing });
}

function panes({ state, layout, diff }: ScreenProps): Block[] {
  const titles = layout.panes.map(({ title }) => title);
  return [
    ...layout.dividers.flatMap((divider) => dividerLine(divider, titles) ?? []),
    ...layout.panes.map(({ pane, title }) => paneTitleBar({ rect: title, ...paneTitle(state, layout, pane, diff) })),
  ];
}

/** Right end of the bar: limits of the shown agent, prompts that wait, a diff that could not be read. */
function statusFacts(state: ClientState): Line {
  const workspace = shownWorkspace(state);
  if (!workspace) return [];
  const facts: Span[] = [];
  const add = (span: Span) => facts.push(...(facts.length > 0 ? [{ text: '  ' }] : []), span);
  if (!state.sizing && focusedPane(state) !== null) add({ text: 'size of another client', color: 'muted' });
  if (workspace.queue > 0) add({ text: `${workspace.queue} ${workspace.queue === 1 ? 'prompt waits' : 'prompts wait'}`, color: 'working' });
  const { error, slow, at } = workspace.diff;
  if (error || slow) {
    const time = at === null ? '' : new Date(at).toTimeString().slice(0, 5);
    add({
      text: error ? `diff not refreshed${time && ` since ${time}`}` : `git is slow${time && `: diff as of ${time}`}`,
      color: 'warning',
    });
  }
  return facts;
}
