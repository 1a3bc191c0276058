// Keys as a table: a view, intents, where the cursor and the window stand afterwards. And that places survive refreshes.
import { describe, expect, test } from 'vitest';
import { addedLines, bigFile, changesetOf, commentOn, diffOf, fileOf, hunkOf, viewOf } from '../../../test/support/diff-samples.ts';
import type { FileDiff } from '../../model/review/changeset.ts';
import { windowSpots } from './geometry.ts';
import { applyDiff, type DiffIntent } from './intents.ts';
import { screenRow } from './place.ts';
import type { Row } from './rows.ts';
import { searchCounts } from './search.ts';
import { type DiffView, filesOf, rowsOf } from './view.ts';
import { editorPlace, hunkPatch, targetOf, yankText } from './yank.ts';

const press = (view: DiffView, ...intents: DiffIntent[]) => intents.reduce(applyDiff, view);
const at = (view: DiffView) => describeRow(view, view.cursor.file, rowsOf(view, view.cursor.file)[view.cursor.row]!);

function describeRow(view: DiffView, file: number, row: Row): string {
  const path = filesOf(view)[file]!.path;
  if (row.kind === 'line') return `${path} ${(row.right ?? row.left)!.text}`;
  if (row.kind === 'hunk') return `${path} @${row.index}`;
  return row.kind === 'card' ? `${path} #${row.comment.id}` : `${path} ${row.kind}`;
}

const line = (by: number): DiffIntent => ({ do: 'line', by });
const hunk = (by: 1 | -1): DiffIntent => ({ do: 'hunk', by });
const file = (by: 1 | -1): DiffIntent => ({ do: 'file', by });
const two = () => viewOf([bigFile('a', 3), bigFile('b', 2)]);

