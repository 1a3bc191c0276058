// What a reading keeps for the next one changes nothing but its cost.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRandom } from '../../test/support/random.ts';
import { type Fixture, makeProgram, makeRepository } from '../../test/support/repository.ts';
import type { Changes } from './api.ts';
import { createGit } from './git.ts';
import { standingAmong } from './repository.ts';
import { Runner } from './run.ts';

const open = (f: Fixture, program?: string) =>
  createGit({ snapshotDir: join(f.root, 'snapshots'), env: f.env, now: () => 1, ...(program === undefined ? {} : { program }) });

const lines = (name: string, count = 60) => Array.from({ length: count }, (_, i) => `${name} ${i}`);

test.each([0, 2])(
  'a reading after one write, and the lines of the file, are six git processes, with %i commits since the base',
  async (commits) => {
    using f = makeRepository();
    for (const name of ['a', 'b', 'c']) f.put(`${name}.txt`, lines(name).join('\n'));
    f.commit('three');
    for (const name of ['a', 'b', 'c']) f.put(`${name}.txt`, lines(name, 70).join('\n'));
    const log = join(f.root, 'log');
    const program = makeProgram(f.root, 'git-logged', `echo "$1" >> '${log}'\nexec git "$@"`);
    const changes = open(f, program).changes(f.dir);
    const base = { name: 'main', commit: f.git('rev-parse', 'HEAD') };
    f.git('switch', '-q', '-c', 'work');
    for (let i = 0; i < commits; i++) f.git('commit', '-q', '-a', '--allow-empty', '-m', 'step');
    await changes.readChangeset({ scope: 'base', base });
    f.put('b.txt', lines('written', 40).join('\n'));
    rmSync(log);
    await changes.readChangeset({ scope: 'base', base });
    const diff = await changes.readFileDiff('b.txt', { scope: 'base', base });
    expect(diff.file).toMatchObject({ added: 40, removed: 60 });
    expect(readFileSync(log, 'utf8').trim().split('\n').sort()).toEqual(['check-attr', 'config', 'diff', 'diff', 'rev-parse', 'status']);
  },
);

test('lines that were moved are looked for once in a listing', async () => {
  using f = makeRepository();
  for (const name of ['a', 'b']) f.put(`${name}.txt`, lines(name).join('\n'));
  f.commit('two');
  f.put('a.txt', '');
  f.put('b.txt', [...lines('a'), ...lines('b')].join('\n'));
  const log = join(f.root, 'log');
  const changes = open(f, makeProgram(f.root, 'git-logged', `echo "$1" >> '${log}'\nexec git "$@"`)).changes(f.dir);
  await changes.readChangeset({ scope: 'base' });
  rmSync(log);
  const [first, second] = await Promise.all([changes.moved({ scope: 'base' }), changes.moved({ scope: 'base' })]);
  expect(first).toEqual(second);
  expect(first.moved).toEqual([
    { path: 'a.txt', old: [[1, 60]], new: [] },
    { path: 'b.txt', old: [], new: [[1, 60]] },
  ]);
  expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual(['config', 'diff']);
  f.put('a.txt', lines('a').join('\n'));
  await changes.readChangeset({ scope: 'base' });
  expect((await changes.moved({ scope: 'base' })).moved).toEqual([]);
});

test('a reading after one write has the objects of the one before for every other file', async () => {
  using f = makeRepository();
  for (const name of ['a', 'b', 'c', 'd']) f.put(`${name}.txt`, lines(name).join('\n'));
  f.commit('four');
  for (const name of ['a', 'b', 'd']) f.put(`${name}.txt`, lines(name, 70).join('\n'));
  const changes = open(f).changes(f.dir);
  const [a, b, d] = (await changes.readChangeset({ scope: 'base' })).files;
  f.put('b.txt', lines('b', 80).join('\n'));
  f.put('c.txt', 'another');
  const { files } = await changes.readChangeset({ scope: 'base' });
  expect(files.map(({ path }) => path)).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt']);
  expect([files[0] === a, files[1] === b, files[3] === d]).toEqual([true, false, true]);
  expect(files[1]).toMatchObject({ added: 21, removed: 1 });
});

