// A workspace's changes against a real repository: who is told, and when not.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { makeRepository } from '../../../test/support/repository.ts';
import { createGit } from '../../git/git.ts';
import { Review } from './review.ts';

let open: Review | null = null;
afterEach(() => open?.close());

test('a reading that failed is told of once it works again', async () => {
  using f = makeRepository();
  const told: (string | undefined)[] = [];
  const review = new Review({
    ...{ workspace: 1, path: f.dir, now: () => 1, base: () => null, busy: () => true, onTrouble: () => {} },
    git: createGit({ snapshotDir: `${f.root}/snapshots`, env: f.env, now: () => 1 }),
    onChange: ({ error }) => told.push(error && 'failed'),
  });
  open = review;
  const look = () => {
    review.invalidate();
    return review.refresh();
  };
  await look();
  const index = readFileSync(join(f.dir, '.git', 'index'));
  writeFileSync(join(f.dir, '.git', 'index'), 'broken');
  await look();
  writeFileSync(join(f.dir, '.git', 'index'), index);
  await look();
  expect(told).toEqual([undefined, 'failed', undefined]);
});

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
