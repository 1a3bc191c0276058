// The cells of one view as they cross the socket: what changed since the grid that this client last got, packed. The encoder keeps that
// grid, so a slow client skips frames by itself; the decoder trusts no byte and never writes outside its grid.
import {
  CELL_WORDS,
  CLUSTER,
  CODE_MASK,
  type Cursor,
  type CursorShape,
  createGrid,
  type Grid,
  LINK_SHIFT,
  WIDTH_SHIFT,
} from '../model/cell.ts';
import type { RowWrap } from '../model/text-rows.ts';
import { FrameError } from './frame.ts';
import type { TextPoint } from './requests.ts';
import { ByteReader, ByteWriter } from './varint.ts';

/** What stands beside the cells of a view. */
export interface ViewFacts {
  cursor: Cursor;
  /** Text at the first cell of the first row. */
  top: TextPoint;
  /** Rows that continue the line of the row above; see `model/text-rows`. */
  wraps: readonly RowWrap[];
  /** Cells left out at the start of each row. */
  left: number;
  /** Oldest line there is to scroll to, and the line of the last row of the tail. */
  first: number;
  last: number;
  atTail: boolean;
  /** Lines that have arrived since this view was scrolled up. */
  newLines: number;
  /** Mouse events the program asked for: presses (1000), also moves with a button held (1002), all moves (1003). */
  mouse: 'none' | 'press' | 'drag' | 'any';
  /** The wheel belongs to the program (it asked for the mouse, or it is on the alternate screen); else it scrolls the view. */
  wheel: 'program' | 'scroll';
  /** Kitty keyboard flags the program asked for; the client asks as much of the outer terminal while the view has the focus. */
  kitty?: number;
}

/** Largest view, cells a side; the same floor and ceiling as for terminals. */
export const MAX_VIEW_SIDE = 1000;
/** Clusters a view's table may hold before it is started anew with a full frame; a screen of 1000 different clusters is no text. */
const MAX_CLUSTERS = 4096;
/** UTF-16 units of one cluster; the screen caps combining marks far below. */
const MAX_CLUSTER_LENGTH = 256;
/** Link slots are one byte, slot 0 is none. */
const MAX_LINKS = 255;
/** UTF-16 units of a link's address; the same cap as Ghostty's. */
const MAX_LINK_LENGTH = 4096;

const SHAPES: CursorShape[] = ['block', 'underline', 'bar'];
const MICE: ViewFacts['mouse'][] = ['none', 'press', 'drag', 'any'];

// Flags of a frame's first byte.
const FULL = 1;
const AT_TAIL = 2;
const CURSOR_VISIBLE = 4;
const CURSOR_BLINK = 8;
const WHEEL_PROGRAM = 16;

// Operations on cells: the low three bits say what, the others carry a small count (1-30; 0: a varint follows).
const OP_SKIP = 0;
const OP_TEXT = 1;
const OP_REPEAT = 2;
/** The upper bits say which of words 1, 2, 3 and the link slot follow. */
const OP_LOOK = 3;

// Codes in OP_TEXT: a byte below 0x80 is an ASCII cell of width 1.
const CODE_SPACER = 0xc0;
const CODE_SHORT = 0x90;
const CODE_LONG = 0x80;

const CELL_KEEP = CODE_MASK | CLUSTER | (3 << WIDTH_SHIFT);
/** Words copied one by one: views for `set` cost as much as some hundred. */
const FEW_WORDS = 2048;
/** Same cells in a row worth an OP_REPEAT. */
const REPEAT_MIN = 4;

/** The server's side of one client's view. */
export class DiffEncoder {
  #cols = 0;
  #rows = 0;
  #generation = 0;
  #full = true;
  /** The cells the client has, in the numbering of this view's tables. */
  #sent: Uint32Array = new Uint32Array(0);
  #next: Uint32Array = new Uint32Array(0);
  #clusters = new Map<string, number>();
  #links = new Map<string, number>();
  #newClusters: string[] = [];
  #newLinks: string[] = [];
  /** The facts the client has, as they were written. */
  #facts: Uint8Array = new Uint8Array(0);

