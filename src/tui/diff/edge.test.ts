// Every awkward state a file can be in, from a real repository to the rows a person sees.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changesetOf, gridText } from '../../../test/support/diff-samples.ts';
import { makeEdgeRepository } from '../../../test/support/edge-repository.ts';
import type { Fixture } from '../../../test/support/repository.ts';
import type { Changes, ChangesQuery, Git } from '../../git/api.ts';
import { createGit } from '../../git/git.ts';
import { createGrid } from '../../model/cell.ts';
import type { Changeset } from '../../model/review/changeset.ts';
import { createTheme } from '../theme.ts';
import { drawDiff } from './draw.ts';
import { applyDiff } from './intents.ts';
import { createDiffView } from './view.ts';

let fixture: Fixture;
let git: Git;
let changes: Changes;
let changeset: Changeset;
let query: ChangesQuery;

beforeAll(async () => {
  fixture = makeEdgeRepository();
  const snapshotDir = join(fixture.root, 'snapshots');
  mkdirSync(snapshotDir);
  git = createGit({ snapshotDir, env: fixture.env, now: () => Date.now() });
  query = { scope: 'base', base: { name: 'main', commit: fixture.git('rev-parse', 'HEAD') } };
  changes = git.changes(fixture.dir);
  changeset = await changes.readChangeset(query);
});
afterAll(async () => {
  await git.dispose();
  fixture[Symbol.dispose]();
});

/** The rows of one file, its header first. */
async function rowsOf(path: string): Promise<string[]> {
  const file = changeset.files.find((candidate) => candidate.path === path);
  if (!file) return [];
  let view = applyDiff(createDiffView(100, 24), { do: 'take-changeset', changeset: changesetOf([file]), viewed: {} });
  view = applyDiff(view, { do: 'take-file', path, diff: await changes.readFileDiff(path, query) });
  const grid = createGrid(100, 24);
  drawDiff(view, grid, { x: 0, y: 0, cols: 100, rows: 24 }, createTheme({ dark: true, colors: 'true' }));
  return gridText(grid).filter((row) => row !== '');
}

test.each<[string, (string | RegExp)[]]>([
  ['crlf.txt', [/\+1 −1 {2}M unstaged$/, /15 + - line 15$/, /15 \+ line 15 changed$/]],
  ['crlf-to-lf.txt', ['line endings CRLF to LF', / 1 {5}- line 1\^M\^J$/]],
  ['mixed-eol.txt', ['line endings changed on 2 lines', /b\^J$/, /b\^M\^J$/]],
  ['cr-only.txt', [/a\^Mb\^Mc/]],
  ['no-eol.txt', ['last without newline ⌀ no newline at end of file', 'last still without newline ⌀ no newline']],
  ['gains-eol.txt', ['newline added at end of file', 'last ⌀ no newline']],
  ['tabs.mk', [/ {4}echo/]],
  ['empty-before.txt', ['+30 −0', /1 \+ line 1$/]],
  ['empty-after.txt', ['+0 −30', /1 + - line 1$/]],
  ['to-delete.txt', [/D unstaged$/]],
  ['new name.txt', [/old name\.txt → new name\.txt \d+%/]],
  ['moved-pure.txt', [/pure-rename\.txt → moved-pure\.txt 100%/]],
  ['run.sh', ['mode 100644 to 100755']],
  ['mode-and-text.sh', ['mode 100644 to 100755', /echo hi$/]],
  ['image.bin', ['binary']],
  ['latin1.txt', ['not UTF-8', 'caf\ufffd']],
  ['utf16.txt', ['UTF-16']],
  ['bom.txt', [/\+ first changed$/]],
  ['ünïcode/日本語 ファイル.txt', ['▾ ünïcode/日本語 ファイル.txt']],
  ['quote"and\\slash.txt', ['▾ quote"and\\slash.txt']],
  ['-dash-first.txt', ['▾ -dash-first.txt']],
  ['tab\tname.txt', [/▾ tab +name\.txt/]],
  ['new\nline.txt', ['▾ new^Jline.txt']],
  ['a/lib/index.ts', ['▾ a/lib/index.ts', 'export const a = 2;']],
  ['b/lib/index.ts', ['▾ b/lib/index.ts', 'export const b = 2;']],
  ['escape.txt', ['plain ^[[31mred^[[0m <202e>bidi<202c>', 'second^A']],
  ['looks-like-diff.txt', [/- \+\+\+ b\/x$/, /\+ {2}diff --git a\/z b\/z$/]],
  ['dashes.sql', [/- -- comment$/, /\+ -- another$/]],
  ['file-to-symlink.txt', [/ T unstaged$/, 'symbolic link']],
  ['link.txt', ['symbolic link', 'crlf.txt', 'tabs.mk']],
  ['staged-only.txt', [/M staged$/]],
  ['both.txt', [/M staged · unstaged$/, 'staged edit', 'unstaged edit']],
  ['package-lock.json', ['▸ package-lock.json', 'generated']],
  ['untracked/new.ts', [/\? untracked$/, 'export const fresh = true;']],
  ['untracked/empty.txt', ['▾ untracked/empty.txt']],
  ['untracked/blob.bin', ['binary']],
  ['untracked/huge.txt', ['L loads it']],
  ['link-to-dir', ['symbolic link to untracked']],
])('%s', async (path, expected) => {
  const rows = await rowsOf(path);
  for (const part of expected) {
    const shown = typeof part === 'string' ? rows.some((row) => row.includes(part)) : rows.some((row) => part.test(row));
    expect(shown, `${part} in\n${rows.join('\n')}`).toBe(true);
  }
});

test.each(['ignored/skip.txt', 'trace.log'])('%s is not shown', async (path) => expect(await rowsOf(path)).toEqual([]));
