import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeEdgeRepository } from '../../test/support/edge-repository.ts';
import { type Fixture, makeRepository } from '../../test/support/repository.ts';
import type { ChangedFile, FileDiff } from '../model/review/changeset.ts';
import { applyPieces } from '../model/review/diff-pieces.ts';
import type { Changes, Git } from './api.ts';
import { createGit } from './git.ts';

const open = (f: Fixture): Git => createGit({ snapshotDir: join(f.root, 'snapshots'), env: f.env, now: () => 1_000_000 });

describe('the edge repository', () => {
  let f: Fixture;
  let changes: Changes;
  let files: Map<string, ChangedFile>;
  beforeAll(async () => {
    f = makeEdgeRepository();
    changes = open(f).changes(f.dir);
    files = new Map((await changes.readChangeset({ scope: 'base' })).files.map((x) => [x.path, x]));
  });
  afterAll(() => f[Symbol.dispose]());

  const unstaged = { committed: false, staged: false, unstaged: true };
  const one: Partial<ChangedFile> = { status: 'modified', added: 1, removed: 1, ...unstaged };
  const cases: [path: string, file: Partial<ChangedFile>, notes: string[], lines?: [kind: string, text: string][]][] = [
    [
      'crlf.txt',
      one,
      [],
      [
        ['removed', 'line 15'],
        ['added', 'line 15 changed'],
      ],
    ],
    ['crlf-to-lf.txt', { added: 30, removed: 30 }, ['line endings CRLF to LF']],
    ['mixed-eol.txt', { added: 2, removed: 2 }, ['line endings changed on 2 lines (mixed)']],
    [
      'cr-only.txt',
      one,
      ['no newline at end of file'],
      [
        ['removed', 'a\rb\rc'],
        ['added', 'a\rB\rc'],
      ],
    ],
    ['no-eol.txt', one, ['no newline at end of file']],
    [
      'gains-eol.txt',
      one,
      ['newline added at end of file'],
      [
        ['removed', 'last'],
        ['added', 'last'],
      ],
    ],
    [
      'tabs.mk',
      one,
      [],
      [
        ['removed', '\techo one'],
        ['added', '\techo three'],
      ],
    ],
    ['spaces-only.py', one, []],
    ['empty-before.txt', { added: 30, removed: 0, status: 'modified' }, []],
    ['empty-after.txt', { added: 0, removed: 30, status: 'modified' }, []],
    ['to-delete.txt', { added: 0, removed: 30, status: 'deleted' }, []],
    [
      'new name.txt',
      { status: 'renamed', oldPath: 'old name.txt', added: 1, removed: 1 },
      [],
      [
        ['removed', 'renamed row 31'],
        ['added', 'renamed and changed'],
      ],
    ],
    ['moved-pure.txt', { status: 'renamed', oldPath: 'pure-rename.txt', similarity: 100, staged: true, unstaged: false }, [], []],
    ['untold-moved.txt', { status: 'renamed', oldPath: 'untold.txt', similarity: 100, added: 0, removed: 0, ...unstaged }, [], []],
    [
      'untold-edited-moved.txt',
      { status: 'renamed', oldPath: 'untold-edited.txt', added: 1, removed: 1 },
      [],
      [
        ['removed', 'edited row 4'],
        ['added', 'another'],
      ],
    ],
    ['run.sh', { added: 0, removed: 0, oldMode: '100644', newMode: '100755' }, ['mode 100644 to 100755'], []],
    ['mode-and-text.sh', { added: 1, removed: 1 }, ['mode 100644 to 100755']],
    ['image.bin', { added: null, removed: null, binary: true, oldSize: 2048, newSize: 3072 }, ['binary, 2.0 KiB to 3.0 KiB'], []],
    ['latin1.txt', one, ['not UTF-8: some bytes are shown as replacement characters']],
    [
      'utf16.txt',
      { binary: true },
      ['UTF-16LE, decoded for reading'],
      [
        ['removed', 'two'],
        ['added', 'TWO'],
      ],
    ],
    [
      'bom.txt',
      one,
      ['UTF-8 with byte order mark'],
      [
        ['removed', 'first'],
        ['added', 'first changed'],
      ],
    ],
    ['ünïcode/日本語 ファイル.txt', one, []],
    ['space dir/with space.txt', one, []],
    ['quote"and\\slash.txt', one, []],
    ['-dash-first.txt', one, []],
    ['tab\tname.txt', one, []],
    ['new\nline.txt', one, []],
    ['a/lib/index.ts', one, []],
    ['b/lib/index.ts', one, []],
    [
      'escape.txt',
      { added: 2, removed: 2 },
      [],
      [
        ['removed', 'plain'],
        ['removed', 'second'],
        ['added', 'plain \x1b[31mred\x1b[0m \u202ebidi\u202c'],
        ['added', 'second\x01'],
      ],
    ],
    ['looks-like-diff.txt', { added: 5, removed: 4 }, []],
    [
      'dashes.sql',
      { added: 3, removed: 2 },
      [],
      [
        ['removed', '-- comment'],
        ['removed', 'select 1;'],
        ['added', '-- comment changed'],
        ['added', 'select 2;'],
        ['added', '-- another'],
      ],
    ],
    [
      'file-to-symlink.txt',
      { status: 'type-changed', oldMode: '100644', newMode: '120000' },
      ['file became a symbolic link'],
      [
        ['removed', 'target'],
        ['added', 'crlf.txt'],
      ],
    ],
    ['file-to-dir', { status: 'deleted' }, []],
    ['file-to-dir/inside.txt', { status: 'untracked', added: 1 }, []],
    [
      'link.txt',
      { newMode: '120000' },
      ['symbolic link: its target changed'],
      [
        ['removed', 'crlf.txt'],
        ['added', 'tabs.mk'],
      ],
    ],
    ['staged-only.txt', { ...one, staged: true, unstaged: false }, []],
    ['both.txt', { added: 2, removed: 2, staged: true, unstaged: true }, []],
    [
      'from-index.txt',
      { status: 'modified', added: 1, removed: 1, staged: true, unstaged: true },
      [],
      [
        ['removed', 'line 15'],
        ['added', 'line 15 changed'],
      ],
    ],
    ['package-lock.json', { generated: true }, []],
    ['made.gen', { generated: true }, []],
    ['untracked/new.ts', { status: 'untracked', added: 1, removed: 0 }, [], [['added', 'export const fresh = true;']]],
    ['untracked/empty.txt', { status: 'untracked', added: 0, removed: 0 }, ['empty file'], []],
    ['untracked/blob.bin', { status: 'untracked', added: null, binary: true, newSize: 6 }, ['binary, 6 B'], []],
    ['untracked/huge.txt', { status: 'untracked', added: 60_000 }, ['60000 added and 0 removed lines: only the beginning is shown']],
    ['link-to-dir', { status: 'untracked', newMode: '120000' }, ['symbolic link to untracked'], [['added', 'untracked']]],
    ['nested-repo/', { status: 'untracked', added: null }, ['a repository inside this one, not a submodule'], []],
  ];
  const changed = (d: FileDiff) => d.hunks.flatMap((h) => h.lines.filter((l) => l.kind !== 'context').map((l) => [l.kind, l.text]));

  test.each(cases)('%j', async (path, file, notes, lines) => {
    expect(files.get(path)).toMatchObject(file);
    const diff = await changes.readFileDiff(path, { scope: 'base' });
    expect(diff.notes.map((n) => n.text)).toEqual(notes);
    if (lines) expect(changed(diff)).toEqual(lines);
    for (const h of diff.hunks) {
      if (diff.truncated) continue;
      expect(h.lines.filter((l) => l.kind !== 'added')).toHaveLength(h.oldLines);
      expect(h.lines.filter((l) => l.kind !== 'removed')).toHaveLength(h.newLines);
    }
  });

  test('the submodule shows both commits, how many lie between, one row', async () => {
    const sub = files.get('vendor/sub')!;
    expect(sub.submodule).toMatchObject({ commits: 1, dirty: false });
    const [note] = (await changes.readFileDiff('vendor/sub', { scope: 'base' })).notes;
    expect(note!.text).toMatch(/^submodule [0-9a-f]{8}\.\.[0-9a-f]{8}, 1 commit$/);
  });

  test('nothing else is listed: no ignored file, no old name of a rename', () => {
    expect([...files.keys()].sort()).toEqual([...cases.map(([path]) => path), 'vendor/sub'].sort());
  });

  test('a large file is shown from its start, and whole on request', async () => {
    const short = await changes.readFileDiff('untracked/huge.txt', { scope: 'base' });
    expect([short.truncated, short.hunks[0]!.lines.length]).toEqual([true, 20_000]);
    const whole = await changes.readFileDiff('untracked/huge.txt', { scope: 'base', load: true });
    expect([whole.truncated, whole.hunks[0]!.lines.length]).toEqual([false, 60_000]);
    const first = await changes.readFileDiff('untracked/huge.txt', { scope: 'base', rows: 500 });
    expect([first.part, first.hunks[0]!.lines]).toEqual([true, short.hunks[0]!.lines.slice(0, 500)]);
  });

  test.each([
    ['untracked/huge.txt', 7_000],
    ['both.txt', 5],
    ['both.txt', 1],
  ])('%s in parts of at most %i lines: together they are all of it', async (path, rows) => {
    const whole = await changes.readFileDiff(path, { scope: 'base', load: true });
    const all = whole.hunks.flatMap(({ lines }) => lines);
    const got: typeof all = [];
    for (let more = true; more; ) {
      const part = await changes.readFileDiff(path, { scope: 'base', load: true, rows, after: got.length });
      const lines = part.hunks.flatMap((hunk) => hunk.lines);
      expect(lines.length).toBeLessThanOrEqual(rows);
      expect(lines.length).toBeGreaterThan(0);
      got.push(...lines);
      more = part.part === true;
    }
    expect(got).toEqual(all);
  });

  test('a whitespace-only change goes when whitespace is ignored', async () => {
    const diff = await changes.readFileDiff('spaces-only.py', { scope: 'base', ignoreWhitespace: true });
    expect(diff.hunks).toEqual([]);
  });

  test('the patch of the scope applies to the base and gives the same text files', async () => {
    const patch = await changes.patch({ scope: 'base' }, { path: 'both.txt' });
    const copy = join(f.root, 'copy');
    f.git('worktree', 'add', '-q', '--detach', copy, 'HEAD');
    writeFileSync(join(f.root, 'p'), patch + (await changes.patch({ scope: 'base' }, { path: 'untracked/new.ts' })));
    f.gitIn(copy, 'apply', join(f.root, 'p'));
    expect(f.gitIn(copy, 'hash-object', 'both.txt', 'untracked/new.ts')).toBe(f.git('hash-object', 'both.txt', 'untracked/new.ts'));
    f.git('worktree', 'remove', '--force', copy);
  });

  test('lines of both sides, for opening gaps', async () => {
    expect(await changes.readLines('both.txt', 'old', 3, 5, { scope: 'base' })).toEqual({
      lines: ['line 3', 'line 4', 'line 5'],
      total: 30,
    });
    expect((await changes.readLines('both.txt', 'new', 4, 4, { scope: 'base' })).lines).toEqual(['staged edit']);
    expect((await changes.readLines('new name.txt', 'old', 31, 31, { scope: 'base' })).lines).toEqual(['renamed row 31']);
  });

  test('staged scope knows the index only', async () => {
    const staged = await changes.readChangeset({ scope: 'staged' });
    const both = await changes.readFileDiff('both.txt', { scope: 'staged' });
    expect(staged.files.map((x) => x.path)).toEqual(['both.txt', 'from-index.txt', 'moved-pure.txt', 'staged-only.txt']);
    expect(changed(both)).toEqual([
      ['removed', 'line 4'],
      ['added', 'staged edit'],
    ]);
  });
});

