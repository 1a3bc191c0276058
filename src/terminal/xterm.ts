// The parser and its buffers: the only file that knows @xterm/headless and the shape of its insides, which its pinned version keeps.
// An unknown version is refused at the first screen rather than half understood.
import type { IUnicodeVersionProvider, Terminal as Terminal_ } from '@xterm/headless';
import * as headless from '@xterm/headless';
import { properties, step } from '../model/width.ts';

export type XTerm = Terminal_;

/** One row: three words a cell (content, foreground, background) and what does not fit into them, by column. */
export interface XLine {
  _data: Uint32Array;
  _combined: Record<number, string>;
  _extendedAttrs: Record<number, XExtended | undefined>;
  isWrapped: boolean;
  length: number;
  /** Takes over another row's cells. */
  copyFrom(row: XLine): void;
}

export interface XExtended {
  _ext: number;
  _urlId: number;
  clone(): XExtended;
}

export interface XAttributes {
  fg: number;
  bg: number;
  extended: XExtended;
  updateExtended(): void;
}

export interface XLines {
  readonly length: number;
  maxLength: number;
  readonly isFull: boolean;
  get(index: number): XLine | undefined;
  trimStart(count: number): void;
}

export interface XBuffer {
  lines: XLines;
  ybase: number;
  ydisp: number;
  x: number;
  y: number;
  scrollTop: number;
  scrollBottom: number;
  tabs: Record<number, boolean | undefined>;
  nextStop(x: number): number;
  savedX: number;
  savedY: number;
  savedCurAttrData: XAttributes;
  savedCharset: Record<string, string> | undefined;
}

/** What the emulator tells of rows it changes. */
export interface XRowTracker {
  /** The span that it asks to be drawn after each parse: of no use here. */
  readonly start: number;
  readonly end: number;
  clearRange(): void;
  markDirty(y: number): void;
  /** Both ends included, in either order. */
  markRangeDirty(a: number, b: number): void;
  markAllDirty(): void;
}

export interface XCore {
  cols: number;
  rows: number;
  buffers: { normal: XBuffer; alt: XBuffer; active: XBuffer; onBufferActivate(listener: () => void): unknown };
  _inputHandler: {
    parse(bytes: Uint8Array): unknown;
    _dirtyRowTracker: XRowTracker;
    eraseInDisplay(params: { params: number[] }, respectProtect: boolean): unknown;
    eraseInLine(params: { params: number[] }, respectProtect: boolean): unknown;
    _curAttrData: XAttributes;
    /** What erased cells and new rows are made of. */
    _eraseAttrData(): XAttributes;
    _parser: { currentState: number; precedingJoinState: number };
  };
  _bufferService: { buffer: XBuffer; scroll(attributes: XAttributes, wrapped?: boolean): void; onScroll(listener: () => void): unknown };
  _charsetService: { charset: Record<string, string> | undefined; glevel: number; _charsets: (Record<string, string> | undefined)[] };
  coreService: {
    isCursorHidden: boolean;
    modes: { insertMode: boolean };
    decPrivateModes: {
      applicationCursorKeys: boolean;
      applicationKeypad: boolean;
      bracketedPasteMode: boolean;
      cursorBlink: boolean | undefined;
      cursorStyle: 'block' | 'underline' | 'bar' | undefined;
      origin: boolean;
      reverseWraparound: boolean;
      sendFocus: boolean;
      synchronizedOutput: boolean;
      wraparound: boolean;
    };
  };
  coreMouseService: { activeProtocol: 'NONE' | 'X10' | 'VT200' | 'DRAG' | 'ANY'; activeEncoding: 'DEFAULT' | 'SGR' | 'SGR_PIXELS' };
  optionsService: { rawOptions: { scrollback: number; cursorBlink: boolean } };
  unicodeService: { charProperties(code: number, preceding: number): number };
}

export interface Emulator {
  terminal: XTerm;
  core: XCore;
}

/** Words of a row's `_data` per cell. */
export const X_WORDS = 3;
/** First word of a cell: its code point; whether it holds more than that, which the words do not tell; its width in cells. */
export const X_CODE = 0x1fffff;
export const X_COMBINED = 1 << 21;
export const X_WIDTH_SHIFT = 22;
/** Character or cluster: a cell without either was never written to, or erased. */
export const X_CONTENT = X_CODE | X_COMBINED;
/** First word of a cell that was never written to, or cleared: no code point, one column. */
export const X_EMPTY = 1 << X_WIDTH_SHIFT;
/** Colour mode in a cell's second and third word: 0 default, 1 the 16 colours, 2 the 256, 3 RGB. */
export const X_MODE = 3 << 24;
/** In a cell's third word: its extended attributes are in force. */
export const X_EXTENDED = 1 << 28;
/** Smallest size @xterm/headless takes, and the largest that is not a mistake, in cells. */
export const MIN_COLS = 2;
export const MIN_ROWS = 1;
export const MAX_SIZE = 1000;

const { Terminal } = (headless as unknown as { default: typeof headless }).default;

