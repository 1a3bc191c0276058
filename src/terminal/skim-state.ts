// The parser's side of a skim: whether its state lets lines be skimmed, what its pen is, and how it stands when they have been. In any
// state but the plainest the parser reads all by itself.
import type { Pen, Pens } from './pens.ts';
import { type PlainLines, putLines } from './put-lines.ts';
import type { SkimStart } from './skim.ts';
import { X_EMPTY, X_WORDS, type XAttributes, type XCore, type XLine } from './xterm.ts';

/** What a skim must know of the parser's state; null when the parser must read on by itself. */
export function skimStart(core: XCore): Omit<SkimStart, 'bytes' | 'at'> | null {
  const { cols, rows } = core;
  const buffer = core.buffers.normal;
  const { modes, decPrivateModes } = core.coreService;
  const plain =
    core.buffers.active === buffer &&
    core._inputHandler._parser.currentState === 0 &&
    buffer.scrollTop === 0 &&
    buffer.scrollBottom === rows - 1 &&
    buffer.x === 0 &&
    buffer.y === rows - 1 &&
    buffer.lines.length === buffer.ybase + rows &&
    decPrivateModes.wraparound &&
    !modes.insertMode &&
    core._charsetService.charset === undefined &&
    core._inputHandler._curAttrData.extended._urlId === 0 &&
    isBlank(buffer.lines.get(buffer.lines.length - 1)!, cols);
  if (!plain) return null;
  const pen = penOf(core._inputHandler._curAttrData);
  return { cols, keep: buffer.lines.maxLength, pen, stops: Uint16Array.from({ length: cols }, (_, x) => buffer.nextStop(x)) };
}

/** The live rows have left: what comes begins on an empty screen, from the top. */
export function startAnew(core: XCore): void {
  const buffer = core.buffers.normal;
  const { lines } = buffer;
  lines.trimStart(lines.length - core.rows);
  const blank = lines.get(core.rows - 1)!;
  for (let y = 0; y < core.rows - 1; y++) lines.get(y)!.copyFrom(blank);
  buffer.y = buffer.ybase = buffer.ydisp = 0;
}

/** Lines become rows; the parser goes on behind them. */
export function takeLines(core: XCore, lines: PlainLines, pen: Pen, pens: Pens): void {
  const now = { ...pen };
  const { _curAttrData, _parser } = core._inputHandler;
  setPen(_curAttrData, now);
  putLines(core, lines, now, pens);
  setPen(_curAttrData, now);
  _parser.precedingJoinState = 0;
}

/** What the parser makes of a pen by a sequence; its own is what it was afterwards. */
export function applySequence(core: XCore, pen: Pen, sequence: Uint8Array): Pen {
  const { _curAttrData, _parser } = core._inputHandler;
  const own = penOf(_curAttrData);
  const { precedingJoinState } = _parser;
  setPen(_curAttrData, pen);
  core._inputHandler.parse(sequence);
  const after = penOf(_curAttrData);
  setPen(_curAttrData, own);
  _parser.precedingJoinState = precedingJoinState;
  return after;
}

function penOf({ fg, bg, extended }: XAttributes): Pen {
  return { fg: fg >>> 0, bg: bg >>> 0, ext: extended._ext };
}

/** The parser computes with signed words. */
function setPen(attributes: XAttributes, { fg, bg, ext }: Pen): void {
  attributes.fg = fg | 0;
  attributes.bg = bg | 0;
  attributes.extended = attributes.extended.clone();
  attributes.extended._ext = ext;
}

function isBlank(row: XLine, cols: number): boolean {
  const { _data } = row;
  // A cell that was never written to has a width and nothing else.
  for (let i = 0; i < cols * X_WORDS; i++) if (_data[i] !== (i % X_WORDS === 0 ? X_EMPTY : 0)) return false;
  return row.length === cols && !row.isWrapped;
}