test('a stopped merge lists its files with both sides', async () => {
  using f = makeRepository();
  f.put('a.txt', 'one\ntwo\nthree\n');
  f.put('gone.txt', 'old\n');
  f.commit('files');
  f.git('checkout', '-q', '-b', 'side');
  f.put('a.txt', 'one\nTWO side\nthree\n');
  rmSync(join(f.dir, 'gone.txt'));
  f.commit('side');
  f.git('checkout', '-q', 'main');
  f.put('a.txt', 'one\nTWO main\nthree\n');
  f.put('gone.txt', 'old but changed\n');
  f.commit('main');
  f.tryGit(f.dir, 'merge', 'side');
  const changes = open(f).changes(f.dir);
  const { files } = await changes.readChangeset({ scope: 'base' });
  expect(files.map((x) => [x.path, x.status])).toEqual([
    ['a.txt', 'unmerged'],
    ['gone.txt', 'unmerged'],
  ]);
  const diff = await changes.readFileDiff('a.txt', { scope: 'base' });
  expect(diff.notes.map((n) => n.text)).toEqual(['conflict: changed on both sides']);
  expect(diff.hunks[0]!.lines.filter((l) => l.kind === 'added').map((l) => l.text)).toEqual([
    '<<<<<<< HEAD',
    '=======',
    'TWO side',
    '>>>>>>> side',
  ]);
  expect((await changes.readFileDiff('gone.txt', { scope: 'base' })).notes[0]!.text).toBe('conflict: changed here, deleted there');
});

