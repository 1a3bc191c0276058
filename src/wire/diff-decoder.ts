// The client's side of a view's cells (wire/screen-diff): trusts no byte and never writes outside its grid.
import { CELL_WORDS, createGrid, type Grid, LINK_SHIFT, WIDTH_SHIFT } from '../model/cell.ts';
import type { RowWrap } from '../model/text-rows.ts';
import { FrameError } from './frame.ts';
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
  MAX_VIEW_SIDE,
  MICE,
  OP_LOOK,
  OP_REPEAT,
  OP_SKIP,
  OP_TEXT,
  SHAPES,
  type ViewFacts,
  WHEEL_PROGRAM,
} from './screen-diff.ts';
import { ByteReader } from './varint.ts';

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
