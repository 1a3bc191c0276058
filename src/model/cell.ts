// Cells and grids as plain numbers: a cell is four u32 words, and two cells of grids that share their tables are equal when
// their words are. Knows no terminal and no colour theme.

/** Words (u32) a cell takes in `Grid.cells`. */
export const CELL_WORDS = 4;

// Word 0: what stands there.
/** Bits 0-20: a code point, or with CLUSTER set an index into `CellTables.clusters`. 0 is an empty cell (drawn as a space). */
export const CODE_MASK = 0x1fffff;
/** The code is an index into `CellTables.clusters` (text of more than one code point). */
export const CLUSTER = 1 << 21;
/** Bits 22-23: columns taken, 0 for the spacer behind a wide character, else 1 or 2. */
export const WIDTH_SHIFT = 22;
/** Bits 24-31: link slot, an index into `CellTables.links`; 0 means no link, so a grid shows at most 255 different links. */
export const LINK_SHIFT = 24;

// Words 1 (foreground) and 2 (background): colour in bits 0-23, its mode in bits 24-25, flags above.
export const COLOR_DEFAULT = 0;
/** Colour is a palette index 0-255. */
export const COLOR_PALETTE = 1 << 24;
/** Colour is 0xRRGGBB. */
export const COLOR_RGB = 3 << 24;
export const COLOR_MASK = 0x3ffffff;
// Flags of word 1.
export const INVERSE = 1 << 26;
export const BOLD = 1 << 27;
export const BLINK = 1 << 28;
export const INVISIBLE = 1 << 29;
export const STRIKE = 1 << 30;
// Flags of word 2.
export const ITALIC = 1 << 26;
export const DIM = 1 << 27;
export const OVERLINE = 1 << 28;

// Word 3: underline colour as in words 1 and 2 (bits 0-25), style as in SGR 4:n (0-5) in bits 26-28.
export const UNDERLINE_SHIFT = 26;

/** Word 0 of an empty cell of width 1. */
export const BLANK = 32 | (1 << WIDTH_SHIFT);

/** Strings that cells refer to by number. Slot 0 of `links` is unused. */
export interface CellTables {
  clusters: string[];
  links: string[];
  /** Places of the strings in the two lists, kept by `internCluster` and `internLink`; derived, never sent. */
  index?: { clusters: Map<string, number>; links: Map<string, number> };
}

/** Link slots a cell can name (8 bits, 0 is none). */
const MAX_LINKS = 255;

function indexOf(tables: CellTables): NonNullable<CellTables['index']> {
  const { index } = tables;
  if (index && index.clusters.size === tables.clusters.length && index.links.size === tables.links.length) return index;
  const build = (list: string[]) => new Map(list.map((text, i) => [text, i]));
  tables.index = { clusters: build(tables.clusters), links: build(tables.links) };
  return tables.index;
}

/** Place of `text` in `tables.clusters`, appended when new. */
export function internCluster(tables: CellTables, text: string): number {
  const { clusters } = indexOf(tables);
  const known = clusters.get(text);
  if (known !== undefined) return known;
  clusters.set(text, tables.clusters.length);
  return tables.clusters.push(text) - 1;
}

/** Slot of a link's URI in `tables.links`; 0 (no link) when all slots are taken. */
export function internLink(tables: CellTables, uri: string): number {
  const { links } = indexOf(tables);
  const known = links.get(uri);
  if (known !== undefined) return known;
  if (tables.links.length > MAX_LINKS) return 0;
  links.set(uri, tables.links.length);
  return tables.links.push(uri) - 1;
}

/** A rectangle of cells; cell (x, y) starts at word `(y * cols + x) * CELL_WORDS`. */
export interface Grid {
  cols: number;
  rows: number;
  cells: Uint32Array;
  tables: CellTables;
}

/** A grid of blanks with default colours. Sizes in cells. */
export function createGrid(cols: number, rows: number, tables: CellTables = { clusters: [], links: [''] }): Grid {
  const grid = { cols, rows, cells: new Uint32Array(cols * rows * CELL_WORDS), tables };
  for (let i = 0; i < grid.cells.length; i += CELL_WORDS) grid.cells[i] = BLANK;
  return grid;
}

/** A place in a terminal's text: logical line since the terminal's start (scrollback and history included) and cell column in it. */
export interface TextPoint {
  line: number;
  col: number;
}

export type CursorShape = 'block' | 'underline' | 'bar';

/** The cursor of a screen, in cells from the top left; `x === cols` never occurs (pending wrap shows at the last column). */
export interface Cursor {
  x: number;
  y: number;
  visible: boolean;
  shape: CursorShape;
  blink: boolean;
}
