import { expect, test } from 'vitest';
import { screenOf } from '../../test/support/screen-of.ts';
import { conversationIn, resumeCommand } from './conversation.ts';
import { KINDS } from './kinds/table.ts';

/** As the agents print them, ids made up. */
test.each([
  ['claude', 'Resume this session with:\nclaude --permission-mode default --resume cf9a7f79-f4a6-406f-b10e-8af685db9643'],
  [
    'codex',
    'To reconnect, run:\n  codex resume cf9a7f79-f4a6-406f-b10e-8af685db9643\nStop the current turn: run codex agents.\nToken usage',
  ],
  ['copilot', '   ▔▔▔▔    Resume     copilot --resume=cf9a7f79-f4a6-406f-b10e-8af685db9643'],
  ['pi', 'To resume this session:\npi --session cf9a7f79-f4a6-406f-b10e-8af685db9643'],
  ['qwen', 'To continue this session, run\nqwen --resume cf9a7f79-f4a6-406f-b10e-8af685db9643'],
])('%s says how to go on', (kind, text) => {
  expect(conversationIn(KINDS.get(kind)!, screenOf(text))).toBe('cf9a7f79-f4a6-406f-b10e-8af685db9643');
});

test('opencode has ids of its own', () => {
  const text = '  Session   Small task\n  Continue  opencode -s ses_dd61167bdffeV2piWr4TjLEGYx';
  expect(conversationIn(KINDS.get('opencode')!, screenOf(text))).toBe('ses_dd61167bdffeV2piWr4TjLEGYx');
});

test('an id that a narrow pane wraps is told whole', () => {
  const screen = screenOf('  Continue  kilo -s ses_dd4d3fa96ffe5jc2Dt\n1EzVvLZhq\n$');
  screen.lines[0]!.wrapped = true;
  expect(conversationIn(KINDS.get('kilo')!, screen)).toBe('ses_dd4d3fa96ffe5jc2Dt1EzVvLZhq');
});

test.each([
  ['nothing said', 'claude', 'bye'],
  ['an option for an id', 'pi', 'pi --session --dangerously'],
  ['another agent’s words', 'codex', 'claude --resume cf9a7f79-f4a6-406f-b10e-8af685db9643'],
])('no id: %s', (_name, kind, text) => {
  expect(conversationIn(KINDS.get(kind)!, screenOf(text))).toBeNull();
});

test.each<[string, string[], string[] | null]>([
  ['claude', ['claude', '--permission-mode', 'plan'], ['claude', '--permission-mode', 'plan', '--resume', 'abcd-1']],
  ['claude', ['/opt/bin/claude'], ['/opt/bin/claude', '--resume', 'abcd-1']],
  ['claude', ['claude', '--continue'], ['claude', '--resume', 'abcd-1']],
  ['codex', ['codex', '--no-daemon'], ['codex', '--no-daemon', 'resume', 'abcd-1']],
  ['codex', ['npx', '@openai/codex'], ['codex', 'resume', 'abcd-1']],
  ['generic', ['my-agent'], null],
])('%s started as %j', (kind, started, expected) => {
  expect(resumeCommand(KINDS.get(kind)!, started, 'abcd-1')).toEqual(expected);
});
