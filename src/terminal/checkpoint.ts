// A screen as bytes and back. The cells are VT text that any terminal shows; what VT cannot say exactly (saved cursors, charsets, tab
// stops, stacks, row joins, odd cells) stands in one OSC before them, read only by `restore` and never from a program's output.
import type { Colours, Special } from './colours.ts';
import type { Keyboard } from './keyboard.ts';
import type { Link, LinkTable } from './links.ts';
import type { Looks } from './looks.ts';
import { RowPacker } from './pack-row.ts';
import type { OddCell } from './vt-row.ts';
import { X_WORDS, type XAttributes, type XBuffer, type XCore, type XLine } from './xterm.ts';

/** Opens a checkpoint; the state follows as JSON up to the ST. The number is in no use for anything else. */
const HEAD = '\x1b]7700;herd-screen-1;';
const TAIL = '\x1b\\';
const NEXT_ROW = Buffer.from('\r\n');

/** What surrounds the parser and is kept with it. */
export interface ScreenParts {
  core: XCore;
  keyboard: Keyboard;
  colours: Colours;
  links: LinkTable;
  looks: Looks;
  ownModes: Map<number, boolean>;
}

interface SavedAttributes {
  fg: number;
  bg: number;
  ext: number;
  link: Link | null;
}

type Charset = Record<string, string> | null;

interface SavedBuffer {
  x: number;
  y: number;
  top: number;
  bottom: number;
  tabs: number[];
  savedX: number;
  savedY: number;
  savedFg: number;
  savedBg: number;
  savedCharset: Charset;
  /** Rows that continue the row before. */
  wrapped: number[];
  odd: (OddCell & { y: number })[];
}

interface SavedState {
  cols: number;
  rows: number;
  alternate: boolean;
  normal: SavedBuffer;
  alt: SavedBuffer;
  attributes: SavedAttributes;
  joinState: number;
  charsets: Charset[];
  charset: Charset;
  glevel: number;
  modes: XCore['coreService']['decPrivateModes'];
  insert: boolean;
  hidden: boolean;
  mouse: XCore['coreMouseService']['activeProtocol'];
  mouseEncoding: XCore['coreMouseService']['activeEncoding'];
  ownModes: [number, boolean][];
  kitty: { normal: number[]; alternate: number[]; otherKeys: 0 | 1 | 2; asU: boolean };
  colours: [number | Special, string][];
  /** Whatever else the screen wants back. */
  extra: unknown;
}

/** The whole screen. The parser must be in ground state. */
export function writeCheckpoint(parts: ScreenParts, extra: unknown): Uint8Array {
  const { core } = parts;
  const alternate = core.buffers.active === core.buffers.alt;
  const normal = writeBuffer(core.buffers.normal, parts);
  const alt = writeBuffer(core.buffers.alt, parts);
  const { keyboard } = parts;
  const state: SavedState = {
    cols: core.cols,
    rows: core.rows,
    alternate,
    normal: normal.state,
    alt: alt.state,
    attributes: saveAttributes(core._inputHandler._curAttrData, parts.links),
    joinState: core._inputHandler._parser.precedingJoinState,
    charsets: Array.from(core._charsetService._charsets, (charset) => charset ?? null),
    charset: core._charsetService.charset ?? null,
    glevel: core._charsetService.glevel,
    modes: core.coreService.decPrivateModes,
    insert: core.coreService.modes.insertMode,
    hidden: core.coreService.isCursorHidden,
    mouse: core.coreMouseService.activeProtocol,
    mouseEncoding: core.coreMouseService.activeEncoding,
    ownModes: [...parts.ownModes],
    kitty: {
      normal: [...keyboard.stack(false)],
      alternate: [...keyboard.stack(true)],
      otherKeys: keyboard.otherKeys,
      asU: keyboard.otherKeysAsU,
    },
    colours: parts.colours.entries(),
    extra,
  };
  // JSON escapes all C0; C1 and DEL are no part of anything saved but links and titles, which are cleaned.
  const head = Buffer.from(`${HEAD}${JSON.stringify(state)}${TAIL}\x1bc`);
  return Buffer.concat(alternate ? [head, normal.text, Buffer.from('\x1b[?1047h\x1b[H'), alt.text] : [head, normal.text]);
}

/** The state part of a checkpoint and its VT part; null when these bytes are none. */
export function splitCheckpoint(bytes: Uint8Array): { state: SavedState; vt: Uint8Array } | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!view.subarray(0, HEAD.length).equals(Buffer.from(HEAD))) return null;
  const end = view.indexOf(TAIL);
  if (end === -1) return null;
  try {
    const state = JSON.parse(view.toString('utf8', HEAD.length, end)) as SavedState;
    return { state, vt: view.subarray(end + TAIL.length) };
  } catch {
    return null;
  }
}

