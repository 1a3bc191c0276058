import { expect, test } from 'vitest';
import { suspects } from './server-process.ts';

const death = (...unparsed: [terminal: number, from: number, to: number][]) => ({
  unparsed: unparsed.map(([terminal, from, to]) => ({ terminal, from, to, stuck: 0 })),
});

test.each([
  ['none after two deaths', [death([1, 0, 9]), death([1, 0, 9])], []],
  ['the one whose bytes were there each time', [death([1, 5, 9]), death([1, 0, 9], [2, 0, 4]), death([1, 0, 9])], [1]],
  ['none when each death was somewhere else', [death([1, 0, 9]), death([2, 0, 9]), death([1, 0, 9])], []],
  ['none when the reading went on', [death([1, 0, 9]), death([1, 9, 20]), death([1, 20, 30])], []],
  ['none when nothing was being read', [death(), death(), death()], []],
  ['by the last three', [death(), death([3, 0, 2]), death([3, 0, 2]), death([3, 1, 2])], [3]],
])('suspects: %s', (_, deaths, expected) => {
  expect(suspects(deaths)).toEqual(expected);
});
