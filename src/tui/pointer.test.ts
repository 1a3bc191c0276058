import { describe, expect, it } from 'vitest';
import { sampleState } from '../../test/support/sample-session.ts';
import { createGrid, type Grid } from '../model/cell.ts';
import { moveCopy } from './copy-mode.ts';
import { put } from './diff/painter.ts';
import { targetAt } from './pointer-target.ts';
import { layoutOf } from './present.ts';
import { sidebarHit, sidebarProps } from './rows/sidebar-rows.ts';
import { coveredColumns, fileReference, type Selection, wordAt } from './selection.ts';
import { openOverlay } from './store/overlay-stack.ts';

function write(grid: Grid, y: number, text: string): void {
  const rect = { x: 0, y: 0, cols: grid.cols, rows: grid.rows };
  put({ grid, rect, slots: new Map() }, 0, y, grid.cols, text, { fg: 0, bg: 0 });
}

describe('targets', () => {
  const state = sampleState(160, 48);
  it.each([
    [0, 0, { on: 'bar' }],
    [159, 47, { on: 'bar' }],
    [3, 4, { on: 'list', x: 3, y: 3 }],
    [27, 1, { on: 'title', pane: 20, x: 0 }],
    [30, 2, { on: 'pane', pane: 20, x: 3, y: 0 }],
    [94, 46, { on: 'pane', pane: 'diff', x: 0, y: 44 }],
    [93, 9, { on: 'divider' }],
  ])('%i,%i', (x, y, target) => expect(targetAt(layoutOf(state), x, y)).toMatchObject(target));

  it('finds overlays first', () => {
    const over = layoutOf(openOverlay(state, { kind: 'attention', at: 0 }));
    const { x, y } = over.overlays[0]!;
    expect(targetAt(over, x, y)).toEqual({ on: 'overlay', index: 0, x: 0, y: 0 });
  });

  it('finds the row of the sidebar that was drawn', () => {
    const rect = layoutOf(state).sidebar!;
    const hits = [0, 1, 2, 3, 10].map((y) => sidebarHit(sidebarProps(state), rect, false, y));
    expect(hits).toEqual([null, { workspace: 1, detail: false }, { workspace: 1, detail: true }, { workspace: 2, detail: false }, null]);
  });
});

describe('selection', () => {
  const selection = (over: Partial<Selection>): Selection => ({
    terminal: 1,
    anchor: { line: 5, col: 4 },
    head: { line: 3, col: 8 },
    shape: 'characters',
    ...over,
  });
  it.each([
    [selection({}), 3, [8, 20]],
    [selection({}), 4, [0, 20]],
    [selection({}), 5, [0, 5]],
    [selection({}), 6, null],
    [selection({ shape: 'lines' }), 5, [0, 20]],
    [selection({ shape: 'block' }), 4, [4, 9]],
    [selection({ head: { line: 5, col: 4 } }), 5, [4, 5]],
  ] as const)('%j covers of line %i', (given, line, columns) => expect(coveredColumns(given, { line, col: 0 }, 20)).toEqual(columns));

  const grid = createGrid(40, 1);
  write(grid, 0, 'see src/auth/login.ts:41, and 한국어 too.');
  it.each([
    [6, 'src/auth/login.ts:41'],
    [0, 'see'],
    [3, ' '],
    [31, '한국어'],
    [38, 'too'],
  ])('the word at %i is %s', (x, word) => expect(wordAt(grid, x, 0).text).toBe(word));

  it.each([
    ['src/auth/login.ts:41', { path: 'src/auth/login.ts', line: 41 }],
    ['./a.ts:3:9', { path: 'a.ts', line: 3 }],
    ['http://x.y:80', null],
    ['12:41', null],
    ['login.ts', null],
  ])('%s', (text, place) => expect(fileReference(text)).toEqual(place));
});

describe('copy mode', () => {
  const grid = createGrid(20, 10);
  write(grid, 3, 'let value = call();');
  const cursor = { x: 0, y: 9, visible: true, shape: 'block', blink: false } as const;
  const screen = {
    grid,
    facts: {
      cursor,
      top: { line: 100, col: 0 },
      wraps: [],
      left: 0,
      first: 0,
      last: 109,
      atTail: true,
      newLines: 0,
      mouse: 'none',
      wheel: 'scroll',
    } as const,
  };
  it.each([
    ['up', { x: 4, y: 2, scroll: 0 }],
    ['down', { x: 4, y: 4, scroll: 0 }],
    ['half-up', { x: 4, y: 0, scroll: -2 }],
    ['page-down', { x: 4, y: 9, scroll: 3 }],
    ['left', { x: 3, y: 3, scroll: 0 }],
    ['word-right', { x: 10, y: 3, scroll: 0 }],
    ['word-end', { x: 8, y: 3, scroll: 0 }],
    ['word-left', { x: 0, y: 3, scroll: 0 }],
    ['line-end', { x: 18, y: 3, scroll: 0 }],
    ['line-start', { x: 0, y: 3, scroll: 0 }],
    ['up', { x: 12, y: 2, scroll: 0 }, 12],
    ['right', { x: 5, y: 3, scroll: 0 }, 12],
  ] as const)('%s', (motion, to, goal?: number) => expect(moveCopy({ line: 103, col: 4 }, motion, screen, goal ?? null)).toEqual(to));
});
