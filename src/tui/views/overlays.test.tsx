// Every overlay as Ink draws it.
import { render } from 'ink-testing-library';
import { expect, it } from 'vitest';
import { commentOn } from '../../../test/support/diff-samples.ts';
import { sampleState } from '../../../test/support/sample-session.ts';
import type { BatchView } from '../../model/batch.ts';
import { CLOSED_WORKSPACE } from '../../model/review/comment.ts';
import { createEditor } from '../editor.ts';
import { createKeymap } from '../input/keymap.ts';
import { layoutOf } from '../present.ts';
import { saidLines } from '../rows/explain-lines.ts';
import { lineCells } from '../spans.ts';
import type { Overlay } from '../store/overlay.ts';
import { openOverlay } from '../store/overlay-stack.ts';
import type { ClientState } from '../store/state.ts';
import { createTheme } from '../theme.ts';
import { overlayRows } from './overlay-rows.ts';
import { overlaysElement } from './overlays.tsx';

const { keymap } = createKeymap();
const theme = createTheme({ dark: true, colors: 'true' });
const line = () => createEditor('', { singleLine: true });

const sampleBatch: BatchView = {
  summary: {
    ...{ key: 'key', goal: 1, name: 'docs', repository: '/repo', state: 'running', why: '', limit: 20, slots: 20, total: 200 },
    ...{ counts: { queued: 200, running: 0, needs: 0, failed: 0, done: 0 }, rate: 2, cost: null, tokens: null, left: 60_000 },
    ...{ started: 0, runner: 1, gone: null },
  },
  rows: Array.from({ length: 200 }, (_, i) => ({
    ...{ id: `task-${i}`, column: 'queued' as const, why: 'waits', attempt: 1, agent: 'pi', since: 0, cost: null, workspace: null },
  })),
};

