// Draws: layers of cells in, the ANSI that makes the tty show them out. Knows what the tty shows; writes nothing itself and reads no clock.
import { CELL_WORDS, type Cursor, createGrid, type Grid } from '../model/cell.ts';
import { type DrawAbilities, Emitter } from './emit.ts';
import { copyRect, createInterned, type Interned, type OverlayLayer, type PaneLayer, type RowSpan } from './layers.ts';
import { findScroll } from './scroll.ts';

export type { DrawAbilities } from './emit.ts';
export type { OverlayLayer, PaneLayer, Rect, RowSpan } from './layers.ts';

/** Everything on the screen, bottom to top. */
export interface Layers {
  /** Of the tty's size (smaller or larger is cut or filled with blanks); null before the chrome's first frame. */
  chrome: Grid | null;
  panes: PaneLayer[];
  overlays: OverlayLayer[];
  /** Where the tty's cursor belongs, in cells of the tty; null: hidden, wherever it was. */
  cursor: Cursor | null;
  /** Only these rows may look different from the last frame's; left out: all. */
  damage?: RowSpan;
}

/** What the compositor needs to know of the outer terminal. */
export interface CompositorAbilities extends DrawAbilities {
  /** Mode 2026: frames are shown whole. */
  synchronized: boolean;
}

/** Frames between two new starts of crowded tables: a screen with more than 255 links must not be repainted each time. */
const FRESH_TABLES_EVERY = 200;
/** Cell word that no grid holds: marks cells of the tty whose content is not known. */
const UNKNOWN = 0xffffffff;

export class Compositor {
  #next: Grid = createGrid(0, 0);
  #shown: Grid = createGrid(0, 0);
  /** The rows of both as bytes: compared whole, far faster than word by word. */
  #nextRows: Buffer[] = [];
  #shownRows: Buffer[] = [];
  #interned: Interned = createInterned();
  #framesSinceFresh = FRESH_TABLES_EVERY;
  #can: CompositorAbilities;
  /** The tty's cursor as last written; null when not known. */
  #cursor: Cursor | null = null;
  #cleared = false;
  /** A whole frame was composed since the last `invalidate`. */
  #known = false;

  /** Sizes in cells. Nothing is known of what the tty shows. */
  constructor(cols: number, rows: number, abilities: CompositorAbilities) {
    this.#can = abilities;
    this.resize(cols, rows);
  }

  get cols(): number {
    return this.#next.cols;
  }

  get rows(): number {
    return this.#next.rows;
  }

