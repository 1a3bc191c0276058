// One client's view of one terminal: when to send, what to send. The client gets the newest state, never a queue: while its socket is
// full or a synchronized update is open, frames are skipped. Holds two grids and what the client last got: bounded, however slow it is.
import { createGrid, type Grid } from '../../model/cell.ts';
import { soon } from '../../model/soon.ts';
import { EARLIER_SCREENS, pointAt, type TextRows } from '../../model/text-rows.ts';
import type { HeldText } from '../../terminal/held-text.ts';
import type { RowSpan } from '../../terminal/row-changes.ts';
import type { Screen } from '../../terminal/screen.ts';
import { ClientFrame } from '../../wire/client-frames.ts';
import { DiffEncoder } from '../../wire/diff-encoder.ts';
import type { TextPoint, ViewSpec } from '../../wire/requests.ts';
import type { ViewFacts } from '../../wire/screen-diff.ts';
import type { ClientLink } from '../clients.ts';
import type { OutputFlow } from '../output-flow.ts';
import { type Corner, changedPart, cropCorner, cropInto, type Part } from './crop.ts';
import { Pace } from './pace.ts';

/** ms after a key in which the first change is taken for its doing. */
const ANSWER_TIME = 500;
/** ms that an open synchronized update may hold frames back. */
const SYNC_CAP = 150;
/** ms between two looks at whether it is still open. */
const SYNC_LOOK = 16;
/** Clusters and links of a grid at which it is drawn anew with empty tables: old ones are never taken out. */
const TABLE_FULL = 4096;
const LINKS_FULL = 255;
/** Unsent bytes at which frames are skipped: some 20 dense frames. */
const SOCKET_FULL = 256 * 1024;

const MICE: Record<Screen['modes']['mouse'], ViewFacts['mouse']> = {
  none: 'none',
  x10: 'press',
  normal: 'press',
  drag: 'drag',
  any: 'any',
};

/** Where someone reads who has scrolled up. The place is the one they chose: what is drawn may begin a little before it. */
export interface Reader {
  at: TextPoint;
  /** Last line there was when they left the tail; null: not known yet. */
  seen: number | null;
}

/**
 * What was drawn. Cells [0, left) of each row are left out. `rows`: those that may differ from the last draw, undefined: all. `from`: where
 * a draw that shows the same begins, where that is not `top`.
 */
type Shown = Omit<ReturnType<Screen['draw']>, 'rows'> & { rows: RowSpan | undefined; left?: number; from?: TextPoint };

/** A terminal as far as a view needs it. */
export interface Shows {
  screen: Screen;
  /** Its program's output as it comes. */
  flow: OutputFlow;
}

export class View {
  spec: ViewSpec;
  readonly #client: ClientLink;
  readonly #screen: Screen;
  readonly #encoder = new DiffEncoder();
  #grid: Grid;
  #full: Grid | null = null;
  #corner: Corner | null = null;
  /** Where the person has scrolled to; null at the tail. */
  #reader: Reader | null = null;
  /** Where the tail was when the person began to mark text there. */
  #stood: Reader | null = null;
  /** What they read while the program may still change it. */
  #held: HeldText | null = null;
  /** `Screen.changes` up to which that is kept. */
  #heldAt = -1;
  /** The place that the last draw began at, if that was the tail. */
  #tail: Reader | null = null;
  #drawn = -1;
  /** Rows of the grid that the last draw wrote; undefined: all. */
  #rows: RowSpan | undefined;
  /** Which text the last draw showed. */
  #shown: TextRows = { top: { line: 0, col: 0 }, wraps: [], left: 0 };
  readonly #pace: Pace;
  #timer: NodeJS.Timeout | null = null;
  #soon = false;
  /** When the person typed here last, ms; long ago once its doing was seen. */
  #typedAt = Number.NEGATIVE_INFINITY;
  #heldSince: number | null = null;
  /** Something changed that `Screen.changes` does not count: size, place, focus. */
  #dirty = true;
  #closed = false;
  readonly #dueNow = () => this.#due();

  /** `reader`: where to begin; null: at the tail. */
  constructor(client: ClientLink, { screen, flow }: Shows, spec: ViewSpec, reader: Reader | null = null) {
    this.#client = client;
    this.#screen = screen;
    this.#pace = new Pace(flow);
    this.spec = spec;
    this.#reader = reader;
    this.#grid = createGrid(spec.cols, spec.rows);
  }

  get screen(): Screen {
    return this.#screen;
  }

  /** Where the person reads; null at the tail. */
  get reader(): Reader | null {
    return this.#reader;
  }