test('C33 an unborn branch lists staged and untracked files', async () => {
  using f = makeRepository({ unborn: true });
  f.put('staged.txt', 's\n');
  f.git('add', 'staged.txt');
  f.put('loose.txt', 'l\n');
  const changes = open(f).changes(f.dir);
  const c = await changes.readChangeset({ scope: 'base' });
  expect([c.base, c.branch, c.head, c.files.map((x) => [x.path, x.status, x.added])]).toEqual([
    null,
    'main',
    null,
    [
      ['loose.txt', 'untracked', 1],
      ['staged.txt', 'added', 1],
    ],
  ]);
  expect((await changes.readFileDiff('staged.txt', { scope: 'base' })).hunks[0]!.lines[0]!.text).toBe('s');
});

test('C37 neither the work of others nor a rewritten base shows as own work; a moved base is marked', async () => {
  using f = makeRepository();
  f.git('checkout', '-q', '-b', 'dev-env');
  for (let i = 0; i < 5; i += 1) f.put(`dev${i}.txt`, 'dev\n');
  f.commit('dev');
  const git = open(f);
  const first = await git.addWorktree({ from: f.dir, branch: 'first' });
  const second = await git.addWorktree({ from: f.dir, branch: 'second' });
  expect(first.base).toMatchObject({ name: 'dev-env', commit: f.git('rev-parse', 'dev-env'), why: 'the branch you are on' });
  writeFileSync(join(first.path, 'one.txt'), '1\n');
  f.gitIn(first.path, 'add', '-A');
  f.gitIn(first.path, 'commit', '-qm', 'one');
  writeFileSync(join(second.path, 'two.txt'), '2\n');
  f.gitIn(second.path, 'add', '-A');
  f.gitIn(second.path, 'commit', '-qm', 'two');
  const look = async () => git.changes(second.path).readChangeset({ scope: 'base', base: second.base });
  expect((await look()).files.map((x) => [x.path, x.committed])).toEqual([['two.txt', true]]);
  expect((await look()).base?.moved).toBe(false);
  f.git('merge', '-q', 'first');
  expect((await look()).files.map((x) => x.path)).toEqual(['two.txt']);
  f.gitIn(second.path, 'merge', '-q', '--no-edit', 'dev-env');
  expect((await look()).files.map((x) => x.path)).toEqual(['two.txt']);
  f.git('commit', '-q', '--amend', '-m', 'rewritten', '--date=2026-02-02T00:00:00Z');
  f.git('checkout', '-q', 'main');
  f.git('commit', '-q', '--allow-empty', '-m', 'main goes on');
  f.git('checkout', '-q', 'dev-env');
  f.git('rebase', '-q', 'main');
  const after = await look();
  expect([after.files.map((x) => x.path).includes('dev0.txt'), after.base?.moved]).toEqual([false, true]);
});

