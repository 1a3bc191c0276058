import { describe, expect, it } from 'vitest';
import { caretCell, cellsIn, createEditor, type EditName, type Editor, edit, editorRows, insert, scrollRow, textAt } from './editor.ts';

const width = (cluster: string) => (/[\u1100-\u115f\u3000-\u9fff\uac00-\ud7ff]|\p{Emoji_Presentation}/u.test(cluster) ? 2 : 1);
const view = { cols: 10, width };

/** '|' is the caret. */
function editorOf(marked: string, o: { singleLine?: boolean } = {}): Editor {
  const editor = createEditor(marked.replace('|', ''), o);
  return { ...editor, caret: marked.indexOf('|') };
}
const show = (e: Editor) => `${e.text.slice(0, e.caret)}|${e.text.slice(e.caret)}`;
const run = (marked: string, ...steps: (EditName | `:${string}`)[]) =>
  show(steps.reduce((e, step) => (step.startsWith(':') ? insert(e, step.slice(1)) : edit(e, step as EditName, view)), editorOf(marked)));

describe('editing', () => {
  const cases: [string, (EditName | `:${string}`)[], string][] = [
    ['ab|', [':c'], 'abc|'],
    ['a|b', ['newline'], 'a\n|b'],
    ['a👨‍👩‍👧|b', ['left'], 'a|👨‍👩‍👧b'],
    ['a|👨‍👩‍👧b', ['right'], 'a👨‍👩‍👧|b'],
    ['a👨‍👩‍👧|b', ['delete-left'], 'a|b'],
    ['ae\u0301|', ['delete-left'], 'a|'],
    ['|ab', ['left', 'delete-left'], '|ab'],
    ['ab|', ['right', 'delete-right'], 'ab|'],
    ['a\n|b', ['delete-left'], 'a|b'],
    ['one two|', ['word-left'], 'one |two'],
    ['one |two', ['word-left'], '|one two'],
    ['|one two', ['word-right'], 'one| two'],
    ['one\n|two', ['word-left'], 'one|\ntwo'],
    ['one two|', ['delete-word-left'], 'one |'],
    ['|one two', ['delete-word-right'], '| two'],
    ['한국어 두|', ['word-left'], '한국어 |두'],
    ['ab|cd\nef', ['delete-to-end'], 'ab|\nef'],
    ['ab|\nef', ['delete-to-end'], 'ab|ef'],
    ['ab\ncd|ef', ['delete-to-start'], 'ab\n|ef'],
    ['ab\nc|d', ['line-start'], 'ab\n|cd'],
    ['a|b\ncd', ['line-end'], 'ab|\ncd'],
    ['ab\nc|d', ['start'], '|ab\ncd'],
    ['ab\nc|d', ['end'], 'ab\ncd|'],
    ['abc\nd\nefg|', ['up', 'up'], 'abc|\nd\nefg'],
    ['abcdefghij klm|', ['up'], 'abcd|efghij klm'],
    ['|abcdefghij klm', ['down'], 'abcdefghij| klm'],
    ['a|b', ['down'], 'ab|'],
    ['a|b', ['up'], '|ab'],
    ['|', [':a', ':b', ':c', 'undo'], '|'],
    ['|', [':a', ':b', ': ', ':c', 'undo'], 'ab|'],
    ['|', [':a', 'undo', 'redo'], 'a|'],
    ['|', [':a', 'undo', ':b', 'redo'], 'b|'],
    ['ab|', ['delete-left', 'undo'], 'ab|'],
  ];
  it.each(cases)('%j after %j', (before, steps, after) => expect(run(before, ...steps)).toBe(after));

  it('cleans what is pasted', () => {
    expect(insert(createEditor(), 'a\r\nb\x1b[31m\tc\r', { paste: true }).text).toBe('a\nb[31m\tc\n');
    expect(insert(createEditor('', { singleLine: true }), 'a\nb').text).toBe('a b');
  });

  it('gives the same editor when nothing changes', () => {
    const editor = createEditor('ab');
    expect(edit(editor, 'right', view)).toBe(editor);
    expect(edit(editor, 'undo', view)).toBe(editor);
    expect(insert(editor, '')).toBe(editor);
  });

  it('keeps a single line', () => expect(show(edit(editorOf('a|', { singleLine: true }), 'newline', view))).toBe('a|'));
});

describe('rows and cells', () => {
  const rowsOf = (text: string, cols: number) => editorRows(text, cols, width).map((r) => text.slice(r.start, r.end));
  it.each([
    ['', 5, ['']],
    ['abc\n', 5, ['abc', '']],
    ['one two three', 8, ['one two ', 'three']],
    ['abcdefgh', 3, ['abc', 'def', 'gh']],
    ['한국어', 4, ['한국', '어']],
    ['a b c d e', 4, ['a b ', 'c d ', 'e']],
  ])('wraps %j at %i', (text, cols, rows) => expect(rowsOf(text, cols)).toEqual(rows));

  it('puts the caret on its cell', () => {
    const text = 'one 한국 two';
    const rows = editorRows(text, 9, width);
    const cell = (caret: number) => Object.values(caretCell({ text, caret }, rows, width)).join();
    expect([0, 5, 6, 7, 10].map(cell)).toEqual(['0,0', '0,6', '0,8', '1,0', '1,3']);
  });

  it('finds the text under a cell', () => {
    const text = 'a한b\nxyz';
    const rows = editorRows(text, 10, width);
    expect([0, 1, 2, 3, 9].map((col) => textAt(text, rows, 0, col, width))).toEqual([0, 1, 1, 2, 3]);
    expect(textAt(text, rows, 5, 1, width)).toBe(5);
  });

  it('counts wide characters as two cells and a tab as what it is shown as', () => expect(cellsIn('a한\t', width)).toBe(5));

  it.each([
    [0, 5, 3, 10, 3],
    [4, 2, 3, 10, 2],
    [2, 3, 3, 10, 2],
    [8, 3, 3, 4, 1],
  ])('scrolls from %i to the caret in row %i', (top, caret, height, total, want) =>
    expect(scrollRow(top, caret, height, total)).toBe(want),
  );
});
