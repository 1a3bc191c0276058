// Pastes: markers only when asked for, and no text can end its own paste.
import { expect, test } from 'vitest';
import { encodePaste } from './encode-paste.ts';

test.each([
  ['one\ntwo\r\nthree', false, 'one\rtwo\rthree'],
  ['one\ntwo', true, '\x1b[200~one\ntwo\x1b[201~'],
  ['a\x1b[201~b', true, '\x1b[200~ab\x1b[201~'],
  ['a\x1b[200~b', false, 'ab'],
  ['a\u009b201~b', true, '\x1b[200~ab\x1b[201~'],
  ['a\x1b[20\x1b[201~1~b', true, '\x1b[200~ab\x1b[201~'],
  ['a\x1b[20\u009b201~1~b', true, '\x1b[200~ab\x1b[201~'],
  ['ends in \x1b[20', true, '\x1b[200~ends in \x1b[201~'],
  ['ends in \x1b', true, '\x1b[200~ends in \x1b[201~'],
  ['tab\tand \x1b[31mcolour', true, '\x1b[200~tab\tand \x1b[31mcolour\x1b[201~'],
])('%j, markers %s', (text, bracketed, expected) => expect(encodePaste(text, bracketed)).toBe(expected));

test('a megabyte comes through whole', () => {
  const text = 'zeile mit ümlaut\n'.repeat(62_000);
  expect(encodePaste(text, true)).toBe(`\x1b[200~${text}\x1b[201~`);
});

test('markers nested a thousand deep end', () => {
  const nested = '\x1b[20'.repeat(1000) + '1~'.repeat(1000);
  expect(encodePaste(nested, true)).toBe('\x1b[200~\x1b[201~');
});
