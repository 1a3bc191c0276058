// Re-anchoring as a table: what the agent did to the file, and where the comment stands afterwards.
import { describe, expect, test } from 'vitest';
import { findSeen, makeAnchor, type PresentFiles, placeAnchor } from './anchor.ts';
import type { Anchor, Side } from './comment.ts';
import { makeTrace } from './trace.ts';

const FILE = [
  'import { load } from "./store";',
  '',
  'export async function checkSession(id) {',
  '  const s = await load(id);',
  '  if (!s) return;',
  '  touch(s);',
  '  next();',
  '}',
  '',
  'export function logout(id) {',
  '  const s = find(id);',
  '  if (!s) return;',
  '  s.end();',
  '}',
];

function anchored(start: number, end = start, side: Side = 'new', lines = FILE): Anchor {
  const made = makeAnchor({ path: 'a.ts', side, range: { start, end } }, lines, 'base');
  if ('refused' in made) throw new Error(made.refused);
  return made.anchor;
}

function files(lines: readonly string[] | null, more: Partial<PresentFiles> = {}): PresentFiles {
  return { lines: (path) => (path === 'a.ts' ? lines : null), renamed: () => null, ...more };
}

/** A copy of FILE with `count` lines at 1-based `at` replaced. */
function edited(at: number, count: number, ...lines: string[]): string[] {
  return FILE.toSpliced(at - 1, count, ...lines);
}

const five = Array.from({ length: 5 }, (_, i) => `// preamble ${i}`);

