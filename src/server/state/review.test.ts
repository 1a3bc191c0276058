// A workspace's changes against a real repository: who is told, and when not.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { makeRepository } from '../../../test/support/repository.ts';
import type { Git } from '../../git/api.ts';
import { createGit } from '../../git/git.ts';
import { Review, type ReviewOptions } from './review.ts';

let open: Review | null = null;
afterEach(() => open?.close());

/** On the repository's worktree, at work unless told otherwise. Closed after the test. */
function openReview(f: ReturnType<typeof makeRepository>, more: Partial<ReviewOptions> = {}): Review {
  const quiet = { now: () => 1, base: () => null, busy: () => true, onTrouble: () => {}, onChange: () => {}, onSlow: () => {} };
  const git = createGit({ snapshotDir: `${f.root}/snapshots`, env: f.env, now: () => 1 });
  open = new Review({ workspace: 1, path: f.dir, git, ...quiet, ...more });
  return open;
}

/** Its watch tells nothing, and observes the tree from `ready` on. */
function gitWithoutEvents(f: ReturnType<typeof makeRepository>, ready: Promise<void>): Git {
  const close = async () => {};
  const watch = () => ({ ready, degraded: null, close, [Symbol.asyncDispose]: close });
  return { ...createGit({ snapshotDir: `${f.root}/snapshots`, env: f.env, now: () => 1 }), watch };
}

/** Each change once: the watch reads too, and another step of a reading fails in other words. */
function tell(told: string[], what: string): void {
  if (told.at(-1) !== what) told.push(what);
}

test('a reading that failed is told of once it works again', async () => {
  using f = makeRepository();
  const told: string[] = [];
  const review = openReview(f, { onChange: ({ error }) => tell(told, error ? 'failed' : 'works') });
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
  expect(told).toEqual(['works', 'failed', 'works']);
});

test('a reading that failed is tried again by itself', async () => {
  using f = makeRepository();
  const told: string[] = [];
  const review = openReview(f, { onChange: ({ error }) => tell(told, error ? 'failed' : 'works') });
  await review.refresh();
  const fail = vi
    .spyOn(review.changes, 'readChangeset')
    .mockImplementation(async () => ({ ...review.changes.last('base')!, error: 'git was killed' }));
  review.invalidate();
  await review.refresh();
  fail.mockRestore();
  await expect.poll(() => told).toEqual(['works', 'failed', 'works']);
});

test('asked for in any step of a reading, the reading is made again: nothing asked for is lost', async () => {
  using f = makeRepository();
  const review = openReview(f);
  await review.refresh();
  const last = review.changes.last('base')!;
  let reads = 0;
  vi.spyOn(review.changes, 'readChangeset').mockImplementation(async () => {
    reads += 1;
    return last;
  });
  for (let steps = 0; steps < 20; steps++) {
    review.invalidate();
    const first = review.refresh();
    for (let i = 0; i < steps; i++) await null;
    review.invalidate();
    const before = reads;
    await Promise.all([first, review.refresh()]);
    expect(reads, `asked ${steps} steps later`).toBeGreaterThan(before);
  }
});

test('a look that finds nothing new wakes nobody; a change and a new turn are told', async () => {
  using f = makeRepository();
  const told: string[][] = [];
  const review = openReview(f, { onChange: ({ files }) => told.push(files.map(({ path }) => path)) });
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
  await review.turnBegan();
  await look();
  expect(told).toEqual([[], ['a.txt'], ['a.txt']]);
});

test('what was written after the first reading and before the tree was observed is told', async () => {
  using f = makeRepository();
  const told: string[][] = [];
  const observed = Promise.withResolvers<void>();
  const review = openReview(f, {
    git: gitWithoutEvents(f, observed.promise),
    onChange: ({ files }) => told.push(files.map(({ path }) => path)),
  });
  await review.refresh();
  f.put('early.txt', 'a\n');
  observed.resolve();
  await expect.poll(() => told).toEqual([[], ['early.txt']]);
});

test('turning away begins "since last look" anew, and nothing else is read again for it', async () => {
  using f = makeRepository();
  f.put('a.txt', 'a\n');
  const review = openReview(f, { git: gitWithoutEvents(f, Promise.resolve()) });
  await review.look();
  f.put('b.txt', 'b\n');
  review.invalidate();
  const listed = async (scope: 'look' | 'base') => (await review.changeset(scope)).files.map(({ path }) => path);
  expect(await listed('look')).toEqual(['b.txt']);
  const base = await review.changeset();
  await review.look();
  expect(await listed('look')).toEqual([]);
  expect(await review.changeset()).toBe(base);
});

test('a reading that takes long is told while it does, with the age of what is shown', async () => {
  using f = makeRepository();
  const told: (true | undefined)[] = [];
  const review = openReview(f, { onSlow: () => told.push(review.size.slow) });
  await review.refresh();
  const last = review.changes.last('base')!;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { promise, resolve } = Promise.withResolvers<typeof last>();
    vi.spyOn(review.changes, 'readChangeset').mockReturnValue(promise);
    review.invalidate();
    const reading = review.refresh();
    vi.advanceTimersByTime(1000);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect([told, review.size]).toMatchObject([[true], { at: last.at, slow: true }]);
    resolve(last);
    await reading;
    expect(told).toEqual([true, undefined]);
  } finally {
    vi.useRealTimers();
  }
});

test('the last turn is what came since the rest before it, until the next one begins', async () => {
  using f = makeRepository();
  const git = createGit({ snapshotDir: `${f.root}/snapshots`, env: f.env, now: () => 1 });
  let busy = false;
  const review = openReview(f, { git, busy: () => busy });
  const changed = async () => {
    review.invalidate();
    return (await review.changeset('turn')).files.map(({ path }) => path);
  };
  const turn = async (path: string) => {
    busy = true;
    await review.turnBegan();
    f.put(path, 'by the agent\n');
    busy = false;
    const before = await git.snapshots(f.dir, 1).at('rest');
    review.turnEnded();
    await expect.poll(async () => (await git.snapshots(f.dir, 1).at('rest'))?.commit).not.toBe(before?.commit);
  };
  await expect(changed()).rejects.toThrow('No turn has started yet.');
  await turn('first.txt');
  expect(await changed()).toEqual(['first.txt']);
  f.put('person.txt', 'mine\n');
  review.turnEnded();
  expect(await changed()).toEqual(['first.txt', 'person.txt']);
  await turn('second.txt');
  expect(await changed()).toContain('second.txt');
  expect(await changed()).not.toContain('first.txt');
});
