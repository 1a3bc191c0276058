// Draws the visible part of one line of code: syntax colours, changed words, search hits and symbols over the line's own ground.
// Work is bounded by the columns shown where a line is plain ASCII, by its visible end otherwise.
import { type ColorName, cellColor, type Theme } from '../theme.ts';
import { type Glyph, glyphsOf, isPlain } from './glyphs.ts';
import { fill, type Look, type Painter, put, putGlyph, words } from './painter.ts';
import type { Ranges } from './word-diff.ts';

/** Colours of a line's text: from, to, index into SYNTAX_COLORS, and so on. */
export type Spans = Uint32Array;

/** Colours a span can name. */
export const SYNTAX_COLORS = [
  'keyword',
  'string',
  'literal',
  'comment',
  'function',
  'type',
  'property',
  'tag',
] as const satisfies ColorName[];

export interface Code {
  text: string;
  /** Only printable ASCII: a column per index. */
  plain: boolean;
  look: Look;
  spans: Spans | null;
  /** Index from which there are only blanks that an added line should not end with. */
  blanks: number;
  blankGround: number;
  changed: Ranges;
  changedGround: number;
  hits: Ranges;
  hitGround: number;
}

/** What of the text is shown: from index `from` (wrapped) up to `to`, or from column `left` (scrolled sideways). */
export interface Slice {
  from: number;
  to: number;
  left: number;
}

/** Draws into columns [x, end) of row y; returns the column behind the last glyph. */
export function drawCode(painter: Painter, x: number, y: number, end: number, code: Code, slice: Slice, tab: number, theme: Theme): number {
  const first = code.plain ? Math.min(code.text.length, Math.max(slice.from, slice.left)) : slice.from;
  const paint = painterOf(code, first, Math.min(slice.to, code.text.length), end - x, theme);
  const drawn = code.plain
    ? drawPlain(painter, x, y, end, code.text, first, slice.to, paint)
    : drawGlyphs(painter, x, y, end, code, slice, tab, paint);
  // Plain as most text is: a colour of its own at the end of each line would be a tenth of a page's bytes.
  const look = { ...code.look, fg: 0, bold: false };
  if (slice.left > 0 && code.text !== '' && end > x) markCut(painter, x, y, x, drawn.first, '‹', look);
  if (drawn.cut) markCut(painter, end - 1, y, drawn.last, end, '›', look);
  return drawn.x;
}

/** What was drawn of a line. */
interface Drawn {
  /** Column behind the last glyph. */
  x: number;
  /** Columns where the first glyph ends and where the last one begins: a mark over half a wide character blanks the other. */
  first: number;
  last: number;
  /** There is more of it behind `end`. */
  cut: boolean;
}

/** Says in one column that a line goes on there; nothing is left of the glyph in [from, to) that stood in it. */
function markCut(painter: Painter, x: number, y: number, from: number, to: number, mark: string, look: Look): void {
  fill(painter, y, from, to, look);
  put(painter, x, y, x + 1, mark, look);
}

function drawPlain(painter: Painter, x: number, y: number, end: number, text: string, first: number, to: number, paint: Paint): Drawn {
  const last = Math.min(to, text.length, first + end - x);
  for (let i = first; i < last; i++) {
    const [fg, bg, line] = paint(i, false);
    putGlyph(painter, x + i - first, y, end, { text: text[i]!, width: 1, index: i, end: i + 1, symbol: false }, fg, bg, line);
  }
  const drawn = Math.max(0, last - first);
  return { x: x + drawn, first: x + 1, last: x + drawn - 1, cut: last < Math.min(to, text.length) };
}

function drawGlyphs(painter: Painter, x: number, y: number, end: number, code: Code, slice: Slice, tab: number, paint: Paint): Drawn {
  let column = -slice.left;
  let [firstEnd, last] = [x, x];
  let cut = false;
  const part = slice.from === 0 && slice.to >= code.text.length ? code.text : code.text.slice(slice.from, slice.to);
  for (const glyph of glyphsOf(part, tab)) {
    cut = x + column + Math.min(1, glyph.width) > end;
    if (cut) break;
    if (column + glyph.width > 0) {
      const whole = !glyph.symbol || !isPlain(glyph.text);
      last = whole ? x + Math.max(0, column) : end - 1;
      if (firstEnd === x) firstEnd = whole ? x + column + glyph.width : x + 1;
      const [fg, bg, line] = paint(slice.from + glyph.index, glyph.symbol);
      putGlyph(painter, x + Math.max(0, column), y, end, column < 0 ? cutLeft(glyph, -column) : glyph, fg, bg, line);
    }
    column += glyph.width;
  }
  // A wide character of which only half has room was drawn as a blank.
  cut ||= x + column > end;
  return { x: Math.min(end, x + Math.max(0, column)), first: firstEnd, last, cut };
}

/** What is left of a glyph when its first columns are scrolled away: blanks for half a wide character. */
function cutLeft(glyph: Glyph, columns: number): Glyph {
  const width = glyph.width - columns;
  const text = glyph.symbol && isPlain(glyph.text) ? glyph.text.slice(columns) : ' '.repeat(width);
  return { ...glyph, text, width, symbol: false };
}

type Paint = (index: number, symbol: boolean) => [fg: number, bg: number, line: number];

/** Gives the words of the cell at an index; ranges are laid over each other once for the visible part. */
function painterOf(code: Code, first: number, to: number, columns: number, theme: Theme): Paint {
  // Combining characters take no column: room for a few per column, beyond which the line's own look stands.
  const length = Math.max(0, Math.min(to - first, columns * 8));
  const [fg, bg, line] = words(code.look);
  const front = new Uint32Array(length).fill(fg);
  const back = new Uint32Array(length).fill(bg);
  const flags = fg & ~0x3ffffff;
  const over = (target: Uint32Array, from: number, until: number, value: number) => {
    if (from < first + length && until > first) target.fill(value, Math.max(0, from - first), until - first);
  };
  const { spans } = code;
  if (spans)
    for (let i = 0; i < spans.length; i += 3)
      over(front, spans[i]!, spans[i + 1]!, cellColor(theme, SYNTAX_COLORS[spans[i + 2]!] ?? null) | flags);
  for (const [from, until] of code.changed) over(back, from, until, code.changedGround);
  over(back, code.blanks, code.text.length, code.blankGround);
  for (const [from, until] of code.hits) over(back, from, until, code.hitGround);
  const symbolColor = cellColor(theme, 'symbol');
  return (index, symbol) => {
    const at = index - first;
    if (at < 0 || at >= length) return [fg, bg, line];
    return [symbol ? symbolColor : front[at]!, back[at]!, line];
  };
}
