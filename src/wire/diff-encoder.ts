// The server's side of a view's cells (wire/screen-diff): keeps the grid that the client last got, so that a slow client skips frames by itself.
import { CELL_WORDS, CLUSTER, CODE_MASK, createGrid, type Grid, LINK_SHIFT, WIDTH_SHIFT } from '../model/cell.ts';
import {
  AT_TAIL,
  CODE_LONG,
  CODE_SHORT,
  CODE_SPACER,
  CURSOR_BLINK,
  CURSOR_VISIBLE,
  FULL,
  MAX_CLUSTER_LENGTH,
  MAX_CLUSTERS,
  MAX_LINK_LENGTH,
  MAX_LINKS,
  MICE,
  OP_LOOK,
  OP_REPEAT,
  OP_SKIP,
  OP_TEXT,
  SHAPES,
  type ViewFacts,
  WHEEL_PROGRAM,
} from './screen-diff.ts';
import { ByteWriter } from './varint.ts';

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
