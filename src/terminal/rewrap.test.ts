// Text in a view narrower than its terminal: nothing lost, nothing but frames left out, the cursor in sight.
import { expect, test } from 'vitest';
import { gridText, testScreen } from '../../test/support/cells.ts';
import { testFolder } from '../../test/support/history-folder.ts';
import { createRandom } from '../../test/support/random.ts';
import { createGrid, type TextPoint } from '../model/cell.ts';
import { pointAt } from '../model/text-rows.ts';
import type { Screen } from './screen.ts';

function seen(screen: Screen, cols: number, rows: number, at: TextPoint | null = null) {
  const grid = createGrid(cols, rows);
  const drawn = screen.drawNarrow(grid, at);
  return { text: gridText(grid), ...drawn! };
}

const screenOf = (text: string, cols = 60, rows = 10) => {
  const { screen } = testScreen(cols, rows);
  screen.write(Buffer.from(text.replaceAll('\n', '\r\n')));
  return screen;
};

test.each<[string, string, string[]]>([
  ['words stay whole', 'the quick brown fox jumps over it', ['the quick brown fox', 'jumps over it']],
  ['long words are cut', `${'x'.repeat(45)} end`, ['x'.repeat(20), 'x'.repeat(20), 'xxxxx end']],
  ['a word longer than half of a row is cut', `ab ${'y'.repeat(30)}`, [`ab ${'y'.repeat(17)}`, 'y'.repeat(13)]],
  ['a rule is as long as the view', '─'.repeat(60), ['─'.repeat(20)]],
  ['what frames a text is left out', `│ short ${' '.repeat(50)} │`, ['│ short']],
  ['a text on the right comes below', `left${' '.repeat(40)}right`, ['left', 'right']],
  ['a wide character is not cut', `${'x'.repeat(19)}漢字`, ['x'.repeat(19), '漢字']],
  ['a joined one neither', `${'x'.repeat(19)}👨‍👩‍👧 z`, ['x'.repeat(19), '👨‍👩‍👧 z']],
  ['rows that the terminal wrapped are one line', 'a'.repeat(70), ['a'.repeat(20), 'a'.repeat(20), 'a'.repeat(20), 'a'.repeat(10)]],
  ['indentation is kept', '    return value_of(something);', ['    return', 'value_of(something);']],
])('%s', (_name, text, rows) => {
  expect(seen(screenOf(text), 20, 8).text.filter((row) => row !== '')).toEqual(rows);
});

test('the end of the text is shown, and the cursor in its place', () => {
  const screen = screenOf(`${Array.from({ length: 30 }, (_, i) => `row ${i} ${'w '.repeat(20)}`).join('\n')}\n> prompt\x1b[3D`);
  const { text, cursor, atTail, wraps } = seen(screen, 25, 6);
  expect(text.at(-1)).toBe('> prompt');
  expect({ x: cursor.x, y: cursor.y, visible: cursor.visible, atTail }).toEqual({ x: 5, y: 5, visible: true, atTail: true });
  expect(wraps.map(({ y }) => y)).toEqual(text.flatMap((row, y) => (y > 0 && row.startsWith('w ') ? [y] : [])));
});

test('a cursor far above the end is followed, a hidden one is not', () => {
  const rows = Array.from({ length: 10 }, (_, i) => `row ${i} ${'word '.repeat(9)}`).join('\n');
  const at = seen(screenOf(`${rows}\x1b[3;50H`), 20, 6);
  expect(at.text[at.cursor.y - 2]).toContain('row 2');
  expect(at.cursor.visible).toBe(true);
  const hidden = seen(screenOf(`${rows}\x1b[3;50H\x1b[?25l`), 20, 6);
  expect(hidden.text.join('\n')).toContain('row 9');
});

test('an alternate screen is not wrapped', () => {
  expect(screenOf('\x1b[?1049hmenu').drawNarrow(createGrid(20, 5), null)).toBeNull();
});

test('scrolling meets every word once, up and down, in history and live rows, at any width', async () => {
  using place = testFolder();
  const { screen } = testScreen(50, 12, { scrollback: 40, history: { folder: place.folder, stream: '1' } });
  const random = createRandom(7);
  const words: string[] = [];
  let text = '';
  for (let line = 0; line < 300; line++) {
    for (let i = random(25); i > 0; i--) {
      const word = `${words.length}${'é漢x'.repeat(random(4))}`;
      words.push(word);
      text += `${word}${' '.repeat(1 + random(4))}`;
    }
    text += '\r\n';
  }
  await screen.write(Buffer.from(`${text}end`));
  for (const cols of [49, 30, 17]) {
    const view = { cols, rows: 7 };
    const rows = new Map<string, { at: TextPoint; text: string }>();
    let at: TextPoint | null = null;
    for (let steps = 0; steps < 2000; steps++) {
      const drawn = seen(screen, cols, 7, at);
      const { top, first, wraps } = drawn;
      for (const [y, text] of drawn.text.entries()) {
        const at = pointAt({ ...drawn, left: 0 }, 0, y);
        rows.set(`${at.line} ${at.col}`, { at, text });
      }
      if (top.line === first && top.col === 0) break;
      const up: TextPoint = screen.scrolledNarrow(at, -7, view)!;
      // Back down again is where it was, unless the top came in between.
      if (up.line > first || up.col > 0) expect(screen.scrolledNarrow(up, 7, view)).toEqual(at === null ? null : top);
      expect(wraps.every(({ y, col }) => y > 0 && col > 0)).toBe(true);
      at = up;
    }
    const inOrder = [...rows.values()].sort((a, b) => a.at.line - b.at.line || a.at.col - b.at.col);
    expect(inOrder.map(({ text }) => text.replaceAll(' ', '')).join('')).toBe(`${words.join('')}end`);
  }
});
