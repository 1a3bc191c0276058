// Counts of lines are kept between readings and are those that git says at any time.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepository } from '../../test/support/repository.ts';
import { createGit } from './git.ts';

test.each([3, 230])('%i files, over edits, reverts, attributes and whitespace: always what git counts', async (count) => {
  using f = makeRepository();
  const names = Array.from({ length: count }, (_, i) => `f${i}.txt`);
  const write = (name: string, ...lines: string[]) => f.put(name, `${lines.join('\n')}\n`);
  for (const name of names) write(name, 'one', 'two', 'three');
  f.commit('before');
  const changes = createGit({ snapshotDir: join(f.root, 'snapshots'), env: f.env, now: () => 1 }).changes(f.dir);
  const check = async (ignoreWhitespace = false) => {
    const { files } = await changes.readChangeset({ scope: 'uncommitted', ignoreWhitespace });
    const listed = files
      .filter(({ status }) => status !== 'untracked')
      .map(({ path, added, removed }) => `${added ?? '-'}\t${removed ?? '-'}\t${path}`);
    const flags = ignoreWhitespace ? ['--ignore-all-space', '--ignore-blank-lines'] : [];
    const counted = new Map(
      f
        .git('diff', 'HEAD', '--numstat', ...flags)
        .split('\n')
        .map((line) => [line.split('\t')[2], line]),
    );
    expect(listed).toEqual(listed.map((line) => counted.get(line.split('\t')[2]) ?? line.replace(/^\S+\t\S+/, '0\t0')));
    expect(listed.length).toBeGreaterThan(0);
  };
  for (const name of names) write(name, 'one', 'TWO', 'three', 'four');
  await check();
  write('f1.txt', 'one');
  await check();
  await check(true);
  write('f1.txt', '  one', 'two', 'three');
  await check();
  await check(true);
  write('f1.txt', 'one');
  await check();
  f.put('.gitattributes', 'f1.txt -diff\n');
  f.git('add', '.gitattributes');
  await check();
  f.git('rm', '-q', '-f', '--cached', '.gitattributes');
  f.put('.gitattributes', '');
  f.git('commit', '-qam', 'after');
  write('f2.txt', 'x');
  await check();
});
