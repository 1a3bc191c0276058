// Draws a line row: mark, numbers, signs and code, in one column or side by side. The cursor's row is told by its mark, not by colour.
import { ownOf } from '../../model/own.ts';
import type { DiffLine } from '../../model/review/changeset.ts';
import { cellColor, type Theme } from '../theme.ts';
import { type Code, drawCode, type Slice, type Spans } from './draw-code.ts';
import { type Columns, columnsOf, wrapOf } from './geometry.ts';
import { isPlain } from './glyphs.ts';
import { fill, type Look, type Painter, put } from './painter.ts';
import type { LinePair } from './pair-lines.ts';
import { type LineRow, pairsOf } from './rows.ts';
import { findHits } from './search.ts';
import { type DiffView, filesOf } from './view.ts';
import { diffWords, type Ranges } from './word-diff.ts';

/** How a row stands to the person. */
export interface Stand {
  current: boolean;
  selected: boolean;
}

/** Syntax colours of a line, where they have come. */
export type ColorsOf = (line: DiffLine) => Spans | null;

/** Draws row `sub` of the line's rows of the screen at `y`. */
export function drawLine(
  painter: Painter,
  view: DiffView,
  at: { file: number; sub: number; y: number; cols: number },
  row: LineRow,
  stand: Stand,
  theme: Theme,
  colors: ColorsOf,
): void {
  const columns = columnsOf(view, at.file);
  const draw = (x: number, width: number, line: DiffLine | null, side: 'old' | 'new') =>
    drawHalf(painter, view, { ...at, x, end: x + width }, { line, side, row, columns }, stand, theme, colors);
  if (!columns.split) {
    draw(0, at.cols, row.right ?? row.left, row.right ? 'new' : 'old');
    return;
  }
  draw(0, columns.half, row.left, 'old');
  put(painter, columns.half, at.y, columns.half + 1, '│', { fg: cellColor(theme, 'border'), bg: 0 });
  draw(columns.right, at.cols - columns.right, row.right, 'new');
}

interface Half {
  line: DiffLine | null;
  side: 'old' | 'new';
  row: LineRow;
  columns: Columns;
}

function drawHalf(
  painter: Painter,
  view: DiffView,
  at: { file: number; sub: number; y: number; x: number; end: number },
  half: Half,
  stand: Stand,
  theme: Theme,
  colors: ColorsOf,
): void {
  const { line, side, columns } = half;
  const here = stand.current && (!columns.split || view.side === side);
  const moved = line !== null && isMoved(view, at.file, line) && partnerOf(view, at.file, half.row.hunk, line)?.text !== line.text;
  const ground = groundOf(line, moved, stand, here, theme);
  fill(painter, at.y, at.x, at.end, { fg: 0, bg: ground });
  if (here) put(painter, at.x, at.y, at.end, '▌', { fg: cellColor(theme, 'currentBar'), bg: ground, bold: true });
  else if (stand.selected) put(painter, at.x, at.y, at.end, '┃', { fg: cellColor(theme, 'currentBar'), bg: ground });
  if (!line) {
    // A side without a line: a pattern that no code has, told from an empty line without colour.
    fill(painter, at.y, at.x + 1, at.end, { fg: 0, bg: 0 });
    put(painter, at.x + columns.code, at.y, at.end, at.sub === 0 ? '╌'.repeat(Math.max(0, at.end - at.x - columns.code)) : '', {
      fg: cellColor(theme, 'border'),
      bg: 0,
    });
    return;
  }
  if (at.sub === 0) drawGutter(painter, at, half, line, moved, ground, here, theme);
  const code = codeOf(view, at.file, half, line, ground, theme, colors);
  const slice = sliceOf(view, line, at.sub, columns.room);
  if (slice) {
    const x = drawCode(painter, at.x + columns.code, at.y, at.end, code, slice, view.tab, theme);
    if (slice.to >= line.text.length) drawEnd(painter, x, at, line, half, view, ground, theme);
  }
}

function isMoved(view: DiffView, file: number, line: DiffLine): boolean {
  if (line.moved || line.kind === 'context') return line.moved === true;
  const across = ownOf(view.moved, filesOf(view)[file]!.path);
  return across !== undefined && (line.kind === 'removed' ? across.old.has(line.old!) : across.new.has(line.new!));
}

function groundOf(line: DiffLine | null, moved: boolean, stand: Stand, here: boolean, theme: Theme): number {
  if (stand.selected) return cellColor(theme, 'selection');
  if (line && line.kind !== 'context')
    return cellColor(theme, moved ? 'movedGround' : line.kind === 'added' ? 'addedGround' : 'removedGround');
  return here ? cellColor(theme, 'current') : 0;
}

const SIGNS = { context: ' ', added: '+', removed: '-' } as const;

function drawGutter(
  painter: Painter,
  at: { x: number; y: number; end: number },
  half: Half,
  line: DiffLine,
  moved: boolean,
  ground: number,
  here: boolean,
  theme: Theme,
): void {
  const { columns, side } = half;
  const { digits } = columns;
  if (digits > 0) {
    const look: Look = { fg: cellColor(theme, here ? 'currentBar' : 'number'), bg: ground, bold: here };
    const number = (value: number | null) => String(value ?? '').padStart(digits);
    const text = columns.split ? number(side === 'old' ? line.old : line.new) : `${number(line.old)} ${number(line.new)}`;
    put(painter, at.x + 1, at.y, at.end, text, look);
  }
  if (line.kind === 'context') return;
  const sign = moved ? (line.kind === 'added' ? '»' : '«') : SIGNS[line.kind];
  put(painter, at.x + columns.code - 2, at.y, at.end, sign, { fg: cellColor(theme, line.kind), bg: ground, bold: true });
}

