// The visible screen as text with runs of looks, for the agent rules, `herd read` and `herd explain`.
import type { ScreenLine, TextRun } from '../model/screen-text.ts';
import { MAX_SIZE, X_CODE, X_COMBINED, X_CONTENT, X_MODE, X_WIDTH_SHIFT, X_WORDS, type XLine } from './xterm.ts';

const FG_LOOKS = (1 << 26) | (1 << 27);
const BG_LOOKS = (1 << 26) | (1 << 27);

/** UTF-16 units of a row while it is read, two for a cell at most, and their low bytes: rows are read a thousand times a second. */
const units = new Uint16Array(2 * MAX_SIZE);
const wide = Buffer.from(units.buffer);
const narrow = Buffer.alloc(units.length);

/** Text and runs of one row; `wrapped`: the row below continues it. */
export function lineText(line: XLine, cols: number, wrapped: boolean): ScreenLine {
  const data = line._data;
  const runs: TextRun[] = [];
  let text = '';
  /** Units behind `text`, and all bits in them. */
  let count = 0;
  let bits = 0;
  /** Length of both up to the last cell that is not blank. */
  let length = 0;
  let run: TextRun | null = null;
  let runFg = 0;
  let runBg = 0;
  const end = Math.min(cols, line.length);
  for (let x = 0; x < end; x++) {
    const content = data[x * X_WORDS]!;
    const width = content >>> X_WIDTH_SHIFT;
    if (width !== 0) {
      if ((content & X_COMBINED) !== 0) {
        const cluster = line._combined[x] ?? ' ';
        text += textOf(count, bits) + cluster;
        count = 0;
      } else {
        const code = content & X_CODE || 32;
        bits |= code;
        if (code > 0xffff) units[count++] = 0xd7c0 + (code >> 10);
        units[count] = code > 0xffff ? 0xdc00 | (code & 0x3ff) : code;
        narrow[count++] = code;
      }
      if ((content & X_CONTENT) !== 0 && (content & X_CONTENT) !== 32) length = text.length + count;
    }
    const fg = data[x * X_WORDS + 1]! & (0x3ffffff | FG_LOOKS);
    const bg = data[x * X_WORDS + 2]! & (0x3ffffff | BG_LOOKS);
    if (run && fg === runFg && bg === runBg) run.to = x + 1;
    else {
      run = fg === 0 && bg === 0 ? null : runAt(x, fg, bg);
      if (run) runs.push(run);
      runFg = fg;
      runBg = bg;
    }
  }
  return { text: text + textOf(length - text.length, bits), wrapped, runs };
}

/** The first `count` units as one string; `bits` of all of them. */
function textOf(count: number, bits: number): string {
  return bits > 0xff ? wide.toString('utf16le', 0, 2 * count) : narrow.toString('latin1', 0, count);
}

function runAt(x: number, fg: number, bg: number): TextRun {
  return {
    from: x,
    to: x + 1,
    dim: (bg & (1 << 27)) !== 0,
    bold: (fg & (1 << 27)) !== 0,
    inverse: (fg & (1 << 26)) !== 0,
    italic: (bg & (1 << 26)) !== 0,
    fg: colour(fg),
    bg: colour(bg),
  };
}

function colour(word: number): string | number | null {
  if ((word & X_MODE) === 0) return null;
  return (word & X_MODE) === X_MODE ? `#${(word & 0xffffff).toString(16).padStart(6, '0')}` : word & 0xff;
}
