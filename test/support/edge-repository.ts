// One repository whose working tree has every awkward state a diff has to tell about.

import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Fixture, makeRepository } from './repository.ts';

const rows = (n: number, word: string) => Array.from({ length: n }, (_, i) => `${word} ${i + 1}`);
const THIRTY = rows(30, 'line');
const text = (lines: string[], end = '\n') => lines.join(end) + end;
const edited = (end = '\n') => text(THIRTY.with(14, 'line 15 changed'), end);

export const ODD_NAMES = [
  'ünïcode/日本語 ファイル.txt',
  'space dir/with space.txt',
  'quote"and\\slash.txt',
  '-dash-first.txt',
  'tab\tname.txt',
  'new\nline.txt',
];

export function makeEdgeRepository(): Fixture {
  const f = makeRepository();
  before(f);
  f.commit('before');
  after(f);
  return f;
}

function before(f: Fixture): void {
  const files: Record<string, string | Uint8Array> = {
    'crlf.txt': text(THIRTY, '\r\n'),
    'crlf-to-lf.txt': text(THIRTY, '\r\n'),
    'mixed-eol.txt': 'a\r\nb\nc\r\nd\n',
    'cr-only.txt': 'a\rb\rc\r',
    'no-eol.txt': 'first\nlast without newline',
    'gains-eol.txt': 'first\nlast',
    'tabs.mk': 'all:\n\techo one\n',
    'spaces-only.py': 'def f():\n    return 1\n',
    'empty-before.txt': '',
    'empty-after.txt': text(THIRTY),
    'to-delete.txt': text(THIRTY),
    'old name.txt': text(rows(60, 'renamed row')),
    'pure-rename.txt': text(rows(60, 'pure row')),
    'untold.txt': text(rows(60, 'untold row')),
    'untold-edited.txt': text(rows(60, 'edited row')),
    'run.sh': '#!/bin/sh\necho hi\n',
    'mode-and-text.sh': '#!/bin/sh\necho hi\n',
    'image.bin': Uint8Array.from({ length: 2048 }, (_, i) => i % 256),
    'latin1.txt': Buffer.from('caf\xe9 au lait\nna\xefve\n', 'latin1'),
    'utf16.txt': Buffer.from('\ufeffone\ntwo\n', 'utf16le'),
    'bom.txt': '\ufefffirst\nsecond\n',
    'a/lib/index.ts': 'export const a = 1;\n',
    'b/lib/index.ts': 'export const b = 1;\n',
    'escape.txt': 'plain\nsecond\n',
    'looks-like-diff.txt': '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-old\n+new\n',
    'dashes.sql': '-- comment\nselect 1;\n',
    'file-to-symlink.txt': 'target\n',
    'file-to-dir': 'file\n',
    'staged-only.txt': text(THIRTY),
    'both.txt': text(THIRTY),
    'from-index.txt': text(THIRTY),
    'package-lock.json': '{}\n',
    'made.gen': 'one\n',
    '.gitattributes': '*.gen linguist-generated\n',
    '.gitignore': 'ignored/\n*.log\n',
    ...Object.fromEntries(ODD_NAMES.map((name) => [name, text(THIRTY)])),
  };
  for (const [path, content] of Object.entries(files)) f.put(path, content);
  symlinkSync('crlf.txt', join(f.dir, 'link.txt'));
  const sub = join(f.root, 'sub');
  f.gitIn(f.root, 'init', '-q', '-b', 'main', sub);
  f.gitIn(sub, 'commit', '-q', '--allow-empty', '-m', 'one');
  f.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', sub, 'vendor/sub');
}

function after(f: Fixture): void {
  const at = (path: string) => join(f.dir, path);
  f.put('crlf.txt', edited('\r\n'));
  f.put('crlf-to-lf.txt', text(THIRTY));
  f.put('mixed-eol.txt', 'a\r\nb\r\nc\nd\n');
  f.put('cr-only.txt', 'a\rB\rc\r');
  f.put('no-eol.txt', 'first\nlast still without newline');
  f.put('gains-eol.txt', 'first\nlast\n');
  f.put('tabs.mk', 'all:\n\techo three\n');
  f.put('spaces-only.py', 'def f():\n\treturn 1\n');
  f.put('empty-before.txt', text(THIRTY));
  f.put('empty-after.txt', '');
  rmSync(at('to-delete.txt'));
  renameSync(at('old name.txt'), at('new name.txt'));
  f.put('new name.txt', text(rows(60, 'renamed row').with(30, 'renamed and changed')));
  f.git('add', '-N', 'new name.txt');
  f.git('mv', 'pure-rename.txt', 'moved-pure.txt');
  renameSync(at('untold.txt'), at('untold-moved.txt'));
  rmSync(at('untold-edited.txt'));
  f.put('untold-edited-moved.txt', text(rows(60, 'edited row').with(3, 'another')));
  chmodSync(at('run.sh'), 0o755);
  f.put('mode-and-text.sh', '#!/bin/sh\necho bye\n');
  chmodSync(at('mode-and-text.sh'), 0o755);
  f.put(
    'image.bin',
    Uint8Array.from({ length: 3072 }, (_, i) => (i * 7) % 256),
  );
  f.put('latin1.txt', Buffer.from('caf\xe9 noir\nna\xefve\n', 'latin1'));
  f.put('utf16.txt', Buffer.from('\ufeffone\nTWO\n', 'utf16le'));
  f.put('bom.txt', '\ufefffirst changed\nsecond\n');
  for (const name of ODD_NAMES) f.put(name, edited());
  f.put('a/lib/index.ts', 'export const a = 2;\n');
  f.put('b/lib/index.ts', 'export const b = 2;\n');
  f.put('escape.txt', 'plain \x1b[31mred\x1b[0m \u202ebidi\u202c\nsecond\x01\n');
  f.put('looks-like-diff.txt', '--- a/x\n+++ b/y\n@@ -1,2 +1,3 @@\n-older\n+newer\n diff --git a/z b/z\n');
  f.put('dashes.sql', '-- comment changed\nselect 2;\n-- another\n');
  rmSync(at('file-to-symlink.txt'));
  symlinkSync('crlf.txt', at('file-to-symlink.txt'));
  rmSync(at('file-to-dir'));
  f.put('file-to-dir/inside.txt', 'inside\n');
  rmSync(at('link.txt'));
  symlinkSync('tabs.mk', at('link.txt'));
  f.gitIn(at('vendor/sub'), 'commit', '-q', '--allow-empty', '-m', 'two');
  f.put('staged-only.txt', edited());
  f.put('both.txt', text(THIRTY.with(3, 'staged edit')));
  f.git('add', 'staged-only.txt', 'both.txt');
  f.put('both.txt', text(THIRTY.with(3, 'staged edit').with(25, 'unstaged edit')));
  f.git('rm', '-q', '--cached', 'from-index.txt');
  f.put('from-index.txt', edited());
  f.put('package-lock.json', '{"a":1}\n');
  f.put('made.gen', 'two\n');
  f.put('untracked/new.ts', 'export const fresh = true;\n');
  f.put('untracked/empty.txt', '');
  f.put('untracked/blob.bin', Uint8Array.from([0, 1, 2, 3, 0, 255]));
  f.put('untracked/huge.txt', text(rows(60_000, 'row')));
  f.put('ignored/skip.txt', 'never shown\n');
  f.put('trace.log', 'never shown\n');
  symlinkSync('untracked', at('link-to-dir'));
  mkdirSync(at('nested-repo'));
  f.gitIn(at('nested-repo'), 'init', '-q');
  f.put('nested-repo/n.txt', 'a repository inside, not a submodule\n');
}
