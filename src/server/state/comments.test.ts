// Comments made in the diff of a commit: carried to the worktree's lines where they still are, told of their commit where not, and shown in
// each scope where their code stands there.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder } from '../../../test/support/own-folder.ts';
import { makeRepository } from '../../../test/support/repository.ts';
import { createGit } from '../../git/git.ts';
import type { Scope } from '../../model/review/changeset.ts';
import { openStore } from '../../store/store.ts';
import { Comments } from './comments.ts';
import { Review } from './review.ts';

const filler = Array.from({ length: 10 }, (_, i) => `const filler${i} = ${i};`);
const text = (...lines: string[]) => `${lines.join('\n')}\n`;
const KEPT = 'export const kept = makeSomething();';
const FIRST = 'export const changed = "as it was first written";';
const LATER = 'throw new Error("nothing like what stood here before");';

async function stage() {
  const f = makeRepository();
  f.put('a.ts', text(...filler));
  f.commit('base');
  const base = { name: 'main', commit: f.git('rev-parse', 'HEAD') };
  f.put('a.ts', text(...filler, KEPT, ...filler, FIRST));
  f.commit('one');
  const one = f.git('rev-parse', 'HEAD');
  f.put('a.ts', text(...filler, KEPT, ...filler, LATER));
  f.commit('two');
  const two = f.git('rev-parse', 'HEAD');
  f.put('a.ts', text('// only in the worktree', '', ...filler, KEPT, ...filler, LATER));
  const review = new Review({
    ...{
      workspace: 1,
      path: f.dir,
      now: () => 1,
      base: () => base,
      busy: () => true,
      onTrouble: () => {},
      onChange: () => {},
      onSlow: () => {},
    },
    git: createGit({ snapshotDir: join(f.root, 'snapshots'), env: f.env, now: () => 1 }),
  });
  const store = await openStore(ownFolder());
  const comments = new Comments({ store, now: () => 1, emit: () => {}, onChange: async () => {}, onCount: () => {} });
  const add = (line: number, scope: Scope, side: 'old' | 'new' = 'new') =>
    comments.add(1, { path: 'a.ts', side, range: { start: line, end: line }, scope }, { body: 'why?', author: 'user' }, review);
  const close = async () => {
    await review.close();
    await store.close();
    f[Symbol.dispose]();
  };
  return { one, two, review, comments, store, add, close };
}

test('a comment made in a commit stands where its code is now, and says where that is nowhere', async () => {
  const { one, two, add, close } = await stage();
  try {
    const kept = await add(11, { commit: one });
    expect(kept).toMatchObject({ anchor: { lines: [KEPT], range: { start: 13 } }, place: { placement: 'exact', range: { start: 13 } } });
    expect(kept.anchor.commit).toBeUndefined();
    const gone = { place: { placement: 'gone', path: 'a.ts', range: null, behind: 23 } };
    expect(await add(22, { commit: one })).toMatchObject({ ...gone, anchor: { lines: [FIRST], range: { start: 22 }, commit: one } });
    const goneOld = { place: { placement: 'gone', path: 'a.ts', range: null, behind: 10 } };
    expect(await add(22, { commit: two }, 'old')).toMatchObject({ ...goneOld, anchor: { lines: [FIRST], side: 'old', commit: two } });
    await expect(add(99, { commit: one })).rejects.toThrow('22 lines');
  } finally {
    await close();
  }
});

test('a comment is shown with the code it is about and two lines on each side, as they are now', async () => {
  const { review, comments, add, close } = await stage();
  try {
    const { id } = await add(13, 'base');
    const seen = () => comments.excerpt(comments.get(id));
    expect(seen()).toEqual([KEPT]);
    await comments.replace(1, await review.changeset(), review);
    expect(seen()).toEqual([...filler.slice(8), KEPT, ...filler.slice(0, 2)]);
    comments.forget(1);
    expect(comments.of(1)).toEqual([]);
  } finally {
    await close();
  }
});

test('in the diff of a commit comments stand at its own lines, those of other code not at all', async () => {
  const { one, review, comments, add, close } = await stage();
  try {
    const [kept, later, top] = [await add(13, 'base'), await add(24, 'base'), await add(1, 'base')];
    const places = await comments.placesIn(1, await review.changeset({ commit: one }), review);
    expect(places[kept.id]).toMatchObject({ path: 'a.ts', range: { start: 11, end: 11 } });
    expect([places[later.id], places[top.id]]).toEqual([null, null]);
    expect(await comments.placesIn(1, await review.changeset('uncommitted'), review)).toEqual({});
  } finally {
    await close();
  }
});

test('comments of a closed workspace wait for its worktree over a restart, and are counted by where they stand once they are taken up', async () => {
  const { review, comments, store, one, add, close } = await stage();
  const again = async () => {
    const loaded = new Comments({ store, now: () => 1, emit: () => {}, onChange: async () => {}, onCount: () => {} });
    await loaded.load();
    return loaded;
  };
  try {
    await add(11, { commit: one });
    const gone = await add(22, { commit: one });
    expect((await again()).counts(1)).toMatchObject({ draft: 2, gone: 1 });
    await comments.apply(gone.id, { do: 'resolve' });
    expect(comments.counts(1)).toEqual({ draft: 1, queued: 0, sent: 0, addressed: 0, resolved: 1 });
    expect(await comments.leave(1, '/worktree')).toBe(2);
    const later = await again();
    expect([later.all(), later.waiting().length]).toEqual([[], 2]);
    await later.takeUp(2, '/elsewhere');
    expect(later.of(2)).toEqual([]);
    await later.takeUp(3, '/worktree');
    expect([later.of(3).length, later.waiting()]).toEqual([2, []]);
    expect((await again()).of(3).map(({ left }) => left)).toEqual([undefined, undefined]);
  } finally {
    await review.close();
    await close();
  }
});
