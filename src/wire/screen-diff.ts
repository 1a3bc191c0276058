// The cells of one view as they cross the socket: what changed since the grid that this client last got, packed. A frame is a header with
// the facts, the tables' new entries, then operations on cells; wire/diff-encoder writes it, wire/diff-decoder reads it.
import type { Cursor, CursorShape } from '../model/cell.ts';
import type { RowWrap } from '../model/text-rows.ts';
import type { TextPoint } from './requests.ts';

/** What stands beside the cells of a view. */
export interface ViewFacts {
  cursor: Cursor;
  /** Text at the first cell of the first row. */
  top: TextPoint;
  /** Rows that continue the line of the row above; see `model/text-rows`. */
  wraps: readonly RowWrap[];
  /** Cells left out at the start of each row. */
  left: number;
  /** Oldest line there is to scroll to, and the line of the last row of the tail. */
  first: number;
  last: number;
  atTail: boolean;
  /** Lines that have arrived since this view was scrolled up. */
  newLines: number;
  /** Mouse events the program asked for: presses (1000), also moves with a button held (1002), all moves (1003). */
  mouse: 'none' | 'press' | 'drag' | 'any';
  /** The wheel belongs to the program (it asked for the mouse, or it is on the alternate screen); else it scrolls the view. */
  wheel: 'program' | 'scroll';
  /** Kitty keyboard flags the program asked for; the client asks as much of the outer terminal while the view has the focus. */
  kitty?: number;
}

/** Largest view, cells a side; the same floor and ceiling as for terminals. */
export const MAX_VIEW_SIDE = 1000;
/** Clusters a view's table may hold before it is started anew with a full frame; a screen of 1000 different clusters is no text. */
export const MAX_CLUSTERS = 4096;
/** UTF-16 units of one cluster; the screen caps combining marks far below. */
export const MAX_CLUSTER_LENGTH = 256;
/** Link slots are one byte, slot 0 is none. */
export const MAX_LINKS = 255;
/** UTF-16 units of a link's address; the same cap as Ghostty's. */
export const MAX_LINK_LENGTH = 4096;

export const SHAPES: CursorShape[] = ['block', 'underline', 'bar'];
export const MICE: ViewFacts['mouse'][] = ['none', 'press', 'drag', 'any'];

// Flags of a frame's first byte.
export const FULL = 1;
export const AT_TAIL = 2;
export const CURSOR_VISIBLE = 4;
export const CURSOR_BLINK = 8;
export const WHEEL_PROGRAM = 16;

// Operations on cells: the low three bits say what, the others carry a small count (1-30; 0: a varint follows).
export const OP_SKIP = 0;
export const OP_TEXT = 1;
export const OP_REPEAT = 2;
/** The upper bits say which of words 1, 2, 3 and the link slot follow. */
export const OP_LOOK = 3;

// Codes in OP_TEXT: a byte below 0x80 is an ASCII cell of width 1.
export const CODE_SPACER = 0xc0;
export const CODE_SHORT = 0x90;
export const CODE_LONG = 0x80;
