// A workspace's changes against a real repository: who is told, and when not.
import { afterEach, expect, test } from 'vitest';
import { makeRepository } from '../../../test/support/repository.ts';
import { createGit } from '../../git/git.ts';
import { Review } from './review.ts';

let open: Review | null = null;
afterEach(() => open?.close());

test('a look that finds nothing new wakes nobody; a change and a new turn are told', async () => {
  using f = makeRepository();
  const told: string[][] = [];
  const review = new Review({
    ...{ workspace: 1, path: f.dir, now: () => 1, base: () => null, busy: () => true, onTrouble: () => {} },
    git: createGit({ snapshotDir: `${f.root}/snapshots`, env: f.env, now: () => 1 }),
    onChange: ({ files }) => told.push(files.map(({ path }) => path)),
  });
  open = review;
  const look = () => {
    review.invalidate();
    return review.refresh();
  };
  await look();
  await look();
  expect(told).toEqual([[]]);
  f.put('a.txt', 'a\n');
  await look();
  await look();
  expect(told).toEqual([[], ['a.txt']]);
  review.turnBegan();
  await look();
  expect(told).toEqual([[], ['a.txt'], ['a.txt']]);
});
