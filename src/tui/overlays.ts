// What lies above the panes, as cells: loads Ink the first time it is needed, so that neither the first frame nor a client that only
// looks on pays for it.
import type { Grid } from '../model/cell.ts';
import type { InkLayer } from './ink-layer.ts';
import type { OverlaysProps } from './views/overlays.tsx';

interface Loaded {
  create: typeof import('./ink-layer.ts').createInkLayer;
  element: typeof import('./views/overlays.tsx').overlaysElement;
}

export class Overlays {
  readonly #onLoaded: () => void;
  readonly #onFailed: (error: Error) => void;
  #loading = false;
  #loaded: Loaded | null = null;
  #layer: InkLayer | null = null;
  #closed = false;

  /** Of the two one is called once after `load`: what is asked for can be drawn, or never will be. */
  constructor(onLoaded: () => void, onFailed: (error: Error) => void) {
    this.#onLoaded = onLoaded;
    this.#onFailed = onFailed;
  }

  /** Begins to load, the first time. */
  load(): void {
    if (this.#loading) return;
    this.#loading = true;
    // In this order: ink-layer.ts settles Ink's colours before anything else loads it.
    import('./ink-layer.ts')
      .then(async ({ createInkLayer }) => {
        const { overlaysElement } = await import('./views/overlays.tsx');
        this.#loaded = { create: createInkLayer, element: overlaysElement };
        if (!this.#closed) this.#onLoaded();
      })
      .catch(this.#onFailed);
  }

  /** The screen with the overlays drawn where the layout has them; null until Ink is there. */
  draw(props: OverlaysProps): Grid | null {
    this.load();
    if (!this.#loaded) return null;
    const element = this.#loaded.element(props);
    const { cols, rows } = props.layout.screen;
    if (!this.#layer) this.#layer = this.#loaded.create(element, cols, rows);
    else {
      if (this.#layer.grid.cols !== cols || this.#layer.grid.rows !== rows) this.#layer.resize(cols, rows);
      this.#layer.render(element);
    }
    return this.#layer.grid;
  }

  close(): void {
    this.#closed = true;
    this.#layer?.close();
  }
}
