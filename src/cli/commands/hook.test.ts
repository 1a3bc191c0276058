// What agents' hooks say, each in its own words, as herd takes it.
import { expect, test } from 'vitest';
import { report } from './hook.ts';

test.each([
  ['claude, codex, gemini, qwen', { hook_event_name: 'SessionStart', session_id: 'a-1' }, { state: '', session: 'a-1' }],
  ['copilot', { sessionId: 'b-2', cwd: '/', source: 'new' }, { state: '', session: 'b-2' }],
  ['a sub-agent', { hook_event_name: 'SubagentStart', session_id: 'a-1', agent_id: 'x' }, { state: 'working', child: 'x' }],
  ['its end', { hook_event_name: 'SubagentStop', agent_id: 'x' }, { state: 'done', child: 'x' }],
  ['no id', { hook_event_name: 'SessionStart', session_id: 7 }, { state: '' }],
  ['an id of any length', { session_id: 'x'.repeat(500) }, { state: '', session: 'x'.repeat(128) }],
])('%s', (_what, event, reported) => {
  expect(report(event as Parameters<typeof report>[0])).toEqual(reported);
});
