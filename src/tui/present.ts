// From state to what is on the screen: the layout asked for, pane titles, the set of keys worth showing, the caret. Pure; views and app
// both start here, so neither decides anything twice.
import type { TerminalFacts, Workspace } from '../model/workspace.ts';
import { ageText, diffSizeSpans, glyphSpan, lookFor } from './agent-look.ts';
import type { HintSet } from './hints.ts';
import { type Layout, layout, type PaneId } from './layout.ts';
import { overlaySize } from './overlay-geometry.ts';
import { type Line, plain, type Span } from './spans.ts';
import { questionAtHand } from './store/attention.ts';
import type { Overlay } from './store/overlay.ts';
import { topOverlay } from './store/overlay-stack.ts';
import { type ClientState, focusedPane, SIZING_COLS, shownWorkspace } from './store/state.ts';
import { type PaneTitleProps, titleCells } from './views/pane-title.ts';

/** What the diff pane says of itself above it. */
export interface DiffHead {
  name: string;
  /** Where there is little room: scope and size. */
  brief: string;
  facts: Line;
  /** The keys worth knowing there: others with lines selected, and in the list of files. */
  keys: 'diff' | 'selection' | 'files';
}

/** The layout of the present state. Comments are written in the diff itself while it is on the screen. */
export function layoutOf(state: ClientState): Layout {
  const request = {
    arrangement: state.shown === null ? null : (state.arrangements[state.shown] ?? null),
    zone: state.zone,
    sidebar: state.workspaces.length === 0 ? ('hidden' as const) : state.sidebar,
  };
  const bare = layout(state.cols, state.rows, { ...request, overlays: [] });
  const boxes = boxedOverlays(state, bare);
  return boxes.length === 0
    ? bare
    : layout(state.cols, state.rows, { ...request, overlays: boxes.map((overlay) => overlaySize(overlay, state)) });
}

/** Overlays drawn as boxes, bottom first: the same order as the layout's rectangles. */
export function boxedOverlays(state: ClientState, panes: Pick<Layout, 'panes'>): Overlay[] {
  const diffShown = panes.panes.some(({ pane }) => pane === 'diff');
  return state.overlays.filter((overlay) => !(overlay.kind === 'comment' && isInline(overlay, state, diffShown)));
}

/** A comment is written inside the diff when that is on the screen and nothing else lies above it. */
export function isInline(overlay: Overlay, state: ClientState, diffShown: boolean): boolean {
  return (
    overlay.kind === 'comment' &&
    overlay.target.path !== null &&
    diffShown &&
    overlay.workspace === state.shown &&
    state.overlays[0] === overlay &&
    state.overlays.length === 1
  );
}

/** The terminal of a pane; null for the diff and for one that has ended. */
export function terminalOf(workspace: Workspace | null, pane: PaneId): TerminalFacts | null {
  return pane === 'diff' ? null : (workspace?.terminals.find(({ id }) => id === pane) ?? null);
}

/** A pane's name: the agent's kind and its workspace, a shell's title, the diff's base and size. */
export function paneName(workspace: Workspace, pane: PaneId, diff: DiffHead): string {
  if (pane === 'diff') return diff.name;
  const terminal = terminalOf(workspace, pane);
  if (!terminal) return 'terminal';
  if (terminal.role === 'agent') return agentTitle(workspace);
  return plain(terminal.title) || plain(terminal.argv[0]?.split('/').at(-1) ?? '') || 'shell';
}

/** The kind says something only where it is an agent's. */
function agentTitle({ agent, name }: Workspace): string {
  return agent.kind === 'generic' || agent.kind === '' ? plain(name) : `${plain(agent.kind)} · ${plain(name)}`;
}

