// What the server is told of this client: which terminals are on its screen and at what size, and where the person looks. Tells each only
// when it has changed.
import type { ViewSpec } from '../wire/requests.ts';
import type { FacePorts } from './face.ts';
import type { Layout } from './layout.ts';
import { readingPlace } from './reading-place.ts';
import { type ClientState, focusedPane } from './store/state.ts';

export class ToldViews {
  readonly #ports: Pick<FacePorts, 'request' | 'view' | 'forgetView'>;
  #views: ViewSpec[] = [];
  #told = { views: '', focus: '' };

  constructor(ports: Pick<FacePorts, 'request' | 'view' | 'forgetView'>) {
    this.#ports = ports;
  }

  /** The server knows nothing of it, or of the views alone, any more. */
  forget(what?: 'views'): void {
    this.#told = { views: '', focus: what ? this.#told.focus : '' };
  }

  /** `marking`: the terminal in which text is being marked, which stands still meanwhile. */
  tell(state: ClientState, panes: Layout['panes'], marking: number | null): void {
    const views = wantedViews(state, panes, marking);
    const workspace = state.zone === 'panes' ? state.shown : null;
    this.#tellChanged('views', views, () => this.#setViews(views, state));
    this.#tellChanged('focus', [state.focused, workspace], () =>
      this.#ports.request('client.focus', { focused: state.focused, workspace }),
    );
  }

  #tellChanged(what: 'views' | 'focus', value: unknown, send: () => Promise<unknown>): void {
    const wanted = JSON.stringify(value);
    if (wanted === this.#told[what]) return;
    this.#told[what] = wanted;
    // Refused only while the server is away; attaching tells it again.
    send().catch(() => {});
  }

  #setViews(views: ViewSpec[], { cols, rows }: ClientState): Promise<unknown> {
    for (const { view } of this.#views) if (!views.some((next) => next.view === view)) this.#ports.forgetView(view);
    this.#views = views;
    // A server that was started anew learns from here where the person reads.
    const placed = views.map((view) => ({ ...view, ...readingPlace(this.#ports.view(view.view)?.facts) }));
    return this.#ports.request('view.set', { views: placed, screen: { cols, rows } });
  }
}

function wantedViews(state: ClientState, panes: Layout['panes'], marking: number | null): ViewSpec[] {
  const focused = focusedPane(state);
  return panes.flatMap(({ pane, body }) => {
    if (pane === 'diff' || body.rows < 1) return [];
    const hold = pane === state.copy?.terminal || pane === marking;
    const { x, y, cols, rows } = body;
    const front = pane === focused;
    const place = { x, y, front };
    return [
      { view: pane, terminal: pane, cols, rows, sizing: state.sizing, focused: front && state.focused, ...(hold && { hold }), place },
    ];
  });
}