async function told(changes: Changes, scope: 'base' | 'uncommitted') {
  const { files, added, removed, branch, head } = await changes.readChangeset({ scope });
  const diffs = [];
  for (const { path } of files) {
    const { hunks, notes, file } = await changes.readFileDiff(path, { scope });
    diffs.push({ hunks, notes, file });
  }
  return { files, added, removed, branch, head, diffs };
}

test('whatever is written, a reading says what one with nothing kept says', { timeout: 120_000 }, async () => {
  using f = makeRepository();
  const names = ['a.txt', 'b.txt', 'dir/c.txt', 'long name.md'];
  for (const name of names) f.put(name, `${lines(name).join('\n')}\n`);
  f.commit('files');
  const random = createRandom(8);
  const pick = () => names[random(names.length)]!;
  const steps: (() => void)[] = [
    () => f.put(pick(), `${lines('new', 1 + random(80)).join('\n')}\n`),
    () => f.put(pick(), lines('cut', 1 + random(80)).join('\n')),
    () => f.put(pick(), `${lines('crlf').join('\r\n')}\r\n`),
    () => f.put(pick(), `bytes\0${random(1000)}`),
    () => f.put('.gitattributes', random(2) === 0 ? '*.txt -diff\n' : '*.md linguist-generated\n'),
    () => rmSync(join(f.dir, '.gitattributes'), { force: true }),
    () => rmSync(join(f.dir, pick()), { force: true }),
    () => f.put(`fresh${random(3)}.txt`, lines('fresh', random(20)).join('\n')),
    () => void f.git('add', '-A'),
    () => void f.git('commit', '-q', '--allow-empty', '-a', '-m', 'step'),
    () => void f.git('switch', '-q', '--detach'),
    () => void f.git('switch', '-q', 'main'),
  ];
  const changes = open(f).changes(f.dir);
  for (let i = 0; i < 40; i++) {
    try {
      steps[random(steps.length)]!();
    } catch {
      // git refuses to switch over what would be lost: nothing has changed then.
    }
    const scope = random(3) === 0 ? 'uncommitted' : 'base';
    expect(await told(changes, scope), `step ${i}`).toEqual(await told(open(f).changes(f.dir), scope));
  }
});

test('where HEAD stands and what other revisions are, plain or odd', async () => {
  using f = makeRepository();
  const look = () => new Runner({ cap: 4, program: 'git', env: f.env }).look(f.dir);
  const head = f.git('rev-parse', 'HEAD');
  f.git('tag', '-a', 'v1', '-m', 'annotated');
  f.git('branch', 'odd(name)');
  const tree = f.git('rev-parse', 'HEAD^{tree}');
  const standing = async (...revisions: string[]) => standingAmong(await look(), revisions);
  expect(await standing()).toEqual({ branch: 'main', head, commits: [] });
  expect(await standing('v1', head, 'odd(name)')).toEqual({ branch: 'main', head, commits: [head, head, head] });
  expect(await standing('gone', 'main', tree)).toEqual({ branch: 'main', head, commits: [null, head, null] });
  for (const hostile of ['--all', 'main..HEAD', 'HEAD^@', '', '-q'])
    expect(await standing(hostile, 'main'), hostile).toMatchObject({ branch: 'main', head, commits: [null, head] });
  f.git('switch', '-q', 'odd(name)');
  expect(await standing('main')).toEqual({ branch: 'odd(name)', head, commits: [head] });
  f.git('switch', '-q', '--detach');
  expect(await standing('main')).toEqual({ branch: null, head, commits: [head] });
  f.git('switch', '-q', '--orphan', 'unborn');
  expect(await standing('main')).toEqual({ branch: 'unborn', head: null, commits: [head] });
});
