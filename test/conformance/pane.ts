// A pane as a client shows it, in one process: the parts that bytes go through between a program and the terminal a person sits in
// (screen, wire, compositor), without sockets and clocks. Each `show` is a frame.
import type { Terminal } from '@xterm/headless';
import { Compositor, type CompositorAbilities } from '../../src/compositor/compositor.ts';
import { createGrid } from '../../src/model/cell.ts';
import { UNKNOWN_OUTER } from '../../src/model/outer.ts';
import { Screen } from '../../src/terminal/screen.ts';
import { DiffDecoder } from '../../src/wire/diff-decoder.ts';
import { DiffEncoder } from '../../src/wire/diff-encoder.ts';
import { bareTerminal, feed } from './bare.ts';

/** The outer terminal does everything. */
export const ABLE: CompositorAbilities = { colors: 'true', underlines: true, links: true, graphemes: true, synchronized: true };

export class Pane {
  screen: Screen;
  readonly outer: Terminal;
  /** All the screen answered. */
  replies = '';
  /** Bytes written to the outer terminal. */
  written = 0;
  readonly #encoder = new DiffEncoder();
  #decoder = new DiffDecoder();
  readonly #compositor: Compositor;

  constructor(cols: number, rows: number, abilities: CompositorAbilities = ABLE) {
    this.screen = this.#newScreen(cols, rows);
    this.outer = bareTerminal(cols, rows);
    feed(this.outer, '\x1b[?1049h\x1b[?7l');
    this.#compositor = new Compositor(cols, rows, abilities);
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.screen.write(bytes);
  }

  /** One frame from the screen's cells to the outer terminal's. */
  show(): Terminal {
    const { screen } = this;
    const grid = createGrid(screen.cols, screen.rows);
    const { cursor, top, atTail } = screen.draw(grid, null);
    const payload = this.#encoder.encode(grid, {
      cursor,
      top,
      atTail,
      newLines: 0,
      mouse: 'none',
      wheel: 'scroll',
      wraps: [],
      left: 0,
      first: 0,
      last: 0,
    });
    if (payload) this.#decoder.apply(payload);
    const { grid: shown, facts } = this.#decoder;
    const pane = { id: 1, grid: shown!, x: 0, y: 0, cols: shown!.cols, rows: shown!.rows };
    const frame = this.#compositor.frame({ chrome: null, panes: [pane], overlays: [], cursor: facts!.cursor });
    this.written += frame.length;
    feed(this.outer, frame);
    return this.outer;
  }

  /** Pane and outer terminal get another size. */
  resize(cols: number, rows: number): void {
    this.screen.resize(cols, rows);
    this.outer.resize(cols, rows);
    this.#compositor.resize(cols, rows);
  }

  /** The server dies where a checkpoint may be taken: the next one starts from it. False in the midst of a sequence. */
  async restart(): Promise<boolean> {
    if (!this.screen.ground) return false;
    const saved = this.screen.checkpoint();
    const { cols, rows } = this.screen;
    this.screen.dispose();
    this.screen = this.#newScreen(cols, rows);
    await this.screen.restore(saved);
    this.#encoder.reset();
    return true;
  }

  dispose(): void {
    this.screen.dispose();
    this.outer.dispose();
  }

  #newScreen(cols: number, rows: number): Screen {
    return new Screen({
      ...{ cols, rows, outer: () => UNKNOWN_OUTER, version: '0.0.0', onFact: () => {} },
      onReply: (bytes) => {
        this.replies += Buffer.from(bytes).toString('latin1');
      },
    });
  }
}