  /** The next frame is a full one: the client has lost what it had. */
  reset(): void {
    this.#full = true;
  }

  /**
   * What the client lacks to show `grid` with `facts`, as a frame's payload; null when it lacks nothing. `rows`: only these may differ
   * from the last grid that was encoded.
   */
  encode(grid: Grid, facts: ViewFacts, rows: { from: number; to: number } = { from: 0, to: grid.rows }): Buffer | null {
    let span = rows;
    if (this.#full || grid.cols !== this.#cols || grid.rows !== this.#rows || this.#clusters.size > MAX_CLUSTERS) this.#begin(grid);
    if (this.#full) span = { from: 0, to: grid.rows };
    if (!this.#number(grid, span)) {
      // The tables ran over: number what is on the screen now from the start.
      this.#begin(grid);
      span = { from: 0, to: grid.rows };
      this.#number(grid, span);
    }
    const out = new ByteWriter();
    this.#header(out, facts);
    const told = out.copy();
    told[0]! &= ~FULL;
    this.#tables(out);
    const changed = this.#cells(out, span);
    if (!changed && !this.#full && told.equals(this.#facts)) return null;
    this.#facts = told;
    this.#full = false;
    return out.bytes();
  }

  #begin(grid: Grid): void {
    this.#cols = grid.cols;
    this.#rows = grid.rows;
    this.#generation = (this.#generation + 1) >>> 0;
    this.#full = true;
    this.#sent = createGrid(grid.cols, grid.rows).cells;
    this.#next = new Uint32Array(this.#sent.length);
    this.#clusters.clear();
    this.#links.clear();
  }

  /** Copies the grid with clusters and links in the view's own numbers. False when a table ran over in a frame that is not full. */
  #number(grid: Grid, { from, to }: { from: number; to: number }): boolean {
    const next = this.#next;
    const end = to * grid.cols * CELL_WORDS;
    const start = Math.min(from * grid.cols * CELL_WORDS, end);
    copyWords(next, grid.cells, start, end);
    this.#newClusters = [];
    this.#newLinks = [];
    for (let i = start; i < end; i += CELL_WORDS) {
      const word = next[i]!;
      if ((word & CLUSTER) === 0 && word >>> LINK_SHIFT === 0) continue;
      const code = word & CLUSTER ? this.#cluster(grid.tables.clusters[word & CODE_MASK]) : word & CODE_MASK;
      const link = word >>> LINK_SHIFT ? this.#link(grid.tables.links[word >>> LINK_SHIFT]) : 0;
      if (code < 0 || link < 0) return false;
      next[i] = ((link << LINK_SHIFT) | (word & CELL_KEEP & ~CODE_MASK) | code) >>> 0;
    }
    return true;
  }

  #cluster(text = ' '): number {
    const known = this.#clusters.get(text);
    if (known !== undefined) return known;
    const slot = this.#clusters.size;
    this.#clusters.set(text, slot);
    this.#newClusters.push(text.slice(0, MAX_CLUSTER_LENGTH));
    return slot;
  }

  #link(address = ''): number {
    if (address === '' || address.length > MAX_LINK_LENGTH) return 0;
    const known = this.#links.get(address);
    if (known !== undefined) return known;
    if (this.#links.size >= MAX_LINKS) return this.#full ? 0 : -1;
    const slot = this.#links.size + 1;
    this.#links.set(address, slot);
    this.#newLinks.push(address);
    return slot;
  }

