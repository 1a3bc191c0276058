// Text as columns: symbols, tabs, wide characters, wrapping.
import { expect, test } from 'vitest';
import { fitText, glyphsOf, textWidth, wrapStarts, wrapWords } from './glyphs.ts';

test.each<[string, string, number]>([
  ['plain', 'plain', 5],
  ['a\tb', 'a   b', 5],
  ['\t\tx', '        x', 9],
  ['漢\tb', '漢  b', 5],
  ['\u001b[31m', '^[[31m', 6],
  ['a\rb', 'a^Mb', 4],
  ['\u007f', '^?', 2],
  ['x\u202ey', 'x<202e>y', 8],
  ['\ufeffbom', '<feff>bom', 9],
  ['a\u200bb', 'a<200b>b', 8],
  ['👨‍👩‍👧', '👨‍👩‍👧', 2],
  ['e\u0301', 'e\u0301', 1],
  ['\ud800', '<d800>', 6],
  ['\u0085', '<0085>', 6],
])('%j is shown as %j in %i columns', (text, shown, columns) => {
  expect([...glyphsOf(text, 4)].map((glyph) => glyph.text).join('')).toBe(shown);
  expect(textWidth(text, 4)).toBe(columns);
});

test('a cell’s cluster is bounded', () => {
  const [glyph] = glyphsOf(`e${'\u0301'.repeat(500)}`, 4);
  expect(glyph!.text.length).toBeLessThanOrEqual(64);
  expect(glyph!.end).toBe(501);
});

test.each<[string, number, number[]]>([
  ['', 5, [0]],
  ['abcdefghij', 5, [0, 5]],
  ['abcdefghijk', 5, [0, 5, 10]],
  ['漢字漢字', 5, [0, 2]],
  ['ab\tcd', 4, [0, 3]],
])('%j breaks at %i columns', (text, width, starts) => {
  expect(wrapStarts(text, width, 4)).toEqual(starts);
});

test('words wrap at blanks, long ones anywhere, and lines stay', () => {
  expect(wrapWords('the quick brown fox\n\nabcdefghijklmnop', 10)).toEqual(['the quick', 'brown fox', '', 'abcdefghij', 'klmnop']);
});

test.each([
  ['src/auth/login.ts', 10, 'end', 'src/auth/…'],
  ['src/auth/login.ts', 10, 'front', '…/login.ts'],
  ['日本語.md', 6, 'front', '…語.md'],
  ['short', 10, 'end', 'short'],
  ['x', 0, 'end', ''],
] as const)('%s in %i columns cut at the %s', (text, width, cut, expected) => {
  expect(fitText(text, width, cut)).toBe(expected);
});
