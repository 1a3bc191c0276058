// The queue's rows: two for a question, all of it at the cursor, and a click answers what stands under it.
import { describe, expect, test } from 'vitest';
import { sampleState } from '../../../test/support/sample-session.ts';
import type { Question } from '../../model/agent.ts';
import type { Workspace } from '../../model/workspace.ts';
import { lineCells } from '../spans.ts';
import { attentionHeight, attentionRows } from './attention-rows.ts';

const option = (label: string) => ({ label, selected: false, keys: ['enter'] });
const PERMISSION: Question = {
  ...{ id: 'p', kind: 'permission' },
  text: 'Do you want to proceed? · This command requires approval · sh scripts/check.sh --all --verbose · Bash command',
  options: ['Yes', 'Yes, and don’t ask again for: sh scripts/check.sh', 'No'].map(option),
};
const CHOICE: Question = { id: 'c', kind: 'question', text: 'Which format?', options: ['JSON', 'CSV'].map(option) };

function asking(...questions: Question[]): Workspace[] {
  const [sample] = sampleState(160, 48).workspaces;
  return questions.map((question, i) => ({ ...sample!, id: i + 1, agent: { ...sample!.agent, state: 'blocked', question } }));
}

const textOf = (rows: ReturnType<typeof attentionRows>) =>
  rows.map(({ line }) =>
    line
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );

test.each([
  [40, 6],
  [60, 4],
  [100, 3],
])('at the cursor a question is whole in %i columns, and so are its options', (cols) => {
  const rows = textOf(attentionRows(asking(PERMISSION, CHOICE), 1, 0, cols, 40));
  const text = rows.join(' ').replace(/\s+/g, ' ');
  expect(text).toContain(PERMISSION.text);
  expect(rows.every((row) => !row.includes('……'))).toBe(true);
  expect(text).toMatch(/\[y\] yes \[N\] no \[1\] Yes \[2\] Yes, and don’t ask a.*\[3\] No .*Which format\? \[1\] JSON \[2\] CSV/);
});

test('elsewhere it takes two rows', () => {
  expect(textOf(attentionRows(asking(PERMISSION, CHOICE), 2, 0, 60, 40)).slice(1)).toEqual([
    expect.stringMatching(/^ {3}Do you want to proceed\? · This command .*…$/),
    '   [y] yes  [N] no',
    expect.any(String),
    '   Which format?',
    '   [1] JSON  [2] CSV',
  ]);
});

test('a click on an option gives that option, on yes the approval', () => {
  const rows = attentionRows(asking(PERMISSION), 1, 0, 60, 40);
  const under = (label: string) => {
    const row = rows.find(({ line }) => line.some(({ text }) => text === ` ${label}`))!;
    const from = lineCells(
      row.line.slice(
        0,
        row.line.findIndex(({ text }) => text === ` ${label}`),
      ),
    );
    return row.answers.find((answer) => from >= answer.from && from < answer.to)?.answer;
  };
  expect([under('yes'), under('no'), under('Yes'), under('No')]).toEqual(['approve', 'reject', 1, 3]);
});

describe.each([30, 60, 100])('in %i columns', (cols) => {
  test('the height is the same wherever the cursor stands, at its most', () => {
    const all = asking(CHOICE, PERMISSION, CHOICE);
    const heights = all.map(({ id }) => attentionRows(all, id, 0, cols, 100).length);
    expect(attentionHeight(all, cols)).toBe(Math.max(...heights));
  });

  test('the entry at the cursor is seen from its name on', () => {
    const all = asking(PERMISSION, PERMISSION, PERMISSION);
    for (const { id } of all) {
      for (const rows of [3, 5, 9]) {
        const shown = attentionRows(all, id, 0, cols, rows);
        expect(shown).toHaveLength(rows);
        const whole = attentionRows(all, id, 0, cols, 100);
        expect(shown).toContainEqual(whole.find((row) => row.workspace === id));
      }
    }
  });
});
