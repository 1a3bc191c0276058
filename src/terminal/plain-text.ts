// Lines of SGR text, as the history keeps them, as plain text: what a reader sees, with the cell each character stands in.
import { step } from '../model/width.ts';

/** Cells skipped. */
const MOVES = /\x1b\[(\d+)C/g;
/** Everything else in a packed line that is no text: looks, erasures, protection, links, what keeps neighbours apart, the mark of a cut. */
const MARKS = /\x1b\[[0-9;:]*(?:[mX]|"q)|\x1b\]8;[^\x1b]*\x1b\\|[\0\v]/g;

/** A line of the history without its marks: as a person reads it, moves of the cursor as blanks. */
export function plainText(line: string): string {
  if (!/[\x1b\0\v]/.test(line)) return line;
  return line.replace(MOVES, (_, cells) => ' '.repeat(Number(cells))).replace(MARKS, '');
}

/** Cells before the UTF-16 unit at `index` of plain text. */
export function cellAt(text: string, index: number): number {
  let cells = 0;
  let state = 0;
  for (let i = 0; i < index; ) {
    const code = text.codePointAt(i)!;
    i += code > 0xffff ? 2 : 1;
    if (code < 0x300 && code >= 0x20 && code !== 0xad) {
      cells++;
      state = 0;
      continue;
    }
    const next = step(code, state);
    const width = (next >> 1) & 3;
    cells += (next & 1) === 1 ? width - ((state >> 1) & 3) : width;
    state = next;
  }
  return cells;
}

/** The text in cells [from, to) of a line of plain text; a wide character counts where it begins. */
export function cellSlice(text: string, from: number, to: number): string {
  return text.slice(indexAt(text, from), indexAt(text, to));
}

/** UTF-16 unit at which the character of a cell begins; the length behind the end. */
function indexAt(text: string, cell: number): number {
  if (cell <= 0) return 0;
  let cells = 0;
  let state = 0;
  for (let i = 0; i < text.length; ) {
    const code = text.codePointAt(i)!;
    const next = step(code, state);
    const joins = state !== 0 && (next & 1) === 1;
    if (!joins && cells >= cell) return i;
    const width = (next >> 1) & 3;
    cells += joins ? width - ((state >> 1) & 3) : width;
    state = next;
    i += code > 0xffff ? 2 : 1;
  }
  return text.length;
}