describe('moving', () => {
  test.each<[string, DiffIntent[], string]>([
    ['one line', [line(1)], 'a gap'],
    ['up at the top', [line(-1)], 'a file'],
    ['next hunk', [hunk(1)], 'a @0'],
    ['hunks over files', [hunk(1), hunk(1), hunk(1), hunk(1)], 'b @0'],
    ['hunks clamp', [hunk(1), hunk(1), hunk(1), hunk(1), hunk(1), hunk(1), hunk(1)], 'b @1'],
    ['back over files', [file(1), hunk(-1)], 'a @2'],
    ['next file', [file(1)], 'b file'],
    ['files clamp', [file(1), file(1), file(1)], 'b file'],
    ['back to this file’s header first', [file(1), line(4), file(-1)], 'b file'],
    ['bottom', [{ do: 'bottom' }], 'b line 103'],
    ['top again', [{ do: 'bottom' }, { do: 'top' }], 'a file'],
    // Its text has not come yet.
    ['to a hidden line', [{ do: 'go', path: 'b', line: 110, side: 'new' }], 'b …'],
    ['to a line behind the end', [{ do: 'go', path: 'b', line: 999_999, side: 'new' }], 'b line 103'],
    ['to a shown line', [{ do: 'go', path: 'a', line: 115, side: 'new' }], 'a line 100'],
    ['a folded file opens for it', [{ do: 'fold' }, { do: 'go', path: 'a', line: 12, side: 'new' }], 'a line 1'],
    ['folding goes to the header', [line(4), { do: 'fold' }], 'a file'],
    ['unknown file', [{ do: 'go', path: 'nope', line: 1, side: 'new' }], 'a file'],
  ])('%s', (_what, intents, expected) => {
    expect(at(press(two(), ...intents))).toBe(expected);
  });

  test('a hidden line is opened from the nearer end of its gap, unless it is far from both', () => {
    const file = fileOf('a');
    const diff = diffOf(file, [hunkOf(10, 10, '-x\n+y'), hunkOf(9000, 9000, '-x\n+y')], { total: 9100 });
    const opened = (line: number) => {
      const view = press(viewOf([[file, diff]], 30), { do: 'go', path: 'a', line, side: 'new' });
      const row = rowsOf(view, 0)[view.cursor.row]!;
      return [view.files.a!.opened, row.kind === 'line' ? row.right!.new : row.kind];
    };
    expect(opened(5)).toEqual([{ 0: { top: 8, bottom: 0 } }, 5]);
    expect(opened(20)).toEqual([{ 1: { top: 13, bottom: 0 } }, 20]);
    expect(opened(8990)).toEqual([{ 1: { top: 0, bottom: 13 } }, 8990]);
    expect(opened(4500)).toEqual([{}, 'gap']);
    expect(opened(9100)).toEqual([{ 2: { top: 0, bottom: 4 } }, 9100]);
    expect(opened(9101)).toEqual([{}, 'gap']);
  });

  test('the cursor is always in the window, and the window in the stream', () => {
    const steps: DiffIntent[] = [
      line(1),
      { do: 'page', by: 1 },
      hunk(1),
      { do: 'half', by: -1 },
      { do: 'scroll', by: 3 },
      file(1),
      line(-3),
      { do: 'page', by: -1 },
      { do: 'scroll', by: -2 },
      { do: 'wrap' },
      { do: 'bottom' },
      { do: 'layout', layout: 'split' },
      hunk(-1),
      { do: 'fold' },
      { do: 'size', cols: 40, rows: 5 },
      { do: 'page', by: 1 },
      { do: 'size', cols: 130, rows: 20 },
      { do: 'context', whole: false },
      { do: 'top' },
    ];
    let view = viewOf([bigFile('a', 3), bigFile('b', 9), bigFile('c', 1, 40)]);
    for (let i = 0; i < 300; i++) {
      view = applyDiff(view, steps[(i * 7 + (i >> 3)) % steps.length]!);
      expect(screenRow(view), `step ${i}`).not.toBeNull();
      expect(rowsOf(view, view.top.file)[view.top.row], `step ${i}`).toBeDefined();
    }
  });

  test('paging down reaches every row once and ends at the last', () => {
    let view = viewOf([bigFile('a', 9), bigFile('b', 9)], 10);
    const seen = new Set<string>();
    for (let i = 0; i < 40; i++) {
      for (const spot of windowSpots(view)) seen.add(`${spot.file} ${spot.row}`);
      view = applyDiff(view, { do: 'page', by: 1 });
    }
    expect(seen.size).toBe(rowsOf(view, 0).length + rowsOf(view, 1).length);
    expect(at(view)).toBe('b line 803');
  });

  test('a file that has not come is waited for: its end, its line, its hunk', () => {
    const [b, diff] = bigFile('b', 2);
    const unread = () => viewOf([bigFile('a', 1), [b, null], bigFile('c', 1)]);
    const come = (view: DiffView) => applyDiff(view, { do: 'take-file', path: 'b', diff });
    expect(at(come(press(unread(), file(1), file(1), line(-1))))).toBe('b line 103');
    expect(at(come(press(unread(), { do: 'go', path: 'b', line: 12, side: 'new' })))).toBe('b line 1');
    expect(at(come(press(unread(), hunk(1), hunk(1))))).toBe('b @0');
    expect(at(come(press(unread(), file(1), file(1), hunk(-1))))).toBe('b @1');
  });
});

