import { expect, test } from 'vitest';
import { parseEnvironment, parseEnvironmentLike, parseForeground, parseRows } from './processes.darwin.ts';
import { foregroundGroup, parseStat } from './processes.linux.ts';

test.each([
  ['12 (cat) R 7 8 9 34816 10 4194304 0', { pid: 12, parent: 7, group: 8, session: 9, foreground: 10, zombie: false, name: 'cat' }],
  ['12 (a) b) (c) Z 7 8 9 0 -1 0', { pid: 12, parent: 7, group: 8, session: 9, foreground: -1, zombie: true, name: 'a) b) (c' }],
  ['', null],
  ['12 (cat', null],
  ['12 (cat) R x', null],
])('Linux: reads %j', (text, row) => {
  expect(parseStat(text)).toEqual(row);
});

test('Linux: a vanished process has no group', () => {
  expect(foregroundGroup(2 ** 30)).toBe(null);
});

test.each([
  ['  4711\n', 4711],
  ['    0\n', null],
  ['   -1\n', null],
  ['', null],
  ['ps: x', null],
])('macOS: foreground of %j', (text, group) => {
  expect(parseForeground(text)).toBe(group);
});

test('macOS: the session is the one of the terminal’s leader', () => {
  const text = [
    '    1     0     1 ??       Ss   /sbin/launchd',
    '  700   690   700 ttys004  Ss   -zsh',
    '  810   700   810 ttys004  S+   node /usr/local/bin/agent --flag',
    '  811   810   811 ttys004  Z    (sh)',
    '  900     1   900 ??       S    sleep 99',
    '',
  ].join('\n');
  expect(parseRows(text).map((r) => [r.pid, r.session, r.zombie, r.command])).toEqual([
    [1, 1, false, '/sbin/launchd'],
    [700, 700, false, '-zsh'],
    [810, 700, false, 'node /usr/local/bin/agent --flag'],
    [811, 700, true, '(sh)'],
    [900, 900, false, 'sleep 99'],
  ]);
});

test('macOS: finds a mark in an environment, whole only', () => {
  const text = '  12 sleep 9 A=1 HERD_MARK=7 B=2\n  13 sleep 9 HERD_MARK=77\n  14 sleep HERD_MARK=7\n';
  expect(parseEnvironment(text, 'HERD_MARK=7')).toEqual([12, 14]);
});

test('macOS: finds the marks of others', () => {
  const text = '  12 sleep 9 M=a.1 B=2\n  13 sleep 9 M=a.2\n  14 sleep M=b.1\n';
  expect(parseEnvironmentLike(text, 'M=a.', 'M=a.1')).toEqual([13]);
});
