// The pane as a reader sees it: whole grids as text, after intents.
import { describe, expect, test } from 'vitest';
import { changesetOf, commentOn, diffOf, fileOf, gridText, hunkOf } from '../../../test/support/diff-samples.ts';
import { CELL_WORDS, createGrid } from '../../model/cell.ts';
import type { ChangedFile, FileDiff } from '../../model/review/changeset.ts';
import { cellColor, createTheme } from '../theme.ts';
import { drawDiff, hitTest } from './draw.ts';
import { applyDiff, type DiffIntent } from './intents.ts';
import { createDiffView, type DiffView } from './view.ts';

const THEME = createTheme({ dark: true, colors: 'true' });

const login = fileOf('src/auth/login.ts', { added: 3, removed: 1, committed: true });
const LOGIN = diffOf(login, [
  hunkOf(
    40,
    40,
    '   const s = await load(id);\n-  if (!s) return;\n+  if (!s || s.expired) {\n+    return redirect("/login");\n+  }\n   next();',
    'checkSession',
  ),
  hunkOf(60, 62, ' end();'),
]);
const session = fileOf('src/auth/session.ts', { generated: true, added: 15, removed: 3 });
const words = fileOf('docs/日本.md', { status: 'untracked', added: 2, removed: 0 });
const WORDS = diffOf(words, [hunkOf(0, 1, '+漢字 e\u0301 👨‍👩‍👧 \u202ex\u001b[0m\tend\n+plain')]);

function viewOf(cols: number, rows: number, files: [ChangedFile, FileDiff | null][], ...intents: DiffIntent[]): DiffView {
  let view = applyDiff(createDiffView(cols, rows), {
    do: 'take-changeset',
    changeset: changesetOf(files.map(([file]) => file)),
    viewed: {},
  });
  for (const [file, diff] of files) if (diff) view = applyDiff(view, { do: 'take-file', path: file.path, diff });
  for (const intent of intents) view = applyDiff(view, intent);
  return view;
}

function shown(view: DiffView): string[] {
  const grid = createGrid(view.cols, view.rows);
  drawDiff(view, grid, { x: 0, y: 0, cols: view.cols, rows: view.rows }, THEME);
  return gridText(grid);
}

const ALL: [ChangedFile, FileDiff | null][] = [
  [login, LOGIN],
  [session, null],
  [words, WORDS],
];