function codeOf(view: DiffView, file: number, half: Half, line: DiffLine, ground: number, theme: Theme, colors: ColorsOf): Code {
  const added = line.kind === 'added';
  const mark = added && filesOf(view)[file]!.status === 'unmerged' && CONFLICT_MARK.test(line.text);
  return {
    text: line.text,
    plain: isPlainLine(view, line),
    look: mark ? { fg: cellColor(theme, 'conflict'), bg: ground, bold: true } : { fg: 0, bg: ground },
    spans: mark ? null : colors(line),
    blanks: added && !view.ignoreWhitespace ? line.text.trimEnd().length : line.text.length,
    blankGround: cellColor(theme, 'removedWord'),
    changed: line.kind === 'context' ? NOTHING : changedWords(view, file, half, line),
    changedGround: cellColor(theme, added ? 'addedWord' : 'removedWord'),
    hits: view.search?.text ? hitsIn(view, line, view.search.text) : NOTHING,
    hitGround: cellColor(theme, 'search'),
  };
}

const NOTHING: Ranges = [];
/** A line that a merge put between the sides of a conflict. */
const CONFLICT_MARK = /^(<{7}|\|{7}|={7}|>{7})( |$)/;

function isPlainLine(view: DiffView, line: DiffLine): boolean {
  const known = view.memo.plain.get(line);
  if (known !== undefined) return known;
  const plain = isPlain(line.text);
  view.memo.plain.set(line, plain);
  return plain;
}

function hitsIn(view: DiffView, line: DiffLine, needle: string): Ranges {
  if (view.memo.hits.needle !== needle) view.memo.hits = { needle, map: new WeakMap() };
  const known = view.memo.hits.map.get(line) ?? findHits(line.text, needle);
  view.memo.hits.map.set(line, known);
  return known;
}

/** The words of a changed line that its partner does not have. */
function changedWords(view: DiffView, file: number, { row }: Half, line: DiffLine): Ranges {
  const known = view.memo.words.get(line);
  if (known) return known;
  const partner =
    row.left && row.right && row.left !== row.right ? (line === row.left ? row.right : row.left) : partnerOf(view, file, row.hunk, line);
  if (!partner || line.kind === partner.kind) return remember(view, line, NOTHING);
  const [removed, added] = line.kind === 'removed' ? [line, partner] : [partner, line];
  const words = diffWords(removed.text, added.text);
  remember(view, removed, words.old);
  remember(view, added, words.new);
  return line === removed ? words.old : words.new;
}

function remember(view: DiffView, line: DiffLine, ranges: Ranges): Ranges {
  view.memo.words.set(line, ranges);
  return ranges;
}

/** The line that replaced this one, or that it replaced. */
function partnerOf(view: DiffView, file: number, hunkIndex: number, line: DiffLine): DiffLine | undefined {
  const hunk = ownOf(view.files, filesOf(view)[file]!.path)?.diff?.hunks[hunkIndex];
  if (!hunk) return undefined;
  let partners = view.memo.partners.get(hunk);
  if (!partners) {
    partners = partnersIn(pairsOf(hunk, view.memo.pairs));
    view.memo.partners.set(hunk, partners);
  }
  return partners.get(line);
}

function partnersIn(pairs: readonly LinePair[][]): Map<DiffLine, DiffLine> {
  const partners = new Map<DiffLine, DiffLine>();
  for (const [removed, added] of pairs.flat()) if (removed && added) partners.set(removed, added).set(added, removed);
  return partners;
}

/** The part of the text on row `sub`; null below a line that is shorter than its neighbour. */
function sliceOf(view: DiffView, line: DiffLine, sub: number, room: number): Slice | null {
  if (!view.wrap) return { from: 0, to: line.text.length, left: view.left };
  const { height, starts } = wrapOf(view, line, room);
  if (sub >= height) return null;
  const from = starts ? starts[sub]! : sub * room;
  const to = sub + 1 < height ? (starts ? starts[sub + 1]! : from + room) : line.text.length;
  return { from, to, left: 0 };
}

/** Behind the text: a line end unlike its partner's, a missing final newline. */
function drawEnd(
  painter: Painter,
  x: number,
  at: { file: number; y: number; end: number },
  line: DiffLine,
  half: Half,
  view: DiffView,
  ground: number,
  theme: Theme,
): void {
  const look: Look = { fg: cellColor(theme, 'symbol'), bg: ground };
  let column = x;
  if (line.kind !== 'context') {
    const partner = partnerOf(view, at.file, half.row.hunk, line);
    if (partner && partner.eol !== line.eol)
      column = put(painter, column, at.y, at.end, line.eol === 'crlf' ? '^M^J' : line.eol === 'cr' ? '^M' : '^J', look);
  }
  if (line.noNewline) put(painter, column, at.y, at.end, ' ⌀ no newline at end of file', { ...look, italic: true });
}
