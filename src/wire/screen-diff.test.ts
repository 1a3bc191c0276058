// A client that applies every diff has the server's cells, whatever changed; hostile bytes end in a FrameError.
import { expect, test } from 'vitest';
import { CELL_WORDS, CLUSTER, COLOR_PALETTE, createGrid, type Grid, LINK_SHIFT, WIDTH_SHIFT } from '../model/cell.ts';
import { DiffDecoder } from './diff-decoder.ts';
import { DiffEncoder } from './diff-encoder.ts';
import { FrameError } from './frame.ts';
import type { ViewFacts } from './screen-diff.ts';

const FACTS: ViewFacts = {
  cursor: { x: 0, y: 0, visible: true, shape: 'block', blink: false },
  top: { line: 0, col: 0 },
  wraps: [{ y: 1, col: 80 }],
  left: 0,
  first: 0,
  last: 23,
  atTail: true,
  newLines: 0,
  mouse: 'none',
  wheel: 'scroll',
  kitty: 5,
};

/** Deterministic numbers in [0, n): a failing run can be run again. */
function dice(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % n;
  };
}

/** The cells as text and looks, with table slots replaced by what they stand for. */
function shown(grid: Grid): string[] {
  const out: string[] = [];
  for (let i = 0; i < grid.cells.length; i += CELL_WORDS) {
    const word = grid.cells[i]!;
    const code = word & 0x1fffff;
    const text = word & CLUSTER ? grid.tables.clusters[code]! : String.fromCodePoint(code);
    const look = [...grid.cells.subarray(i + 1, i + CELL_WORDS)].join(',');
    out.push(`${text}|${(word >>> WIDTH_SHIFT) & 3}|${grid.tables.links[word >>> LINK_SHIFT]}|${look}`);
  }
  return out;
}

function scribble(grid: Grid, roll: (n: number) => number): void {
  for (let n = roll(40); n > 0; n--) {
    const i = roll(grid.cols * grid.rows) * CELL_WORDS;
    const kind = roll(6);
    let word = (33 + roll(90)) | (1 << WIDTH_SHIFT);
    if (kind === 0) word = 0x4e00 | (2 << WIDTH_SHIFT);
    if (kind === 1) word = 0x1f600 | (2 << WIDTH_SHIFT);
    if (kind === 2) word = (grid.tables.clusters.push(`e\u0301${roll(9)}`) - 1) | CLUSTER | (1 << WIDTH_SHIFT);
    if (kind === 3) word = 0;
    if (kind === 4) {
      const link = roll(300) + 1;
      grid.tables.links[link % 256 || 1] = `https://example.org/${link}`;
      word = (word | ((link % 256 || 1) << LINK_SHIFT)) >>> 0;
    }
    grid.cells.set([word >>> 0, roll(2) ? COLOR_PALETTE | roll(256) : 0, roll(3) * 0x1234567, roll(2) * 0x8765432], i);
    if (kind === 5) grid.cells.copyWithin(i, 0, Math.min(grid.cells.length - i, roll(60) * CELL_WORDS));
  }
}

test('random grids arrive as they are, through skipped frames, resizes and table overflow', () => {
  const roll = dice(7);
  const encoder = new DiffEncoder();
  const decoder = new DiffDecoder();
  let grid = createGrid(30, 12);
  grid.tables.links = Array.from({ length: 256 }, (_, i) => (i ? `https://example.org/${i}` : ''));
  for (let step = 0; step < 400; step++) {
    if (roll(50) === 0) grid = { ...createGrid(1 + roll(60), 1 + roll(20)), tables: grid.tables };
    scribble(grid, roll);
    if (roll(4) === 0) continue;
    const facts = { ...FACTS, newLines: step, cursor: { ...FACTS.cursor, x: roll(grid.cols), y: roll(grid.rows) } };
    const payload = encoder.encode(grid, facts);
    if (payload) decoder.apply(payload);
    expect(shown(decoder.grid!)).toEqual(shown(grid));
    expect(decoder.facts).toEqual(facts);
    expect(encoder.encode(grid, facts)).toBeNull();
  }
});

test('told which rows may differ, the encoder says the same; the decoder tells which were written', () => {
  const roll = dice(5);
  const [some, all, decoder] = [new DiffEncoder(), new DiffEncoder(), new DiffDecoder()];
  const grid = createGrid(30, 12);
  for (let step = 0; step < 400; step++) {
    const [from, count] = [roll(12), 1 + roll(4)];
    const rows = { from, to: Math.min(12, from + count) };
    const part = { ...createGrid(30, rows.to - rows.from), tables: grid.tables };
    const start = from * 30 * CELL_WORDS;
    part.cells.set(grid.cells.subarray(start, start + part.cells.length));
    for (let i = 0; i < part.cells.length; i += CELL_WORDS) if (roll(9) === 0) part.cells[i] = (65 + roll(20)) | (1 << WIDTH_SHIFT);
    grid.cells.set(part.cells, start);
    const payload = some.encode(grid, FACTS, rows);
    expect(payload?.toString('hex')).toBe(all.encode(grid, FACTS)?.toString('hex'));
    if (payload) decoder.apply(payload);
    expect(shown(decoder.grid!)).toEqual(shown(grid));
    if (step > 0 && payload) expect(decoder.rows.from >= rows.from && decoder.rows.to <= rows.to).toBe(true);
  }
});

test('a reset encoder sends everything again', () => {
  const grid = createGrid(5, 2);
  grid.cells[0] = 65 | (1 << WIDTH_SHIFT);
  const encoder = new DiffEncoder();
  encoder.encode(grid, FACTS);
  encoder.reset();
  const decoder = new DiffDecoder();
  expect(decoder.apply(encoder.encode(grid, FACTS)!)).toEqual({ full: true });
  expect(shown(decoder.grid!)).toEqual(shown(grid));
});

test('a diff without its full frame, or of another generation, is refused', () => {
  const encoder = new DiffEncoder();
  const grid = createGrid(5, 2);
  const first = encoder.encode(grid, FACTS)!;
  const second = encoder.encode(grid, { ...FACTS, newLines: 1 })!;
  expect(() => new DiffDecoder().apply(second)).toThrow(FrameError);
  encoder.reset();
  const decoder = new DiffDecoder();
  decoder.apply(encoder.encode(grid, FACTS)!);
  expect(() => decoder.apply(second)).toThrow(FrameError);
  expect(() => decoder.apply(first)).not.toThrow();
});

test('hostile bytes throw a FrameError and nothing else', () => {
  const roll = dice(11);
  const grid = createGrid(20, 6);
  grid.tables.links = Array.from({ length: 256 }, (_, i) => (i ? `https://example.org/${i}` : ''));
  scribble(grid, roll);
  const good = new DiffEncoder().encode(grid, FACTS)!;
  let refused = 0;
  for (let n = 0; n < 5000; n++) {
    const bytes = Buffer.from(good.subarray(0, roll(3) ? good.length : roll(good.length)));
    for (let k = roll(4); k >= 0; k--) if (bytes.length) bytes[roll(bytes.length)] = roll(256);
    const decoder = new DiffDecoder();
    try {
      decoder.apply(bytes);
    } catch (error) {
      refused++;
      expect(error).toBeInstanceOf(FrameError);
      continue;
    }
    const { grid: built } = decoder;
    expect(built!.cells.length).toBe(built!.cols * built!.rows * CELL_WORDS);
  }
  expect(refused).toBeGreaterThan(500);
});
