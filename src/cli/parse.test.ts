import { expect, test } from 'vitest';
import { Failure } from './failure.ts';
import { didYouMean, parseWords } from './parse.ts';
import { lineTarget, seconds, states } from './values.ts';
import { findVerb, VERBS } from './verbs.ts';

const parse = (line: string[]) => {
  const found = findVerb(line)!;
  return parseWords(found.name, VERBS[found.name]!, line.slice(found.length));
};

test.each([
  [['keys', '1', '--session', 'm', '--text', '-x'], { words: ['1'], command: null, options: { session: 'm', text: '-x' } }],
  [['keys', '1', '--session', 'm', '--text', '--'], { words: ['1'], command: null, options: { session: 'm', text: '--' } }],
  [['new', 'b', '--', 'sh', '-c', '--json'], { words: ['b'], command: ['sh', '-c', '--json'], options: {} }],
  [['send', '3', '-', '--queue', '--json'], { words: ['3', '-'], command: null, options: { queue: true, json: true } }],
  [['comment', 'add', '1', 'a.ts:3', 'text'], { words: ['1', 'a.ts:3', 'text'], command: null, options: {} }],
])('%j', (line, expected) => {
  const { words, command, options } = parse(line);
  expect({ words, command, options: { ...options } }).toEqual(expected);
});

test.each([
  [['keys', '1', '--bogus'], "Unknown option '--bogus'"],
  [['wait'], 'Something is missing: herd wait WS'],
  [['ls', 'x'], 'herd ls does not take "x"'],
  [['ls', '--', 'x'], 'herd ls takes no "--"'],
  [['new', '--'], 'Nothing stands after "--"'],
])('refuses %j', (line, message) => {
  expect(() => parse(line)).toThrow(Failure);
  expect(() => parse(line)).toThrow(message);
});

test('names the verb that was meant', () => {
  expect([didYouMean('sned', ['send', 'ls']), didYouMean('x', ['send', 'ls'])]).toEqual(['send', undefined]);
});

test.each([
  ['a.ts:3', { path: 'a.ts', range: { start: 3, end: 3 } }],
  ['a:b.ts:3-5', { path: 'a:b.ts', range: { start: 3, end: 5 } }],
  ['a.ts', { path: 'a.ts', range: null }],
  ['.', { path: null, range: null }],
])('target %s', (word, expected) => expect(lineTarget(word)).toEqual(expected));

test('values out of bounds are usage failures', () => {
  expect(() => lineTarget('a.ts:5-3')).toThrow(/range of lines/);
  expect(() => states('done,sleepy')).toThrow(/"sleepy" is no state/);
  expect(() => seconds('soon', 'timeout')).toThrow(/--timeout/);
  expect(seconds('1.5', 'timeout')).toBe(1500);
});
