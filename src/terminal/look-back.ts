// Looking back in one terminal: its text (history and live rows) and the earlier screens of alternate-screen programs as two stretches
// of lines, drawn, read and scrolled in by places. Rows that leave the live rows go into the history here and nowhere else.
import type { Cursor, Grid, TextPoint } from '../model/cell.ts';
import { EARLIER_SCREENS, type RowWrap } from '../model/text-rows.ts';
import { blankFrom, drawLine } from './draw.ts';
import { EarlierScreens } from './earlier-screens.ts';
import { HeldText } from './held-text.ts';
import { History, type HistoryMark } from './history.ts';
import type { HistoryFolder } from './history-blocks.ts';
import { HistoryPages, type PlacedRow } from './history-pages.ts';
import { type Leave, resizeEmulator, watchScroll } from './leaving-rows.ts';
import type { LinkTable } from './links.ts';
import type { Looks } from './looks.ts';
import { trimmedCells } from './pack-row.ts';
import { drawNarrow, holding, type NarrowRow, Rewrap } from './rewrap.ts';
import type { RowSpan } from './row-changes.ts';
import { startAnew } from './skim-state.ts';
import { type LineRun, TextSpace } from './text-space.ts';
import type { Emulator, XBuffer } from './xterm.ts';

/** Where a screen's history is kept. */
export interface HistoryPlace {
  folder: HistoryFolder;
  /** The terminal's number: its files' names begin with it. */
  stream: string;
}

interface GridSize {
  cols: number;
  rows: number;
}

/** What a draw shows besides the cells. */
export interface Drawn {
  cursor: Cursor;
  /** Text at the first cell. */
  top: TextPoint;
  /** Rows that continue the line of the row above. */
  wraps: RowWrap[];
  /** Oldest line to scroll to, and the line of the last row of the tail. */
  first: number;
  last: number;
  atTail: boolean;
  /** Rows of the grid that were drawn; the others are as they were. */
  rows: RowSpan;
}

/** Rows kept above the cursor where a narrow view cannot show it and the end. */
const CURSOR_MARGIN = 2;

export class LookBack {
  readonly #emulator: Emulator;
  readonly #links: LinkTable;
  readonly #looks: Looks;
  readonly #history: History;
  readonly #earlier: EarlierScreens;
  readonly #pages: [HistoryPages, HistoryPages];
  readonly #text: TextSpace;
  readonly #screens: TextSpace;
  readonly #narrow: Rewrap;
  /** Live rows that have left already although they stand there still. */
  #left = 0;
  readonly #leave: Leave = (row, next) => {
    if (this.#left > 0) this.#left--;
    else this.#history.row(row, next, this.#emulator.core.cols);
  };