/** What stands above a pane. Where names of tabs do not fit they are cut to what tells them apart. */
export function paneTitle(state: ClientState, shown: Layout, pane: PaneId, diff: DiffHead): PaneTitleProps {
  const workspace = shownWorkspace(state)!;
  const arrangement = state.arrangements[workspace.id];
  const short = (id: PaneId) =>
    id === 'diff' ? ['diff', ...diffSizeSpans(workspace.diff).map(({ text }) => text.trim())].join(' ') : paneName(workspace, id, diff);
  const title = {
    name: paneName(workspace, pane, diff),
    facts: pane === 'diff' ? diff.facts : terminalFacts(state, workspace, pane),
    focused: focusedPane(state) === pane,
    zoomed: arrangement?.zoom ?? false,
  };
  const tabs = (name: (id: PaneId) => string) => shown.tabs.map((id) => ({ name: name(id), shown: id === pane }));
  const whole = { ...title, tabs: tabs((id) => (id === pane ? title.name : short(id))) };
  const cols = shown.panes.find((box) => box.pane === pane)?.title.cols ?? 0;
  return titleCells(whole) <= cols ? whole : { ...title, tabs: tabs((id) => (id === pane && id === 'diff' ? diff.brief : short(id))) };
}

function terminalFacts(state: ClientState, workspace: Workspace, pane: number): Line {
  const terminal = terminalOf(workspace, pane);
  if (!terminal) return [];
  if (terminal.trouble) return [{ text: plain(terminal.trouble), color: 'warning' }];
  if (state.copy?.terminal === pane) return copyFacts(state.copy.search);
  const scroll = state.scrolls[pane];
  const back: Span[] =
    scroll && !scroll.atTail ? [{ text: scroll.newLines > 0 ? `↓ ${scroll.newLines} more` : 'scrolled back', color: 'key' }] : [];
  if (terminal.role !== 'agent')
    return terminal.exit ? [...gap(back), { text: `exit ${terminal.exit.code ?? terminal.exit.signal ?? ''}`, color: 'muted' }] : back;
  const { agent } = workspace;
  const look = lookFor(agent);
  const context = agent.marks.context ? [{ text: `  ${plain(agent.marks.context)}`, color: 'muted' } as Span] : [];
  return [...gap(back), glyphSpan(agent), { text: ` ${look.word} ${ageText(agent.since, state.now)}`, color: look.color }, ...context];
}

/** Room behind spans that others follow. */
function gap(spans: Span[]): Span[] {
  return spans.length > 0 ? [...spans, { text: '  ' }] : spans;
}

function copyFacts(search: NonNullable<ClientState['copy']>['search']): Line {
  const hits: Span[] = search
    ? [
        {
          text: `  ${search.total === 0 ? 'no hit' : `${search.total - search.hits.length + search.at + 1}/${search.total}`}`,
          color: 'muted',
        },
      ]
    : [];
  return [{ text: 'copy', color: 'key', bold: true }, ...hits];
}

/** The keys worth knowing now; null where an overlay shows its own at its foot. */
export function hintSet(state: ClientState, diff: DiffHead): HintSet | null {
  if (state.prefix) return 'prefix';
  const top = topOverlay(state);
  if (top) return top.kind === 'input' || top.kind === 'comment' ? top.kind : null;
  if (state.copy) return 'copy';
  if (state.zone === 'list' && state.workspaces.length > 0) return 'list';
  if (focusedPane(state) === 'diff') return diff.keys;
  return state.cols < SIZING_COLS ? 'narrow' : 'terminal';
}

/** A question of a workspace whose own pane is not under the person's eyes: the bar says it, two keys answer it. */
export function barQuestion(state: ClientState): { name: string; text: string } | null {
  if (state.overlays.length > 0 || state.zone === 'list') return null;
  const workspace = questionAtHand(state);
  if (!workspace?.agent.question) return null;
  const agentPane = workspace.terminals.find(({ role }) => role === 'agent')?.id;
  if (workspace.id === state.shown && focusedPane(state) === agentPane) return null;
  return { name: workspace.name, text: workspace.agent.question.text };
}
