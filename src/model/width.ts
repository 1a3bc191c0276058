// How many columns text takes: the one answer for the server's screens, the client's drawing and the chrome. Follows Ghostty with
// grapheme clustering (mode 2027) on: a cluster is as wide as its first character, but for VS16 on a base that takes it.
import { RUNS } from './width-table.ts';

// A code point's byte in the table: width 0-2, class, and three properties.
const CLASS_SHIFT = 2;
const CLASS_MASK = 7;
/** U+FE0F after it makes it two columns wide. */
export const TAKES_VS16 = 1 << 5;
/** A skin tone right after it joins it. */
export const TAKES_MODIFIER = 1 << 6;

/** Takes no column and leaves what stands before it as open as it was (zero width space, jamo behind other text). */
const TRANSPARENT = 1 << 7;

/** Classes of code points that matter for joining; everything that never joins is `other`. */
export const CLASSES = { other: 0, extend: 1, regional: 2, hangulL: 3, hangulLV: 4, pictograph: 5, zwj: 6, modifier: 7 } as const;

// What the last character leaves behind for the next, in bits 3 and up of a property.
const PREV_OTHER = 0;
const PREV_REGIONAL = 1;
const PREV_L = 2;
const PREV_PICTOGRAPH = 3;
const PREV_ZWJ = 4;
const PREV_MASK = 7;
const PREV_TAKES_VS16 = 8;
const PREV_TAKES_MODIFIER = 16;

const VS16 = 0xfe0f;
const BLOCK = 256;

/** The table, 256 code points a piece, each made when it is first asked for: a start must not pay for scripts that nobody shows. */
const blocks: (Uint8Array | undefined)[] = Array.from({ length: 0x110000 / BLOCK });
/** Words of ASCII characters, which join nothing whatever stands before them; 0 until first asked for. Most of what is printed. */
const ASCII = 128;
const plain = new Uint16Array(ASCII);
let runs: { ends: Uint32Array; values: Uint8Array } | null = null;

/** The table's byte for a code point. */
export function properties(code: number): number {
  const block = blocks[code >> 8] ?? makeBlock(code >> 8);
  return block[code & (BLOCK - 1)]!;
}

function makeBlock(number: number): Uint8Array {
  runs ??= readRuns(RUNS);
  const { ends, values } = runs;
  const block = new Uint8Array(BLOCK);
  const start = number * BLOCK;
  let run = firstAbove(ends, start);
  for (let at = 0; at < BLOCK; run++) {
    const end = Math.min(ends[run]! - start, BLOCK);
    block.fill(values[run]!, at, end);
    at = end;
  }
  blocks[number] = block;
  return block;
}

/** Runs are `length,value` in base 36, joined by spaces; `ends` are the code points at which they end. */
function readRuns(text: string): { ends: Uint32Array; values: Uint8Array } {
  const list = text.split(' ');
  const [ends, values] = [new Uint32Array(list.length), new Uint8Array(list.length)];
  let at = 0;
  for (const [i, run] of list.entries()) {
    const comma = run.indexOf(',');
    at += Number.parseInt(run.slice(0, comma), 36);
    ends[i] = at;
    values[i] = Number.parseInt(run.slice(comma + 1), 36);
  }
  return { ends, values };
}

