// Where everything stands on the screen: one pure function from the screen's size and what is open to rectangles. Compositor,
// views and the mouse read the same answer; nobody else computes a place. Rectangles never overlap but for overlays, and never leave the screen.
import type { PaneArrangement, PaneId, PaneTree } from '../model/panes.ts';

export type { PaneArrangement, PaneId, PaneTree };

export interface Rect {
  /** Cells from the top left of the screen. */
  x: number;
  y: number;
  cols: number;
  rows: number;
}

/** What an overlay would like; the layout cuts it to the screen. */
export interface OverlaySize {
  cols: number;
  rows: number;
  /** 'bottom' sits on the status bar, 'top' under the title bar. */
  place: 'centre' | 'bottom' | 'top';
}

export interface LayoutRequest {
  arrangement: PaneArrangement | null;
  /** The list of workspaces has the keys; on a narrow screen it then fills the screen. */
  zone: 'list' | 'panes';
  sidebar: 'auto' | 'hidden';
  /** Bottom of the stack first. */
  overlays: OverlaySize[];
}

/** full: sidebar and panes. rail: glyphs and numbers for a sidebar. narrow: one column. tiny: too small for anything but a line. */
export type Tier = 'full' | 'rail' | 'narrow' | 'tiny';

export interface PaneBox {
  pane: PaneId;
  title: Rect;
  body: Rect;
}

/** A line between two panes; `path` leads to its split in the tree (0 first, 1 second), null for the sidebar's edge. */
export interface Divider {
  rect: Rect;
  split: 'beside' | 'stacked';
  path: number[] | null;
  /** The room the split divides, for dragging. */
  room: Rect;
}

export interface Layout {
  tier: Tier;
  screen: Rect;
  titleBar: Rect | null;
  sidebar: Rect | null;
  panes: PaneBox[];
  /** Panes that are hidden behind the one shown, which then carries all titles as tabs; empty when every pane is shown. */
  tabs: PaneId[];
  dividers: Divider[];
  statusBar: Rect | null;
  overlays: Rect[];
}

/** Cells; on a smaller screen herd shows one line only. */
export const MIN_SCREEN = { cols: 20, rows: 5 };
/** From here the sidebar is a rail, from FULL_COLS it has text. */
const RAIL_COLS = 60;
const FULL_COLS = 110;
/** Rail: glyph, number, a blank on either side. */
const RAIL_WIDTH = 4;
/** Sidebar: a sixth of the screen between these. */
const SIDEBAR_MIN = 24;
const SIDEBAR_MAX = 34;
/** A pane beside another has at least this many columns, or they are stacked; agents wrap badly below. */
const BESIDE_COLS = 44;
/** A stacked pane has at least this many rows (title included), or only the focused one is shown. */
const STACKED_ROWS = 6;
/** Panes that were beside each other are stacked from this many rows on; with fewer, one whole pane reads better than two slits. */
const TURNED_ROWS = 30;
/** Screens shorter than these do without title bar and status bar. */
const TITLE_ROWS = 10;
const STATUS_ROWS = 8;

/** The rectangles of a screen of `cols` x `rows` cells. */
export function layout(cols: number, rows: number, want: LayoutRequest): Layout {
  const screen = { x: 0, y: 0, cols, rows };
  const empty: Layout = {
    tier: 'tiny',
    screen,
    titleBar: null,
    sidebar: null,
    panes: [],
    tabs: [],
    dividers: [],
    statusBar: null,
    overlays: [],
  };
  if (cols < MIN_SCREEN.cols || rows < MIN_SCREEN.rows) return empty;
  const titleBar = rows >= TITLE_ROWS ? { x: 0, y: 0, cols, rows: 1 } : null;
  const statusBar = rows >= STATUS_ROWS ? { x: 0, y: rows - 1, cols, rows: 1 } : null;
  const top = titleBar ? 1 : 0;
  const body = { x: 0, y: top, cols, rows: rows - top - (statusBar ? 1 : 0) };
  const tier = cols >= FULL_COLS ? 'full' : cols >= RAIL_COLS ? 'rail' : 'narrow';
  const frame = {
    ...empty,
    tier: tier as Tier,
    titleBar,
    statusBar,
    overlays: want.overlays.map((size) => overlayRect(size, screen, body)),
  };
  if (tier === 'narrow') {
    if (want.zone === 'list' || !want.arrangement) return { ...frame, sidebar: body };
    return { ...frame, ...placePanes(body, want.arrangement) };
  }
  const width = want.sidebar === 'hidden' ? 0 : sidebarWidth(cols, tier);
  const sidebar = width > 0 ? { ...body, cols: width } : null;
  const taken = width > 0 ? width + 1 : 0;
  const room = { ...body, x: taken, cols: cols - taken };
  const line: Divider[] = sidebar ? [{ rect: { ...body, x: width, cols: 1 }, split: 'beside', path: null, room: body }] : [];
  if (!want.arrangement) return { ...frame, sidebar, dividers: line };
  const placed = placePanes(room, want.arrangement);
  return { ...frame, sidebar, ...placed, dividers: [...line, ...placed.dividers] };
}

