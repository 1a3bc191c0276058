// A workspace's panes: which there are, how they share the room, which has the focus. Pure changes of a PaneArrangement and of the
// state that holds it; the last pane never goes.
import type { Workspace } from '../../model/workspace.ts';
import { type Layout, type PaneArrangement, type PaneId, type PaneTree, panesOf } from '../layout.ts';
import type { ClientState } from './state.ts';

/** A split never gives a side less than this share. */
const LEAST_SHARE = 0.1;

/** Agent beside diff; the diff alone where there is no terminal, the terminal alone where there is no repository. */
export function firstArrangement(workspace: Workspace): PaneArrangement {
  const agent = workspace.terminals.find(({ role }) => role === 'agent') ?? workspace.terminals[0];
  if (!agent) return { tree: { pane: 'diff' }, focus: 'diff', zoom: false };
  const shells = workspace.terminals.filter(({ id }) => id !== agent.id);
  const left = shells.reduce<PaneTree>((tree, { id }) => ({ split: 'stacked', ratio: 0.65, first: tree, second: { pane: id } }), {
    pane: agent.id,
  });
  const tree: PaneTree = workspace.repository === null ? left : { split: 'beside', ratio: 0.5, first: left, second: { pane: 'diff' } };
  return { tree, focus: agent.id, zoom: false };
}

/** Without a pane; null when it was the only one. The neighbour takes its place and focus. */
export function dropPane(arrangement: PaneArrangement, pane: PaneId): PaneArrangement | null {
  const tree = without(arrangement.tree, pane);
  if (!tree) return null;
  const before = panesOf(arrangement.tree);
  const left = panesOf(tree);
  const focus = arrangement.focus !== pane ? arrangement.focus : (left[Math.max(0, before.indexOf(pane) - 1)] ?? left[0]!);
  return { tree, focus, zoom: arrangement.zoom && arrangement.focus !== pane };
}

function without(tree: PaneTree, pane: PaneId): PaneTree | null {
  if ('pane' in tree) return tree.pane === pane ? null : tree;
  const first = without(tree.first, pane);
  const second = without(tree.second, pane);
  if (!first || !second) return first ?? second;
  return first === tree.first && second === tree.second ? tree : { ...tree, first, second };
}

/** A new pane beside or below `at`, with the focus. */
export function splitPane(arrangement: PaneArrangement, at: PaneId, pane: PaneId, split: 'beside' | 'stacked'): PaneArrangement {
  const grow = (tree: PaneTree): PaneTree => {
    if ('pane' in tree) return tree.pane === at ? { split, ratio: split === 'beside' ? 0.5 : 0.65, first: tree, second: { pane } } : tree;
    return { ...tree, first: grow(tree.first), second: grow(tree.second) };
  };
  return { tree: grow(arrangement.tree), focus: pane, zoom: false };
}

/** Two panes in one another's place; the focus stays on the pane that has it. */
export function swapPanes(arrangement: PaneArrangement, a: PaneId, b: PaneId): PaneArrangement {
  const swap = (tree: PaneTree): PaneTree => {
    if ('pane' in tree) return tree.pane === a ? { pane: b } : tree.pane === b ? { pane: a } : tree;
    return { ...tree, first: swap(tree.first), second: swap(tree.second) };
  };
  return a === b ? arrangement : { ...arrangement, tree: swap(arrangement.tree), zoom: false };
}

/** The split at `path` with another share for its first side. */
export function setRatio(tree: PaneTree, path: readonly number[], ratio: number): PaneTree {
  if ('pane' in tree) return tree;
  const [step, ...rest] = path;
  if (step === undefined) return { ...tree, ratio: Math.max(LEAST_SHARE, Math.min(1 - LEAST_SHARE, ratio)) };
  return step === 0 ? { ...tree, first: setRatio(tree.first, rest, ratio) } : { ...tree, second: setRatio(tree.second, rest, ratio) };
}

