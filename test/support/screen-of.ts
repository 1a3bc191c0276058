// Screens for tests of the agent rules, written as text: `▏` marks the cursor, `~` rows are dropped, `{…}` is dim.
import type { ScreenText, TextRun } from '../../src/model/screen-text.ts';

/** A screen of `cols` x as many rows as the text has. */
export function screenOf(text: string, cols = 100): ScreenText {
  const cursor = { x: 0, y: 0, visible: true };
  const lines = text
    .replace(/^\n/, '')
    .split('\n')
    .map((row, y) => {
      const runs: TextRun[] = [];
      let out = '';
      for (const char of row) {
        if (char === '▏') Object.assign(cursor, { x: out.length, y });
        else if (char === '{')
          runs.push({ from: out.length, to: out.length, dim: true, bold: false, inverse: false, italic: false, fg: null, bg: null });
        else if (char === '}') runs.at(-1)!.to = out.length;
        else out += char;
      }
      return { text: out.trimEnd(), wrapped: false, runs };
    });
  return { cols, rows: lines.length, lines, cursor, alternate: true, bracketedPaste: true, kittyFlags: 0 };
}