  constructor(emulator: Emulator, links: LinkTable, looks: Looks, place: HistoryPlace | undefined) {
    this.#emulator = emulator;
    this.#links = links;
    this.#looks = looks;
    const { core } = emulator;
    const folder = place?.folder ?? null;
    this.#history = new History(folder, place?.stream ?? '', links, looks);
    this.#earlier = new EarlierScreens(folder, `${place?.stream ?? ''}e`, links, looks);
    this.#pages = [new HistoryPages(this.#history, links), new HistoryPages(this.#earlier.history, links)];
    const cols = () => core.cols;
    this.#text = new TextSpace({ history: this.#history, pages: this.#pages[0], links, looks, buffer: () => core.buffers.normal, cols });
    this.#screens = new TextSpace({
      ...{ history: this.#earlier.history, pages: this.#pages[1], links, looks, cols },
      buffer: () => (this.#alternate ? core.buffers.alt : null),
    });
    this.#narrow = new Rewrap(this.#text, cols);
    watchScroll(core, this.#leave);
  }

  /** Output must wait until `drained`. */
  get full(): boolean {
    return this.#history.full;
  }

  drained(): Promise<void> {
    return this.#history.drained();
  }

  /** Resolves when all rows that have left are in their files. */
  async flush(): Promise<void> {
    await Promise.all([this.#history.flush(), this.#earlier.history.flush()]);
  }

  get mark(): HistoryMark {
    return this.#history.mark();
  }

  /** Goes back to where the history was at a checkpoint; undefined: no checkpoint, nothing has been kept; null: keep what there is. */
  rewind(mark: HistoryMark | null | undefined): void {
    if (mark === null) this.#history.resume();
    else this.#history.rewind(mark ?? null);
    this.#earlier.history.resume();
  }

  /**
   * A flood: the live rows down to the one above the cursor leave, lines that were packed already follow them, and behind those `put` fills
   * all live rows anew. Where it can it scrolls the old ones away: a row made anew costs more than all else about it.
   */
  flooded(packed: Uint8Array, ends: Uint32Array, put: () => void): void {
    const { core } = this.#emulator;
    const { lines } = core.buffers.normal;
    for (let i = 0; i < lines.length - 1; i++) this.#leave(lines.get(i)!, lines.get(i + 1));
    this.#history.take(packed, ends);
    if (lines.isFull) this.#left = lines.length - 1;
    else startAnew(core);
    try {
      put();
    } finally {
      this.#left = 0;
    }
  }

  /** What the screen shows at `now` has stood still and may be kept when output comes. */
  rested(now: number): boolean {
    return this.#earlier.rested(now);
  }

  /** Output has come, at `now` (ms of any clock), before which the screen is as it was. */
  before(now: number): void {
    this.#earlier.before(this.#alternate ? this.#emulator.core.buffers.alt : null, this.#emulator.core.cols, now);
  }

  /** Keeps the screen of a full-screen program as it is now; the place of its first cell, null where there is none to keep. */
  keepScreen(): TextPoint | null {
    const { cols, buffers } = this.#emulator.core;
    const line = this.#alternate ? this.#earlier.keep(buffers.alt, cols) : null;
    return line === null ? null : { line: EARLIER_SCREENS + line, col: 0 };
  }

  /**
   * The text around a view of `rows` rows at a place, held as it is now: nothing that the program writes over it is seen there. Null when
   * the view shows only what cannot change any more.
   */
  hold(at: TextPoint, rows: number): HeldText | null {
    const { space, base, place } = this.#of(at);
    const { lines, open } = space.history;
    const shown = space.rows(place!, rows) ?? [];
    const settled = open > 0 ? lines - 1 : lines;
    if (shown.every(({ line }) => line < settled)) return null;
    return new HeldText({ text: space, base, links: this.#links, looks: this.#looks, cols: () => this.#emulator.core.cols });
  }

  /** The program erases what has scrolled off (ED 3). */
  erased(): void {
    const { active, normal } = this.#emulator.core.buffers;
    if (active === normal) this.#retire(normal.ybase);
  }

  /** The terminal is reset: screen and all that has scrolled off are gone for the program. */
  reset(): void {
    this.#retire(this.#written());
  }

  resize(cols: number, rows: number): void {
    resizeEmulator(this.#emulator, cols, rows, this.#leave);
  }

  /**
   * Draws the tail (null) or the rows from a place on, of `held` where that is given; a place whose text is gone draws the tail. `cursor`
   * is the live one, `changed` the rows to draw, the others being in the grid already.
   */
  draw(into: Grid, at: TextPoint | null, held: HeldText | null, cursor: Cursor, changed: RowSpan): Drawn {
    const { space, base, place } = this.#of(at, held);
    const top = place && space.move(place, 0);
    if (!top) return this.#drawTail(into, cursor, changed);
    const rows = space.rows(top, into.rows) ?? [];
    const buffer = base === this.#activeBase ? this.#buffer : null;
    const y = buffer ? rows.findIndex(({ row }) => row === buffer.lines.get(buffer.ybase + cursor.y)) : -1;
    const shown = y < 0 ? { ...cursor, x: 0, y: 0, visible: false } : { ...cursor, y };
    const filled = this.#fill(into, rows, base, changed);
    return { ...filled, cursor: shown, first: base + space.floor(top), last: base + this.#of(at).space.last, atTail: false };
  }

  /**
   * Draws text into a grid narrower than the terminal, wrapped at its width; at the tail down to the last row with text or the cursor. Null
   * for the screens of full-screen programs, which are as wide as they are.
   */
  drawNarrow(into: Grid, at: TextPoint | null, held: HeldText | null, cursor: Cursor): Drawn | null {
    const { space, base, place } = this.#of(at, held);
    if (base !== 0) return null;
    const tail = this.#narrowTail(into, cursor);
    const narrow = held ? held.narrow : this.#narrow;
    const scrolled = place && (held || isBefore(place, tail.rows[0])) ? narrow.rows(place, into.cols, into.rows) : [];
    const atTail = scrolled.length === 0;
    // The tail of the text is not what a full-screen program shows.
    if (atTail && this.#alternate) return null;
    const rows = atTail ? tail.rows : scrolled;
    drawNarrow(rows, into, this.#emulator.core.cols, this.#links);
    const { line, col } = rows[0] ?? { line: 0, col: 0 };
    const wraps = rows.flatMap((row, y) => (y > 0 && row.line === rows[y - 1]!.line ? [{ y, col: row.col }] : []));
    return {
      ...{ top: { line, col }, wraps, first: space.floor(atTail ? null : place), last: this.#text.last, atTail },
      cursor: narrowCursor(rows, tail.cursor, cursor, into),
      rows: { from: 0, to: into.rows },
    };
  }

  /** As `move`, for a view narrower than the terminal. */
  moveNarrow(at: TextPoint | null, held: HeldText | null, by: number, view: GridSize, cursor: Cursor): TextPoint | null {
    const { base, place } = this.#of(at);
    if (base !== 0) return this.move(at, held, by);
    if (place && held) {
      const last = held.narrow.move(held.end, view.cols, 1 - view.rows);
      const to = held.narrow.move(place, view.cols, by);
      return isBefore(to, last) ? to : last;
    }
    const tail = this.#narrowTail(view, cursor).rows[0];
    const from = place ?? tail;
    const to = from ? this.#narrow.move(from, view.cols, by) : null;
    return to && isBefore(to, tail) ? to : null;
  }

  /** The cell of the screen that shows a place; null when none does. */
  cellOf(at: TextPoint): { x: number; y: number } | null {
    const { space, base, place } = this.#of(at);
    return base === this.#activeBase ? space.cellOf(place!, this.#buffer.ybase) : null;
  }

  /**
   * The place a view at `at` (null: tail) shows when it has been scrolled by rows (negative: up); null: the tail. Text that is held ends
   * where a screen of it does.
   */
  move(at: TextPoint | null, held: HeldText | null, by: number): TextPoint | null {
    const { space, base, place } = this.#of(at, held);
    const moved = space.move(place, by);
    const last = held && space === held.space ? space.move(held.end, 1 - this.#emulator.core.rows) : null;
    const to = last && !isBefore(moved, last) ? last : moved;
    return to && { line: base + to.line, col: to.col };
  }

  /** The nearest place to scroll to. */
  clamp(at: TextPoint): TextPoint {
    const { space, base, place } = this.#of(at);
    const { line, col } = space.clamp(place!);
    return { line: base + line, col };
  }

  /** Line numbers of the text since it was last erased, and of the earlier screens: [from, to). Empty ranges have equal ends. */
  ranges(held: HeldText | null): { text: [number, number]; screens: [number, number] } {
    const text = held?.base === 0 ? held.space : this.#text;
    const earlier = held?.base === EARLIER_SCREENS ? held.space : this.#screens;
    const screens = this.#alternate || earlier.history.lines > 0 ? earlier.last + 1 : 0;
    return {
      text: [text.history.since, text.last + 1],
      screens: [EARLIER_SCREENS + earlier.history.first, EARLIER_SCREENS + screens],
    };
  }

  /** Lines from a line on, as many as there are. */
  read(from: number, count: number): LineRun {
    const { space, base, place } = this.#of({ line: from, col: 0 });
    const { first, lines } = space.read(place!.line, count);
    return { first: base + first, lines };
  }

  /** All lines of a stretch from a line on, in pieces. */
  async *scan(from: number, held: HeldText | null): AsyncGenerator<LineRun> {
    const { space, base, place } = this.#of({ line: from, col: 0 }, held);
    for await (const { first, lines } of space.scan(place!.line)) yield { first: base + first, lines };
  }

  async remove(): Promise<void> {
    await Promise.all([this.#history.remove(), this.#earlier.history.remove()]);
  }

  dispose(): void {
    for (const pages of this.#pages) pages.dispose();
  }

  get #alternate(): boolean {
    const { buffers } = this.#emulator.core;
    return buffers.active === buffers.alt;
  }

  get #buffer(): XBuffer {
    return this.#emulator.core.buffers.active;
  }

  get #activeBase(): number {
    return this.#alternate ? EARLIER_SCREENS : 0;
  }

  /** The stretch that a place is in, and the place in it; the active one for the tail. `held` stands for the stretch it is of. */
  #of(at: TextPoint | null, held: HeldText | null = null): { space: TextSpace; base: number; place: TextPoint | null } {
    const base = at ? (at.line >= EARLIER_SCREENS ? EARLIER_SCREENS : 0) : this.#activeBase;
    const live = base === 0 ? this.#text : this.#screens;
    return { space: at && held?.base === base ? held.space : live, base, place: at && { line: at.line - base, col: at.col } };
  }

  #drawTail(into: Grid, cursor: Cursor, changed: RowSpan): Drawn {
    const { space, base } = this.#of(null);
    const { rows } = this.#emulator.core;
    const filled = this.#fill(into, space.liveRows(this.#buffer.ybase, rows), base, changed);
    return { ...filled, cursor, first: base + space.floor(null), atTail: true };
  }

  /** The end of the text as a narrow view shows it, and the place of the cursor. */
  #narrowTail({ cols, rows }: GridSize, { visible }: Cursor): { rows: NarrowRow[]; cursor: TextPoint } {
    const { core } = this.#emulator;
    const { ybase, x, y } = core.buffers.normal;
    const row = this.#text.liveStart(ybase + y);
    const cursor = { line: row.line, col: row.col + Math.min(x, core.cols - 1) };
    const { line: first } = this.#text.liveStart(ybase);
    const end = Math.max(cursor.line, this.#text.liveStart(Math.max(ybase, this.#written() - 1)).line);
    // As many as the screen's rows can become.
    const all = this.#narrow.rows({ line: first, col: 0 }, cols, core.rows * Math.ceil(core.cols / cols) + rows);
    const shown = all.filter(({ line }) => line <= end);
    const at = holding(shown, cursor);
    const from = Math.min(Math.max(0, shown.length - rows), visible ? Math.max(0, at - CURSOR_MARGIN) : shown.length);
    return { rows: shown.slice(from, from + rows), cursor };
  }

  #fill(into: Grid, rows: PlacedRow[], base: number, changed: RowSpan): Pick<Drawn, 'top' | 'wraps' | 'last' | 'rows'> {
    const wraps: RowWrap[] = [];
    for (let y = 0; y < into.rows; y++) {
      const placed = rows[y];
      if (y >= changed.from && y < changed.to) {
        if (placed) drawLine(placed.row, into, y, this.#links);
        else blankFrom(into, y, 0);
      }
      if (placed && placed.line === rows[y - 1]?.line) wraps.push({ y, col: placed.col });
    }
    const { line = 0, col = 0 } = rows[0] ?? {};
    return { top: { line: base + line, col }, wraps, last: base + (rows.at(-1)?.line ?? 0), rows: changed };
  }

  /** Rows of the normal screen down to the last with text on it, scrollback included. */
  #written(): number {
    const { normal } = this.#emulator.core.buffers;
    let count = normal.lines.length;
    while (count > 0 && trimmedCells(normal.lines.get(count - 1)!, this.#emulator.core.cols) === 0) count--;
    return count;
  }

  #retire(count: number): void {
    const { lines } = this.#emulator.core.buffers.normal;
    for (let i = 0; i < count; i++) this.#leave(lines.get(i)!, i + 1 < lines.length ? lines.get(i + 1) : undefined);
    this.#history.endEpoch();
  }
}

/** False when either is nowhere. */
function isBefore(a: TextPoint | null, b: TextPoint | null | undefined): boolean {
  return !!a && !!b && (a.line < b.line || (a.line === b.line && a.col < b.col));
}

/** The cursor where a narrow view shows its place; hidden where it does not. */
function narrowCursor(rows: readonly NarrowRow[], at: TextPoint, cursor: Cursor, { cols }: Grid): Cursor {
  const y = holding(rows, at);
  const row = rows[y];
  if (!row || row.line !== at.line || row.col > at.col) return { ...cursor, x: 0, y: 0, visible: false };
  return { ...cursor, x: Math.min(cols - 1, at.col - row.col), y };
}