describe('showing', () => {
  test('a gap opens by steps and then whole', () => {
    let view = two();
    const hidden = () =>
      rowsOf(view, 0)
        .map((row) => (row.kind === 'gap' ? row.hidden : null))
        .filter((h) => h !== null);
    expect(hidden()).toEqual([9, 99, 99]);
    view = press(view, hunk(1), { do: 'context', whole: false });
    expect(hidden()[1]).toBe(79);
    view = press(view, { do: 'context', whole: true });
    expect(hidden().length).toBe(2);
  });

  test('viewed folds the file, goes on, and is undone when the file changes', () => {
    const view = press(two(), { do: 'viewed' });
    expect([at(view), rowsOf(view, 0).length]).toEqual(['b file', 1]);
    const [a, diff] = bigFile('a', 3);
    const next = press(view, {
      do: 'take-changeset',
      changeset: changesetOf([{ ...a, fingerprint: 'a 2' }, filesOf(view)[1]!]),
      viewed: view.viewed,
    });
    expect(rowsOf(press(next, { do: 'take-file', path: 'a', diff }), 0).length).toBeGreaterThan(1);
  });

  test('layout and wrap keep the cursor on its text', () => {
    const view = press(two(), hunk(1), hunk(1), line(2));
    for (const intent of [{ do: 'layout', layout: 'split' }, { do: 'wrap' }, { do: 'size', cols: 140, rows: 30 }] as DiffIntent[]) {
      expect(at(press(view, intent))).toBe(at(view));
    }
  });

  test('comments jump, also the one that hangs in a gap', () => {
    const view = press(two(), { do: 'take-comments', comments: [commentOn(1, 'a', 11, 'x'), commentOn(2, 'b', 60, 'y')] });
    const next = press(view, { do: 'comment', by: 1 });
    expect([at(next), at(press(next, { do: 'comment', by: 1 })), at(press(next, { do: 'comment', by: -1 }))]).toEqual([
      'a #1',
      'b #2',
      'a #1',
    ]);
  });

  test('search counts, steps, and goes round', () => {
    const view = press(two(), { do: 'search', text: 'ctx a' });
    expect(searchCounts(view)).toEqual({ hits: 3, unread: 0 });
    const steps = [1, 1, 1, 1].reduce<{ view: DiffView; seen: string[] }>(
      ({ view: v, seen }) => {
        const next = applyDiff(v, { do: 'search-step', by: 1 });
        return { view: next, seen: [...seen, at(next)] };
      },
      { view, seen: [] },
    );
    expect(steps.seen).toEqual(['a ctx a 0', 'a ctx a 1', 'a ctx a 2', 'a ctx a 0']);
  });

  test('the line of a search covers no row, and leaves when the text is empty', () => {
    const view = press(two(), { do: 'search', text: 'line' });
    for (let i = 0, v = view; i < 30; i++, v = applyDiff(v, line(1))) {
      expect(windowSpots(v)).toHaveLength(11);
      expect(screenRow(v)).not.toBeNull();
    }
    expect(press(view, { do: 'search', text: '' }).search).toBeNull();
  });

  test('a step without a hit goes to the first that comes, unless the cursor was moved', () => {
    const [b, diffB] = bigFile('b', 2);
    const view = press(viewOf([bigFile('a', 3), [b, null]]), { do: 'search', text: 'ctx b' }, { do: 'search-step', by: 1 });
    const came: DiffIntent = { do: 'take-file', path: 'b', diff: diffB };
    expect([at(view), at(press(view, came)), at(press(view, line(1), came))]).toEqual(['a file', 'b ctx b 0', 'a gap']);
  });

  test('hits are counted anew when lines of a file come or change', () => {
    const [a, diffA] = bigFile('a', 3);
    const [b, diffB] = bigFile('b', 2);
    const first = press(
      viewOf([
        [a, diffA],
        [b, null],
      ]),
      { do: 'search', text: 'ctx' },
    );
    expect(searchCounts(first)).toEqual({ hits: 3, unread: 1 });
    const both = press(first, { do: 'take-file', path: 'b', diff: diffB });
    expect(searchCounts(both)).toEqual({ hits: 5, unread: 0 });
    expect(searchCounts(press(both, { do: 'take-changeset', changeset: changesetOf([b]), viewed: {} }))).toEqual({ hits: 2, unread: 0 });
  });
});

