// Long files after writes: what is put together from parts is, byte for byte, what git says of the whole.
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRandom } from '../../test/support/random.ts';
import { type Fixture, makeRepository } from '../../test/support/repository.ts';
import { createGit } from './git.ts';
import { parsePatch } from './patch-parse.ts';

const QUERY = { scope: 'uncommitted', load: true } as const;
const HEADS = ['function', 'class', '  const', '\t', '}', '', 'über'];

/** The worktree's changes, and the sizes of files that git has compared since asked last. */
function openLong(f: Fixture, lines: string[]) {
  f.put('long.txt', lines.join('\n'));
  f.commit('base');
  const [program, log] = [join(f.root, 'git.sh'), join(f.root, 'log')];
  writeFileSync(
    program,
    `#!/bin/sh\ncase "$*" in *--no-index*) for last; do :; done; wc -c <"$last" >>${log};; *" -p "*) echo whole >>${log};; esac\nexec git "$@"\n`,
  );
  chmodSync(program, 0o755);
  const git = createGit({ snapshotDir: join(f.root, 'snapshots'), env: f.env, now: () => 1, program });
  const compared = () => {
    const said = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
    rmSync(log, { force: true });
    return said;
  };
  return { changes: git.changes(f.dir), compared };
}

const text = (random: (n: number) => number, count: number, kinds: number) =>
  Array.from({ length: count }, () => `${HEADS[random(HEADS.length)]} ${'word '.repeat(4)}${random(kinds)}`);

/** Overwrites, inserts and removes lines in a few places, near one another and at the ends too. */
function edit(lines: string[], random: (n: number) => number, kinds: number): void {
  const near = random(lines.length);
  for (let k = random(4); k >= 0; k--) {
    const far = random(3) === 0;
    const at = random(12) === 0 ? [0, lines.length][random(2)]! : far ? random(lines.length) : Math.min(lines.length, near + random(30));
    lines.splice(at, random(4), ...text(random, random(4), kinds));
  }
}

test.each([
  ['lines that differ', 1e9, 0],
  ['lines that repeat', 12, 0],
  ['more changed than are looked at for moves', 1e9, 30],
])('%s: any writes', async (_name, kinds, changed) => {
  using f = makeRepository();
  const random = createRandom(7);
  const lines = text(random, 40_000, kinds);
  const { changes, compared } = openLong(f, lines);
  for (let i = 0; i < lines.length; i++) if (i % 40 < changed) lines[i] = `changed ${'word '.repeat(5)}${i}`;
  for (let i = 0; i < 400; i++) lines.splice(random(lines.length), random(3), ...text(random, random(3), kinds));
  const times = changed > 0 ? 8 : 15;
  for (let i = 0; i < times; i++) {
    edit(lines, random, kinds);
    writeFileSync(join(f.dir, 'long.txt'), lines.join('\n') + (random(3) === 0 ? '' : '\n'));
    const { files } = await changes.readChangeset(QUERY);
    const { hunks } = await changes.readFileDiff('long.txt', QUERY);
    const whole = parsePatch(Buffer.from(f.git('diff', 'HEAD', '--', 'long.txt')));
    const bare = hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(({ moved: _moved, ...line }) => line) }));
    expect(bare).toEqual(whole.hunks);
    const [added, removed] = f.git('diff', '--numstat', 'HEAD', '--', 'long.txt').split('\t').map(Number);
    expect(files[0]).toMatchObject({ path: 'long.txt', added, removed });
  }
  expect(compared().filter((what) => what !== 'whole').length).toBeGreaterThan(2);
});

test.each([
  ['plain', [], true],
  ['with other line ends', ['.gitattributes', '*.txt text=auto eol=crlf\n'], false],
  ['with hunks named by a driver', ['.gitattributes', '*.txt diff=python\n'], false],
] as [string, string[], boolean][])('a file %s: after one line git compares a small part, or all', async (_name, [path, content], part) => {
  using f = makeRepository();
  if (path) f.put(path, content!);
  const lines = text(createRandom(3), 40_000, 1e9);
  const { changes, compared } = openLong(f, lines);
  for (let i = 100; i < lines.length; i += 100) lines[i] = `changed ${i}`;
  const write = async () => {
    writeFileSync(join(f.dir, 'long.txt'), lines.join('\n'));
    await changes.readChangeset(QUERY);
    await changes.readFileDiff('long.txt', QUERY);
    return compared();
  };
  await write();
  lines[20_000] = 'one more';
  const said = await write();
  if (part) expect(Number(said.join())).toBeLessThan(20_000);
  else expect(said).toContain('whole');
});
