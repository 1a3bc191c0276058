import { expect, test } from 'vitest';
import { actSequence } from './tty-modes.ts';

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