test('comments stand where the scope has their code', () => {
  const files = filesOf(two()).map((f) => ({ ...f }));
  const given = press(two(), { do: 'take-comments', comments: [commentOn(1, 'a', 11, 'x'), commentOn(2, 'a', 12, 'y')] });
  const scope = { commit: 'c' };
  const place = { placement: 'exact' as const, path: 'b', range: { start: 11, end: 11 } };
  const there = press(
    given,
    { do: 'scope', scope },
    { do: 'take-changeset', changeset: changesetOf(files, { scope }), viewed: {}, places: { 1: place, 2: null } },
  );
  const cards = (view: DiffView) => filesOf(view).map((_, i) => rowsOf(view, i).filter((row) => row.kind === 'card').length);
  expect([cards(given), cards(there)]).toEqual([
    [2, 0],
    [0, 1],
  ]);
  expect(cards(press(there, { do: 'scope', scope: 'base' }, { do: 'take-changeset', changeset: changesetOf(files), viewed: {} }))).toEqual([
    2, 0,
  ]);
});

test('a scope that cannot be read shows no files of another', () => {
  const view = press(two(), { do: 'scope', scope: 'look' });
  const trouble: DiffIntent = { do: 'take-trouble', trouble: 'Nobody has looked yet.' };
  expect(filesOf(press(view, trouble))).toEqual([]);
  expect(filesOf(press(two(), trouble))).toHaveLength(2);
});

describe('refreshing', () => {
  const change = (view: DiffView, path: string, diff: FileDiff) => {
    const files = filesOf(view).map((f) => (f.path === path ? { ...f, fingerprint: `${f.fingerprint}+` } : f));
    return press(view, { do: 'take-changeset', changeset: changesetOf(files), viewed: {} }, { do: 'take-file', path, diff });
  };

  test('keeps the cursor on its line when lines come in above it', () => {
    const view = press(two(), hunk(1), hunk(1), line(2));
    expect(at(view)).toBe('a line 100');
    const [a, diff] = bigFile('a', 3);
    const shifted = {
      ...diff,
      hunks: [
        hunkOf(1, 1, addedLines(7, 900)),
        ...diff.hunks.map((h) => ({ ...h, lines: h.lines.map((l) => ({ ...l, new: l.new === null ? null : l.new + 7 })) })),
      ],
    };
    const after = change(view, 'a', { ...shifted, file: a });
    expect(at(after)).toBe('a line 100');
    expect(screenRow(after)).not.toBeNull();
  });

  test('files that come and go above do not move it', () => {
    const view = press(two(), file(1), hunk(1), line(1));
    const files = [fileOf('0new'), filesOf(view)[1]!];
    const after = press(view, { do: 'take-changeset', changeset: changesetOf(files), viewed: {} });
    expect([at(after), screenRow(after)]).toEqual([at(view), screenRow(view)]);
  });

  test('the file it stood in vanishes: the next one', () => {
    const view = press(two(), hunk(1), line(2));
    expect(at(press(view, { do: 'take-changeset', changeset: changesetOf([filesOf(view)[1]!]), viewed: {} }))).toBe('b file');
    expect(press(view, { do: 'take-changeset', changeset: changesetOf([]), viewed: {} }).cursor).toEqual({ file: 0, row: 0 });
  });

  test('old lines stay until the new ones come, and unchanged files are not read again', () => {
    const view = two();
    const files = filesOf(view).map((f) => (f.path === 'a' ? { ...f, fingerprint: 'a 2' } : { ...f }));
    const after = press(view, { do: 'take-changeset', changeset: changesetOf(files), viewed: {} });
    expect([after.files.a!.stale, after.files.b!.stale]).toEqual([true, false]);
    expect(rowsOf(after, 0).length).toBe(rowsOf(view, 0).length);
    expect(rowsOf(after, 1)).toBe(rowsOf(view, 1));
  });

  test('a draft stays under its code, also while it is typed on', () => {
    const draft = { place: { path: 'a', side: 'new' as const, line: 115 }, title: 't', text: 'x', caret: 1, keys: '' };
    const view = press(two(), { do: 'take-draft', draft });
    const under = (v: DiffView) => {
      const rows = rowsOf(v, 0);
      return describeRow(v, 0, rows[rows.findIndex((row) => row.kind === 'draft') - 1]!);
    };
    const [a, diff] = bigFile('a', 3);
    const shift = (n: number | null) => (n === null ? null : n + 5);
    const hunks = diff.hunks.map((h) => ({ ...h, newStart: h.newStart + 5, lines: h.lines.map((l) => ({ ...l, new: shift(l.new) })) }));
    const after = change(view, 'a', { ...diff, file: a, hunks });
    expect([under(view), under(after)]).toEqual(['a line 100', 'a line 100']);
    expect(under(press(after, { do: 'take-draft', draft: { ...draft, text: 'xy', caret: 2 } }))).toBe('a line 100');
  });

  test('folds and selection stay', () => {
    const view = press(two(), { do: 'fold' }, file(1), hunk(1), line(1), { do: 'select' }, line(2));
    const after = press(view, { do: 'take-changeset', changeset: changesetOf([fileOf('0'), ...filesOf(view)]), viewed: {} });
    expect(rowsOf(after, 1).length).toBe(1);
    expect(yankText(after)).toBe(yankText(view));
  });
});

