// What stands on the screen as layers: chrome, terminals with their selection, the diff drawn when it changed, and where the tty's own
// cursor belongs. Draws at most once a frame: everything is marked stale and made when the compositor asks.

import type { Layers, RowSpan } from '../compositor/compositor.ts';
import { type Cursor, createGrid, type Grid } from '../model/cell.ts';
import { cellOf } from '../model/text-rows.ts';
import { Chrome } from './chrome.ts';
import { type CopyScreen, copySelection } from './copy-mode.ts';
import { type DiffDrawn, drawDiff } from './diff/draw.ts';
import type { Highlighter } from './diff/highlight/highlighter.ts';
import type { DiffView } from './diff/view.ts';
import type { Layout, Rect } from './layout.ts';
import { overlayCaret } from './overlay-geometry.ts';
import { boxedOverlays } from './present.ts';
import { type Selection, withHits, withSelection } from './selection.ts';
import { editorOf } from './store/overlay.ts';
import { topOverlay } from './store/overlay-stack.ts';
import { type ClientState, focusedPane } from './store/state.ts';
import { cellColor, type Theme } from './theme.ts';
import type { Block } from './views/block.ts';

export interface SceneOptions {
  screen(terminal: number): CopyScreen | null;
  diff(workspace: number): DiffView;
  highlighter: Highlighter;
  /** What the chrome shows, asked for when it may have changed. */
  chrome(): Block[];
  /** A grid of the screen's size with the overlays at their places, asked for when they may have changed; null while it cannot be had. */
  overlays(): Grid | null;
  /** Per overlay of the layout the rows in it that are cells like a pane's; asked for together with `overlays`. */
  overlayRows(): (Block | null)[];
}

/** Layer id of the diff pane; terminals have ids from 1. */
const DIFF_LAYER = 0;

export class Scene {
  readonly #o: SceneOptions;
  readonly #chrome = new Chrome();
  selection: Selection | null = null;
  #chromeStale = true;
  /** The overlays as drawn last; null without one. */
  #above: Grid | null = null;
  readonly #rowsAbove = new Chrome();
  #blocksAbove: (Block | null)[] = [];
  #diffGrid: Grid | null = null;
  #drawn: DiffDrawn | null = null;
  #diffStale = true;
  /** What the last layers were made from; while it is the same, only rows that terminals wrote to can look different. */
  #last: unknown[] = [];
  #damage: RowSpan | null = null;

  constructor(options: SceneOptions) {
    this.#o = options;
  }

  /** What the diff pane drew last, for clicks. */
  get drawn(): DiffDrawn | null {
    return this.#drawn;
  }

  staleChrome(): void {
    this.#chromeStale = true;
  }

  staleDiff(): void {
    this.#diffStale = true;
  }

  /** A terminal whose pane is at `body` got new cells in these rows of its grid. */
  newRows(body: Rect, { from, to }: RowSpan): void {
    const span = { from: body.y + from, to: body.y + Math.min(to, body.rows) };
    const old = this.#damage;
    this.#damage = old ? { from: Math.min(old.from, span.from), to: Math.max(old.to, span.to) } : span;
  }

  layers(state: ClientState, layout: Layout, theme: Theme): Layers {
    const stale = this.#drawChrome(state, theme);
    const panes = layout.panes.flatMap(({ pane, body }) => {
      if (body.rows < 1) return [];
      const grid = pane === 'diff' ? this.#diff(state, body, theme) : this.#terminal(state, pane, theme);
      return grid ? [{ id: pane === 'diff' ? DIFF_LAYER : pane, grid, ...body }] : [];
    });
    const overlays = this.#drawOverlays(state, layout, theme, stale);
    const chrome = this.#chrome.grid;
    const damage = this.#takeDamage([state, layout, theme, chrome, ...panes.map(({ grid }) => grid)]);
    return { chrome, panes, overlays, cursor: this.#cursor(state, layout), damage };
  }

  /** Rows that differ from the last layers; undefined: any may. A selection is copied into grids of its own. */
  #takeDamage(madeFrom: unknown[]): RowSpan | undefined {
    const last = this.#last;
    const same = last.length === madeFrom.length && madeFrom.every((part, i) => part === last[i]);
    const damage = this.#damage ?? { from: 0, to: 0 };
    this.#last = madeFrom;
    this.#damage = null;
    return same ? damage : undefined;
  }

