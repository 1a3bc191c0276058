// Word marks and pairing as tables.
import { expect, test } from 'vitest';
import type { DiffLine } from '../../model/review/changeset.ts';
import { pairLines } from './pair-lines.ts';
import { diffWords, type Ranges } from './word-diff.ts';

const marked = (text: string, ranges: Ranges) =>
  [...ranges].reverse().reduce((t, [from, to]) => `${t.slice(0, from)}[${t.slice(from, to)}]${t.slice(to)}`, text);

test.each<[string, string, string, string]>([
  ['let a = 1;', 'let b = 1;', 'let [a] = 1;', 'let [b] = 1;'],
  ['return value + 12', 'return value + 13', 'return value + [12]', 'return value + [13]'],
  ['if (!s) return;', 'if (!s || s.old) return;', 'if (!s) return;', 'if (!s[ || s.old]) return;'],
  ['foo(a, b)', 'foo(b)', 'foo([a, ]b)', 'foo(b)'],
  ['set one two now', 'set three four now', 'set [one two] now', 'set [three four] now'],
  ['call(first, second, x)', 'call(x, first, second)', 'call(first, second[, x])', 'call([x, ]first, second)'],
  ['aaaa = b.c + long.name', 'aaaa = b.d - long.name', 'aaaa = b.[c +] long.name', 'aaaa = b.[d -] long.name'],
  ['completely different', 'x = y * (z - 7);', 'completely different', 'x = y * (z - 7);'],
  ['same', 'same', 'same', 'same'],
  ['un café ici', 'un cafés ici', 'un [café] ici', 'un [cafés] ici'],
  ['', 'new', '', 'new'],
  ['  indent', '\tindent', '[  ]indent', '[\t]indent'],
  ['a 😀 b', 'a 😁 b', 'a [😀] b', 'a [😁] b'],
])('%j → %j', (old, now, oldMarked, nowMarked) => {
  const words = diffWords(old, now);
  expect([marked(old, words.old), marked(now, words.new)]).toEqual([oldMarked, nowMarked]);
});

test('a line of 400,000 characters is compared at its ends', () => {
  const long = 'abcd(1);'.repeat(50_000);
  const words = diffWords(long, `${long.slice(0, 399_900)}changed();${long.slice(399_910)}`);
  expect(words.new.length).toBe(1);
  const [[from, to]] = words.new as [[number, number]];
  expect([from > 399_800, to < 399_930]).toEqual([true, true]);
});

const lines = (kind: 'removed' | 'added', ...texts: string[]): DiffLine[] => texts.map((text) => ({ kind, old: 1, new: 1, text }));
const pairs = (removed: string[], added: string[]) =>
  pairLines(lines('removed', ...removed), lines('added', ...added)).map(([a, b]) => `${a?.text ?? '-'} | ${b?.text ?? '-'}`);

test('uneven blocks pair by likeness, in order', () => {
  expect(pairs(['const b = load(2);'], ['// why', 'const b = load(3);', 'next();'])).toEqual([
    '- | // why',
    'const b = load(2); | const b = load(3);',
    '- | next();',
  ]);
  expect(pairs(['alpha(1)', 'beta(1)', 'gamma(1)'], ['beta(2)'])).toEqual(['alpha(1) | -', 'beta(1) | beta(2)', 'gamma(1) | -']);
});

test('a line that grew much is still a pair, by its words', () => {
  expect(
    pairs(['if (!session) return;'], ['// 401 for API callers', 'if (!session || session.expired) {', '  return redirect("/login");', '}']),
  ).toEqual([
    '- | // 401 for API callers',
    'if (!session) return; | if (!session || session.expired) {',
    '- |   return redirect("/login");',
    '- | }',
  ]);
});

test('as many lines as before need not be the same ones', () => {
  expect(pairs(['alpha(1);', 'beta(two);'], ['// new', 'alpha(one);'])).toEqual([
    '- | // new',
    'alpha(1); | alpha(one);',
    'beta(two); | -',
  ]);
  expect(pairs(['a = 1;', 'b = 2;', 'c = 3;'], ['a = 2;', 'b = 3;', 'c = 4;'])).toEqual([
    'a = 1; | a = 2;',
    'b = 2; | b = 3;',
    'c = 3; | c = 4;',
  ]);
});

test('what has no partner stands side by side, every line once', () => {
  expect(pairs(['xyz', 'abc'], ['123', '456', '789'])).toEqual(['xyz | 123', 'abc | 456', '- | 789']);
  expect(pairs([], ['a'])).toEqual(['- | a']);
});
