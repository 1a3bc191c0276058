// The first frame of a client whose app is still being loaded: the views that the last client of this size had, composed here, where
// the cells are. Only terminals are in it; the client's own chrome comes with the app. Remembers places, never cells.
import { abilitiesOf, type TerminalEnvironment, unasked } from '../../compositor/abilities.ts';
import { Compositor } from '../../compositor/compositor.ts';
import type { Cursor } from '../../model/cell.ts';
import { dropOldest } from '../../model/drop-oldest.ts';
import type { FirstFrame, ViewSpec } from '../../wire/requests.ts';
import type { ClientLink } from '../clients.ts';
import type { Publisher } from './publisher.ts';

type PlacedView = ViewSpec & { place: NonNullable<ViewSpec['place']> };

interface Size {
  cols: number;
  rows: number;
}

/** Sizes of clients remembered, the newest: a person has a handful of windows. */
const SIZES = 16;

export class FirstFrames {
  readonly #publisher: Publisher;
  readonly #isShown: (terminal: number) => boolean;
  readonly #placed = new Map<string, PlacedView[]>();

  /** `isShown`: a client that attaches now begins with the workspace of this terminal. */
  constructor(publisher: Publisher, isShown: (terminal: number) => boolean) {
    this.#publisher = publisher;
    this.#isShown = isShown;
  }

  /** A client of this size has these views. */
  remember({ cols, rows }: Size, views: readonly ViewSpec[]): void {
    const key = `${cols}x${rows}`;
    this.#placed.delete(key);
    const placed = views.filter((view): view is PlacedView => view.place !== undefined);
    if (placed.length > 0) this.#placed.set(key, placed);
    dropOldest(this.#placed, SIZES);
  }

  /** Gives the client its views, sends their cells, and returns what to show until it draws itself. */
  begin(client: ClientLink, { cols, rows }: Size, env: TerminalEnvironment): FirstFrame {
    const placed = this.#placed.get(`${cols}x${rows}`) ?? [];
    if (placed.length === 0 || !placed.every(({ terminal }) => this.#isShown(terminal)))
      return { cols, rows, paint: '', panes: [], cursor: null };
    // Nobody has the focus before the client says so, and where it reads is known here.
    const specs = placed.map(({ view, terminal, cols, rows, sizing }) => ({ view, terminal, cols, rows, sizing, focused: false }));
    this.#publisher.set(client, specs);
    let cursor: Cursor | null = null;
    const panes = placed.map(({ view, terminal, cols, rows, place: { x, y, front } }) => {
      const shown = this.#publisher.get(client, view).show();
      const own = shown.facts.cursor;
      if (front && own.x < cols && own.y < rows) cursor = { ...own, x: x + own.x, y: y + own.y };
      return { id: terminal, view, grid: shown.grid, x, y, cols, rows };
    });
    const paint = new Compositor(cols, rows, abilitiesOf(env, unasked(env))).frame({ chrome: null, panes, overlays: [], cursor });
    return { cols, rows, paint, panes: panes.map(({ view, x, y, cols, rows }) => ({ view, x, y, cols, rows })), cursor };
  }
}