/** Index of the first entry above `value` in an ascending list; there is one. */
function firstAbove(list: Uint32Array, value: number): number {
  let [low, high] = [0, list.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * One character after another: the property word of `code` given that of what stands before it (0: nothing). Bit 0: it joins the
 * cluster before it; bits 1-2: width of the cluster so far; the rest: what the next call needs. The shape is the one that
 * @xterm/headless keeps between characters.
 */
export function step(code: number, before: number): number {
  const known = code < ASCII ? plain[code]! : 0;
  if (known !== 0) return known;
  const info = properties(code);
  const kind = (info >> CLASS_SHIFT) & CLASS_MASK;
  if (before !== 0) {
    const previous = before >> 3;
    const wide = (before >> 1) & 3;
    const next = joined(code, kind, previous, info);
    if (next >= 0) {
      const width = code === VS16 && (previous & PREV_TAKES_VS16) !== 0 ? 2 : wide;
      return (next << 3) | (width << 1) | 1;
    }
  }
  // Nothing to join: even a mark takes a column then, as the parser has no cell for none.
  const word = (opened(kind, info) << 3) | (Math.max(info & 3, 1) << 1);
  if (code < ASCII && kind === CLASSES.other) plain[code] = word;
  return word;
}

/** What a cluster's first character leaves behind. */
function opened(kind: number, info: number): number {
  const flags = (info & TAKES_VS16 ? PREV_TAKES_VS16 : 0) | (info & TAKES_MODIFIER ? PREV_TAKES_MODIFIER : 0);
  if (kind === CLASSES.regional) return PREV_REGIONAL;
  if (kind === CLASSES.hangulL) return PREV_L;
  return (kind === CLASSES.pictograph ? PREV_PICTOGRAPH : PREV_OTHER) | flags;
}

/** What a character that joins leaves behind; -1 when it starts a cluster of its own. */
function joined(code: number, kind: number, previous: number, info: number): number {
  const last = previous & PREV_MASK;
  // VS16 widens the cluster by its first character, however far behind.
  const base = previous & PREV_TAKES_VS16;
  switch (kind) {
    case CLASSES.extend:
      if ((info & TRANSPARENT) !== 0 || (code === VS16 && base === 0)) return previous;
      // A mark keeps a pictograph open for ZWJ, but no skin tone may follow it.
      return (last === PREV_PICTOGRAPH ? PREV_PICTOGRAPH : PREV_OTHER) | base;
    case CLASSES.zwj:
      return (last === PREV_PICTOGRAPH ? PREV_ZWJ : PREV_OTHER) | base;
    case CLASSES.modifier:
      return previous & PREV_TAKES_MODIFIER ? PREV_PICTOGRAPH | base : -1;
    case CLASSES.pictograph:
      return last === PREV_ZWJ ? PREV_PICTOGRAPH | base | (info & TAKES_MODIFIER ? PREV_TAKES_MODIFIER : 0) : -1;
    case CLASSES.regional:
      return last === PREV_REGIONAL ? PREV_OTHER : -1;
    case CLASSES.hangulL:
      return last === PREV_L ? PREV_L : -1;
    case CLASSES.hangulLV:
      return last === PREV_L ? PREV_OTHER : -1;
    default:
      return -1;
  }
}

/** Marks, joiners and selectors: never the first of a cluster in real text. */
export function isMark(code: number): boolean {
  const kind = (properties(code) >> CLASS_SHIFT) & CLASS_MASK;
  return kind === CLASSES.extend || kind === CLASSES.zwj;
}

/** May join a cluster before it. */
export function joinsBefore(code: number): boolean {
  return ((properties(code) >> CLASS_SHIFT) & CLASS_MASK) !== CLASSES.other;
}

/** `text` without joiners and selectors at its start: they have nothing to join. */
export function withoutLeadingJoiners(text: string): string {
  return text.replace(/^(?:[\u200b-\u200d]|[\ufe00-\ufe0f])+/, '');
}

/** A piece of text that stands in one cell (or two), and its width in columns (0 for a control). */
export interface Cluster {
  text: string;
  width: 0 | 1 | 2;
}

/** Text cut into clusters. Controls stand alone and take no column. */
export function* clusters(text: string): Generator<Cluster> {
  let start = 0;
  let before = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at)!;
    const size = code > 0xffff ? 2 : 1;
    const control = isControl(code);
    const now = control ? 0 : step(code, before);
    if ((now & 1) === 0) {
      if (before !== 0) yield { text: text.slice(start, at), width: ((before >> 1) & 3) as 1 | 2 };
      start = at;
    }
    at += size;
    if (control) {
      yield { text: text.slice(start, at), width: 0 };
      start = at;
    }
    before = now;
  }
  if (before !== 0) yield { text: text.slice(start), width: ((before >> 1) & 3) as 1 | 2 };
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/** Columns that `text` takes on one row. */
export function width(text: string): number {
  let columns = 0;
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at)!;
    if (code > 0xffff) at++;
    if (isControl(code)) {
      before = 0;
      continue;
    }
    const now = step(code, before);
    columns += ((now >> 1) & 3) - (now & 1 ? (before >> 1) & 3 : 0);
    before = now;
  }
  return columns;
}

/** `text` in at most `columns` columns, ending in `mark` where something was cut off. */
export function fit(text: string, columns: number, mark = '…'): string {
  if (columns <= 0) return '';
  if (width(text) <= columns) return text;
  const room = columns - width(mark);
  if (room < 0) return '';
  let kept = '';
  let used = 0;
  for (const cluster of clusters(text)) {
    if (used + cluster.width > room) break;
    used += cluster.width;
    kept += cluster.text;
  }
  return kept + mark;
}

/** `text` in exactly `columns` columns: cut as by `fit`, or filled with spaces behind it (or before it). */
export function pad(text: string, columns: number, side: 'end' | 'start' = 'end'): string {
  const fitted = fit(text, columns, '…');
  const fill = ' '.repeat(Math.max(columns - width(fitted), 0));
  return side === 'end' ? fitted + fill : fill + fitted;
}
