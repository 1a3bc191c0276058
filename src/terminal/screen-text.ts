// The visible screen as text with runs of looks, for the agent rules, `herd read` and `herd explain`.
import type { ScreenLine, TextRun } from '../model/screen-text.ts';
import { X_CODE, X_COMBINED, X_CONTENT, X_MODE, X_WIDTH_SHIFT, X_WORDS, type XLine } from './xterm.ts';

const FG_LOOKS = (1 << 26) | (1 << 27);
const BG_LOOKS = (1 << 26) | (1 << 27);

/** Text and runs of one row; `wrapped`: the row below continues it. */
export function lineText(line: XLine, cols: number, wrapped: boolean): ScreenLine {
  const data = line._data;
  const runs: TextRun[] = [];
  let text = '';
  /** Code points behind `text`; as one string when all are known: a string for each cell was most of what a look at a screen cost. */
  const codes = new Array<number>(Math.min(cols, line.length));
  let count = 0;
  /** Length of both, UTF-16, and up to the last cell that is not blank. */
  let units = 0;
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
        text += String.fromCodePoint(...codes.slice(0, count)) + cluster;
        count = 0;
        units += cluster.length;
      } else {
        const code = content & X_CODE || 32;
        codes[count++] = code;
        units += code > 0xffff ? 2 : 1;
      }
      if ((content & X_CONTENT) !== 0 && (content & X_CONTENT) !== 32) length = units;
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
  codes.length = count;
  text += String.fromCodePoint(...codes);
  return { text: text.slice(0, length), wrapped, runs };
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
