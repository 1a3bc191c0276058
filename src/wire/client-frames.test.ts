// What is promised of typed keys: they arrive as they were pressed, and bytes that are none end in a FrameError, never in a key.
import { expect, test } from 'vitest';
import { createRandom } from '../../test/support/random.ts';
import type { KeyEvent } from '../model/input.ts';
import { decodeKeys, encodeKeys, isKeys } from './client-frames.ts';
import { FrameError } from './frame.ts';

const WORDS = ['', 'a', 'Ä', '漢', '👨‍👩‍👧', 'kpenter', 'f35', 'ą̊'.repeat(20)];
const ACTIONS: KeyEvent['action'][] = ['press', 'repeat', 'release'];

function someKey(random: (n: number) => number): KeyEvent {
  const word = () => WORDS[random(WORDS.length)]!;
  const key: KeyEvent = { type: 'key', key: word(), mods: random(256), action: ACTIONS[random(3)]! };
  for (const name of ['text', 'shifted', 'base'] as const) if (random(2)) key[name] = word();
  return key;
}

test('keys arrive as they were pressed', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = createRandom(seed);
    const keys = Array.from({ length: random(20) }, () => someKey(random));
    expect(decodeKeys(encodeKeys(keys)), `seed ${seed}`).toEqual(keys);
  }
});

test('bytes that are no keys are refused, whatever they are', () => {
  for (let seed = 1; seed <= 1000; seed++) {
    const random = createRandom(seed);
    const bytes = Buffer.from(Array.from({ length: random(60) }, () => random(random(2) ? 256 : 6)));
    try {
      expect(decodeKeys(bytes).length).toBeLessThanOrEqual(bytes.length);
    } catch (error) {
      expect(error, `seed ${seed}`).toBeInstanceOf(FrameError);
    }
  }
  for (const bytes of [[3, 0, 1, 97], [32, 0, 1, 97], [0, 0, 2, 97], [0]]) expect(() => decodeKeys(Buffer.from(bytes))).toThrow(FrameError);
});

test('a text longer than any input method commits goes the way of a paste', () => {
  expect(isKeys([{ type: 'key', key: '', mods: 0, action: 'press', text: 'x'.repeat(256) }])).toBe(true);
  expect(isKeys([{ type: 'key', key: '', mods: 0, action: 'press', text: 'x'.repeat(257) }])).toBe(false);
  expect(isKeys([{ type: 'focus', focused: true }])).toBe(false);
});
