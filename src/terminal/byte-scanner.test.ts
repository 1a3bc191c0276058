// The scanner: what it changes, what it must leave alone, and that hostile counts and strings cost nothing, cut at every byte.
import { describe, expect, test } from 'vitest';
import { diffScreens, testScreen } from '../../test/support/cells.ts';
import { hostileStream } from '../../test/support/hostile.ts';
import { ByteScanner } from './byte-scanner.ts';

interface Scanned {
  out: string;
  apc: string[];
  ground: boolean;
}

function scan(chunks: Uint8Array[]): Scanned {
  const out: Buffer[] = [];
  const apc: string[] = [];
  const scanner = new ByteScanner(80, 24, {
    bytes: (bytes) => out.push(Buffer.from(bytes)),
    apc: (payload) => apc.push(Buffer.from(payload).toString('latin1')),
  });
  for (const chunk of chunks) scanner.push(chunk);
  return { out: Buffer.concat(out).toString('latin1'), apc, ground: scanner.ground };
}

/** The same whole, in two parts at each place, and byte by byte. */
function everyCut(text: string): Scanned {
  const bytes = Buffer.from(text, 'latin1');
  const whole = scan([bytes]);
  for (let cut = 1; cut < bytes.length; cut++) expect(scan([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole);
  expect(scan(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole);
  return whole;
}

test.each([
  ['plain text', 'plain text'],
  ['\x1b[99999999L', '\x1b[24L'],
  ['\x1b[12L', '\x1b[12L'],
  ['\x1b[99999999X\x1b[5X', '\x1b[1000X\x1b[5X'],
  ['\x1b[99999999b', '\x1b[3199b'],
  ['\x1b[2147483647 @', '\x1b[1000 @'],
  ["\x1b[2147483647'}", "\x1b[1000'}"],
  ['\xc2\x9b99999999M!', '\xc2\x9b24M!'],
  ['\x1b[38;2;255;100;99999m', '\x1b[38;2;255;100;99999m'],
  ['\x1b[?10049h', '\x1b[?10049h'],
  ['\x1b[999\x1b[999L', '\x1b[999\x1b[24L'],
  ['\x1b[99\r9L', '\x1b[24\r9L'],
  ['\x1b]0;\x1b[999L', '\x1b]0;\x1b[24L'],
])('%j becomes %j', (text, expected) => expect(everyCut(text)).toEqual({ out: expected, apc: [], ground: true }));

test('APC strings are read, in order and as they stand', () => {
  expect(everyCut('a\x1b_Ga=q,i=1;AA\x1b\\b\xc2\x9fxyz\xc2\x9cc')).toEqual({
    out: 'a\x1b_Ga=q,i=1;AA\x1b\\b\xc2\x9fxyz\xc2\x9cc',
    apc: ['Ga=q,i=1;AA', 'xyz'],
    ground: true,
  });
});

test.each([
  ['\x1b', false],
  ['\x1b[1', false],
  ['\x1b]0;x', false],
  ['\x1b]0;x\x07', true],
  ['\x1bP1;', false],
  ['\x1bPx\x1b\\', true],
  ['\x1b(', false],
  ['\x1b(B', true],
  ['\xe2\x94', false],
  ['\xe2\x94\x80', true],
  ['\xf0\x9f\x98', false],
  ['\xc2', false],
  ['\xc2\xa0', true],
])('after %j ground is %s', (text, expected) => expect(everyCut(text).ground).toBe(expected));

describe('strings without end', () => {
  test.each([
    ['OSC', '\x1b]0;', 1],
    ['DCS', '\x1bPq', 1],
    ['APC', '\x1b_G', 1],
    ['PM', '\x1b^', 1],
    ['clipboard', '\x1b]52;c;', 8],
  ])('%s is cancelled after its bound', (_, start, limit) => {
    const piece = Buffer.alloc(64 * 1024, 'a');
    const chunks = [Buffer.from(start), ...Array.from({ length: limit * 16 + 32 }, () => piece), Buffer.from('\x1b\\after')];
    const { out, apc, ground } = scan(chunks);
    expect(out.length).toBeLessThan((limit + 0.2) * 1024 * 1024);
    expect(out.endsWith('\x18\x1b\\after')).toBe(true);
    expect([apc, ground]).toEqual([[], true]);
  });

  test('a CSI sequence of 10,000 parameters is dropped', () => {
    expect(scan([Buffer.from(`a\x1b[${'1;'.repeat(10_000)}mb`)])).toEqual({ out: 'a\x1b[\x18b', apc: [], ground: true });
  });
});

test.each(Array.from({ length: 10 }, (_, seed) => [seed + 100]))('cutting hostile stream %i changes nothing', (seed) => {
  const bytes = hostileStream(seed, 200);
  const whole = testScreen(80, 24).screen;
  const parts = testScreen(80, 24).screen;
  whole.write(bytes);
  for (const byte of bytes) parts.write(Uint8Array.of(byte));
  expect(diffScreens(whole, parts)).toEqual([]);
});

/** Sequences whose count of 2^31 stops the bare parser for minutes; here each is over before the test's own time limit. */
test.each(['L', 'M', 'S', 'T', 'b', 'Z', 'I', '@', 'P', 'X', "'}", "'~", ' @', ' A', 'A', 'H'])('a count of 2^31 before %j', (final) => {
  const bytes = Buffer.from(`A\x1b[2147483647${final}\u009b2147483647${final}\x1b[1;99999999999${final}Z`);
  for (let cut = 0; cut < bytes.length; cut++) {
    const { screen } = testScreen(80, 25);
    screen.write(bytes.subarray(0, cut));
    screen.write(bytes.subarray(cut));
    expect(screen.ground).toBe(true);
    screen.dispose();
  }
});
