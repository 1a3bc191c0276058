// Puts layers into one grid of the tty's size: chrome, then panes, then overlays. Wide characters cut by an edge
// become blanks; what is not fit to be printed never gets past here.
import { BLANK, CELL_WORDS, CLUSTER, CODE_MASK, type Grid, LINK_SHIFT, WIDTH_SHIFT } from '../model/cell.ts';
import { clusters, withoutLeadingJoiners } from '../model/width.ts';

/** A rectangle in cells of the tty. */
export interface Rect {
  x: number;
  y: number;
  cols: number;
  rows: number;
}

/** Cells shown in a rectangle: from the grid's top left, cut to it; what the grid does not cover is blank. */
export interface PaneLayer extends Rect {
  /** Stable while the pane lives: links of different panes are never joined. */
  id: number;
  grid: Grid;
}

/** A rectangle that is shown of a grid of the tty's size. */
export interface OverlayLayer extends Rect {
  grid: Grid;
}

/** Slots that word 0 of the composed grid refers to; they live as long as the compositor and are started anew when they run over. */
export interface Interned {
  /** An entry found no room: the table must be started anew before it can be shown. */
  crowded: boolean;
  /** Printable text of a cluster slot. */
  clusters: string[];
  clusterSlots: Map<string, number>;
  /** OSC 8 `id` and address of a link slot; slot 0 is none. */
  links: { id: string; address: string }[];
  linkSlots: Map<string, number>;
}

/** Clusters kept before the table is started anew: as many as a screen of nothing else might show twice over. */
export const MAX_CLUSTERS = 20_000;
const MAX_LINKS = 255;
/** Addresses that a click may open; anything else is shown as plain text. */
const SAFE_SCHEME = /^(https?|file|mailto):/i;
/** Characters that must not reach the tty inside text: controls, and overrides of the writing direction. */
const UNFIT = /[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** What OSC 8 wants encoded in an address: everything outside printable ASCII. */
const NOT_URI = /[^\x21-\x7e]+/gu;

export function createInterned(): Interned {
  return { crowded: false, clusters: [], clusterSlots: new Map(), links: [{ id: '', address: '' }], linkSlots: new Map() };
}

/** Rows [from, to) of the tty. */
export interface RowSpan {
  from: number;
  to: number;
}

/** Copies the part of `rect` that lies in `rows` (from `source`, whose cell (0, 0) lies at `origin`) into `target`. `pane` keeps links of panes apart. */
export function copyRect(
  target: Grid,
  source: Grid,
  rect: Rect,
  origin: { x: number; y: number },
  pane: number,
  interned: Interned,
  rows: RowSpan,
): void {
  const left = Math.max(0, rect.x);
  const right = Math.min(target.cols, rect.x + rect.cols);
  const top = Math.max(rows.from, rect.y);
  const bottom = Math.min(rows.to, rect.y + rect.rows);
  if (left >= right) return;
  const width = right - left;
  const sourceX = left - origin.x;
  const copied = Math.max(0, Math.min(width, source.cols - sourceX));
  for (let y = top; y < bottom; y++) {
    const start = (y * target.cols + left) * CELL_WORDS;
    mendEdges(target, y, left, right);
    const sourceY = y - origin.y;
    const n = sourceY >= 0 && sourceY < source.rows ? copied : 0;
    if (n > 0) {
      const from = (sourceY * source.cols + sourceX) * CELL_WORDS;
      target.cells.set(source.cells.subarray(from, from + n * CELL_WORDS), start);
      tidy(target.cells, start, n, source, pane, interned);
    }
    clear(target.cells, start + n * CELL_WORDS, start + width * CELL_WORDS);
  }
}

/** Blanks the halves of wide characters below that [left, right) of row `y` is about to cut. */
function mendEdges(grid: Grid, y: number, left: number, right: number): void {
  const row = y * grid.cols;
  if (left > 0 && widthOf(grid.cells[(row + left - 1) * CELL_WORDS]!) === 2) blank(grid.cells, (row + left - 1) * CELL_WORDS);
  if (right < grid.cols && widthOf(grid.cells[(row + right) * CELL_WORDS]!) === 0) blank(grid.cells, (row + right) * CELL_WORDS);
}

/** Makes `n` copied cells fit to be printed: no halves, no controls, empty cells as spaces, table slots as the compositor numbers them. */
function tidy(cells: Uint32Array, start: number, n: number, source: Grid, pane: number, interned: Interned): void {
  const end = start + n * CELL_WORDS;
  for (let i = start; i < end; i += CELL_WORDS) {
    const word = cells[i]!;
    // Most cells are plain ASCII without a link.
    if (word >= BLANK && word < BLANK + 0x5f) continue;
    const width = widthOf(word);
    if (width === 2 && (i + CELL_WORDS >= end || widthOf(cells[i + CELL_WORDS]!) !== 0)) blank(cells, i);
    else if (width === 0 && (i === start || widthOf(cells[i - CELL_WORDS]!) !== 2)) blank(cells, i);
    else if (width === 0) cells[i] = 0;
    else cells[i] = renumber(word, width, source, pane, interned);
  }
}

function renumber(word: number, width: number, source: Grid, pane: number, interned: Interned): number {
  const slot = word >>> LINK_SHIFT;
  const link = slot === 0 ? 0 : internLink(source.tables.links[slot] ?? '', slot, pane, interned) << LINK_SHIFT;
  const code = word & CODE_MASK;
  const shape = width << WIDTH_SHIFT;
  if ((word & CLUSTER) === 0) return (link | shape | (isUnfit(code) ? 32 : code)) >>> 0;
  return (link | shape | CLUSTER | internCluster(source.tables.clusters[code] ?? ' ', interned)) >>> 0;
}

/** Control characters, direction overrides, surrogates, and codes past Unicode. */
function isUnfit(code: number): boolean {
  if (code < 0xa0) return code < 32 || code >= 0x7f;
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff;
}

function internCluster(text: string, interned: Interned): number {
  const known = interned.clusterSlots.get(text);
  if (known !== undefined) return known;
  const slot = interned.clusters.length;
  if (slot > MAX_CLUSTERS) interned.crowded = true;
  interned.clusters.push(oneCluster(text.replace(UNFIT, '')));
  interned.clusterSlots.set(text, slot);
  return slot;
}

/**
 * What a terminal takes for one character: programs without autowrap pile up several in the last cell, which would be printed over its
 * neighbours.
 */
function oneCluster(text: string): string {
  const [first] = clusters(withoutLeadingJoiners(text));
  return first?.text ?? ' ';
}

function internLink(address: string, paneSlot: number, pane: number, interned: Interned): number {
  if (!SAFE_SCHEME.test(address)) return 0;
  const key = `${pane} ${paneSlot} ${address}`;
  const known = interned.linkSlots.get(key);
  if (known !== undefined) return known;
  const slot = interned.links.length;
  if (slot > MAX_LINKS) {
    interned.crowded = true;
    return 0;
  }
  interned.links.push({ id: `herd-${pane}-${paneSlot}`, address: address.toWellFormed().replace(NOT_URI, encodeURIComponent) });
  interned.linkSlots.set(key, slot);
  return slot;
}

function clear(cells: Uint32Array, from: number, to: number): void {
  for (let i = from; i < to; i += CELL_WORDS) {
    cells[i] = BLANK;
    cells[i + 1] = 0;
    cells[i + 2] = 0;
    cells[i + 3] = 0;
  }
}

function blank(cells: Uint32Array, i: number): void {
  cells[i] = BLANK;
}

function widthOf(word: number): number {
  return (word >>> WIDTH_SHIFT) & 3;
}