describe('acting', () => {
  const mixed = () => {
    const f = fileOf('m', { oldMode: '100644' });
    return viewOf([[f, diffOf(f, [hunkOf(5, 5, ' a\n-b\n-c\n+B\n d', 'fn')])]], 20, 60);
  };

  test.each<[string, DiffIntent[], string]>([
    ['header', [], 'm null'],
    ['hunk head', [line(2)], 'm new 6-6'],
    ['context', [line(3)], 'm new 5-5'],
    ['removed', [line(4)], 'm old 6-6'],
    ['added', [line(6)], 'm new 6-6'],
    ['removed only', [line(4), { do: 'select' }, line(1)], 'm old 6-7'],
    ['across', [line(3), { do: 'select' }, line(4)], 'm new 5-7'],
  ])('target on %s', (_what, intents, expected) => {
    const target = targetOf(press(mixed(), ...intents))!;
    expect(`${target.path} ${target.range ? `${target.side} ${target.range.start}-${target.range.end}` : null}`).toBe(expected);
  });

  test.each<[string, DiffIntent[], number | null]>([
    ['header', [], null],
    ['gap', [line(1)], 1],
    ['hunk head', [line(2)], 6],
    ['removed line', [line(4)], 6],
    ['added line', [line(6)], 6],
    ['removed lines selected', [line(4), { do: 'select' }, line(1)], 6],
    ['last line', [line(7)], 7],
  ])('an editor opens on %s', (_what, intents, expected) => {
    expect(editorPlace(press(mixed(), ...intents))).toEqual({ path: 'm', line: expected });
  });

  test('no editor opens on a file that is gone; behind the last line it opens there', () => {
    const gone = fileOf('g', { status: 'deleted' });
    expect(editorPlace(viewOf([[gone, diffOf(gone, [hunkOf(1, 0, '-a')])]]))).toBeNull();
    const f = fileOf('m');
    const view = viewOf([[f, diffOf(f, [hunkOf(1, 1, ' a\n-b')])]]);
    expect(editorPlace(press(view, { do: 'bottom' }))).toEqual({ path: 'm', line: 1 });
  });

  test('a target carries the text it was seen with', () => {
    expect(targetOf(press(mixed(), line(6)))!.seen).toEqual({ lines: ['B'], before: ['a'], after: ['d'] });
    expect(targetOf(press(mixed(), line(4), { do: 'select' }, line(1)))!.seen).toEqual({ lines: ['b', 'c'], before: ['a'], after: ['d'] });
    expect(targetOf(mixed())!.seen).toBeUndefined();
    // The header of a file that was deleted: there is no new side of it.
    const gone = fileOf('gone', { status: 'deleted', added: 0, removed: 1 });
    expect(targetOf(viewOf([[gone, diffOf(gone, [hunkOf(1, 0, '-a')])]]))).toEqual({ path: 'gone', side: 'old', range: null });
  });

  test('sideways goes to the old side first where both are shown', () => {
    const f = fileOf('s');
    const split = press(viewOf([[f, diffOf(f, [hunkOf(1, 1, '-old\n+new')])]], 10, 120), line(2));
    const left: DiffIntent = { do: 'sideways', by: -1 };
    const right: DiffIntent = { do: 'sideways', by: 1 };
    expect([targetOf(split)!.side, targetOf(press(split, left))!.side, targetOf(press(split, left, right))!.side]).toEqual([
      'new',
      'old',
      'new',
    ]);
    expect(press(split, left, right, right).left).toBeGreaterThan(0);
  });

  test.each<[string, DiffIntent]>([
    ['bottom', { do: 'bottom' }],
    ['a page down', { do: 'page', by: 1 }],
  ])('a selection goes as far as its file, by %s', (_how, down) => {
    const lines = Array.from({ length: 8 }, (_, i) => `line ${i}`);
    const view = press(viewOf([bigFile('a', 1, 8), bigFile('b', 1)]), line(4), { do: 'select' }, down, down);
    expect(yankText(view).split('\n')).toEqual(lines);
    expect(press(view, { do: 'top' })).toMatchObject({
      cursor: { file: 0, row: 0 },
      top: { file: 0, row: 0 },
      select: { file: 0, row: 4, begun: { file: 0, row: 4 } },
    });
  });

  test('a selection is the same one while its rows shift, and another when it is begun again', () => {
    const [file, diff] = bigFile('a', 1, 8);
    const view = press(viewOf([[file, diff]]), line(4), { do: 'select' }, line(2));
    const [hunk] = diff.hunks;
    const lines = [{ kind: 'added' as const, old: null, new: 1, text: 'above' }, ...hunk!.lines];
    const shifted = press(view, { do: 'take-file', path: 'a', diff: { ...diff, hunks: [{ ...hunk!, lines }] } });
    expect(shifted.select).toMatchObject({ row: view.select!.row + 1 });
    expect(shifted.select!.begun).toBe(view.select!.begun);
    expect(press(shifted, { do: 'cancel' }, { do: 'select' }).select!.begun).not.toBe(view.select!.begun);
  });

  test('yanks line, selection, hunk, path', () => {
    expect(yankText(press(mixed(), line(6)))).toBe('B');
    expect(yankText(press(mixed(), line(3), { do: 'select' }, line(3)))).toBe('a\nb\nc\nB');
    expect(yankText(mixed())).toBe('m');
    expect(yankText(press(mixed(), line(2)))).toBe('diff --git a/m b/m\n--- a/m\n+++ b/m\n@@ -5,4 +5,3 @@ fn\n a\n-b\n-c\n+B\n d\n');
    expect(hunkPatch(mixed(), 0, 7)).toBeNull();
  });
});

