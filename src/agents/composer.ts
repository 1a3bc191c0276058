// Finds the agent's input box on a screen and what a person has typed into it. Knows shapes only from the kind's data.
import type { ScreenLine, ScreenText, TextRun } from '../model/screen-text.ts';
import type { CompiledComposer } from './kinds/compile.ts';

export interface Composer {
  /** First and last row of the box, borders included; 0-based screen rows. */
  top: number;
  bottom: number;
  /** First and last row of input. */
  from: number;
  to: number;
  /** What was typed, without placeholder and ghost text; '' when empty. */
  draft: string;
  /** All text that stands in the box. */
  shown: string;
  cursorInside: boolean;
  /** Not of the kind's shape: it tells that the agent rests, and is not trusted with a prompt. */
  strange: boolean;
}

/** The lowest box that fits the shape, or null. */
export function findComposer(screen: ScreenText, composer: CompiledComposer | null): Composer | null {
  if (!composer) return null;
  const { shape } = composer;
  let below = 0;
  for (let y = screen.lines.length - 1; y >= 0; y--) {
    const text = screen.lines[y]!.text;
    const found = composer.bottom ? composer.bottom.test(text) && boxAbove(screen, composer, y) : rowsFrom(screen, composer, y);
    if (found && rowsBelow(screen, found, below) <= shape.footer) return read(screen, composer, found);
    if (text.trim() !== '' && ++below > shape.footer + shape.rows) return null;
  }
  return null;
}

/** Rows with text below a box; `below` the row that it was found by. A box that holds the cursor has its own rows there. */
function rowsBelow({ lines, cursor }: ScreenText, { from, to, bottom }: Span, below: number): number {
  if (cursor.y < from || cursor.y > to) return below;
  return lines.slice(bottom + 1).filter(({ text }) => text.trim() !== '').length;
}

/** Any border, and most rows that such a box may have: more are a page between two lines. */
const EDGE = /^\s*[─━═▀▄▁▂▔╌┄┈╭╰┌└╔╚╻╹]{1,2}[─━═▀▄▁▂▔╌┄┈]+/u;
const EDGE_SHARE = 0.6;
const ROWS = 12;
const GLYPH = /^[❯›>▷▹▶▸➤➜»⟩](\s|$)/u;
const ANY: CompiledComposer = {
  shape: { first: '', rows: ROWS, footer: 0 },
  ...{ top: null, more: null, bottom: null, placeholder: [] },
  first: /^\s*[│┃║]?\s*(?:[^\p{L}\p{N}\s]\s)?\s*(.*?)$/u,
};

/**
 * Where no box of the kind's shape is: rows that hold the cursor between two edges over most of the screen, or its row alone behind a
 * prompt glyph. For versions not seen yet.
 */
export function findBoxAtCursor(screen: ScreenText): Composer | null {
  const { lines, cursor, cols } = screen;
  const edge = (step: 1 | -1) => {
    for (let n = 1; n <= ROWS; n++) {
      const found = EDGE.exec(lines[cursor.y + n * step]?.text ?? '');
      if (found && found[0].trim().length >= cols * EDGE_SHARE) return cursor.y + n * step;
    }
    return null;
  };
  const [top, bottom] = [edge(-1), edge(1)];
  const row = (y: number) => lines[y]?.text.trim() ?? '';
  if (top !== null && bottom !== null && !EDGE.test(row(cursor.y)))
    return read(screen, ANY, { top, bottom, from: top + 1, to: bottom - 1 });
  const y = cursor.y;
  const alone = row(y - 1) === '' && row(y + 1) === '' && GLYPH.test(row(y));
  return alone ? read(screen, ANY, { top: y, bottom: y, from: y, to: y }) : null;
}

interface Span {
  top: number;
  bottom: number;
  from: number;
  to: number;
}

/** A box whose lower border is row `y`. */
function boxAbove(screen: ScreenText, c: CompiledComposer, y: number): Span | null {
  const to = y - 1 - (c.shape.trailer ?? 0);
  const lowest = Math.max(-1, y - c.shape.rows - 2);
  if (c.top) {
    for (let top = y - 2; top > lowest; top--) {
      const text = screen.lines[top]!.text;
      if (c.top.test(text))
        return top + 1 <= to && c.first.test(screen.lines[top + 1]!.text) ? { top, bottom: y, from: top + 1, to } : null;
      // A lower border inside: this one is a remnant of an earlier frame.
      if (c.bottom!.test(text)) return null;
      if (c.more && !c.more.test(text) && !c.first.test(text)) return null;
    }
    return null;
  }
  let from = y;
  while (from - 1 > lowest && (c.more ?? c.first).test(screen.lines[from - 1]!.text)) from--;
  return from <= to && c.first.test(screen.lines[from]!.text) ? { top: from, bottom: y, from, to } : null;
}