/** The path of the nearest split around a pane that divides in a direction; null when there is none. */
export function splitAround(tree: PaneTree, pane: PaneId, split: 'beside' | 'stacked'): { path: number[]; ratio: number } | null {
  if ('pane' in tree) return null;
  const side = panesOf(tree.first).includes(pane) ? 0 : 1;
  const inner = splitAround(side === 0 ? tree.first : tree.second, pane, split);
  if (inner) return { path: [side, ...inner.path], ratio: inner.ratio };
  return tree.split === split ? { path: [], ratio: tree.ratio } : null;
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The pane on that side of the focused one, nearest to its middle; among tabs the one before or behind it. Null when there is none. */
export function neighbour(layout: Layout, from: PaneId, direction: Direction): PaneId | null {
  const { tabs } = layout;
  if (tabs.length > 1) return tabs[tabs.indexOf(from) + (direction === 'left' || direction === 'up' ? -1 : 1)] ?? null;
  const boxes = layout.panes.map(({ pane, title, body }) => ({
    pane,
    x: title.x,
    y: title.y,
    right: body.x + body.cols,
    bottom: body.y + body.rows,
  }));
  const here = boxes.find(({ pane }) => pane === from);
  if (!here) return null;
  const gap = (box: typeof here) =>
    ({ left: here.x - box.right, right: box.x - here.right, up: here.y - box.bottom, down: box.y - here.bottom })[direction];
  const aside = (box: typeof here) =>
    direction === 'left' || direction === 'right'
      ? Math.abs(here.y + here.bottom - box.y - box.bottom)
      : Math.abs(here.x + here.right - box.x - box.right);
  const found = boxes.filter((box) => box !== here && gap(box) >= 0).sort((a, b) => gap(a) - gap(b) || aside(a) - aside(b));
  return found[0]?.pane ?? null;
}

/** The state with another arrangement for the workspace shown. */
export function arrange(state: ClientState, change: (arrangement: PaneArrangement) => PaneArrangement): ClientState {
  const arrangement = state.shown === null ? undefined : state.arrangements[state.shown];
  if (!arrangement || state.shown === null) return state;
  const next = change(arrangement);
  return next === arrangement ? state : { ...state, arrangements: { ...state.arrangements, [state.shown]: next } };
}

/** The state with the focus on a pane of the workspace shown; leaves copy mode of another pane. */
export function focusPane(state: ClientState, pane: PaneId): ClientState {
  const focused = arrange({ ...state, zone: 'panes', copy: state.copy?.terminal === pane ? state.copy : null }, (arrangement) =>
    arrangement.focus === pane ? arrangement : { ...arrangement, focus: pane },
  );
  return focused;
}

/** The agent's pane from the diff, the diff from anywhere else. */
export function otherPane(workspace: Workspace, arrangement: PaneArrangement): PaneId {
  const panes = panesOf(arrangement.tree);
  const agent = workspace.terminals.find(({ role }) => role === 'agent')?.id;
  const other = arrangement.focus === 'diff' ? agent : 'diff';
  return other !== undefined && panes.includes(other) ? other : (panes.find((pane) => pane !== arrangement.focus) ?? arrangement.focus);
}

/** Shows a workspace, its panes with the keys. */
export function showWorkspace(state: ClientState, id: number): ClientState {
  if (!state.workspaces.some((workspace) => workspace.id === id)) return state;
  const last = state.shown !== id ? state.shown : state.last;
  const copy = state.shown !== id ? null : state.copy;
  return showArranged({ ...state, shown: id, last, listAt: id, zone: 'panes', copy });
}

/** The workspace shown has an arrangement of its panes. */
export function showArranged(state: ClientState): ClientState {
  const workspace = state.workspaces.find(({ id }) => id === state.shown);
  if (!workspace || state.arrangements[workspace.id]) return state;
  return { ...state, arrangements: { ...state.arrangements, [workspace.id]: firstArrangement(workspace) } };
}

/** Panes of terminals that have gone leave; the agent's new terminal takes the old one's place. */
export function fitPanes(state: ClientState, workspace: Workspace): ClientState {
  const arrangement = state.arrangements[workspace.id];
  if (!arrangement) {
    if (workspace.id !== state.shown) return state;
    return { ...state, arrangements: { ...state.arrangements, [workspace.id]: firstArrangement(workspace) } };
  }
  const alive = new Set(workspace.terminals.map(({ id }) => id));
  const dead = panesOf(arrangement.tree).filter((pane) => pane !== 'diff' && !alive.has(pane));
  const agent = workspace.terminals.find(({ role }) => role === 'agent')?.id;
  const agentShown = agent === undefined || panesOf(arrangement.tree).includes(agent);
  if (dead.length === 0 && agentShown) return state;
  const rest = dead.reduce((left, pane) => (left ? dropPane(left, pane) : null), arrangement as typeof arrangement | null);
  const next = rest && agentShown ? rest : firstArrangement(workspace);
  return { ...state, arrangements: { ...state.arrangements, [workspace.id]: next } };
}

/** Panes as they were left, in this client or, where it has shown none yet, in the last one; those that have gone since are left out. */
export function restorePanes(state: ClientState, saved: Readonly<Record<number, PaneArrangement>>): ClientState {
  const known = { ...state, arrangements: { ...saved, ...state.arrangements } };
  return state.workspaces.reduce((fitted, workspace) => (fitted.arrangements[workspace.id] ? fitPanes(fitted, workspace) : fitted), known);
}
