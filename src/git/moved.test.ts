// Lines that were moved, in one file and across files of real repositories.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepository } from '../../test/support/repository.ts';
import { createGit } from './git.ts';

const block = (name: string) => [`function ${name}() {`, `  return everything.of('${name}');`, '}'];
const text = (...lines: string[][]) => `${lines.flat().join('\n')}\n`;
const filler = Array.from({ length: 12 }, (_, i) => [`const filler${i} = ${i};`]).flat();

function moved(f: ReturnType<typeof makeRepository>, scope: 'base' | 'uncommitted' = 'uncommitted') {
  const git = createGit({ snapshotDir: join(f.root, 'snapshots'), env: f.env, now: () => 1 });
  return git.changes(f.dir).moved({ scope });
}

test('out of a file into one that git knows, a new one and one with an awkward name; what is too small is no move', async () => {
  using f = makeRepository();
  f.put('from.ts', text(block('alpha'), filler, block('beta'), filler, ['}'], block('gamma')));
  f.put('known.ts', text(filler));
  f.put('odd "name"\t.ts', text(filler));
  f.commit('before');
  f.put('from.ts', text(filler, filler, ['}']));
  f.put(
    'known.ts',
    text(
      filler,
      block('alpha').map((line) => `  ${line}`),
    ),
  );
  f.put('new.ts', text(['// beta went here'], block('beta')));
  f.put('odd "name"\t.ts', text(filler, ['}'], block('gamma')));
  expect((await moved(f)).moved).toEqual([
    {
      path: 'from.ts',
      old: [
        [1, 3],
        [16, 18],
        [32, 34],
      ],
      new: [],
    },
    { path: 'known.ts', old: [], new: [[13, 15]] },
    { path: 'odd "name"\t.ts', old: [], new: [[14, 16]] },
    { path: 'new.ts', old: [], new: [[2, 4]] },
  ]);
});

// Together the two lines weigh enough for a move, alone neither does; by their numbers one would follow the other.
test('the end of one file and the beginning of the next are no block', async () => {
  using f = makeRepository();
  f.put('a.ts', 'x\none line of it all\n');
  f.put('b.ts', 'y\ny\ntwo words\n');
  f.put('c.ts', 'c\n');
  f.commit('before');
  f.put('a.ts', 'x\n');
  f.put('b.ts', 'y\ny\n');
  f.put('c.ts', 'c\none line of it all\ntwo words\n');
  expect((await moved(f)).moved).toEqual([]);
  f.commit('both lines in one file');
  f.put('a.ts', 'x\none line of it all\n');
  f.put('b.ts', 'y\ny\ntwo words\n');
  f.put('c.ts', 'c\n');
  expect((await moved(f)).moved).toEqual([]);
});

test('a single file is left to its own diff', async () => {
  using f = makeRepository();
  f.put('a.ts', text(block('alpha'), filler));
  f.commit('before');
  f.put('a.ts', text(filler, block('alpha')));
  expect((await moved(f)).moved).toEqual([]);
  const git = createGit({ snapshotDir: join(f.root, 'snapshots'), env: f.env, now: () => 1 });
  const { hunks } = await git.changes(f.dir).readFileDiff('a.ts', { scope: 'uncommitted' });
  expect(hunks.flatMap(({ lines }) => lines.filter((line) => line.moved).map((line) => line.kind))).toEqual([
    ...['removed', 'removed', 'removed', 'added', 'added', 'added'],
  ]);
});
