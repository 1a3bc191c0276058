// Widths against two judges: Ghostty, which they follow, and the graphemes addon, from which they differ only where Ghostty does.
import { describe, expect, test } from 'vitest';
import { rgiEmoji } from '../../test/support/emoji.ts';
import { ghosttyWidth, loadGhostty } from '../../test/support/ghostty.ts';
import { loadAddon } from '../../test/support/graphemes.ts';
import { clusters, fit, pad, properties, width } from './width.ts';

const terminal = (await loadGhostty()).createTerminal(80, 4, { scrollbackLimit: 0 });
const ghostty = (text: string) => ghosttyWidth(terminal, text);
const addon = loadAddon();

/** Code points of text: no controls, no halves of surrogate pairs; where thousands are alike (ideographs, Hangul, empty planes) a few. */
function* codePoints(): Generator<number> {
  const uniform: [number, number, number][] = [
    [0x3500, 0xa000, 61],
    [0xac20, 0xd780, 29],
    [0xe010, 0xf8f0, 61],
    [0x17010, 0x18c00, 61],
    [0x20010, 0xe0000, 1021],
    [0xe1000, 0x110000, 1021],
  ];
  for (let code = 0x20; code < 0x110000; code++) {
    const range = uniform.find(([from, to]) => code >= from && code < to);
    if (range && (code - range[0]) % range[2] !== 0 && !(code > 0x4db0 && code < 0x4e10)) continue;
    if ((code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code < 0xe000)) continue;
    yield code;
  }
}

/** Differing code points as ranges, for a readable failure. */
function ranges(codes: number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < codes.length; ) {
    let j = i;
    while (codes[j + 1] === codes[j]! + 1) j++;
    parts.push(i === j ? codes[i]!.toString(16) : `${codes[i]!.toString(16)}-${codes[j]!.toString(16)}`);
    i = j + 1;
  }
  return parts.join(' ');
}

describe('width', () => {
  test('of every code point after a letter is what Ghostty makes of it', () => {
    const wrong = [...codePoints()].filter((code) => width(`a${String.fromCodePoint(code)}`) !== ghostty(`a${String.fromCodePoint(code)}`));
    expect(ranges(wrong)).toBe('');
  });

  test('of every code point alone is what the addon says, but where Ghostty disagrees with it', () => {
    const wrong = [...codePoints()].filter((code) => {
      const text = String.fromCodePoint(code);
      const ours = width(text);
      // A mark with nothing before it: the addon and we give it a column (the parser has no cell of none), Ghostty drops it.
      return ours !== addon.getStringCellWidth(text) && ours !== Math.max(ghostty(text), 1);
    });
    expect(ranges(wrong)).toBe('');
  });

  test('of every recommended emoji is what Ghostty makes of it', () => {
    const list = rgiEmoji();
    expect(list.length).toBeGreaterThan(3700);
    expect(list.filter((text) => width(text) !== ghostty(text))).toEqual([]);
  });

  test('of random clusters is what Ghostty makes of them', () => {
    const parts = [
      'a',
      '1',
      'é',
      '中',
      '가',
      '\u1100',
      '\u11a8',
      '\u0301',
      '\u200d',
      '\ufe0f',
      '😀',
      '❤',
      '☝',
      '🏽',
      '🇩',
      '🇪',
      'क',
      '्',
      'ष',
      'ि',
      '👩',
      '🏳',
      '\u200b',
    ];
    let seed = 7;
    const random = (n: number) => {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      return (seed >> 8) % n;
    };
    const wrong: string[] = [];
    for (let i = 0; i < 5000; i++) {
      const text = `x${Array.from({ length: 1 + random(5) }, () => parts[random(parts.length)]).join('')}`;
      if (width(text) !== ghostty(text))
        wrong.push(`${Array.from(text, (c) => c.codePointAt(0)!.toString(16)).join(' ')} ours ${width(text)} ghostty ${ghostty(text)}`);
    }
    expect(wrong.slice(0, 10)).toEqual([]);
  });

  test('of 😀 is 2 in the table itself', () => expect(properties(0x1f600) & 3).toBe(2));
});

test.each([
  ['abc', ['a', 'b', 'c']],
  ['e\u0301x', ['e\u0301', 'x']],
  ['👨‍👩‍👧!', ['👨‍👩‍👧', '!']],
  ['🇩🇪🇫🇷', ['🇩🇪', '🇫🇷']],
  ['a\u001b[', ['a', '\u001b', '[']],
])('clusters of %j', (text, expected) => expect(Array.from(clusters(text), (cluster) => cluster.text)).toEqual(expected));

test.each([
  ['hello', 5, 'hello'],
  ['hello', 4, 'hel…'],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  ['👨‍👩‍👧 family', 4, '👨‍👩‍👧 …'],
  ['x', 0, ''],
])('fit(%j, %i) is %j', (text, columns, expected) => expect(fit(text, columns)).toBe(expected));

test('pad fills by columns', () => {
  expect(pad('日', 4)).toBe('日  ');
  expect(pad('7', 3, 'start')).toBe('  7');
});
