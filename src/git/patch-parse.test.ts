import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixtureEnvironment } from '../../test/support/repository.ts';
import type { DiffLine } from '../model/review/changeset.ts';
import { addedPatchBody } from './added-file.ts';
import { countLines } from './contents.ts';
import { parsePatch } from './patch-parse.ts';
import { parseCounts, parseRawDiff } from './raw-diff.ts';
import { parseStatus } from './status.ts';

const END = { crlf: '\r\n', cr: '\r' } as const;
const lineText = (l: DiffLine) => l.text + (l.noNewline ? (l.eol === 'cr' ? '\r' : '') : l.eol ? END[l.eol] : '\n');

/** Text made of pieces that look like parts of a diff. */
function hostileText(random: () => number): string {
  const pieces = [
    '--- a/x',
    '+++ b/y',
    '@@ -1,2 +1,2 @@',
    'diff --git a/z b/z',
    '\\ No newline at end of file',
    '-',
    '+',
    ' ',
    '',
    'text',
    '\t',
    'a\rb',
    'x\r',
    '\u2028',
    'é',
    'Binary files a and b differ',
  ];
  const lines = Array.from({ length: Math.floor(random() * 30) }, () => pieces[Math.floor(random() * pieces.length)]!);
  return lines.join('\n') + (random() < 0.7 ? '\n' : '');
}

function seeded(seed: number): () => number {
  let a = seed;
  return () => {
    a = (Math.imul(a, 1664525) + 1013904223) >>> 0;
    return a / 2 ** 32;
  };
}

test('whatever the content looks like, both sides come out of the hunks byte for byte', () => {
  const root = mkdtempSync(join(tmpdir(), 'herd-parse-'));
  const random = seeded(7);
  for (let i = 0; i < 60; i += 1) {
    const [old, now] = [hostileText(random), hostileText(random)];
    writeFileSync(join(root, 'old'), old);
    writeFileSync(join(root, 'new'), now);
    const r = spawnSync('git', ['diff', '--no-index', '--text', '-U9999', 'old', 'new'], { cwd: root, env: fixtureEnvironment(root) });
    const lines = parsePatch(r.stdout).hunks.flatMap((h) => h.lines);
    if (old === now) continue;
    expect(
      lines
        .filter((l) => l.kind !== 'added')
        .map(lineText)
        .join(''),
    ).toBe(old);
    expect(
      lines
        .filter((l) => l.kind !== 'removed')
        .map(lineText)
        .join(''),
    ).toBe(now);
    const numbers = lines.filter((l) => l.kind !== 'removed').map((l) => l.new);
    expect(numbers).toEqual(numbers.map((_, n) => n + 1));
  }
  rmSync(root, { recursive: true });
});

test('cut anywhere, a patch parses to a beginning of itself and says that it is short', () => {
  const body = addedPatchBody(Buffer.from('one\ntwo\nthree\n'));
  for (let cut = 0; cut < body.length; cut += 1) {
    const parsed = parsePatch(body.subarray(0, cut));
    const texts = parsed.hunks.flatMap((h) => h.lines.map((l) => l.text));
    expect('onetwothree'.startsWith(texts.join(''))).toBe(true);
    if (texts.length > 0 && texts.length < 3) expect(parsed.truncated).toBe(true);
  }
  expect(parsePatch(body, 2)).toMatchObject({ truncated: true });
});

test.each([
  ['@@ -0,0 +1 @@\n+x\n', [0, 0, 1, 1, '']],
  ['@@ -5 +7,2 @@ class A {\n-x\n+y\n+z\n', [5, 1, 7, 2, 'class A {']],
  ['@@ -5,1 +4,0 @@\r\n-x\n', [5, 1, 4, 0, '']],
])('header %j', (patch, [oldStart, oldLines, newStart, newLines, section]) => {
  expect(parsePatch(Buffer.from(patch)).hunks[0]).toMatchObject({ oldStart, oldLines, newStart, newLines, section });
});

test.each([
  ['', 0],
  ['a', 1],
  ['a\n', 1],
  ['a\n\nb', 3],
  ['\n', 1],
])('lines of %j', (text, n) => {
  expect(countLines(Buffer.from(text))).toBe(n);
});

test('raw and numstat records, renames and binaries', () => {
  const z = '0'.repeat(40);
  const id = 'a'.repeat(40);
  const bytes = [
    `:100644 100755 ${id} ${z} M`,
    'a b',
    `:100644 100644 ${id} ${z} R093`,
    'old',
    'new\nname',
    `:100644 100644 ${id} ${z} M`,
    'x.bin',
    '',
  ].join('\0');
  const counts = ['1\t2\ta b', '3\t4\t', 'old', 'new\nname', '-\t-\tx.bin', ''].join('\0');
  expect(parseRawDiff(Buffer.from(bytes))).toEqual([
    { path: 'a b', letter: 'M', oldMode: '100644', newMode: '100755', oldOid: id, newOid: null },
    {
      path: 'new\nname',
      oldPath: 'old',
      similarity: 93,
      letter: 'R',
      oldMode: '100644',
      newMode: '100644',
      oldOid: id,
      newOid: null,
    },
    { path: 'x.bin', letter: 'M', oldMode: '100644', newMode: '100644', oldOid: id, newOid: null },
  ]);
  expect([...parseCounts(Buffer.from(counts))]).toEqual([
    ['a b', { added: 1, removed: 2 }],
    ['new\nname', { added: 3, removed: 4 }],
    ['x.bin', { added: null, removed: null }],
  ]);
});

test('a status tells names with blanks and line feeds, submodules, conflicts and what is untracked', () => {
  const id = 'b'.repeat(40);
  const bytes = [
    `1 .M N... 100644 100644 100644 ${id} ${id} a b`,
    `1 .M SCM. 160000 160000 160000 ${id} ${id} sub`,
    `u UD N... 100644 100644 000000 100644 ${id} ${id} ${'0'.repeat(40)} c`,
    '? new\nfile',
    '',
  ].join('\0');
  expect(parseStatus(Buffer.from(bytes))).toEqual([
    { kind: 'tracked', path: 'a b', x: '.', y: 'M', submodule: null, oid: id },
    { kind: 'tracked', path: 'sub', x: '.', y: 'M', submodule: 'CM.', oid: id },
    { kind: 'unmerged', path: 'c', x: 'U', y: 'D', submodule: null, oid: null, stages: [id, id, null] },
    { kind: 'untracked', path: 'new\nfile', x: '?', y: '?', submodule: null, oid: null },
  ]);
});