/** Puts the state back, after the VT part has been parsed into a screen of the same size. */
export function applyState(state: SavedState, parts: ScreenParts): void {
  const { core, keyboard } = parts;
  applyBuffer(state.normal, core.buffers.normal, parts);
  applyBuffer(state.alt, core.buffers.alt, parts);
  applyAttributes(state.attributes, core._inputHandler._curAttrData, parts.links);
  core._inputHandler._parser.precedingJoinState = state.joinState;
  core._charsetService._charsets.length = 0;
  for (const charset of state.charsets) core._charsetService._charsets.push(charset ?? undefined);
  core._charsetService.glevel = state.glevel;
  core._charsetService.charset = state.charset ?? undefined;
  Object.assign(core.coreService.decPrivateModes, state.modes);
  core.coreService.modes.insertMode = state.insert;
  core.coreService.isCursorHidden = state.hidden;
  core.coreMouseService.activeProtocol = state.mouse;
  core.coreMouseService.activeEncoding = state.mouseEncoding;
  for (const [mode, on] of state.ownModes) parts.ownModes.set(mode, on);
  keyboard.restore(state.kitty.normal, state.kitty.alternate);
  keyboard.otherKeys = state.kitty.otherKeys;
  keyboard.otherKeysAsU = state.kitty.asU;
  for (const [which, colour] of state.colours) parts.colours.set(which, colour);
}

function writeBuffer(buffer: XBuffer, parts: ScreenParts): { text: Uint8Array; state: SavedBuffer } {
  const packer = new RowPacker((number) => parts.links.get(number), parts.looks);
  const wrapped: number[] = [];
  const odd: (OddCell & { y: number })[] = [];
  for (let y = 0; y < buffer.lines.length; y++) {
    const line = buffer.lines.get(y)!;
    if (line.isWrapped) wrapped.push(y);
    if (y > 0) packer.append(NEXT_ROW);
    packer.exactRow(line, parts.core.cols, (cell) => odd.push({ ...cell, y }));
  }
  const state: SavedBuffer = {
    x: buffer.x,
    y: buffer.y,
    top: buffer.scrollTop,
    bottom: buffer.scrollBottom,
    tabs: Object.keys(buffer.tabs)
      .map(Number)
      .filter((column) => buffer.tabs[column]),
    savedX: buffer.savedX,
    savedY: buffer.savedY,
    savedFg: buffer.savedCurAttrData.fg,
    savedBg: buffer.savedCurAttrData.bg,
    savedCharset: buffer.savedCharset ?? null,
    wrapped,
    odd,
  };
  return { text: packer.pending, state };
}

function applyBuffer(state: SavedBuffer, buffer: XBuffer, parts: ScreenParts): void {
  buffer.x = state.x;
  buffer.y = state.y;
  buffer.scrollTop = state.top;
  buffer.scrollBottom = state.bottom;
  buffer.tabs = Object.fromEntries(state.tabs.map((column) => [column, true]));
  buffer.savedX = state.savedX;
  buffer.savedY = state.savedY;
  buffer.savedCurAttrData.fg = state.savedFg;
  buffer.savedCurAttrData.bg = state.savedBg;
  buffer.savedCharset = state.savedCharset ?? undefined;
  for (let y = 0; y < buffer.lines.length; y++) buffer.lines.get(y)!.isWrapped = false;
  for (const y of state.wrapped) {
    const line = buffer.lines.get(y);
    if (line) line.isWrapped = true;
  }
  const blank = parts.core._inputHandler._curAttrData.extended;
  for (const cell of state.odd) {
    const line = buffer.lines.get(cell.y);
    if (line && cell.x < line.length) applyCell(cell, line, blank, parts.links);
  }
}

function applyCell(cell: OddCell, line: XLine, blank: XAttributes['extended'], links: LinkTable): void {
  const at = cell.x * X_WORDS;
  line._data[at] = cell.content;
  line._data[at + 1] = cell.fg;
  line._data[at + 2] = cell.bg;
  if (cell.text !== undefined) line._combined[cell.x] = cell.text;
  if (cell.ext === undefined) return;
  const extended = blank.clone();
  extended._ext = cell.ext;
  extended._urlId = cell.link ? links.add(cell.link.id, cell.link.uri) : 0;
  line._extendedAttrs[cell.x] = extended;
}

function saveAttributes(attributes: XAttributes, links: LinkTable): SavedAttributes {
  const { fg, bg, extended } = attributes;
  return { fg, bg, ext: extended._ext, link: links.get(extended._urlId) ?? null };
}

function applyAttributes(saved: SavedAttributes, attributes: XAttributes, links: LinkTable): void {
  attributes.fg = saved.fg;
  attributes.bg = saved.bg;
  attributes.extended = attributes.extended.clone();
  attributes.extended._ext = saved.ext;
  attributes.extended._urlId = saved.link ? links.add(saved.link.id, saved.link.uri) : 0;
}
