// Installing adds herd's entries and nothing else; uninstalling brings back what was there.
import { expect, test } from 'vitest';
import { changedLines, INTEGRATIONS, planIntegration } from './integrations.ts';

const SETTINGS = `{
    "model": "opus",
    "hooks": {
        "SessionStart": [
            {
                "matcher": "startup",
                "hooks": [
                    {
                        "type": "command",
                        "command": "echo hello"
                    }
                ]
            }
        ],
        "Stop": []
    }
}
`;

const textOf = (plan: ReturnType<typeof planIntegration>): string => {
  if (!('text' in plan) || plan.text === null) throw new Error(JSON.stringify(plan));
  return plan.text;
};

test.each(Object.keys(INTEGRATIONS))('%s: installing twice is installing once, uninstalling leaves nothing', (kind) => {
  const text = textOf(planIntegration(kind, null, false));
  expect(text).toContain(`herd`);
  expect(planIntegration(kind, text, false)).toEqual({ unchanged: 'it is there already' });
  expect(planIntegration(kind, text, true)).toEqual({ text: null });
  expect(planIntegration(kind, null, true)).toEqual({ unchanged: 'herd has put nothing there' });
});

test('other settings and hooks stay, byte for byte, when it is taken away again', () => {
  const installed = textOf(planIntegration('claude', SETTINGS, false));
  const { hooks, model } = JSON.parse(installed);
  expect(model).toBe('opus');
  expect(hooks.SessionStart).toHaveLength(2);
  expect(hooks.SessionStart[0].hooks[0].command).toBe('echo hello');
  expect(textOf(planIntegration('claude', installed, true))).toBe(SETTINGS.replace('"Stop": []', '"Stop": []'));
});

test('a command that an older herd wrote is replaced, and taken away', () => {
  const now = textOf(planIntegration('gemini', null, false));
  const old = now.replace('$HERD_TERMINAL', '$HERD_TOKEN');
  expect(JSON.parse(textOf(planIntegration('gemini', old, false)))).toEqual(JSON.parse(now));
  expect(planIntegration('gemini', old, true)).toEqual({ text: null });
});

test('what was added to a group of herd’s by hand stays', () => {
  const installed = JSON.parse(textOf(planIntegration('gemini', null, false)));
  installed.hooks.SessionStart[0].hooks.push({ type: 'command', command: 'mine' });
  const left = JSON.parse(textOf(planIntegration('gemini', JSON.stringify(installed), true)));
  expect(left).toEqual({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'mine' }] }] } });
});

test.each([
  ['comments', '{ // mine\n}', /not plain JSON/],
  ['a list', '[]', /no JSON object/],
  ['hooks that are none', '{"hooks":[]}', /"hooks" is no object/],
  ['an event that is none', '{"hooks":{"SessionStart":{}}}', /"hooks.SessionStart" is no list/],
])('a file with %s is left alone', (_name, text, reason) => {
  expect(planIntegration('claude', text, false)).toEqual({ refused: expect.stringMatching(reason) });
});

test('a file of the same name that is not herd’s is left alone', () => {
  expect(planIntegration('pi', 'export default 1', false)).toHaveProperty('refused');
  expect(planIntegration('pi', `${textOf(planIntegration('pi', null, false))}// mine`, true)).toHaveProperty('refused');
});

test('the change is shown as lines', () => {
  expect(changedLines('a\nb\nc\nd\n', 'a\nb\nx\nc\nd\n')).toEqual(['  a', '  b', '+ x', '  c', '  d']);
});