  #header(out: ByteWriter, facts: ViewFacts): void {
    const { cursor } = facts;
    out.byte(
      (this.#full ? FULL : 0) |
        (facts.atTail ? AT_TAIL : 0) |
        (cursor.visible ? CURSOR_VISIBLE : 0) |
        (cursor.blink ? CURSOR_BLINK : 0) |
        (facts.wheel === 'program' ? WHEEL_PROGRAM : 0),
    );
    out.byte(SHAPES.indexOf(cursor.shape) | (MICE.indexOf(facts.mouse) << 2));
    out.varint(this.#generation);
    out.varint(this.#cols);
    out.varint(this.#rows);
    out.varint(cursor.x);
    out.varint(cursor.y);
    out.varint(facts.top.line);
    out.varint(facts.top.col);
    out.varint(facts.newLines);
    out.varint(facts.kitty ?? 0);
    out.varint(facts.left);
    out.varint(facts.first);
    out.varint(facts.last);
    out.varint(facts.wraps.length);
    for (const { y, col } of facts.wraps) {
      out.varint(y);
      out.varint(col);
    }
  }

  #tables(out: ByteWriter): void {
    for (const table of [this.#newClusters, this.#newLinks]) {
      out.varint(table.length);
      for (const text of table) out.text(text);
    }
  }

  /** Writes the cells that differ from what was sent and takes them as sent. False when none differ. */
  #cells(out: ByteWriter, { from, to }: { from: number; to: number }): boolean {
    const next = this.#next;
    const sent = this.#sent;
    const look = [0, 0, 0, 0];
    let done = 0;
    const end = to * this.#cols * CELL_WORDS;
    for (let i = from * this.#cols * CELL_WORDS; i < end; ) {
      if (same(next, sent, i)) {
        i += CELL_WORDS;
        continue;
      }
      // A stretch of changed cells with one look; equal cells end it, so that the client's untouched cells cost nothing.
      let stop = i + CELL_WORDS;
      while (stop < end && !same(next, sent, stop) && sameLook(next, i, stop)) stop += CELL_WORDS;
      if (i > done) op(out, OP_SKIP, (i - done) / CELL_WORDS);
      writeLook(out, next, i, look);
      writeCodes(out, next, i, stop);
      copyWords(sent, next, i, stop);
      done = stop;
      i = stop;
    }
    return done > 0;
  }
}

/** The client's side of one view: holds the grid that the frames build up. */
export class DiffDecoder {
  /** Null before the first frame; another object after every full frame. */
  grid: Grid | null = null;
  facts: ViewFacts | null = null;
  /** Rows [from, to) that the last frame wrote into. */
  rows: { from: number; to: number } = { from: 0, to: 0 };
  #generation = -1;

  /** Applies a frame's payload. Throws FrameError on anything an encoder would not write; the view is then to be thrown away. */
  apply(payload: Uint8Array): { full: boolean } {
    const reader = new ByteReader(payload);
    const flags = reader.byte();
    const looks = reader.byte();
    const generation = reader.varint();
    const cols = reader.varint();
    const rows = reader.varint();
    const x = reader.varint();
    const y = reader.varint();
    const top = { line: reader.varint(), col: reader.varint() };
    const newLines = reader.varint();
    const kitty = reader.varint() & 31;
    const left = reader.varint();
    const first = reader.varint();
    const last = reader.varint();
    const wraps = readWraps(reader, rows);
    const full = (flags & FULL) !== 0;
    const grid = full ? emptyGrid(cols, rows) : this.grid;
    if (!grid || grid.cols !== cols || grid.rows !== rows) throw new FrameError('a screen diff for a grid of another size');
    if (!full && generation !== this.#generation) throw new FrameError('a screen diff for another generation');
    const shape = SHAPES[looks & 3];
    const mouse = MICE[looks >> 2];
    if (!shape || !mouse || x >= cols || y >= rows) throw new FrameError('a screen diff with an impossible cursor or mouse');
    readTable(reader, grid.tables.clusters, MAX_CLUSTERS + cols * rows, MAX_CLUSTER_LENGTH);
    readTable(reader, grid.tables.links, MAX_LINKS + 1, MAX_LINK_LENGTH);
    const written = readCells(reader, grid);
    const width = grid.cols * CELL_WORDS;
    this.rows = full ? { from: 0, to: rows } : { from: Math.floor(written.from / width), to: Math.ceil(written.to / width) };
    this.grid = grid;
    this.#generation = generation;
    this.facts = {
      cursor: { x, y, visible: (flags & CURSOR_VISIBLE) !== 0, shape, blink: (flags & CURSOR_BLINK) !== 0 },
      top,
      wraps,
      left,
      first,
      last,
      atTail: (flags & AT_TAIL) !== 0,
      newLines,
      mouse,
      wheel: flags & WHEEL_PROGRAM ? 'program' : 'scroll',
      kitty,
    };
    return { full };
  }
}

function readWraps(reader: ByteReader, rows: number): RowWrap[] {
  const count = reader.varint();
  if (count > rows) throw new FrameError('more rows that continue a line than rows');
  const wraps: RowWrap[] = [];
  for (let i = 0; i < count; i++) wraps.push({ y: reader.varint(), col: reader.varint() });
  return wraps;
}

function emptyGrid(cols: number, rows: number): Grid {
  if (cols < 1 || rows < 1 || cols > MAX_VIEW_SIDE || rows > MAX_VIEW_SIDE) throw new FrameError(`a screen of ${cols}x${rows} cells`);
  return createGrid(cols, rows);
}

function same(a: Uint32Array, b: Uint32Array, i: number): boolean {
  return a[i] === b[i] && a[i + 1] === b[i + 1] && a[i + 2] === b[i + 2] && a[i + 3] === b[i + 3];
}

function sameLook(cells: Uint32Array, a: number, b: number): boolean {
  return (
    cells[a + 1] === cells[b + 1] &&
    cells[a + 2] === cells[b + 2] &&
    cells[a + 3] === cells[b + 3] &&
    cells[a]! >>> LINK_SHIFT === cells[b]! >>> LINK_SHIFT
  );
}

function op(out: ByteWriter, kind: number, count: number): void {
  if (count <= 30) out.byte((count << 3) | kind);
  else {
    out.byte(kind);
    out.varint(count);
  }
}

/** Tells the parts of the look at `i` that differ from `look`, and keeps it there. */
function writeLook(out: ByteWriter, cells: Uint32Array, i: number, look: number[]): void {
  const link = cells[i]! >>> LINK_SHIFT;
  let mask = link === look[3] ? 0 : 8;
  for (let k = 0; k < 3; k++) if (cells[i + 1 + k] !== look[k]) mask |= 1 << k;
  if (mask === 0) return;
  out.byte((mask << 3) | OP_LOOK);
  for (let k = 0; k < 3; k++) {
    if (mask & (1 << k)) out.u32(cells[i + 1 + k]!);
    look[k] = cells[i + 1 + k]!;
  }
  if (mask & 8) out.byte(link);
  look[3] = link;
}

/** Copies words [from, to) to the same place; what is a few rows at most without the views that a copy by blocks needs. */
function copyWords(into: Uint32Array, cells: Uint32Array, from: number, to: number): void {
  if (to - from > FEW_WORDS) into.set(cells.subarray(from, to), from);
  else for (let i = from; i < to; i++) into[i] = cells[i]!;
}

/** Cells [from, to) without their look: repeats where four or more are equal, else text. */
function writeCodes(out: ByteWriter, cells: Uint32Array, from: number, to: number): void {
  let start = from;
  for (let i = from; i < to; ) {
    let end = i + CELL_WORDS;
    while (end < to && cells[end] === cells[i]) end += CELL_WORDS;
    if (end - i >= REPEAT_MIN * CELL_WORDS) {
      writeText(out, cells, start, i);
      op(out, OP_REPEAT, (end - i) / CELL_WORDS);
      writeCode(out, cells[i]!);
      start = end;
    }
    i = end;
  }
  writeText(out, cells, start, to);
}

function writeText(out: ByteWriter, cells: Uint32Array, from: number, to: number): void {
  if (from === to) return;
  op(out, OP_TEXT, (to - from) / CELL_WORDS);
  for (let i = from; i < to; i += CELL_WORDS) writeCode(out, cells[i]!);
}

function writeCode(out: ByteWriter, word: number): void {
  const code = word & CODE_MASK;
  const kind = (word >>> (WIDTH_SHIFT - 1)) & 7;
  if (code < 0x80 && kind === 2) out.byte(code);
  else if (code === 0 && kind === 0) out.byte(CODE_SPACER);
  else if (code < 0x10000) {
    out.byte(CODE_SHORT | kind);
    out.u16(code);
  } else {
    out.byte(CODE_LONG | kind);
    out.u16(code & 0xffff);
    out.byte(code >>> 16);
  }
}

function readTable(reader: ByteReader, table: string[], limit: number, length: number): void {
  const count = reader.varint();
  if (table.length + count > limit) throw new FrameError('a screen diff with too many table entries');
  for (let i = 0; i < count; i++) table.push(reader.text(length));
}

/** Runs the cell operations; returns the stretch of words they wrote in. Throws FrameError past the grid's end or on a code, look or table slot that cannot be. */
function readCells(reader: ByteReader, grid: Grid): { from: number; to: number } {
  let from = -1;
  const look = [0, 0, 0, 0];
  const cells = grid.cells;
  let at = 0;
  while (!reader.done) {
    const head = reader.byte();
    const kind = head & 7;
    if (kind === OP_LOOK) {
      readLook(reader, head >>> 3, look, grid.tables.links.length);
      continue;
    }
    if (kind > OP_LOOK) throw new FrameError(`a screen diff with an unknown operation ${kind}`);
    const count = head >>> 3 || reader.varint();
    const end = at + count * CELL_WORDS;
    if (count === 0 || end > cells.length) throw new FrameError('a screen diff past the end of its grid');
    if (kind !== OP_SKIP) {
      if (from < 0) from = at;
      let word = kind === OP_REPEAT ? readCode(reader, grid) : 0;
      for (let i = at; i < end; i += CELL_WORDS) {
        if (kind === OP_TEXT) word = readCode(reader, grid);
        cells[i] = word | (look[3]! << LINK_SHIFT);
        cells[i + 1] = look[0]!;
        cells[i + 2] = look[1]!;
        cells[i + 3] = look[2]!;
      }
    }
    at = end;
  }
  return from < 0 ? { from: 0, to: 0 } : { from, to: at };
}

function readLook(reader: ByteReader, mask: number, look: number[], links: number): void {
  if (mask > 15) throw new FrameError('a screen diff with an unknown look');
  for (let k = 0; k < 3; k++) if (mask & (1 << k)) look[k] = reader.u32();
  if (mask & 8) look[3] = reader.byte();
  if (look[3]! >= links) throw new FrameError('a screen diff with an unknown link');
}

function readCode(reader: ByteReader, grid: Grid): number {
  const head = reader.byte();
  if (head < 0x80) return head | (1 << WIDTH_SHIFT);
  if (head === CODE_SPACER) return 0;
  const kind = head & 7;
  if (((head & ~7) !== CODE_SHORT && (head & ~7) !== CODE_LONG) || kind >> 1 === 3)
    throw new FrameError('a screen diff with an unknown cell');
  const low = reader.u16();
  const code = (head & ~7) === CODE_LONG ? low | (reader.byte() << 16) : low;
  if (kind & 1) {
    if (code >= grid.tables.clusters.length) throw new FrameError('a screen diff with an unknown cluster');
  } else if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw new FrameError('a screen diff with no code point');
  return code | (kind << (WIDTH_SHIFT - 1));
}
