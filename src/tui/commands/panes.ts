// Commands about panes: focus, split, close, resize, zoom, and which part of the screen has the keys.
import { type PaneId, panesOf } from '../layout.ts';
import { terminalOf } from '../present.ts';
import { openOverlay } from '../store/overlay-stack.ts';
import { arrange, type Direction, focusPane, neighbour, otherPane, setRatio, splitAround, splitPane, swapPanes } from '../store/panes.ts';
import { type ClientState, focusedPane, shownWorkspace } from '../store/state.ts';
import { type CommandContext, change, say } from './context.ts';

/** Cells a divider moves with one key. */
const STEP = 4;

/** From the agent to the diff and back. */
export function focusOther(context: CommandContext): void {
  change(context, (state) => {
    const workspace = shownWorkspace(state);
    const arrangement = workspace && state.arrangements[workspace.id];
    return arrangement ? focusPane(state, otherPane(workspace, arrangement)) : state;
  });
}

export function focusDirection(direction: Direction): (context: CommandContext) => void {
  return (context) =>
    change(context, (state) => {
      const from = focusedPane(state);
      if (state.zone === 'list') return direction === 'right' ? { ...state, zone: 'panes' } : state;
      const to = from === null ? null : neighbour(context.layout(), from, direction);
      if (to !== null) return focusPane(state, to);
      return direction === 'left' && context.layout().sidebar ? focusList(state) : state;
    });
}

export function focusList(state: ClientState): ClientState {
  return { ...state, zone: 'list', listAt: state.listAt ?? state.shown };
}

export function toggleZoom(context: CommandContext): void {
  change(context, (state) => arrange(state, (arrangement) => ({ ...arrangement, zoom: !arrangement.zoom })));
}

/** Starts a shell in the worktree, in a pane of its own. */
export function splitShell(split: 'beside' | 'stacked'): (context: CommandContext) => Promise<void> {
  return async (context) => {
    const state = context.store.getState();
    const workspace = shownWorkspace(state);
    const arrangement = workspace && state.arrangements[workspace.id];
    if (!workspace || !arrangement) return;
    const body = context.layout().panes.find(({ pane }) => pane === arrangement.focus)?.body;
    const size = body
      ? {
          cols: split === 'beside' ? Math.floor(body.cols / 2) : body.cols,
          rows: split === 'stacked' ? Math.floor(body.rows / 3) : body.rows,
        }
      : {};
    const place = { ...context.place, cwd: workspace.path };
    const { terminal } = await context.request('terminal.new', { workspace: workspace.id, place, ...size });
    change(context, (now) =>
      now.shown === workspace.id ? arrange(now, (panes) => splitPane(panes, arrangement.focus, terminal.id, split)) : now,
    );
  };
}

/** A shell closes at once when it has ended, asks when it runs; agent and diff are not closed by this. */
export async function closePane(context: CommandContext): Promise<void> {
  const state = context.store.getState();
  const pane = focusedPane(state);
  const terminal = pane === null ? null : terminalOf(shownWorkspace(state), pane);
  if (!terminal) return say(context, 'the diff stays; z zooms the other pane');
  if (terminal.role === 'agent') return say(context, 'this is the agent: X closes the workspace');
  if (terminal.exit) {
    await context.request('terminal.close', { terminal: terminal.id });
    return;
  }
  const name = terminal.title || terminal.argv[0] || 'the shell';
  change(context, (now) =>
    openOverlay(now, {
      kind: 'confirm',
      ask: { do: 'close-terminal', terminal: terminal.id },
      title: 'close this pane?',
      lines: [`${name} is ended.`],
      yes: 'close',
      other: null,
    }),
  );
}

/** Puts the focused pane in the place of the one before or behind it, and that one in its own. */
export function swapPane(by: 1 | -1): (context: CommandContext) => void {
  return (context) =>
    change(context, (state) =>
      arrange(state, (arrangement) => {
        const panes = panesOf(arrangement.tree);
        const at = panes.indexOf(arrangement.focus);
        return swapPanes(arrangement, arrangement.focus, panes[(at + by + panes.length) % panes.length]!);
      }),
    );
}

/** Moves the divider next to the focused pane. */
export function moveDivider(split: 'beside' | 'stacked', sign: 1 | -1): (context: CommandContext) => void {
  return (context) => {
    const { dividers } = context.layout();
    change(context, (state) =>
      arrange(state, (arrangement) => {
        const around = splitAround(arrangement.tree, arrangement.focus, split);
        const divider = around && dividers.find(({ path, split: kind }) => kind === split && path?.join() === around.path.join());
        if (!around || !divider) return arrangement;
        const total = split === 'beside' ? divider.room.cols : divider.room.rows;
        return { ...arrangement, tree: setRatio(arrangement.tree, around.path, around.ratio + (sign * STEP) / total) };
      }),
    );
  };
}

export function toggleSidebar(context: CommandContext): void {
  change(context, (state) => ({ ...state, sidebar: state.sidebar === 'hidden' ? 'auto' : 'hidden' }));
}

/** This client's size counts from now on, however small it is. */
export function takeSize(context: CommandContext): void {
  change(context, (state) => ({ ...state, sizing: true }));
  say(context, 'the panes have the size of this terminal now');
}

/** The terminal that copy mode or search would look into: the focused one, else the agent's. */
export function terminalAtHand(state: ClientState): number | null {
  const pane: PaneId | null = focusedPane(state);
  if (typeof pane === 'number') return pane;
  return shownWorkspace(state)?.terminals.find(({ role }) => role === 'agent')?.id ?? null;
}