  /** Another size or focus. */
  respec(spec: ViewSpec): void {
    if (spec.cols !== this.spec.cols || spec.rows !== this.spec.rows) {
      this.#grid = createGrid(spec.cols, spec.rows);
      this.#corner = null;
    }
    if (spec.hold && !this.spec.hold) this.#holdOn();
    // Who has gone nowhere from the tail is back there.
    else if (!spec.hold && this.spec.hold && this.#reader === this.#stood) this.#read(null);
    this.spec = spec;
    this.refresh();
  }

  /** The person stays on what is shown now: a full-screen program's screen is kept among the earlier ones. */
  #holdOn(): void {
    if (this.#reader) return;
    const kept = this.#screen.keepScreen();
    // Not where the next frame begins: output may have come since the last.
    this.#stand(kept ? { at: kept, seen: null } : this.#tail);
  }

  #stand(reader: Reader | null): void {
    this.#stood = reader;
    this.#read(reader);
    this.#holdText();
  }

  #read(reader: Reader | null): void {
    this.#reader = reader;
    this.#held?.dispose();
    this.#held = null;
  }

  /** What is read stays as it is now, where the program may still change it. */
  #holdText(): void {
    if (!this.#reader || this.#held) return;
    this.#held = this.#screen.hold(this.#reader.at, Math.max(this.#screen.rows, this.spec.rows));
    this.#heldAt = this.#screen.changes;
  }

  /** The next frame holds everything: the client has lost what it had. */
  reset(): void {
    this.#encoder.reset();
    this.refresh();
  }

  refresh(): void {
    this.#dirty = true;
    this.poke();
  }

  /** Sends what it shows now, whatever the pace; the grid is this view's own. */
  show(): { grid: Grid; facts: ViewFacts } {
    const facts = this.#draw();
    this.#flush(facts);
    return { grid: this.#grid, facts };
  }

  /**
   * Scrolls to a place or the nearest there is (null: the tail, left out: where it is), from there by rows, up when negative; returns
   * where that is.
   */
  scroll(to: TextPoint | null | undefined, by: number): { atTail: boolean; newLines: number } {
    const before = this.#reader;
    // Who marks text goes on in what they saw; who only looks sees at each step what is there now.
    const held = this.spec.hold ? this.reading() : null;
    const screen = this.#screen;
    const from = to === undefined ? (before?.at ?? null) : to && screen.nearest(to);
    const at = by === 0 ? from : this.#isNarrow ? screen.scrolledNarrow(from, by, this.spec, held) : screen.scrolled(from, by, held);
    const seen = at && before && at.line < EARLIER_SCREENS === before.at.line < EARLIER_SCREENS ? before.seen : null;
    if (at && (held || this.#heldAt === screen.changes)) this.#reader = { at, seen };
    else this.#read(at && { at, seen });
    this.#dirty = true;
    const facts = this.#draw();
    this.#flush(facts);
    return { atTail: facts.atTail, newLines: facts.newLines };
  }

  /** The text that a person marks in as they see it, up to now; null where all of it is as they see it. */
  reading(): HeldText | null {
    if (this.spec.hold && this.#heldAt !== this.#screen.changes) {
      this.#held?.keep();
      this.#heldAt = this.#screen.changes;
    }
    return this.#held;
  }

  /** The cell of the program's screen that stands at a cell of the view; the nearest one where none does. */
  cellAt(x: number, y: number): { x: number; y: number } {
    if (!this.#isSmall) return { x, y };
    return this.#screen.cellOf(pointAt(this.#shown, x, y)) ?? { x: 0, y: this.#screen.rows - 1 };
  }

  /** A key was typed here: the next change is its echo and goes at once. */
  hurry(): void {
    this.#typedAt = performance.now();
    this.#pace.hurry(this.#typedAt);
  }

  /** The person pointed at something here: what comes of it goes at once, and need not be where they look. */
  point(): void {
    this.#pace.hurry(performance.now());
  }

  /** The screen may have changed: sends at once when the pace allows, else when it does. */
  poke(): void {
    if (this.#closed || this.#soon || (this.#timer && this.#pace.stands && this.#heldSince === null)) return;
    this.#clearTimer();
    if (this.#isEarly()) return;
    // All output that came in one read is one frame.
    this.#soon = true;
    soon(this.#dueNow);
  }

  close(): void {
    this.#closed = true;
    this.#held?.dispose();
    this.#clearTimer();
  }

  #clearTimer(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #due(): void {
    this.#clearTimer();
    this.#soon = false;
    if (this.#closed || this.#isEarly()) return;
    this.#pace.rest();
    if (!this.#dirty && this.#screen.changes === this.#drawn) return;
    // The client's drain pokes again.
    if (this.#client.connection.queued > SOCKET_FULL) return;
    if (this.#waits()) return;
    this.#flush(this.#draw());
  }

  /** The pace allows no frame yet: it comes when that does. */
  #isEarly(): boolean {
    const wait = this.#pace.wait(this.spec.focused, this.#dirty, performance.now());
    if (wait > 0) this.#timer = setTimeout(() => this.#whenRead(), wait);
    return wait > 0;
  }

  /** What has come meanwhile is read first: timers are before it in a turn of the loop. */
  #whenRead(): void {
    this.#clearTimer();
    this.#soon = true;
    setImmediate(() => this.#due());
  }

  /** An open synchronized update holds the frame back, for SYNC_CAP at most. */
  #waits(): boolean {
    if (!this.#screen.synchronized || this.#dirty) {
      this.#heldSince = null;
      return false;
    }
    const now = performance.now();
    this.#heldSince ??= now;
    const left = this.#heldSince + SYNC_CAP - now;
    if (left <= 0) return false;
    this.#timer = setTimeout(this.#dueNow, Math.min(left, SYNC_LOOK));
    return true;
  }

  #draw(): ViewFacts {
    this.#pace.begin(performance.now());
    const screen = this.#screen;
    const { modes } = screen;
    this.#holdText();
    const drawn = this.#drawAt(this.#reader?.at ?? null);
    const { cursor, top, wraps, left = 0, first, last, atTail } = drawn;
    this.#drawn = screen.changes;
    this.#dirty = false;
    this.#rows = drawn.rows;
    this.#shown = { top, wraps, left };
    this.#tail = atTail ? { at: drawn.from ?? top, seen: last } : null;
    if (!atTail && this.#reader) this.#reader.seen ??= last;
    else if (atTail && this.spec.hold) this.#stand(this.#tail);
    else if (atTail) this.#read(null);
    // Property by property: made at every key, and spread out it would cost more than the cells.
    return {
      cursor,
      top,
      wraps,
      left,
      first,
      last,
      atTail,
      newLines: Math.max(0, last - (this.#reader?.seen ?? last)),
      mouse: MICE[modes.mouse],
      wheel: screen.wheelGoesTo === 'program' ? 'program' : 'scroll',
      kitty: modes.kittyFlags,
    };
  }

  #drawAt(at: TextPoint | null): Shown {
    const narrow = this.#isNarrow ? this.#drawNarrow(at) : null;
    return narrow ?? (this.#isSmall ? this.#drawCropped(at) : this.#drawWhole(at));
  }

  get #isNarrow(): boolean {
    return this.#grid.cols < this.#screen.cols;
  }

  get #isSmall(): boolean {
    return this.#isNarrow || this.#grid.rows < this.#screen.rows;
  }

  #drawNarrow(at: TextPoint | null): Shown | null {
    if (isFull(this.#grid)) this.#grid = createGrid(this.#grid.cols, this.#grid.rows);
    return this.#screen.drawNarrow(this.#grid, at, this.#held);
  }

  /** The whole screen fits: rows that have not changed since the last draw stay. */
  #drawWhole(at: TextPoint | null): Shown {
    if (isFull(this.#grid)) {
      this.#grid = createGrid(this.#grid.cols, this.#grid.rows);
      this.#dirty = true;
    }
    return this.#screen.draw(this.#grid, at, this.#dirty ? -1 : this.#drawn, this.#held);
  }

  #drawCropped(at: TextPoint | null): Shown {
    const { cols, rows } = this.#screen;
    const known = this.#full?.cols === cols && this.#full.rows === rows && !isFull(this.#full) ? this.#full : null;
    const full = known ?? createGrid(cols, rows);
    const before = known && performance.now() < this.#typedAt + ANSWER_TIME ? known.cells.slice() : null;
    const drawn = this.#screen.draw(full, at, -1, this.#held);
    const changed: Part | null = before && drawn.atTail ? changedPart(before, full.cells, cols) : null;
    if (changed) this.#typedAt = Number.NEGATIVE_INFINITY;
    this.#full = full;
    const grid = this.#grid;
    const view = { cols: Math.min(grid.cols, cols), rows: Math.min(grid.rows, rows) };
    // Who reads further up keeps the part they had before them.
    const kept = at && !drawn.atTail ? this.#corner : null;
    const corner = kept ?? cropCorner({ cols, rows }, view, drawn.cursor, this.#corner, changed);
    if (this.#corner?.x !== corner.x || this.#corner.y !== corner.y || grid.cols > cols || grid.rows > rows)
      this.#grid = createGrid(grid.cols, grid.rows);
    this.#corner = corner;
    cropInto(full, this.#grid, corner);
    const cursor = { ...drawn.cursor, x: drawn.cursor.x - corner.x, y: drawn.cursor.y - corner.y };
    if (cursor.x < 0 || cursor.y < 0 || cursor.x >= grid.cols || cursor.y >= grid.rows) {
      Object.assign(cursor, { x: 0, y: 0, visible: false });
    }
    const top = pointAt({ ...drawn, left: 0 }, 0, corner.y);
    const wraps = drawn.wraps.filter(({ y }) => y > corner.y).map(({ y, col }) => ({ y: y - corner.y, col }));
    return { ...drawn, cursor, top, wraps, left: corner.x, rows: undefined, from: drawn.top };
  }

  #flush(facts: ViewFacts): void {
    this.#heldSince = null;
    const payload = this.#encoder.encode(this.#grid, facts, this.#rows);
    this.#pace.sent(payload?.length ?? 0, performance.now());
    if (payload) this.#client.connection.send(ClientFrame.screen, this.spec.view, payload);
  }
}

/** So many clusters and links of old that the grid is better drawn anew. */
function isFull({ tables }: Grid): boolean {
  return tables.clusters.length > TABLE_FULL || tables.links.length > LINKS_FULL;
}