test('a failed reading keeps the last listing with its age and says what went wrong', async () => {
  using f = makeRepository();
  f.put('a.txt', 'a\n');
  const changes = open(f).changes(f.dir);
  const good = await changes.readChangeset({ scope: 'base' });
  writeFileSync(join(f.dir, '.git', 'index'), 'broken');
  const bad = await changes.readChangeset({ scope: 'base' });
  expect([bad.files, bad.at]).toEqual([good.files, good.at]);
  expect(bad.error).toMatch(/^Reading the .* failed: .*\.$/);
});

test('an unchanged worktree keeps its generation and its objects', async () => {
  using f = makeRepository();
  f.put('a.txt', 'a\n');
  const changes = open(f).changes(f.dir);
  const [one, two] = [await changes.readChangeset({ scope: 'base' }), await changes.readChangeset({ scope: 'base' })];
  expect([two.generation, two.files === one.files]).toEqual([one.generation, true]);
  f.put('a.txt', 'b\n');
  const three = await changes.readChangeset({ scope: 'base' });
  expect(three.generation).toBeGreaterThan(one.generation);
  expect(three.files[0]!.fingerprint).not.toBe(one.files[0]!.fingerprint);
});

test('a diff that was read is given again; one that was written on since the listing is not kept', async () => {
  using f = makeRepository();
  const changes = open(f).changes(f.dir);
  const list = (text: string) => {
    f.put('a.txt', text);
    return changes.readChangeset({ scope: 'base' });
  };
  const diff = () => changes.readFileDiff('a.txt', { scope: 'base' });
  const lines = async () => (await diff()).hunks[0]!.lines.map(({ text }) => text);
  await list('one\n');
  expect(await diff()).toBe(await diff());
  await list('two\n');
  expect(await lines()).toEqual(['two']);
  await list('three\n');
  f.put('a.txt', 'four\n');
  expect(await lines()).toEqual(['four']);
  f.put('a.txt', 'three\n');
  expect(await lines()).toEqual(['three']);
});

