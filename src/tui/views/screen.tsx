// The whole chrome: every rectangle of the layout with its view. Panes' insides are left to the compositor.
import { Box } from 'ink';
import type { ReactElement } from 'react';
import type { Keymap } from '../input/keymap.ts';
import type { Layout } from '../layout.ts';
import { barQuestion, boxedOverlays, type DiffHead, hintSet, paneTitle } from '../present.ts';
import { sidebarProps } from '../rows/sidebar-rows.ts';
import { fitLine, type Line, type Span } from '../spans.ts';
import { attentionList, rollUp } from '../store/attention.ts';
import { type ClientState, focusedPane, shownWorkspace } from '../store/state.ts';
import type { Theme } from '../theme.ts';
import { AttentionScreen } from './attention.tsx';
import { DividerLine } from './divider.tsx';
import { Empty } from './empty.tsx';
import { Lines } from './lines.tsx';
import { OverlayView } from './overlay-view.tsx';
import { PaneTitle } from './pane-title.tsx';
import { Sidebar } from './sidebar.tsx';
import { StatusBar } from './status-bar.tsx';
import { TitleBar } from './title-bar.tsx';

export interface ScreenProps {
  state: ClientState;
  layout: Layout;
  keymap: Keymap;
  theme: Theme;
  diff: DiffHead;
}

/** The chrome as an element, for those who know no JSX. */
export function screenElement(props: ScreenProps): ReactElement {
  return <Screen {...props} />;
}

export function Screen(props: ScreenProps): ReactElement {
  const { state, layout, keymap, theme } = props;
  if (layout.tier === 'tiny') return <Tiny {...props} />;
  const boxes = boxedOverlays(state, layout);
  return (
    <Box width={layout.screen.cols} height={layout.screen.rows}>
      {layout.titleBar && (
        <TitleBar
          rect={layout.titleBar}
          session={state.session}
          counts={rollUp(state.workspaces)}
          workspace={shownWorkspace(state)}
          theme={theme}
        />
      )}
      <List {...props} />
      <Panes {...props} />
      {layout.statusBar && <Status {...props} rect={layout.statusBar} />}
      {boxes.map((overlay, index) => {
        const rect = layout.overlays[index];
        return rect && <OverlayView key={overlay.kind} overlay={overlay} rect={rect} state={state} keymap={keymap} theme={theme} />;
      })}
    </Box>
  );
}

function List({ state, layout, theme }: ScreenProps): ReactElement | null {
  const { sidebar: rect, tier } = layout;
  if (!rect || state.workspaces.length === 0) return null;
  if (tier === 'narrow')
    return <AttentionScreen rect={rect} workspaces={attentionList(state)} at={state.listAt} now={state.now} theme={theme} />;
  return <Sidebar rect={rect} rail={tier === 'rail'} theme={theme} {...sidebarProps(state)} />;
}

function Panes({ state, layout, keymap, theme, diff }: ScreenProps): ReactElement {
  if (state.workspaces.length === 0) {
    const top = layout.titleBar ? 1 : 0;
    const rect = { x: 0, y: top, cols: layout.screen.cols, rows: layout.screen.rows - top - (layout.statusBar ? 1 : 0) };
    return <Empty rect={rect} keymap={keymap} installed={state.installed} standing={state.standing} theme={theme} />;
  }
  return (
    <>
      {layout.dividers.map((divider) => (
        <DividerLine key={`${divider.rect.x},${divider.rect.y}`} divider={divider} focused={false} theme={theme} />
      ))}
      {layout.panes.map(({ pane, title }) => (
        <PaneTitle key={pane} rect={title} theme={theme} {...paneTitle(state, layout, pane, diff)} />
      ))}
    </>
  );
}

function Status({ state, keymap, theme, rect }: ScreenProps & { rect: NonNullable<Layout['statusBar']> }): ReactElement {
  return (
    <StatusBar
      rect={rect}
      theme={theme}
      keymap={keymap}
      set={hintSet(state)}
      link={state.link}
      notice={state.notice}
      question={state.prefix ? null : barQuestion(state)}
      facts={statusFacts(state)}
    />
  );
}

/** Right end of the bar: limits of the shown agent, prompts that wait, a diff that could not be read. */
function statusFacts(state: ClientState): Line {
  const workspace = shownWorkspace(state);
  if (!workspace) return [];
  const facts: Span[] = [];
  const add = (span: Span) => facts.push(...(facts.length > 0 ? [{ text: '  ' }] : []), span);
  if (!state.sizing && focusedPane(state) !== null) add({ text: 'size of another client', color: 'muted' });
  if (workspace.queue > 0) add({ text: `${workspace.queue} ${workspace.queue === 1 ? 'prompt waits' : 'prompts wait'}`, color: 'working' });
  if (workspace.diff.error) add({ text: 'diff not refreshed', color: 'warning' });
  return facts;
}

function Tiny({ layout, theme }: ScreenProps): ReactElement {
  const { screen } = layout;
  const lines = [fitLine([{ text: 'herd needs 20x5', color: 'warning' }], screen.cols)];
  return (
    <Box width={screen.cols} height={screen.rows}>
      <Lines rect={screen} theme={theme} lines={lines} />
    </Box>
  );
}
