// Every state that a changed file can be in, in one repository: how each is listed and what its diff holds.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeEdgeRepository } from '../../test/support/edge-repository.ts';
import { openGit } from '../../test/support/git-room.ts';
import type { Fixture } from '../../test/support/repository.ts';
import type { ChangedFile, FileDiff } from '../model/review/changeset.ts';
import type { Changes } from './api.ts';

describe('the edge repository', () => {
  let f: Fixture;
  let changes: Changes;
  let files: Map<string, ChangedFile>;
  beforeAll(async () => {
    f = makeEdgeRepository();
    changes = openGit(f).changes(f.dir);
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
    ['file-to-dir', { status: 'deleted' }, ['the file became a folder']],
    ['file-to-dir/inside.txt', { status: 'untracked', added: 1 }, ['file-to-dir was a file']],
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
