// Answers: what is pressed for which dialog, and when nothing is.
import { expect, test } from 'vitest';
import type { Question } from '../model/agent.ts';
import { planAnswer } from './answer.ts';
import { KINDS } from './kinds/table.ts';

const claude = KINDS.get('claude')!;
const question = (labels: string[], kind: Question['kind'] = 'permission'): Question => ({
  id: 'q1',
  kind,
  text: 'Run rm -rf build?',
  options: labels.map((label, i) => ({ label, selected: i === 0, keys: [...Array.from({ length: i }, () => 'down'), 'enter'] })),
});
const shell = question(['Yes', 'Yes, and don’t ask again', 'No']);

test.each([
  ['approve takes the plain yes', shell, 'approve', [{ keys: ['enter'] }]],
  [
    'approve never takes what is preselected',
    question(['No, exit', 'Yes, I trust this folder'], 'trust'),
    'approve',
    [{ keys: ['down', 'enter'] }],
  ],
  ['reject by the one key that is known to, where the no is far', shell, 'reject', [{ keys: ['escape'] }]],
  ['reject by escape without a no', question(['JSON', 'CSV'], 'question'), 'reject', [{ keys: ['escape'] }]],
  ['option 2', shell, 2, [{ keys: ['down', 'enter'] }]],
  [
    'text behind the option that takes it',
    question(['JSON', 'Type something.'], 'question'),
    { text: 'yaml\n' },
    [{ keys: ['down'] }, { text: 'yaml' }, { keys: ['enter'] }],
  ],
  ['text into a form', question([], 'auth'), { text: 'key' }, [{ text: 'key' }, { keys: ['enter'] }]],
] as const)('%s', (_name, asked, answer, steps) => {
  expect(planAnswer(claude, asked, answer, 'q1')).toMatchObject({ steps });
});

test.each([
  ['no dialog', null, 'approve', undefined, /no dialog/],
  ['another dialog than the one seen', shell, 'approve', 'q0', /changed/],
  ['an option that is not there', shell, 7, 'q1', /3 options/],
  ['nothing that just approves', question(['JSON', 'CSV'], 'question'), 'approve', 'q1', /pick one/],
  ['only grants for ever', question(['Yes, always', 'Yes, for this session', 'No']), 'approve', 'q1', /pick one/],
  ['text where none is taken', shell, { text: 'hm' }, 'q1', /takes no text/],
] as const)('refused: %s', (_name, asked, answer, dialog, reason) => {
  const plan = planAnswer(claude, asked, answer, dialog);
  expect('refused' in plan && plan.refused).toMatch(reason);
});