/** The frame's lines without SGR; the library's screen has 100 columns. */
function drawn(cols: number, rows: number, overlay: Overlay, comments: ClientState['comments'] = {}): string[] {
  const state = openOverlay({ ...sampleState(cols, rows), comments }, overlay);
  const { lastFrame, unmount } = render(overlaysElement({ state, layout: layoutOf(state), keymap, theme }));
  const frame = lastFrame() ?? '';
  unmount();
  return frame.replace(/\x1b\[[0-9;:]*m/g, '').split('\n');
}

it.each<[string, Overlay, RegExp]>([
  ['attention', { kind: 'attention', at: 1 }, /needs you ─+ 4 [\s\S]*\[1\] JSON {2}\[2\] CSV/],
  [
    'workspaces',
    { kind: 'workspaces', query: createEditor('bl', { singleLine: true }), at: 0 },
    /› bl[\s\S]*rss +blog[\s\S]*⏎ open {2}esc back/,
  ],
  ['palette', { kind: 'palette', query: createEditor('zoom', { singleLine: true }), at: 0 }, /: zoom[\s\S]*zoom {2}panes +ctrl\+b z/],
  [
    'help',
    { kind: 'help', query: createEditor('stage', { singleLine: true }), at: 0 },
    /Diff: act[\s\S]*a +stage the hunk[\s\S]*r +unstage/,
  ],
  [
    'prompt',
    { kind: 'prompt', workspace: 2, prompt: null, editor: createEditor('one\ntwo'), busy: false },
    /prompt · api-v2[\s\S]*│ one [\s\S]*│ two [\s\S]*ctrl\+s send/,
  ],
  ['queue', { kind: 'queue', workspace: 2, at: 0 }, /No prompt waits/],
  ['comments', { kind: 'comments', workspace: 2, at: 0, filter: 'all' }, /No comments yet/],
  ['explain', { kind: 'explain', workspace: 2, title: 'why · api-v2', lines: null, top: 0 }, /why · api-v2[\s\S]*asking the server/],
  [
    'explain',
    { kind: 'explain', workspace: 2, title: 'said', lines: saidLines(`  ${'x'.repeat(100)}!`), top: 0 },
    /─ said ─[\s\S]*▏ {3}x+ +│ *\n.*▏ x+!/,
  ],
  ['explain', { kind: 'explain', workspace: 2, title: 'said', lines: saidLines('line\n'.repeat(99)), top: 5 }, /─ said ─+ 6-35 of 99 ─/],
  ['input', { kind: 'input', purpose: { for: 'diff-search' }, label: '/', editor: line() }, /\n \/\n/],
  [
    'confirm',
    {
      kind: 'confirm',
      ask: { do: 'close', workspace: 2 },
      title: 'close api-v2?',
      lines: ['codex is working; it will be ended.'],
      yes: 'close',
      other: null,
    },
    /close api-v2\?[\s\S]*codex is working[\s\S]*⏎ close {2}esc leave it/,
  ],
])('draws %s', (_name, overlay, expected) => expect(drawn(100, 36, overlay).join('\n')).toMatch(expected));

it.each([
  [20, 5],
  [33, 9],
  [60, 12],
  [99, 30],
])('never draws wider than %i or taller than %i', (cols, rows) => {
  for (const overlay of [
    { kind: 'attention', at: 0 },
    { kind: 'palette', query: line(), at: 3 },
    { kind: 'help', query: line(), at: 0 },
  ] as const) {
    const frame = drawn(cols, rows, overlay);
    expect(frame.length).toBeLessThanOrEqual(rows);
    for (const row of frame) expect([...row].length).toBeLessThanOrEqual(cols);
  }
});

it('lists comments of closed workspaces with their worktree, and says when that is gone', () => {
  const closed = [
    { ...commentOn(1, 'a.ts', 3, 'why?'), left: '/w/there' },
    { ...commentOn(2, 'b.ts', 4, 'and this?'), left: '/w/away', gone: true },
  ];
  const list = { kind: 'comments', workspace: 2, at: 0, filter: 'closed' } as const;
  const frame = (comments: typeof closed) => drawn(100, 36, list, { [CLOSED_WORKSPACE]: comments }).join('\n');
  expect(frame(closed)).toMatch(
    /comments · api-v2 · closed[\s\S]*b.ts:4 gone: \/w\/away +draft[\s\S]*and this\?[\s\S]*a.ts:3 \/w\/there +draft/,
  );
  expect(frame([])).toMatch(/No closed workspace has left comments/);
});

it('keeps the keys of a question where they do not all fit', () => {
  const ask = { do: 'close', workspace: 2 } as const;
  const question = { kind: 'confirm', ask, title: 'close?', lines: [], yes: 'close', other: 'remove the worktree too' } as const;
  expect(drawn(50, 20, question).join('\n')).toMatch(/⏎ close {2}r remove the worktree too ─/);
  expect(drawn(100, 20, question).join('\n')).toMatch(/too {2}esc leave it ─/);
});

it.each([
  [100, 36],
  [46, 14],
  [30, 8],
])('on %i by %i the rows of a board fill what Ink leaves of its frame, and nothing else', (cols, rows) => {
  const board = { kind: 'board', at: 150 } as const;
  const state = { ...openOverlay(sampleState(cols, rows), board), batches: { key: sampleBatch } };
  const layout = layoutOf(state);
  const { lastFrame, unmount } = render(overlaysElement({ state, layout, keymap, theme }));
  const ink = (lastFrame() ?? '').replace(/\x1b\[[0-9;:]*m/g, '').split('\n');
  unmount();
  const [block] = overlayRows({ state, layout });
  const frame = layout.overlays[0]!;
  const isDrawn = (y: number) => [...(ink[y] ?? '')].slice(frame.x, frame.x + frame.cols).some((cell) => cell !== ' ');
  const from = block!.rect.y - frame.y;
  expect(Array.from({ length: frame.rows }, (_, y) => isDrawn(frame.y + y))).toEqual(
    Array.from({ length: frame.rows }, (_, y) => y < from || y >= from + block!.rect.rows),
  );
  expect(block!.lines.map(lineCells)).toEqual(Array.from({ length: block!.rect.rows }, () => frame.cols));
  expect(block!.rect.rows === 0 || block!.lines.some((line) => line.some(({ text }) => text.includes('task-150')))).toBe(true);
});
