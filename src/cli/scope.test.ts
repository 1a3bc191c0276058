import { expect, test } from 'vitest';
import { outliveLogout } from './scope.ts';

const program = ['node', 'main.js'];
const fail = () => {
  throw new Error('not there');
};

test.each([
  ['where a log-out ends everything', (argv: string[]) => (argv[0] === 'busctl' ? 'b true\n' : ''), true],
  ['where it does not', () => 'b false\n', false],
  ['where there is no user manager', (argv: string[]) => (argv[0] === 'busctl' ? 'b true\n' : fail()), false],
  ['where nobody can say', fail, false],
])('a scope %s: %#', (_, ask, scoped) => {
  const run = outliveLogout(program, ask);
  expect(run.slice(-2)).toEqual(program);
  expect(run[0] === 'systemd-run').toBe(scoped);
});
