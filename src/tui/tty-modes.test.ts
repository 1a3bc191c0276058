import { expect, test } from 'vitest';
import type { OuterAct } from './face.ts';
import { actSequence, MAX_CLIPBOARD, mouseMoves } from './tty-modes.ts';

test.each<[string, string, string]>([
  ['ghostty 1.3', 'a;b', '\x1b]777;notify;a,b;Run it?\x1b\\'],
  ['kitty(0.40)', 'a;b', '\x1b]99;i=herd:d=0;a;b\x1b\\\x1b]99;i=herd:p=body;Run it?\x1b\\'],
  ['iTerm2 3.5', '3 agents want you', '\x1b]9;herd: 3 agents want you: Run it?\x1b\\'],
  ['Apple_Terminal', 'a', '\x07'],
  ['', 'a', '\x07'],
])('a notification as %s has it', (name, title, expected) => {
  expect(actSequence({ act: 'notify', title, body: 'Run it?' }, false, name)).toBe(expected);
});

test('what an agent asks ends no sequence', () => {
  const sequence = actSequence({ act: 'notify', title: 'a', body: 'x\x1b\\\x1b]52;c;eA==\x07' }, false, 'ghostty');
  expect(sequence.slice(1, -2)).not.toMatch(/[\x00-\x1f]/);
});

test.each<[string, OuterAct, string]>([
  ['a title', { act: 'title', text: ' fix\x07\x1b]52;c;eA==\x07\u202elogin ' }, '\x1b]2;fix ]52;c;eA== login\x1b\\'],
  ['a title of any length', { act: 'title', text: 'x'.repeat(300) }, `\x1b]2;${'x'.repeat(256)}\x1b\\`],
  ['the bell', { act: 'bell' }, '\x07'],
  ['progress out of bounds', { act: 'progress', state: 1, value: 140.6 }, '\x1b]9;4;1;100\x1b\\'],
  ['progress of unknown size', { act: 'progress', state: 3, value: null }, '\x1b]9;4;3\x1b\\'],
  ['the colour of the cursor', { act: 'cursor-colour', colour: '#12abEF' }, '\x1b]12;#12abEF\x1b\\'],
  ['the cursor’s own colour again', { act: 'cursor-colour', colour: null }, '\x1b]112\x1b\\'],
  ['what is no colour', { act: 'cursor-colour', colour: '#12abEF\x07' }, '\x1b]112\x1b\\'],
  ['text for the clipboard', { act: 'clipboard', text: 'é' }, '\x1b]52;c;w6k=\x1b\\'],
  ['no text for the clipboard', { act: 'clipboard', text: '' }, ''],
  ['too much for a clipboard', { act: 'clipboard', text: 'x'.repeat(MAX_CLIPBOARD + 1) }, ''],
])('the outer terminal is told %s', (_what, act, expected) => {
  expect(actSequence(act, false, 'ghostty')).toBe(expected);
});

test('the clipboard inside tmux: for tmux itself, and through it', () => {
  expect(actSequence({ act: 'clipboard', text: 'x' }, true, 'ghostty')).toBe(
    '\x1b]52;c;eA==\x1b\\\x1bPtmux;\x1b\x1b]52;c;eA==\x1b\x1b\\\x1b\\',
  );
});

test('each move of the mouse is told only while that is wanted', () => {
  expect([mouseMoves(true), mouseMoves(false)]).toEqual(['\x1b[?1003h', '\x1b[?1003l\x1b[?1002h']);
});