/** A new emulator. Sizes in cells, `scrollback` in rows. */
export function createEmulator(cols: number, rows: number, scrollback: number): Emulator {
  const terminal = new Terminal({
    cols,
    rows,
    scrollback,
    allowProposedApi: true,
    logLevel: 'off',
    // Only what asks; nothing that lets a program resize or move its terminal.
    windowOptions: { getWinSizePixels: true, getCellSizePixels: true, getWinSizeChars: true, pushTitle: true, popTitle: true },
  });
  const core = (terminal as unknown as { _core: XCore })._core;
  assertKnown(core);
  terminal.unicode.register(WIDTHS);
  terminal.unicode.activeVersion = WIDTHS.version;
  mendRows(core);
  mendErase(terminal, core);
  return { terminal, core };
}

/**
 * ED 1 (erase all up to the cursor) in the last cell of a buffer without scrollback fails in this version: it wants the row below. There
 * everything before that cell is erased first, then its row.
 */
function mendErase(terminal: XTerm, core: XCore): void {
  for (const prefix of [undefined, '?']) {
    terminal.parser.registerCsiHandler({ prefix, final: 'J' }, ([what]) => {
      const buffer = core.buffers.active;
      const { x } = buffer;
      if (what !== 1 || x < core.cols - 1 || buffer.lines.get(buffer.y + 1)) return false;
      buffer.x = core.cols - 2;
      core._inputHandler.eraseInDisplay({ params: [1] }, prefix === '?');
      buffer.x = x;
      core._inputHandler.eraseInLine({ params: [1] }, prefix === '?');
      return true;
    });
  }
}

/**
 * Has every row marked that is written, erased or moved in place, or that the cursor goes to; of a text that wraps, the first and the last. Not
 * those that scroll, or are another buffer's. The emulator itself keeps one span over them all, which is the whole screen once a frame
 * touches its first and last row, and calls for all rows at the end of each synchronized frame.
 */
export function trackRows({ terminal, core }: Emulator, tracker: XRowTracker): void {
  core._inputHandler._dirtyRowTracker = tracker;
  // It marks the ends of what it erases.
  for (const prefix of [undefined, '?'])
    terminal.parser.registerCsiHandler({ prefix, final: 'J' }, ([what]) => {
      tracker.markRangeDirty(what ? 0 : core.buffers.active.y, core.rows - 1);
      return false;
    });
}

/** Widths and clusters of model/width.ts, so that screens and chrome agree. */
const WIDTHS: IUnicodeVersionProvider = {
  version: 'herd',
  wcwidth: (code) => (properties(code) & 3) as 0 | 1 | 2,
  charProperties: step,
};

/** Longest cluster a cell keeps, UTF-16 units: marks piled up beyond it are dropped, or one cell could take all memory. */
const MAX_CELL_TEXT = 64;

interface LinePrototype {
  addCodepointToCell(this: XLine, x: number, code: number, width: number): void;
  copyFrom(this: XLine, row: XLine): void;
  mended?: boolean;
}

/**
 * Rows share one prototype, which no option reaches; what is mended there is mended once. The bound of clusters; and a row that is used again,
 * as the oldest is at each scroll, gets two new objects for what cells may hold besides words, which mostly is nothing: it keeps those it
 * has, or all that two hundred terminals scroll away would grow old first, and the whole heap be gone through for it again and again.
 */
function mendRows(core: XCore): void {
  const prototype: LinePrototype = Object.getPrototypeOf(core.buffers.normal.lines.get(0));
  if (prototype.mended) return;
  const { addCodepointToCell: add, copyFrom: copy } = prototype;
  prototype.copyFrom = function (row) {
    const { _combined, _extendedAttrs } = this;
    copy.call(this, row);
    if (isEmpty(_combined) && isEmpty(this._combined)) this._combined = _combined;
    if (isEmpty(_extendedAttrs) && isEmpty(this._extendedAttrs)) this._extendedAttrs = _extendedAttrs;
  };
  prototype.addCodepointToCell = function (x, code, width) {
    if ((this._combined[x]?.length ?? 0) < MAX_CELL_TEXT) add.call(this, x, code, width);
  };
  prototype.mended = true;
}

function isEmpty(object: object): boolean {
  for (const _ in object) return false;
  return true;
}

function assertKnown(core: XCore): void {
  const line = core?.buffers?.normal?.lines?.get(0);
  const known =
    typeof core?._inputHandler?.parse === 'function' &&
    typeof core._inputHandler._parser?.currentState === 'number' &&
    typeof core._inputHandler._dirtyRowTracker?.markRangeDirty === 'function' &&
    typeof core._inputHandler._eraseAttrData === 'function' &&
    typeof core._bufferService?.scroll === 'function' &&
    typeof core._bufferService.onScroll === 'function' &&
    typeof core.optionsService?.rawOptions?.scrollback === 'number' &&
    Array.isArray(core._charsetService?._charsets) &&
    core.coreService?.decPrivateModes?.wraparound === true &&
    core.coreMouseService?.activeEncoding === 'DEFAULT' &&
    typeof core.buffers.normal.nextStop === 'function' &&
    typeof line?.copyFrom === 'function' &&
    typeof (line as unknown as LinePrototype)?.addCodepointToCell === 'function' &&
    line?._data instanceof Uint32Array &&
    line._data.length === core.cols * X_WORDS;
  if (!known) throw new Error('this version of @xterm/headless is not the one herd was built for (6.0.0)');
}