describe('drawing', () => {
  test('stacked', () => {
    expect(shown(viewOf(60, 18, ALL)).join('\n')).toMatchInlineSnapshot(`
      "▌▾ src/auth/login.ts                            +3 −1  M cu
       ⋯ 39 unchanged lines · z
       @@ 40,5 · checkSession
        40  40     const s = await load(id);
        41     -   if (!s) return;
            41 +   if (!s || s.expired) {
            42 +     return redirect("/login");
            43 +   }
        42  44     next();
       ⋯ 17 unchanged lines · z
       @@ 62,1
        60  62   end();
       ▸ src/auth/session.ts                generated +15 −3  M u
       ▾ docs/日本.md                                    +2 −0  ?
       @@ 1,2
             1 + 漢字 é 👨‍👩‍👧 <202e>x^[[0m  end
             2 + plain
      "
    `);
  });

  test('side by side', () => {
    expect(shown(viewOf(112, 10, ALL)).join('\n')).toMatchInlineSnapshot(`
      "▌▾ src/auth/login.ts                                                              +3 −1  M committed · unstaged
       ⋯ 39 unchanged lines · z
       @@ 40,5 · checkSession
        40     const s = await load(id);                     │  40     const s = await load(id);
        41 -   if (!s) return;                               │  41 +   if (!s || s.expired) {
             ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌│  42 +     return redirect("/login");
             ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌│  43 +   }
        42     next();                                       │  44     next();
       ⋯ 17 unchanged lines · z
       @@ 62,1"
    `);
  });

  test('a comment’s card under its line, and one whose code is gone', () => {
    const gone = commentOn(2, login.path, 9, 'old', {
      place: { placement: 'gone', path: login.path, range: null },
      state: 'sent',
      rounds: [1],
    });
    const reply = { id: 1, author: 'agent' as const, body: 'kept 401 for /api', at: 0 };
    const place = { placement: 'exact' as const, path: login.path, range: { start: 41, end: 42 } };
    const one = commentOn(1, login.path, 42, 'keep the old path for API callers: 401, no redirect', { place, replies: [reply] });
    const view = viewOf(60, 20, [[login, LOGIN]], { do: 'take-comments', comments: [one, gone] });
    expect(
      shown(view)
        .join('\n')
        .replace(/\d\d:\d\d/g, 'HH:MM'),
    ).toMatchInlineSnapshot(`
      "▌▾ src/auth/login.ts                       +3 −1  M cu  ● 2
       ╭ you · #2 · sent · round 1 · HH:MM · code is gone ──────╮
       │ │ x                                                    │
       │ old                                                    │
       ╰────────────────────────────────────────────────────────╯
       ⋯ 39 unchanged lines · z
       @@ 40,5 · checkSession
        40  40     const s = await load(id);
        41     -   if (!s) return;
            41 +   if (!s || s.expired) {
            42 +     return redirect("/login");
       ╭ you · #1 · 41-42 · draft · HH:MM ──────────────────────╮
       │ keep the old path for API callers: 401, no redirect    │
       │ agent: kept 401 for /api                               │
       ╰────────────────────────────────────────────────────────╯
            43 +   }
        42  44     next();
       ⋯ 17 unchanged lines · z
       @@ 62,1
        60  62   end();"
    `);
  });

  test('lines moved to another file have their own sign', () => {
    const moved = [{ path: login.path, old: [[41, 41]] as [number, number][], new: [[43, 43]] as [number, number][] }];
    const view = viewOf(60, 9, [[login, LOGIN]], { do: 'take-moved', moved });
    expect(shown(view).slice(4, 8)).toEqual([
      '  41     «   if (!s) return;',
      '      41 +   if (!s || s.expired) {',
      '      42 +     return redirect("/login");',
      '      43 »   }',
    ]);
  });

  test.each<[string, number, number]>([
    ['at the end of a long text', 12, 5000],
    ['in the middle of one', 12, 2500],
    ['at its beginning', 12, 1],
    ['in a pane with hardly any rows', 5, 5000],
  ])('the caret of a draft is in the window: %s', (_what, rows, at) => {
    const lines = Array.from({ length: 5000 }, (_, i) => `pasted ${i + 1}`);
    const text = lines.join('\n');
    const caret = lines.slice(0, at).join('\n').length;
    const draft = { place: { path: 'src/auth/login.ts', side: 'new' as const, line: 43 }, title: 't', text, caret, keys: 'k' };
    const begun = { ...draft, text: '', caret: 0 };
    const view = viewOf(60, rows, [[login, LOGIN]], { do: 'bottom' }, { do: 'take-draft', draft: begun }, { do: 'take-draft', draft });
    const grid = createGrid(60, rows);
    const drawn = drawDiff(view, grid, { x: 0, y: 0, cols: 60, rows }, THEME);
    const row = gridText(grid)[drawn.caret!.y]!;
    expect(row).toContain(` pasted ${at} `);
    expect(drawn.caret!.x).toBe(row.indexOf('pasted') + `pasted ${at}`.length);
    // One row up, and the window stays: what is written does not jump about under the eyes.
    const up = applyDiff(view, { do: 'take-draft', draft: { ...draft, caret: Math.max(0, caret - lines[at - 1]!.length - 1) } });
    if (rows > 5 && at > 1)
      expect(shown(up).filter((line) => line.includes('pasted'))).toEqual(shown(view).filter((line) => line.includes('pasted')));
  });

  test('a draft with its caret', () => {
    const draft = {
      place: { path: login.path, side: 'new' as const, line: 41 },
      title: 'you · draft',
      text: 'first\nsecond',
      caret: 8,
      keys: 'ctrl+s save · esc leave',
    };
    const view = viewOf(60, 12, [[login, LOGIN]], { do: 'take-draft', draft });
    const grid = createGrid(60, 12);
    const { caret } = drawDiff(view, grid, { x: 0, y: 0, cols: 60, rows: 12 }, THEME);
    const rows = gridText(grid);
    expect(rows[caret!.y]).toBe(' │ second                                                 │'.slice(0, rows[caret!.y]!.length));
    expect(caret!.x).toBe(5);
  });

  test('long lines: scrolled, then wrapped', () => {
    const file = fileOf('a.txt');
    const diff = diffOf(file, [hunkOf(1, 1, `-${'abcdefghij'.repeat(20)}\n+${'0123456789'.repeat(20)}漢字`)]);
    const scrolled = shown(viewOf(40, 6, [[file, diff]], { do: 'sideways', by: 1 }));
    expect(scrolled[2]).toBe('   1     - ‹jabcdefghijabcdefghijabcdef›');
    const wrapped = shown(viewOf(40, 20, [[file, diff]], { do: 'wrap' }));
    expect(wrapped.slice(2, 5)).toEqual([
      '   1     - abcdefghijabcdefghijabcdefghi',
      '           jabcdefghijabcdefghijabcdefgh',
      '           ijabcdefghijabcdefghijabcdefg',
    ]);
    expect(wrapped.join('').replaceAll(/[^0-9漢字]/g, '')).toContain('漢字');
  });

  test.each([
    // 29 columns of code: what ends with them is whole, of a wide character under a mark nothing is left.
    [0, 'x'.repeat(29), 'x'.repeat(29)],
    [0, 'x'.repeat(30), `${'x'.repeat(28)}›`],
    [0, `${'x'.repeat(27)}漢`, `${'x'.repeat(27)}漢`],
    [0, `${'x'.repeat(27)}漢字`, `${'x'.repeat(27)} ›`],
    [0, `${'x'.repeat(28)}漢`, `${'x'.repeat(28)}›`],
    [0, `${'x'.repeat(26)}漢字`, `${'x'.repeat(26)}漢›`],
    [0, `${'x'.repeat(28)}e\u0301`, `${'x'.repeat(28)}e\u0301`],
    [0, `${'x'.repeat(24)}\u202e`, `${'x'.repeat(24)}<202›`],
    [1, '漢字漢字漢字', '‹ 字'],
    [1, '1234567漢字', '‹字'],
    [1, '12345678', '‹'],
    [1, '', ''],
    [1, '123456789', '‹'],
    [1, '1234567890', '‹0'],
  ])('%i steps to the right, what is cut is marked: %s', (by, text, expected) => {
    const file = fileOf('a.txt');
    const view = viewOf(40, 6, [[file, diffOf(file, [hunkOf(1, 1, `+${text}`)])]], { do: 'sideways', by });
    expect(shown(view)[2]).toBe(`       1 + ${expected}`.trimEnd());
  });

  test('in a file in conflict the marks have its colour, blanks at the end of an added line a ground', () => {
    const cell = (view: DiffView, y: number, x: number) => {
      const grid = createGrid(view.cols, view.rows);
      drawDiff(view, grid, { x: 0, y: 0, cols: view.cols, rows: view.rows }, THEME);
      const [, fg, bg] = grid.cells.slice((y * grid.cols + x) * CELL_WORDS);
      return [fg! & 0x3ffffff, bg! & 0x3ffffff];
    };
    const hunk = hunkOf(1, 1, ' one \n+<<<<<<< HEAD\n+two  \n+=======\n+=======x');
    const view = (status: 'unmerged' | 'modified') => {
      const file = fileOf('a.txt', { status });
      return viewOf(40, 8, [[file, diffOf(file, [hunk])]]);
    };
    const conflict = cellColor(THEME, 'conflict') & 0x3ffffff;
    const code = 11;
    const marked = (status: 'unmerged' | 'modified') => [3, 5, 6].map((y) => cell(view(status), y, code)[0] === conflict);
    expect([marked('unmerged'), marked('modified')]).toEqual([
      [true, true, false],
      [false, false, false],
    ]);
    const blank = cellColor(THEME, 'removedWord') & 0x3ffffff;
    const grounds = (y: number, by: DiffIntent[] = []) =>
      [2, 3, 4, 5].map((x) => cell(by.reduce(applyDiff, view('modified')), y, code + x)[1] === blank);
    expect(grounds(4)).toEqual([false, true, true, false]);
    expect(grounds(2)).toEqual([false, false, false, false]);
    expect(grounds(4, [{ do: 'whitespace' }])).toEqual([false, false, false, false]);
  });

  test('where the lines of a file that is too large end, it says so', () => {
    const file = fileOf('a.txt', { added: 9, removed: 0 });
    const view = viewOf(60, 9, [[file, diffOf(file, [hunkOf(0, 1, '+one\n+two')], { truncated: true })]]);
    expect(shown(view).slice(1).filter(Boolean)).toEqual([
      ' large change (+9 −0), shown in part: L loads it',
      ' @@ 1,2',
      '       1 + one',
      '       2 + two',
      ' ⋯ more lines are left out: L loads them',
    ]);
  });

  test('the length of a file says how many lines follow the last hunk, or that none do', () => {
    const file = fileOf('a.txt');
    const hunk = hunkOf(1, 1, ' a\n+b\n c\n d\n e');
    const last = (total?: number) => shown(viewOf(60, 9, [[file, diffOf(file, [hunk], total ? { total } : {})]]))[7];
    expect([last(), last(17), last(5)]).toEqual([' ⋯ more unchanged lines · z', ' ⋯ 12 unchanged lines · z', '']);
  });

  test('nothing leaves the rectangle', () => {
    const view = viewOf(30, 6, ALL);
    const grid = createGrid(50, 12);
    drawDiff(view, grid, { x: 10, y: 3, cols: 30, rows: 6 }, THEME);
    const rows = gridText(grid);
    expect(rows.slice(0, 3).concat(rows.slice(9)).join('')).toBe('');
    expect(rows.slice(3, 9).every((row) => row.slice(0, 10).trim() === '' && row.length <= 40)).toBe(true);
  });

  test('the mouse finds rows and sides', () => {
    const view = viewOf(112, 10, ALL);
    const drawn = drawDiff(view, createGrid(112, 10), { x: 0, y: 0, cols: 112, rows: 10 }, THEME);
    expect(hitTest(view, drawn, 80, 3)).toMatchObject({ at: 'row', side: 'new', spot: { file: 0, row: 3 } });
    expect(hitTest(view, drawn, 3, 3)).toMatchObject({ side: 'old' });
    expect(hitTest(view, drawn, 3, 99)).toBeNull();
  });

  test('waiting, failing, empty', () => {
    expect(shown(viewOf(40, 4, [[login, null]]))[1]).toContain('reading…');
    const failed = viewOf(40, 4, [[login, null]], { do: 'take-failure', path: login.path, of: 'file', error: 'git took too long' });
    expect(shown(failed)[1]).toContain('git took too long');
    expect(shown(viewOf(40, 4, []))[1]).toContain('no changes since main');
    expect(shown(applyDiff(createDiffView(40, 4), { do: 'take-trouble', trouble: 'not a repository' }))[1]).toContain('not a repository');
    const trouble = 'git failed, for a reason that takes more than a row of a small pane';
    expect(
      shown(applyDiff(createDiffView(30, 5), { do: 'take-trouble', trouble }))
        .join(' ')
        .replace(/\s+/g, ' '),
    ).toContain(trouble);
  });

  test.each([
    ['auth', ' / auth                 2 of 3'],
    ['nothing', ' / nothing              0 of 3'],
    ['a filter that is longer', ' / a filter that is lo… 0 of 3'],
  ])('the filter of the file list and what it leaves: %s', (filter, expected) => {
    const rows = shown(viewOf(96, 8, ALL, { do: 'list' }, { do: 'list-set', change: { filter } }));
    expect(rows[0]!.slice(0, 30)).toBe(expected);
  });

  test('the file list', () => {
    expect(
      shown(viewOf(100, 8, ALL, { do: 'list' }))
        .map((row) => row.slice(0, 34).trimEnd())
        .join('\n'),
    ).toMatchInlineSnapshot(`
      " src/auth/                       ▌
      ▌  M login.ts             +3 −1
         M session.ts          +15 −3
       docs/
         ? 日本.md              +2 −0    4


      "
    `);
  });
});