describe('folding a hunk', () => {
  const folded = () => press(two(), hunk(1), line(2), { do: 'fold-hunk' });
  const kinds = (view: DiffView) => rowsOf(view, 0).map((row) => row.kind);

  test('hides its lines, not its comments, and puts the cursor on its head', () => {
    expect(at(folded())).toBe('a @0');
    expect(kinds(folded()).filter((kind) => kind === 'line').length).toBe(kinds(two()).filter((kind) => kind === 'line').length - 5);
    const commented = press(folded(), { do: 'take-comments', comments: [commentOn(1, 'a', 12, 'here')] });
    expect(kinds(commented)).toContain('card');
  });

  test('it stays folded when the file is read again, and opens by the same key', () => {
    const [, diff] = bigFile('a', 3);
    expect(kinds(press(folded(), { do: 'take-file', path: 'a', diff }))).toEqual(kinds(folded()));
    expect(kinds(press(folded(), { do: 'fold-hunk' }))).toEqual(kinds(two()));
  });
});

test('a new file above: at the very top one stays there, elsewhere on what one reads', () => {
  const more = changesetOf([fileOf('0'), ...[bigFile('a', 3), bigFile('b', 2)].map(([one]) => one)]);
  const take: DiffIntent = { do: 'take-changeset', changeset: more, viewed: {} };
  expect([at(press(two(), take)), press(two(), take).top.file]).toEqual(['0 file', 0]);
  expect(at(press(two(), line(3), take))).toBe(at(press(two(), line(3))));
});
