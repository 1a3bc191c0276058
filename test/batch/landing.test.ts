// From results to the user's branch: order, conflicts, a combination that breaks, review, a person's yes, goodput.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BatchStage } from './stage.ts';

interface Landing {
  branch: string;
  applied: string[];
  left: { task: string; how: string; why: string }[];
  workspace: number | null;
}

test('patches land in the order of their dependencies; what breaks the combination is found; the branch moves only by a yes', async () => {
  await using stage = new BatchStage();
  const edit = (id: string, env: Record<string, string>, more: object = {}) => ({ id, env: { KIND: 'edit', ...env }, ...more });
  const tasks = [
    edit('second', { FILE: 'chain.txt', LINE: 'second' }, { needs: ['first'] }),
    edit('first', { FILE: 'chain.txt', LINE: 'first' }),
    edit('left', { FILE: 'shared.txt', LINE: 'left' }),
    edit('right', { FILE: 'shared.txt', LINE: 'right' }),
    edit('bad', { FILE: 'bad.txt', LINE: 'forbidden' }),
    edit('good', { FILE: 'good.txt', LINE: 'fine' }),
    edit('no', { FILE: 'no.txt', LINE: 'no' }),
    { id: 'fails', env: { KIND: 'fail' } },
  ];
  const landing = { branch: 'herd/all', checks: [['sh', '-c', '! grep -q forbidden *.txt']] };
  const before = stage.checkout();
  await stage.run(stage.write(tasks, { landing }), '--yes');
  await stage.herd.ok(['batch', 'reject', 'no']);
  const landed = await stage.herd.run(['batch', 'land', '--json']);
  expect([landed.code, landed.stderr]).toEqual([1, expect.stringMatching(/bad breaks the combination/)]);
  const said = JSON.parse(landed.stdout) as Landing;
  expect(said.applied).toEqual(['first', 'second', 'left', 'good']);
  expect(said.left.map(({ task, how }) => [task, how]).sort()).toEqual([
    ['bad', 'breaks'],
    ['no', 'left-out'],
    ['right', 'conflict'],
  ]);
  expect(stage.git('show', 'herd/all:chain.txt')).toBe('first\nsecond');
  expect(stage.checkout()).toBe(before);
  // The ordinary review, against the base of the batch.
  const diff = await stage.herd.ok(['diff', String(said.workspace)]);
  expect(diff).toMatch(/^\+second$/m);
  expect((await stage.herd.run(['batch', 'merge'])).stderr).toMatch(/without a person/);
  expect(stage.git('rev-parse', 'HEAD')).not.toBe(stage.git('rev-parse', 'herd/all'));
  await stage.herd.ok(['batch', 'merge', '--yes']);
  expect(readFileSync(join(stage.repository, 'chain.txt'), 'utf8')).toBe('first\nsecond\n');
  // Four of eight attempts are in the result; all but the failed one said 120 tokens.
  const report = await stage.herd.json<{ tokenGoodput: number; tasks: { landed: number }; costRatio: number | null }>(['batch', 'report']);
  expect(report).toMatchObject({ tokenGoodput: 4 / 7, tasks: { landed: 4 } });
});