describe('placeAnchor', () => {
  test.each<[string, Anchor, string[], string]>([
    ['nothing changed', anchored(5), FILE, 'exact 5-5'],
    ['lines inserted above', anchored(5), edited(1, 0, ...five), 'exact 10-10'],
    ['lines removed above', anchored(5), edited(1, 2), 'exact 3-3'],
    ['lines inserted right above', anchored(5), edited(5, 0, '  trace(id);'), 'exact 6-6'],
    ['a twin elsewhere does not attract it', anchored(12), edited(1, 0, ...five), 'exact 17-17'],
    ['its own copy deleted, the twin stays: not the twin', anchored(12), edited(10, 5), 'gone'],
    ['one line edited', anchored(4), edited(4, 1, '  const s = await load(id, true);'), 'changed 4-4'],
    ['one line edited into several', anchored(5), edited(5, 1, '  if (!s || s.old) {', '    return;', '  }'), 'changed 5-7'],
    ['edited with lines above too', anchored(4), [...five, ...edited(4, 1, '  const s = await load(id, true);')], 'changed 9-9'],
    [
      'edited together with the line above it',
      anchored(4),
      edited(3, 2, 'export function check(id) {', '  const s = await load(id).then((found) => found.session);'),
      'changed 4-4',
    ],
    ['deleted', anchored(6), edited(6, 1), 'gone'],
    ['replaced by something else', anchored(6), edited(6, 1, '  throw new RangeError(String(Math.random()));'), 'gone'],
    ['its whole function deleted', anchored(10, 13), edited(10, 5), 'gone'],
    ['a range shifted', anchored(4, 7), edited(1, 0, ...five), 'exact 9-12'],
    ['a range with one line edited', anchored(4, 7), edited(6, 1, '  touch(s, now);'), 'changed 4-7'],
    ['moved below other code', anchored(13), [...edited(10, 5), 'export class Z {', '  s.end();', '  more();', '}'], 'moved 11-11'],
    ['a bracket alone is not looked for elsewhere', anchored(8), ['}', 'x', 'y', 'z', '}'], 'gone'],
    ['the file is emptied', anchored(5), [], 'gone'],
    ['the first line', anchored(1), edited(1, 0, '// head'), 'exact 2-2'],
    ['the last line', anchored(14), edited(1, 0, ...five), 'exact 19-19'],
  ])('%s', (_what, anchor, now, expected) => {
    const { placement, range } = placeAnchor(anchor, files(now));
    expect(range ? `${placement} ${range.start}-${range.end}` : placement).toBe(expected);
  });

  test.each([1, 2, 3])('%i lines deleted from a list of lines that are all alike', (count) => {
    const list = Array.from({ length: 40 }, (_, i) => `const value${i + 1} = compute(${i + 1});`);
    const anchor = anchored(20, 19 + count, 'new', list);
    expect(placeAnchor(anchor, files(list.toSpliced(19, count))).placement).toBe('gone');
    const changed = list.toSpliced(19, count, ...anchor.lines.map((line) => line.replace('compute', 'recompute')));
    expect(placeAnchor(anchor, files(changed))).toMatchObject({ placement: 'changed', range: { start: 20, end: 19 + count } });
  });

  test('with the old text at hand, equal neighbours are told apart by the line map', () => {
    const rows = Array.from({ length: 30 }, (_, i) => (i % 2 ? '  push(item);' : '  next();'));
    const then = [...rows.slice(0, 15), '// middle', ...rows.slice(15)];
    const anchor = anchored(22, 22, 'new', then);
    const now = ['// one', '// two', ...then];
    expect(placeAnchor(anchor, files(now), { trace: makeTrace(then, anchor.range!) }).range).toEqual({ start: 24, end: 24 });
  });

  const list = Array.from({ length: 30 }, (_, i) => `  set(${i + 1}, "value ${i + 1}");`);
  const long = [...list, ...FILE, ...list];
  test.each<[string, number, string[], string]>([
    [
      'edited together with both its neighbours',
      5,
      edited(4, 3, '  const s = await load(id, true);', '  if (!s || s.old) return;', '  touch(s, now);'),
      'changed 5-5',
    ],
    [
      'edited together with five lines on each side',
      36,
      long.map((line, i) => (i >= 30 && i < 41 ? line.replace(/\b(\w+)\(/g, '$1Now(').replace('(!s)', '(!s || s.old)') : line)),
      'changed 36-36',
    ],
    ['its own copy deleted, all around the twin alike', 12, edited(10, 5), 'gone behind 9'],
    ['deleted', 6, edited(6, 1), 'gone behind 5'],
    ['replaced by something else', 6, edited(6, 1, '  throw new RangeError(String(Math.random()));'), 'gone behind 5'],
    ['the first line', 1, edited(1, 1), 'gone behind 0'],
    ['all of the file rewritten, that line nearly as it was', 6, [...list, '  touched(s);', ...list], 'changed 31-31'],
    ['all of the file rewritten', 6, [...list, ...list], 'gone behind 0'],
    [
      'deleted from a list while lines above it were edited',
      16,
      [...long.slice(0, 5), ...long.slice(5, 12).map((line) => line.replace('set', 'put')), ...long.slice(19)],
      'gone behind 5',
    ],
    ['deleted from a list of lines that are alike', 16, [...long.slice(0, 15), ...long.slice(17)], 'gone behind 15'],
  ])('by what the file looked like: %s', (_what, line, now, expected) => {
    const then = line > FILE.length ? long : FILE;
    const anchor = anchored(line, line, 'new', then);
    const { placement, range, behind } = placeAnchor(anchor, files(now), { trace: makeTrace(then, anchor.range!) });
    expect(range ? `${placement} ${range.start}-${range.end}` : `${placement} behind ${behind}`).toBe(expected);
  });

  test('of a long file a trace tells the lines around; a twin beyond them is never taken for the lines', () => {
    const filler = Array.from({ length: 5_000 }, (_, i) => `const filler${i} = ${i};`);
    const then = [...FILE, ...filler, ...FILE];
    const anchor = anchored(5_019, 5_019, 'new', then);
    const trace = makeTrace(then, anchor.range!);
    expect(trace.length).toBeLessThan(5_200);
    expect(placeAnchor(anchor, files([...five, ...then]), { trace })).toMatchObject({ placement: 'exact', range: { start: 5_024 } });
    expect(placeAnchor(anchor, files(then.slice(0, 5_014)), { trace })).toMatchObject({ placement: 'gone', behind: 5_014 });
  });

  test('follows a rename and says moved', () => {
    const place = placeAnchor(anchored(5), {
      lines: (path) => (path === 'b.ts' ? edited(1, 0, ...five) : null),
      renamed: (path) => (path === 'a.ts' ? 'b.ts' : null),
    });
    expect(place).toEqual({ placement: 'moved', path: 'b.ts', range: { start: 10, end: 10 } });
  });

  test('stays with the file it was found in when git no longer takes that for a renamed one', () => {
    const found = { lines: (path: string) => (path === 'b.ts' ? edited(1, 2) : null), renamed: () => null };
    expect(placeAnchor(anchored(5), found, { last: 'b.ts' })).toEqual({ placement: 'moved', path: 'b.ts', range: { start: 3, end: 3 } });
    expect(placeAnchor({ ...anchored(5), range: null }, found, { last: 'b.ts' })).toEqual({
      placement: 'moved',
      path: 'b.ts',
      range: null,
    });
    expect(placeAnchor(anchored(5), found, { last: 'c.ts' })).toMatchObject({ placement: 'gone', path: 'a.ts' });
  });

  test('the old side of a renamed file is shown under the name that it has now', () => {
    const lines = (path: string, side: Side) => (path === 'b.ts' || side === 'old' ? FILE : null);
    const place = placeAnchor(anchored(5, 5, 'old'), { lines, renamed: () => 'b.ts' });
    expect(place).toEqual({ placement: 'moved', path: 'b.ts', range: { start: 5, end: 5 } });
  });

  test('follows a file that became another one of the changeset, unless there are two of them', () => {
    const moved = edited(1, 0, ...five);
    const lines = (path: string, side: Side) => (path === 'a.ts' || side === 'old' ? null : moved);
    const at = (others: string[]) => placeAnchor(anchored(4), { lines, renamed: () => null, others });
    expect(at(['c.ts'])).toEqual({ placement: 'moved', path: 'c.ts', range: { start: 9, end: 9 } });
    expect(at(['c.ts', 'd.ts']).placement).toBe('gone');
  });

  const whole = (change: (line: string) => string | string[]) => FILE.flatMap(change);
  test.each<[string, string[], string]>([
    ['put further in', whole((line) => line.replace(/^ +/, '$&$&')), 'changed 6-6'],
    ['with tabs', whole((line) => line.replace(/^ +/, '\t')), 'changed 6-6'],
    ['other quotes, no semicolons', whole((line) => line.replaceAll('"', "'").replace(';', '')), 'changed 6-6'],
    ['brackets on lines of their own', whole((line) => (line.endsWith(' {') ? [line.slice(0, -2), '{'] : line)), 'exact 7-7'],
    ['one line for each word', whole((line) => line.split(/(?<=[ (])/)), 'changed 30-31'],
    ['all of it in one line', [FILE.join(' ')], 'changed 1-1'],
    ['wrapped in a block', edited(4, 4, '  try {', ...FILE.slice(3, 7).map((line) => `  ${line}`), '  } catch {}'), 'changed 7-7'],
    ['formatted anew, and that line deleted', whole((line) => (line.includes('touch') ? [] : line.replace(/^ +/, '\t'))), 'gone'],
  ])('a file that was formatted anew: %s', (_what, now, expected) => {
    const { placement, range } = placeAnchor(anchored(6), files(now));
    expect(range ? `${placement} ${range.start}-${range.end}` : placement).toBe(expected);
  });

  test('formatted anew in the middle of a long file', () => {
    const filler = Array.from({ length: 12_000 }, (_, i) => `const filler${i} = ${i};`);
    const long = (lines: string[]) => [...filler, ...lines, ...filler];
    const anchor = anchored(12_006, 12_006, 'new', long(FILE));
    const place = placeAnchor(anchor, files(long(whole((line) => line.replace(/^ +/, '\t')))));
    expect(place).toMatchObject({ placement: 'changed', range: { start: 12_006, end: 12_006 } });
  });

  test.each<[string, Record<string, string[] | null>, string]>([
    ['into a new file', { 'a.ts': edited(3, 6), 'b.ts': [...five, ...FILE.slice(2, 8)] }, 'moved b.ts:9'],
    ['into a file that is there', { 'a.ts': edited(3, 6), 'b.ts': [...five, ...FILE.slice(2, 8)], 'old b.ts': five }, 'moved b.ts:9'],
    ['while that file had it before', { 'a.ts': edited(3, 6), 'b.ts': FILE, 'old b.ts': FILE }, 'gone a.ts'],
    ['into two files', { 'a.ts': edited(3, 6), 'b.ts': FILE, 'c.ts': FILE }, 'gone a.ts'],
    ['alone, without what stood around it', { 'a.ts': edited(3, 6), 'b.ts': ['x', FILE[5]!, 'y'] }, 'gone a.ts'],
    ['and is still here', { 'a.ts': FILE, 'b.ts': FILE }, 'exact a.ts:6'],
    ['the file renamed, something else in its place', { 'a.ts': ['export * from "./b";'], 'b.ts': FILE }, 'moved b.ts:6'],
  ])('code that went to another file: %s', (_what, all, expected) => {
    const place = placeAnchor(anchored(6), {
      lines: (path, side) => all[side === 'old' ? `old ${path}` : path] ?? null,
      renamed: () => null,
      others: ['a.ts', 'b.ts', 'c.ts'],
    });
    expect(`${place.placement} ${place.path}${place.range ? `:${place.range.start}` : ''}`).toBe(expected);
  });

  test('a deleted file', () => {
    expect(placeAnchor(anchored(5), files(null))).toEqual({ placement: 'gone', path: 'a.ts', range: null });
  });

  test('the old side is asked for an old-side anchor (a commit or an edit of the new side does not matter)', () => {
    const asked: Side[] = [];
    const lines = (_path: string, side: Side) => {
      asked.push(side);
      return side === 'old' ? FILE : null;
    };
    expect(placeAnchor(anchored(5, 5, 'old'), { lines, renamed: () => null }).placement).toBe('exact');
    expect(asked).toEqual(['old']);
  });

  test('comments on a file and on the whole change', () => {
    const anchor = { side: 'new' as const, range: null, lines: [], before: [], after: [], baseCommit: null };
    expect(placeAnchor({ ...anchor, path: null }, files(null)).placement).toBe('exact');
    expect(placeAnchor({ ...anchor, path: 'a.ts' }, files(FILE)).placement).toBe('exact');
    expect(placeAnchor({ ...anchor, path: 'a.ts' }, files(null)).placement).toBe('gone');
  });

  test('one edit after another, placed step by step, never lands elsewhere', () => {
    const marked = FILE.map((line, i) => `${line} // ${i}`);
    const anchor = anchored(6, 6, 'new', marked);
    let now = marked;
    for (let step = 0; step < 60; step++) {
      const at = (step * 7) % now.length;
      now = step % 3 === 2 && !now[at]?.endsWith('// 5') ? now.toSpliced(at, 1) : now.toSpliced(at, 0, `// step ${step}`);
      const { range, placement } = placeAnchor(anchor, files(now));
      expect(placement === 'gone' || now[range!.start - 1]).toBe(marked[5]);
    }
  });
});

describe('makeAnchor', () => {
  test.each([
    [0, 1],
    [3, 2],
    [14, 15],
    [1.5, 2],
  ])('refuses %s-%s', (start, end) => {
    expect(makeAnchor({ path: 'a.ts', side: 'new', range: { start, end } }, FILE, null)).toHaveProperty('refused');
  });

  test('keeps text and context', () => {
    expect(anchored(2)).toMatchObject({ lines: [''], before: [FILE[0]], after: FILE.slice(2, 5) });
  });
});

test.each<[string, string[], string]>([
  ['nothing changed', FILE, '12-12'],
  ['lines came in above', edited(1, 0, ...five), '17-17'],
  ['it was edited meanwhile', edited(12, 1, '  if (!s) throw gone;'), 'null'],
  ['it was deleted meanwhile', edited(12, 1), 'null'],
])('lines seen while writing: %s', (_what, now, expected) => {
  const { lines, before, after } = anchored(12);
  const found = findSeen({ start: 12, end: 12 }, { lines, before, after }, now);
  expect(found ? `${found.start}-${found.end}` : 'null').toBe(expected);
});
