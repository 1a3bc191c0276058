import { expect, test } from 'vitest';
import { ALT, CTRL, SHIFT } from '../model/input.ts';
import { namedKey } from './key-names.ts';

test.each([
  ['enter', { key: 'enter', mods: 0 }],
  ['Return', { key: 'enter', mods: 0 }],
  ['ctrl+c', { key: 'c', mods: CTRL }],
  ['C', { key: 'c', mods: SHIFT, text: 'C' }],
  ['y', { key: 'y', mods: 0, text: 'y' }],
  ['+', { key: '+', mods: 0, text: '+' }],
  ['ctrl++', { key: '+', mods: CTRL }],
  ['shift+alt+f5', { key: 'f5', mods: SHIFT | ALT }],
  ['space', { key: ' ', mods: 0, text: ' ' }],
  ['é', { key: 'é', mods: 0, text: 'é' }],
])('%s', (name, expected) => {
  expect(namedKey(name)).toEqual({ type: 'key', action: 'press', ...expected });
});

test.each(['entr', 'hyperspace+x', 'f99', ''])('%j is none', (name) => {
  expect(() => namedKey(name)).toThrow(/is no key/);
});
