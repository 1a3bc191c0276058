import { expect, test } from 'vitest';
import { Ring } from './ring.ts';

function content(ring: Ring, from = ring.kept): string {
  let text = '';
  for (let at = from; at < ring.end; ) {
    const view = ring.read(at, 7);
    text += view.toString('latin1');
    at += view.length;
  }
  return text;
}

test('gives back what was appended, in pieces of any size, across blocks', () => {
  const ring = new Ring();
  let all = '';
  for (let i = 0; i < 900; i++) {
    const piece = `${i};`.repeat(1 + (i % 13));
    all += piece;
    ring.append(Buffer.from(piece));
  }
  ring.append(Buffer.alloc(200_000, 'x'));
  all += 'x'.repeat(200_000);
  expect(content(ring)).toBe(all);
  ring.trim(10_001);
  expect(ring.kept).toBe(10_001);
  expect(content(ring)).toBe(all.slice(10_001));
  expect(content(ring, 12_000)).toBe(all.slice(12_000));
});

test.each([
  ['after a line feed', 'aaaa\nbbbb', 7, 'bbbb'],
  ['at an escape', 'aaaa\x1b[mbb', 7, '\x1b[mbb'],
  ['anywhere when there is neither', 'aaaabbbb', 3, 'bbb'],
  ['not at all when it is small enough', 'ab', 3, 'ab'],
])('a cut starts %s', (_, text, keep, kept) => {
  const ring = new Ring();
  ring.append(Buffer.from(text));
  ring.cut(keep);
  expect(content(ring)).toBe(kept);
  expect(ring.end).toBe(text.length);
});

test('trims to the end and goes on from there', () => {
  const ring = new Ring();
  ring.append(Buffer.from('abc'));
  ring.trim(99);
  expect([ring.kept, ring.end, ring.size]).toEqual([3, 3, 0]);
  ring.append(Buffer.from('de'));
  expect(content(ring)).toBe('de');
});
