// Colours from the real thread and grammars; nothing is asserted about when they come.
import { afterEach, expect, test } from 'vitest';
import { changesetOf, diffOf, fileOf, hunkOf } from '../../../../test/support/diff-samples.ts';
import type { DiffLine } from '../../../model/review/changeset.ts';
import { SYNTAX_COLORS } from '../draw-code.ts';
import { applyDiff } from '../intents.ts';
import { createDiffView, type DiffView, rowsOf } from '../view.ts';
import { createHighlighter, type Highlighter } from './highlighter.ts';
import { languageOf } from './language-of.ts';

let open: Highlighter | null = null;
afterEach(() => open?.dispose());

function viewOf(path: string, text: string, added = 5): DiffView {
  const file = fileOf(path, { added });
  const view = applyDiff(createDiffView(80, 20), { do: 'take-changeset', changeset: changesetOf([file]), viewed: {} });
  return applyDiff(view, { do: 'take-file', path, diff: diffOf(file, [hunkOf(1, 1, text)]) });
}

function linesOf(view: DiffView): DiffLine[] {
  return rowsOf(view, 0).flatMap((row) => (row.kind === 'line' ? [(row.right ?? row.left)!] : []));
}

/** What was wanted before has been asked for, in the turn of the event loop that follows. */
const asked = () => new Promise((resolve) => setImmediate(resolve));

/** Waits until all lines of the view have colours. */
async function coloured(view: DiffView): Promise<Highlighter> {
  const lines = linesOf(view);
  return new Promise((resolve) => {
    const highlighter = createHighlighter(() => {
      if (lines.every((line) => highlighter.colorsOf(line))) resolve(highlighter);
    });
    open = highlighter;
    highlighter.want(view);
  });
}

function words(highlighter: Highlighter, line: DiffLine): string[] {
  const spans = [...highlighter.colorsOf(line)!];
  return Array.from(
    { length: spans.length / 3 },
    (_, i) => `${line.text.slice(spans[3 * i], spans[3 * i + 1]).trim()}:${SYNTAX_COLORS[spans[3 * i + 2]!]}`,
  );
}

test('colours by language, both sides', async () => {
  const view = viewOf('a.ts', ' const a = "x"; // why\n-return 12;\n+return 13;');
  const highlighter = await coloured(view);
  const [context, removed, added] = linesOf(view);
  expect(words(highlighter, context!)).toEqual(expect.arrayContaining(['const:keyword', '"x":string', '// why:comment']));
  expect(words(highlighter, removed!)).toEqual(expect.arrayContaining(['return:keyword', '12:literal']));
  expect(words(highlighter, added!)).toEqual(expect.arrayContaining(['return:keyword', '13:literal']));
});

test('a comment over lines is one; the sides do not disturb each other', async () => {
  const view = viewOf('a.ts', ' /* open\n-still */ let a;\n+still\n end */ let b;');
  const highlighter = await coloured(view);
  const lines = linesOf(view);
  expect(words(highlighter, lines[2]!)).toEqual(['still:comment']);
  expect(words(highlighter, lines[1]!)).toEqual(expect.arrayContaining(['let:keyword']));
  expect(words(highlighter, lines[3]!)).toEqual(expect.arrayContaining(['let:keyword']));
});

test('a file that was waited for is coloured as any other', async () => {
  const file = fileOf('a.rs', { added: 5 });
  const unread = applyDiff(createDiffView(80, 20), { do: 'take-changeset', changeset: changesetOf([file]), viewed: {} });
  const view = viewOf('a.rs', '+fn f() -> u8 { 1 }');
  const lines = linesOf(view);
  const { promise, resolve } = Promise.withResolvers<void>();
  open = createHighlighter(() => lines.every((line) => open!.colorsOf(line)) && resolve());
  open.want(unread);
  await asked();
  open.want(view);
  await promise;
  expect(words(open, lines[0]!)).toContain('fn:keyword');
});

test('the same text is not asked for again', async () => {
  const view = viewOf('a.py', '+def f(x): return None');
  const highlighter = await coloured(view);
  const again = viewOf('a.py', '+def f(x): return None');
  highlighter.want(again);
  await asked();
  expect(words(highlighter, linesOf(again)[0]!)).toEqual(words(highlighter, linesOf(view)[0]!));
});

test.each([
  ['big.ts', 10_001],
  ['plain.txt', 1],
])('%s with %i lines stays plain', async (path, added) => {
  open = createHighlighter(() => expect.unreachable());
  const view = viewOf(path, '+const a = 1;', added);
  open.want(view);
  await asked();
  expect(open.colorsOf(linesOf(view)[0]!)).toBeNull();
});

test.each([
  ['src/a.ts', 'typescript'],
  ['Dockerfile', 'docker'],
  ['x/Makefile', 'make'],
  ['a.constructor', null],
  ['README', null],
  ['.npmrc', 'ini'],
])('%s is %s', (path, language) => expect(languageOf(path)).toBe(language));