/** A box without borders: a row with the prompt glyph and the rows that go on with it, over blank ones as far as the cursor. */
function rowsFrom(screen: ScreenText, c: CompiledComposer, y: number): Span | null {
  if (!c.first.test(screen.lines[y]!.text)) return null;
  const { lines, cursor } = screen;
  const goesOn = ({ text }: ScreenLine) => text.trim() === '' || c.more?.test(text) === true;
  const isToCursor = cursor.y > y && cursor.y - y <= c.shape.rows && lines.slice(y + 1, cursor.y + 1).every(goesOn);
  let to = isToCursor ? cursor.y : y;
  while (to + 1 < screen.lines.length && to - y < c.shape.rows && c.more?.test(screen.lines[to + 1]!.text)) to++;
  return { top: y, bottom: to, from: y, to };
}

function read(screen: ScreenText, c: CompiledComposer, span: Span): Composer {
  const { cursor } = screen;
  const shown: string[] = [];
  const typed: string[] = [];
  for (let y = span.from; y <= span.to; y++) {
    const line = screen.lines[y]!;
    const text = inner(y === span.from ? (c.first.exec(line.text)?.[1] ?? '') : continued(line.text));
    shown.push(text);
    typed.push(text !== '' && ghostly(line, text) ? '' : text);
  }
  const all = shown.join('\n').trim();
  const cursorInside = cursor.y >= span.from && cursor.y <= span.to;
  const empty = c.placeholder.some((p) => p.test(all)) || (cursorInside && !beforeCursor(screen, c, span) && !plain(screen, span));
  return { ...span, shown: all, draft: empty ? '' : typed.join('\n').trim(), cursorInside, strange: c === ANY };
}

/** Without a box's side borders, format characters and the blanks around. */
function inner(text: string): string {
  return text
    .replace(/[│┃║]\s*$/u, '')
    .replace(/\p{Cf}/gu, '')
    .trim();
}

function continued(text: string): string {
  return text.replace(/^\s*[│┃║]?\s{0,2}/u, '');
}

/** All of `text` is dim or grey: a placeholder or a suggestion. The cell under a drawn cursor may be inverse. */
function ghostly(line: ScreenLine, text: string): boolean {
  const from = line.text.indexOf(text[0]!, Math.max(0, line.text.lastIndexOf(text)));
  const to = from + text.length;
  let faint = 0;
  let drawn = 0;
  for (const run of line.runs) {
    const width = Math.min(run.to, to) - Math.max(run.from, from);
    if (width <= 0) continue;
    if (run.dim || grey(run.fg)) faint += width;
    else if (run.inverse && width <= 2) drawn += width;
  }
  const blanks = text.length - text.replace(/\s/gu, '').length;
  return faint > 0 && faint + drawn + blanks >= text.length;
}

/** Something other than blanks and the glyph stands before the cursor, on its row or above it. */
function beforeCursor(screen: ScreenText, c: CompiledComposer, span: Span): boolean {
  if (screen.cursor.y > span.from) return true;
  const text = screen.lines[span.from]!.text;
  const start = text.length - (c.first.exec(text)?.[1] ?? '').length;
  const at = Math.max(start, text.slice(start).search(/\S/u) + start);
  return screen.cursor.x > at;
}

/** The row of the cursor has no looks of its own behind the glyph: then text there is a draft even with the cursor before it. */
function plain(screen: ScreenText, span: Span): boolean {
  const line = screen.lines[span.from]!;
  return !line.runs.some((run: TextRun) => run.dim || grey(run.fg));
}

/** A grey of middle lightness, as '#rrggbb' or palette index. */
function grey(fg: string | number | null): boolean {
  if (fg === null) return false;
  if (typeof fg === 'number') return fg === 8 || (fg >= 236 && fg <= 248);
  const [r, g, b] = [1, 3, 5].map((i) => Number.parseInt(fg.slice(i, i + 2), 16)) as [number, number, number];
  const high = Math.max(r, g, b);
  return high - Math.min(r, g, b) <= 40 && high >= 0x48 && high <= 0xb8;
}