function sidebarWidth(cols: number, tier: Tier): number {
  if (tier === 'rail') return RAIL_WIDTH;
  return Math.min(SIDEBAR_MAX, Math.max(SIDEBAR_MIN, Math.floor(cols / 6)));
}

function overlayRect(size: OverlaySize, screen: Rect, body: Rect): Rect {
  const cols = Math.max(1, Math.min(size.cols, screen.cols));
  const rows = Math.max(1, Math.min(size.rows, body.rows));
  const x = Math.floor((screen.cols - cols) / 2);
  if (size.place === 'bottom') return { x, y: body.y + body.rows - rows, cols, rows };
  const slack = body.rows - rows;
  return { x, y: body.y + (size.place === 'top' ? Math.min(1, slack) : Math.floor(slack / 3)), cols, rows };
}

/** All panes of a tree, first to last. */
export function panesOf(tree: PaneTree): PaneId[] {
  return 'pane' in tree ? [tree.pane] : [...panesOf(tree.first), ...panesOf(tree.second)];
}

interface Placed {
  panes: PaneBox[];
  tabs: PaneId[];
  dividers: Divider[];
}

function placePanes(room: Rect, { tree, focus, zoom }: PaneArrangement): Placed {
  const all = panesOf(tree);
  if (!zoom) {
    const placed = placeTree(tree, room, []);
    if (placed) return { ...placed, tabs: [] };
  }
  const shown = all.includes(focus) ? focus : all[0]!;
  return { panes: [paneBox(shown, room)], tabs: all.length > 1 ? all : [], dividers: [] };
}

function paneBox(pane: PaneId, room: Rect): PaneBox {
  return { pane, title: { ...room, rows: 1 }, body: { ...room, y: room.y + 1, rows: room.rows - 1 } };
}

/** null when a pane would be too small to be of use. */
function placeTree(tree: PaneTree, room: Rect, path: number[]): Omit<Placed, 'tabs'> | null {
  if ('pane' in tree) return { panes: [paneBox(tree.pane, room)], dividers: [] };
  const beside = tree.split === 'beside' && room.cols >= columnsOf(tree);
  if (!beside && room.rows < rowsOf(tree)) return null;
  const [first, second, line] = beside ? cutBeside(room, tree) : cutStacked(room, tree);
  const a = placeTree(tree.first, first, [...path, 0]);
  const b = a && placeTree(tree.second, second, [...path, 1]);
  if (!a || !b) return null;
  const divider: Divider = { rect: line, split: beside ? 'beside' : 'stacked', path, room };
  return { panes: [...a.panes, ...b.panes], dividers: [divider, ...a.dividers, ...b.dividers] };
}

/** Columns a tree needs with its splits as they are, dividers included. */
function columnsOf(tree: PaneTree): number {
  if ('pane' in tree) return BESIDE_COLS;
  const [a, b] = [columnsOf(tree.first), columnsOf(tree.second)];
  return tree.split === 'beside' ? a + 1 + b : Math.max(a, b);
}

/** Rows a tree needs when a 'beside' that does not fit is stacked. */
function rowsOf(tree: PaneTree): number {
  if ('pane' in tree) return STACKED_ROWS;
  return tree.split === 'stacked'
    ? rowsOf(tree.first) + rowsOf(tree.second)
    : Math.max(TURNED_ROWS, rowsOf(tree.first) + rowsOf(tree.second));
}

function cutBeside(room: Rect, tree: Extract<PaneTree, { split: string }>): [Rect, Rect, Rect] {
  const left = clamp(Math.round((room.cols - 1) * tree.ratio), columnsOf(tree.first), room.cols - 1 - columnsOf(tree.second));
  const line = { ...room, x: room.x + left, cols: 1 };
  return [{ ...room, cols: left }, { ...room, x: room.x + left + 1, cols: room.cols - left - 1 }, line];
}

/** The second pane's title is the line between them. */
function cutStacked(room: Rect, tree: Extract<PaneTree, { split: string }>): [Rect, Rect, Rect] {
  const upper = clamp(Math.round(room.rows * tree.ratio), rowsOf(tree.first), room.rows - rowsOf(tree.second));
  const second = { ...room, y: room.y + upper, rows: room.rows - upper };
  return [{ ...room, rows: upper }, second, { ...second, rows: 1 }];
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

/** The cell is inside. */
export function contains(rect: Rect, x: number, y: number): boolean {
  return x >= rect.x && x < rect.x + rect.cols && y >= rect.y && y < rect.y + rect.rows;
}
