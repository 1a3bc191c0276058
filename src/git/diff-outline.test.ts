// Readings told as what changed: whoever applies the pieces has the same hunks as who reads all of them.
import { expect, test } from 'vitest';
import { diffOf, fileOf } from '../../test/support/diff-samples.ts';
import { createRandom } from '../../test/support/random.ts';
import type { DiffLine, DiffPiece, Hunk } from '../model/review/changeset.ts';
import { applyPieces } from '../model/review/diff-pieces.ts';
import { Outlines } from './diff-outline.ts';

type Sketch = { gap: number; section: string; lines: { sign: string; text: string; marks: Partial<DiffLine> }[] }[];

const ALL = { rows: 1e6, chars: 1e9 };
const WORDS = ['', '}', 'return', 'const a = 1;', '日本', '@@ -1 +1 @@', 'x'.repeat(300)];
const MARKS: Partial<DiffLine>[] = [{}, {}, {}, {}, { moved: true }, { eol: 'crlf' }, { eol: 'cr', noNewline: true }];
const KINDS = { ' ': 'context', '+': 'added', '-': 'removed' } as const;

function sketchLines(random: (n: number) => number, count: number): Sketch[number]['lines'] {
  const word = () => `${WORDS[random(WORDS.length)]}${random(3) === 0 ? random(1000) : ''}`;
  return Array.from({ length: count }, () => ({ sign: ' +-'[random(3)]!, text: word(), marks: MARKS[random(MARKS.length)]! }));
}

function drawn(sketch: Sketch): Hunk[] {
  let [old, now] = [1, 1];
  return sketch.map(({ gap, section, lines }) => {
    old += gap;
    now += gap;
    const [oldStart, newStart] = [old, now];
    const made = lines.map(({ sign, text, marks }): DiffLine => {
      const kind = KINDS[sign as keyof typeof KINDS];
      return { kind, old: kind === 'added' ? null : old++, new: kind === 'removed' ? null : now++, text, ...marks };
    });
    return { oldStart, oldLines: old - oldStart, newStart, newLines: now - newStart, section, lines: made };
  });
}

function edited(sketch: Sketch, random: (n: number) => number): Sketch {
  const next = structuredClone(sketch);
  for (let k = random(4); k >= 0; k--) {
    const at = random(next.length + 1);
    const hunk = next[at];
    const what = random(7);
    if (!hunk || what === 0) next.splice(at, 0, { gap: random(9), section: '', lines: sketchLines(random, random(40)) });
    else if (what === 1) next.splice(at, 1);
    else if (what === 2) next.splice(at, 0, ...next.splice(random(next.length), 2));
    else if (what === 3) hunk.gap += random(3);
    else if (what === 4) hunk.section += 'f';
    else hunk.lines.splice(random(hunk.lines.length + 1), random(30), ...sketchLines(random, random(30)));
  }
  return next;
}

const linesOf = (pieces: DiffPiece[]) => pieces.reduce((sum, piece) => sum + ('keep' in piece ? 0 : piece.lines.length), 0);
const diff = (hunks: Hunk[]) => diffOf(fileOf('a'), hunks);

test('after any edits the pieces make what a fresh reading says', () => {
  for (let seed = 0; seed < 60; seed++) {
    const random = createRandom(seed);
    const outlines = new Outlines();
    let sketch: Sketch = Array.from({ length: random(12) }, () => ({
      gap: random(5),
      section: 's',
      lines: sketchLines(random, random(700)),
    }));
    let held = drawn(sketch);
    let revision = outlines.revision(diff(held));
    for (let step = 0; step < 4; step++) {
      sketch = edited(sketch, random);
      const fresh = drawn(sketch);
      const told = JSON.parse(JSON.stringify(outlines.since(revision, diff(fresh), ALL)));
      held = applyPieces(held, told)!;
      expect(held, `seed ${seed}`).toEqual(fresh);
      revision = outlines.revision(diff(fresh));
      expect(outlines.revision(diff(held))).toBe(revision);
    }
  }
});

const hunks = (count: number, lines: number): Sketch =>
  Array.from({ length: count }, (_, h) => ({
    gap: 20,
    section: '',
    lines: Array.from({ length: lines }, (_, i) => ({ sign: '+', text: `line ${h} ${i}`, marks: {} })),
  }));

test.each([
  ['many hunks', hunks(3000, 20), 21],
  ['one hunk', hunks(1, 60_000), 1000],
])('what travels for a line of %s is a block, wherever the line is, and the rest keeps its objects or moves', (_name, sketch, most) => {
  const outlines = new Outlines();
  const before = drawn(sketch);
  const revision = outlines.revision(diff(before));
  for (const at of [0, Math.floor(sketch.length / 2), sketch.length - 1]) {
    const next = structuredClone(sketch);
    const { lines } = next[at]!;
    const place = Math.floor(lines.length / 2);
    lines[place]!.text = 'other';
    const same = outlines.since(revision, diff(drawn(next)), ALL)!;
    expect(linesOf(same)).toBeLessThanOrEqual(most);
    expect(applyPieces(before, same)!.filter((hunk, i) => hunk === before[i])).toHaveLength(sketch.length - 1);
    lines.splice(place, 0, { sign: '+', text: 'more', marks: {} });
    const pushed = outlines.since(revision, diff(drawn(next)), ALL)!;
    expect(linesOf(pushed)).toBeLessThanOrEqual(most);
    expect(pushed.length).toBeLessThan(8);
    expect(applyPieces(before, pushed)).toEqual(drawn(next));
  }
});

test('a change past the limits, or since a reading that is forgotten, is not told in pieces', () => {
  const outlines = new Outlines();
  const revision = outlines.revision(diff(drawn(hunks(2, 20))));
  const fresh = diff(drawn([...hunks(2, 20), { gap: 1, section: '', lines: sketchLines(createRandom(1), 10) }]));
  expect(outlines.since(revision, fresh, { rows: 10, chars: 1e6 })).not.toBeNull();
  expect(outlines.since(revision, fresh, { rows: 9, chars: 1e6 })).toBeNull();
  expect(outlines.since(revision, fresh, { rows: 10, chars: 900 })).toBeNull();
  for (let i = 0; i < 30; i++) outlines.revision(diff(drawn(hunks(1000 + i, 1))));
  expect(outlines.since(revision, fresh, ALL)).toBeNull();
});

test.each([
  [[{ keep: [0, 5], old: 0, new: 0 }]],
  [[{ keep: [-1, 2], old: 0, new: 0 }]],
  [[{ keep: [2, 2], old: 0, new: 0 }]],
  [[{ keep: [Number.NaN, 2], old: 0, new: 0 }]],
  [
    [
      { keep: [0, 4], old: 0, new: 0 },
      { keep: [0, 1], old: 1, new: 1 },
    ],
  ],
  [[{ keep: [1, 2], old: 0, new: 0 }]],
  [[{ lines: [] }]],
] as [DiffPiece[]][])('pieces that do not fit what is held make nothing: %j', (pieces) => {
  expect(applyPieces(drawn(hunks(2, 2)), pieces)).toBeNull();
});