test('a patch with binary files makes them all, also those that git does not know', async () => {
  using f = makeRepository();
  const bytes = (seed: number) => Uint8Array.from({ length: 3000 }, (_, i) => (i * seed) % 256);
  const after = { 'known.bin': bytes(7), 'new file.bin': bytes(11), 'text.txt': Buffer.from('two\n') };
  f.put('known.bin', bytes(3));
  f.put('text.txt', 'one\n');
  f.commit('base');
  for (const [path, content] of Object.entries(after)) f.put(path, content);
  const changes = open(f).changes(f.dir);
  const patch = await changes.patch({ scope: 'uncommitted' }, { binary: true });
  expect(await changes.patch({ scope: 'uncommitted' })).toContain('Binary files a/known.bin and b/known.bin differ');
  f.git('reset', '-q', '--hard');
  f.git('clean', '-qfd');
  writeFileSync(join(f.root, 'p'), patch);
  f.git('apply', join(f.root, 'p'));
  for (const [path, content] of Object.entries(after)) expect(readFileSync(join(f.dir, path)).equals(content), path).toBe(true);
});

test('a diff since the one held comes in pieces that make it; since one that nobody gave, whole', async () => {
  using f = makeRepository();
  const lines = Array.from({ length: 400 }, (_, i) => `line ${i}`);
  const put = () => f.put('a.txt', lines.join('\n'));
  put();
  f.commit('base');
  const changes = open(f).changes(f.dir);
  const read = async (held?: string) => {
    put();
    await changes.readChangeset({ scope: 'uncommitted' });
    return changes.readFileDiff('a.txt', { scope: 'uncommitted', rows: 100, held });
  };
  for (let i = 0; i < 400; i += 40) lines[i] = `changed ${i}`;
  const first = await read();
  expect(first.hunks).toHaveLength(10);
  lines[80] = 'once more';
  lines.splice(20, 0, 'new');
  const { hunks, pieces, revision, ...rest } = await read(first.revision);
  expect([hunks, rest.notes, pieces!.filter((piece) => 'head' in piece).length]).toEqual([[], first.notes, 2]);
  const fresh = await read('nobody gave this');
  expect(applyPieces(first.hunks, pieces!)).toEqual(fresh.hunks);
  expect([fresh.pieces, fresh.revision]).toEqual([undefined, revision]);
  for (let i = 0; i < 400; i++) lines[i] = `other ${i}`;
  expect(await read(revision)).toMatchObject({ part: true, hunks: [{ oldStart: 1 }] });
});

test('a file keeps its fingerprint when it is staged and committed', async () => {
  using f = makeRepository();
  f.git('checkout', '-q', '-b', 'work');
  f.put('a.txt', 'a\n');
  const changes = open(f).changes(f.dir);
  const read = async () => (await changes.readChangeset({ scope: 'base' })).files[0]!.fingerprint;
  const loose = await read();
  f.git('add', 'a.txt');
  const staged = await read();
  f.git('commit', '-qm', 'a');
  expect([staged, await read()]).toEqual([loose, loose]);
});

test('commits since the base, and one of them as scope', async () => {
  using f = makeRepository();
  f.git('checkout', '-q', '-b', 'work');
  f.put('a.txt', 'a\n');
  f.commit('first \x1b[2J of work');
  f.put('b.txt', 'b\n');
  const second = f.commit('second');
  const changes = open(f).changes(f.dir);
  const list = await changes.commits({ scope: 'base' });
  expect(list.map((c) => [c.subject, c.author])).toEqual([
    ['second', 'Ada'],
    ['first  [2J of work', 'Ada'],
  ]);
  const one = await changes.readChangeset({ scope: { commit: second } });
  expect(one.files.map((x) => [x.path, x.status])).toEqual([['b.txt', 'added']]);
  const first = await changes.readChangeset({ scope: { commit: `${second}~1` } });
  expect([one.subject, first.subject]).toEqual(['second', 'first  [2J of work']);
});

test('work committed on the base branch itself is shown against where it stood', async () => {
  using f = makeRepository();
  const base = { name: 'main', commit: f.git('rev-parse', 'HEAD') };
  f.put('a.txt', 'a\n');
  f.commit('on main');
  const seen = await open(f).changes(f.dir).readChangeset({ scope: 'base', base });
  expect([seen.files.map((x) => [x.path, x.committed]), seen.base?.moved]).toEqual([[['a.txt', true]], false]);
});
