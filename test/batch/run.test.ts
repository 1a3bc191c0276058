// A batch from its file to its report, by the verbs.
import { expect, test } from 'vitest';
import { BatchStage } from './stage.ts';

test('a few tasks run to their end; patches apply, the checkout stays as it was', async () => {
  await using stage = new BatchStage();
  const before = stage.checkout();
  const ran = await stage.run(stage.write([{ id: 'a' }, { id: 'b' }, { id: 'c', env: { KIND: 'fail' } }]), '--yes');
  expect(ran.stderr + ran.stdout).toMatch(/2 of 3 done/);
  expect(ran.code).toBe(1);
  expect(stage.checkout()).toBe(before);
  expect(stage.strays()).toEqual([]);
});