  /** The cells as last composed, for tests and screenshots. */
  get screen(): Grid {
    return { ...this.#next, tables: { clusters: this.#interned.clusters, links: this.#interned.links.map((link) => link.address) } };
  }

  /** The tty has another size now; its content is not known. */
  resize(cols: number, rows: number): void {
    this.#next = createGrid(cols, rows);
    this.#shown = createGrid(cols, rows);
    this.#nextRows = rowBytes(this.#next);
    this.#shownRows = rowBytes(this.#shown);
    this.invalidate();
  }

  /** The outer terminal turned out to do more or less: all is painted again. */
  setAbilities(abilities: CompositorAbilities): void {
    if (JSON.stringify(abilities) === JSON.stringify(this.#can)) return;
    this.#can = abilities;
    this.invalidate();
  }

  /** Something else wrote to the tty: the next frame paints every cell. */
  invalidate(): void {
    this.#shown.cells.fill(UNKNOWN);
    this.#cursor = null;
    this.#cleared = false;
    this.#known = false;
  }

  /** The bytes (as a string) that make the tty show `layers`; '' when it does already. They are taken as written. */
  frame(layers: Layers): string {
    const all = { from: 0, to: this.rows };
    let rows = this.#known && layers.damage ? within(layers.damage, all) : all;
    this.#known = true;
    this.#compose(layers, rows);
    if (this.#interned.crowded && this.#framesSinceFresh >= FRESH_TABLES_EVERY) {
      this.#interned = createInterned();
      this.#framesSinceFresh = 0;
      this.#shown.cells.fill(UNKNOWN);
      rows = all;
      this.#compose(layers, rows);
    }
    this.#framesSinceFresh++;
    const cells = this.#difference(rows);
    const cursor = this.#cursorMove(layers.cursor, cells !== '');
    if (cells === '' && cursor === '') return '';
    if (this.#can.synchronized && cells !== '') return `\x1b[?2026h${cells}${cursor}\x1b[?2026l`;
    return cells + cursor;
  }

  #compose(layers: Layers, rows: RowSpan): void {
    const target = this.#next;
    const whole = { x: 0, y: 0, cols: target.cols, rows: target.rows };
    const chrome = layers.chrome ?? createGrid(0, 0);
    copyRect(target, chrome, whole, whole, 0, this.#interned, rows);
    for (const pane of layers.panes) copyRect(target, pane.grid, pane, pane, pane.id, this.#interned, rows);
    for (const overlay of layers.overlays) copyRect(target, overlay.grid, overlay, whole, 0, this.#interned, rows);
  }

  #difference(span: RowSpan): string {
    const { cols, rows, cells } = this.#next;
    const shown = this.#shown.cells;
    const emitter = new Emitter(cols, cells, shown, this.#interned, this.#can);
    if (!this.#cleared) {
      // One erasure is shorter than a screen of blanks, and leaves nothing of what was there.
      this.#cleared = true;
      emitter.out = '\x1b[m\x1b[2J';
      shown.set(createGrid(cols, rows).cells);
    }
    const changed = this.#changedRows(span);
    if (changed.length > 0) {
      const scroll = findScroll(cells, shown, cols, changed[0]!, changed.at(-1)!);
      if (scroll) emitter.scroll(scroll.top, scroll.bottom, scroll.by);
      for (const y of scroll ? this.#changedRows(span) : changed) emitter.row(y);
    }
    emitter.settle();
    if (emitter.out === '') return '';
    return this.#can.synchronized || this.#cursor?.visible === false || emitter.out.length < 64
      ? emitter.out
      : this.#hideFirst(emitter.out);
  }

  /** Rows whose cells are not what the tty shows, from the top. */
  #changedRows({ from, to }: RowSpan): number[] {
    const rows: number[] = [];
    for (let y = from; y < to; y++) if (!this.#nextRows[y]!.equals(this.#shownRows[y]!)) rows.push(y);
    return rows;
  }

  /** Without synchronized output a moving cursor would be seen. */
  #hideFirst(out: string): string {
    if (this.#cursor) this.#cursor = { ...this.#cursor, visible: false };
    return `\x1b[?25l${out}`;
  }

  /** Cursor last: place, shape and visibility as wanted. `moved`: cells were written since, so its place is not known. */
  #cursorMove(wanted: Cursor | null, moved: boolean): string {
    const old = this.#cursor;
    if (!wanted) {
      if (old && !old.visible && !moved) return '';
      this.#cursor = { x: -1, y: -1, visible: false, shape: old?.shape ?? 'block', blink: old?.blink ?? false };
      return old?.visible === false ? '' : '\x1b[?25l';
    }
    const x = Math.max(0, Math.min(this.cols - 1, wanted.x));
    const y = Math.max(0, Math.min(this.rows - 1, wanted.y));
    let out = moved || !old || old.x !== x || old.y !== y ? `\x1b[${y + 1};${x + 1}H` : '';
    if (!old || old.shape !== wanted.shape || old.blink !== wanted.blink) out += shapeSequence(wanted);
    if (!old || old.visible !== wanted.visible) out += wanted.visible ? '\x1b[?25h' : '\x1b[?25l';
    this.#cursor = { ...wanted, x, y };
    return out;
  }
}

/** DECSCUSR: 1-6, odd ones blink. */
function shapeSequence(cursor: Cursor): string {
  const shape = { block: 2, underline: 4, bar: 6 }[cursor.shape];
  return `\x1b[${cursor.blink ? shape - 1 : shape} q`;
}

function within({ from, to }: RowSpan, all: RowSpan): RowSpan {
  return { from: Math.max(from, all.from), to: Math.min(to, all.to) };
}

function rowBytes(grid: Grid): Buffer[] {
  const width = grid.cols * CELL_WORDS * 4;
  return Array.from({ length: grid.rows }, (_, y) => Buffer.from(grid.cells.buffer, y * width, width));
}
