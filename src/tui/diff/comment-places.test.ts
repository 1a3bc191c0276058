// Which file a comment's card stands in, and where the cards of comments stand that were begun and left.
import { expect, test } from 'vitest';
import { commentOn, diffOf, fileOf, hunkOf, viewOf } from '../../../test/support/diff-samples.ts';
import { begunComments } from '../store/begun-comments.ts';
import { textMark } from '../store/overlay.ts';
import { isElsewhere } from './comment-places.ts';
import { titleOf } from './draw-card.ts';
import { applyDiff } from './intents.ts';
import type { DiffView } from './view.ts';
import { rowsOf } from './view.ts';

const files = ['a', 'b'].map((path) => [fileOf(path), diffOf(fileOf(path), [hunkOf(1, 1, ' one\n+two\n+three')])] as const);
const view = (comments: DiffView['comments']) =>
  applyDiff(viewOf(files.map(([file, diff]) => [file, diff])), { do: 'take-comments', comments });

/** "a 2: #1": the file, what the card stands under, whose it is. */
function cards(shown: DiffView): string[] {
  return files.flatMap(([{ path }], index) => {
    let above = '';
    return rowsOf(shown, index).flatMap((row) => {
      if (row.kind === 'card') return [`${path} ${above}: #${row.comment.id}`];
      above = row.kind === 'line' ? `${row.right?.new}` : row.kind;
      return [];
    });
  });
}

test('a comment stands in its file; what would be seen nowhere stands in the first, with its place, but for what is resolved', () => {
  const whole = { placement: 'exact' as const, path: null, range: null };
  const comments = [
    commentOn(1, 'b', 2, 'in b'),
    commentOn(2, 'unchanged.ts', 7, 'of a file without changes'),
    commentOn(3, 'a', 3, 'on all', { place: whole, anchor: { ...commentOn(3, 'a', 3, '').anchor, path: null, range: null } }),
    commentOn(4, 'unchanged.ts', 8, 'done', { state: 'resolved' }),
  ];
  const shown = view(comments);
  expect(cards(shown)).toEqual(['a file: #2', 'a file: #3', 'b 2: #1']);
  expect(titleOf(comments[1]!, isElsewhere(shown, comments[1]!))).toContain('you · #2 · unchanged.ts:7 · draft');
  expect(titleOf(comments[0]!, isElsewhere(shown, comments[0]!))).not.toContain('b:2');
  expect(cards({ ...shown, scope: 'staged', places: {} })).toEqual(['a file: #3', 'b 2: #1']);
  const there = applyDiff(shown, { do: 'go', path: 'unchanged.ts', side: 'new', line: 7, card: 2 });
  expect(rowsOf(there, there.cursor.file)[there.cursor.row]).toMatchObject({ kind: 'card', comment: { id: 2 } });
  const next = applyDiff(applyDiff(there, { do: 'comment', by: 1 }), { do: 'comment', by: 1 });
  expect(rowsOf(next, next.cursor.file)[next.cursor.row]).toMatchObject({ kind: 'card', comment: { id: 1 } });
});

test.each([
  ['where it was begun', '1:new:b:new:2-2:', ['two'], 'b 2'],
  ['under its lines, which are others now', '1:new:b:new:1-1:', ['three'], 'b 3'],
  ['under several lines', '1:new:b:new:1-2:', ['two', 'three'], 'b 3'],
  ['at the file when its lines are gone', '1:new:b:new:2-2:', ['deleted'], 'b file'],
  ['behind what is known of its file', '1:new:b:new:40-40:', ['far'], 'b 3'],
])('a comment that was begun and left stands %s', (_what, key, lines, expected) => {
  const [begun] = begunComments({ drafts: { [key + textMark(lines)]: 'why?' }, overlays: [] }, 1);
  expect(cards(view([begun!]))).toEqual([`${expected}: #${begun!.id}`]);
  expect(titleOf(begun!)).toBe('you · not saved yet');
});

test('of what is begun only comments of that workspace are cards, and not the one that is being written', () => {
  const target = { path: 'b', side: 'new' as const, range: { start: 2, end: 2 }, seen: { lines: ['two'], before: [], after: [] } };
  const editor = { text: 'w', caret: 0, goal: null, undo: [], redo: [], typing: false, singleLine: false };
  const open = { kind: 'comment' as const, workspace: 1, target, comment: null, reply: false, excerpt: [], editor, busy: false };
  const own = `1:new:b:new:2-2:${textMark(['two'])}`;
  const drafts = {
    [own]: 'written',
    '1:new::new:': 'on all',
    '1:new:b:old:': 'on b',
    '2:new:b:new:': 'of another',
    '1:prompt': 'a prompt',
  };
  const bodies = (overlays: (typeof open)[]) => begunComments({ drafts, overlays }, 1).map(({ body, place }) => `${place.path} ${body}`);
  expect(bodies([open])).toEqual(['null on all', 'b on b']);
  expect(bodies([])).toEqual(['b written', 'null on all', 'b on b']);
});
