import { expect, test } from 'vitest';
import { Typing } from './typing.ts';

test('a person types elsewhere for a second after each key, in all terminals but the last they typed into', () => {
  let now = 0;
  const typing = new Typing(() => now);
  const elsewhere = () => [1, 2].map((terminal) => typing.elsewhere(terminal));
  expect(elsewhere()).toEqual([false, false]);
  typing.note(1);
  expect(elsewhere()).toEqual([false, true]);
  now = 999;
  expect(elsewhere()).toEqual([false, true]);
  typing.note(2);
  expect(elsewhere()).toEqual([true, false]);
  now = 1999;
  expect(elsewhere()).toEqual([false, false]);
});