  /** True when it was drawn anew. */
  #drawChrome({ cols, rows }: ClientState, theme: Theme): boolean {
    if (!this.#chromeStale) return false;
    this.#chromeStale = false;
    this.#chrome.draw(cols, rows, this.#o.chrome(), theme);
    return true;
  }

  /** Overlays change with the same facts as the chrome. */
  #drawOverlays({ cols, rows }: ClientState, { overlays }: Layout, theme: Theme, stale: boolean): Layers['overlays'] {
    if (overlays.length === 0) this.#above = null;
    else if (stale || !this.#above) {
      this.#above = this.#o.overlays();
      this.#blocksAbove = this.#o.overlayRows();
      const blocks = this.#blocksAbove.filter((block) => block !== null);
      this.#rowsAbove.draw(cols, rows, blocks, theme);
      this.#last = [];
    }
    const above = this.#above;
    if (!above) return [];
    return overlays.flatMap((rect, index) => {
      const block = this.#blocksAbove[index];
      return [{ ...rect, grid: above }, ...(block ? [{ ...block.rect, grid: this.#rowsAbove.grid }] : [])];
    });
  }

  #terminal({ copy }: ClientState, terminal: number, theme: Theme): Grid | null {
    const found = this.#o.screen(terminal);
    if (!found) return null;
    const search = copy?.terminal === terminal ? copy.search : null;
    const ground = { hit: cellColor(theme, 'search'), at: cellColor(theme, 'searchCurrent') };
    const screen = search ? { ...found, grid: withHits(found.grid, search.hits, search.hits[search.at], found.facts, ground) } : found;
    const marked = copy?.terminal === terminal ? copySelection(copy) : null;
    const selection = marked ?? (this.selection?.terminal === terminal ? this.selection : null);
    return selection ? withSelection(screen.grid, selection, screen.facts, found.grid) : screen.grid;
  }

  #diff({ shown }: ClientState, { cols, rows }: Rect, theme: Theme): Grid | null {
    if (shown === null || cols < 1) return null;
    if (this.#diffGrid?.cols !== cols || this.#diffGrid.rows !== rows) {
      this.#diffGrid = createGrid(cols, rows);
      this.#diffStale = true;
    }
    if (!this.#diffStale) return this.#diffGrid;
    this.#diffStale = false;
    this.#last = [];
    const view = this.#o.diff(shown);
    this.#drawn = drawDiff(view, this.#diffGrid, { x: 0, y: 0, cols, rows }, theme, this.#o.highlighter.colorsOf);
    this.#o.highlighter.want(view);
    return this.#diffGrid;
  }

  /** The tty's own cursor stands where one types, so that input methods open there. */
  #cursor(state: ClientState, layout: Layout): Cursor | null {
    const top = topOverlay(state);
    if (top) {
      if (!editorOf(top)) return null;
      const rect = layout.overlays[boxedOverlays(state, layout).indexOf(top)];
      const caret = rect ? overlayCaret(top, rect) : this.#diffCaret(layout);
      return caret && { ...caret, visible: true, shape: 'bar', blink: false };
    }
    const focused = focusedPane(state);
    const body = layout.panes.find(({ pane }) => pane === focused)?.body;
    const screen = typeof focused === 'number' ? this.#o.screen(focused) : null;
    if (!body || !screen) return null;
    if (state.copy?.terminal === focused) return copyCursor(state.copy.cursor, screen, body);
    const { cursor } = screen.facts;
    return cursor.x < body.cols && cursor.y < body.rows ? { ...cursor, x: body.x + cursor.x, y: body.y + cursor.y } : null;
  }

  #diffCaret({ panes }: Layout): { x: number; y: number } | null {
    const body = panes.find(({ pane }) => pane === 'diff')?.body;
    const caret = this.#drawn?.caret;
    return body && caret ? { x: body.x + caret.x, y: body.y + caret.y } : null;
  }
}

function copyCursor(at: { line: number; col: number }, { facts }: CopyScreen, body: Rect): Cursor | null {
  const cell = cellOf(facts, at, body.rows);
  if (!cell) return null;
  const x = Math.max(0, Math.min(cell.x, body.cols - 1));
  return { x: body.x + x, y: body.y + cell.y, visible: true, shape: 'block', blink: false };
}
