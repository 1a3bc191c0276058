import { describe, expect, it } from 'vitest';
import { contains, type LayoutRequest, layout, type PaneTree, type Rect } from './layout.ts';

const pair: PaneTree = { split: 'beside', ratio: 0.5, first: { pane: 1 }, second: { pane: 'diff' } };
const withShell: PaneTree = {
  split: 'beside',
  ratio: 0.5,
  first: { split: 'stacked', ratio: 0.7, first: { pane: 1 }, second: { pane: 2 } },
  second: { pane: 'diff' },
};
const want = (over: Partial<LayoutRequest> = {}, tree = pair): LayoutRequest => ({
  arrangement: { tree, focus: 1, zoom: false },
  zone: 'panes',
  sidebar: 'auto',
  overlays: [],
  ...over,
});
const show = (r: Rect | null) => (r ? `${r.x},${r.y} ${r.cols}x${r.rows}` : '-');

describe('layout', () => {
  it('has a line beside the list only where there is a list', () => {
    const lines = (sidebar: LayoutRequest['sidebar']) => layout(160, 48, want({ sidebar })).dividers.map(({ rect }) => show(rect));
    expect(lines('auto')).toEqual(['26,1 1x46', '93,1 1x46']);
    expect(lines('hidden')).toEqual(['80,1 1x46']);
  });

  const cases: [string, number, number, LayoutRequest, string, string, string][] = [
    ['full', 160, 48, want(), 'full', '0,1 26x46', '1 27,2 66x45 | diff 94,2 66x45'],
    ['zoom', 160, 48, want({ arrangement: { tree: pair, focus: 'diff', zoom: true } }), 'full', '0,1 26x46', 'diff 27,2 133x45'],
    ['hidden sidebar', 160, 48, want({ sidebar: 'hidden' }), 'full', '-', '1 0,2 80x45 | diff 81,2 79x45'],
    ['a shell below the agent', 160, 48, want({}, withShell), 'full', '0,1 26x46', '1 27,2 66x31 | 2 27,34 66x13 | diff 94,2 66x45'],
    ['rail, one pane', 80, 24, want(), 'rail', '0,1 4x22', '1 5,2 75x21'],
    ['rail, stacked when tall', 90, 50, want(), 'rail', '0,1 4x48', '1 5,2 85x23 | diff 5,26 85x23'],
    ['rail, beside when it fits', 100, 24, want(), 'rail', '0,1 4x22', '1 5,2 47x21 | diff 53,2 47x21'],
    ['narrow list', 50, 20, want({ zone: 'list' }), 'narrow', '0,1 50x18', ''],
    ['narrow pane', 50, 20, want(), 'narrow', '-', '1 0,2 50x17'],
    ['short', 50, 7, want(), 'narrow', '-', '1 0,1 50x6'],
    ['tiny', 19, 24, want(), 'tiny', '-', ''],
    ['tiny rows', 80, 4, want(), 'tiny', '-', ''],
  ];
  it.each(cases)('%s', (_name, cols, rows, request, tier, sidebar, panes) => {
    const out = layout(cols, rows, request);
    expect(out.tier).toBe(tier);
    expect(show(out.sidebar)).toBe(sidebar);
    expect(out.panes.map((p) => `${p.pane} ${show(p.body)}`).join(' | ')).toBe(panes);
  });

  it('keeps every cell to one owner and on the screen, at every size', () => {
    for (const tree of [pair, withShell])
      for (let cols = 1; cols <= 200; cols += 7)
        for (let rows = 1; rows <= 70; rows += 3)
          for (const zone of ['list', 'panes'] as const) {
            const out = layout(cols, rows, want({ zone, overlays: [{ cols: 70, rows: 20, place: 'centre' }] }, tree));
            const rects = [out.titleBar, out.sidebar, out.statusBar, ...out.panes.flatMap((p) => [p.title, p.body])].filter(
              (r) => r !== null,
            );
            for (const r of [...rects, ...out.overlays]) {
              expect(r.cols > 0 && r.rows >= 0 && r.x >= 0 && r.y >= 0 && r.x + r.cols <= cols && r.y + r.rows <= rows).toBe(true);
            }
            const owners = new Uint8Array(cols * rows);
            for (const r of rects)
              for (let y = r.y; y < r.y + r.rows; y++) for (let x = r.x; x < r.x + r.cols; x++) owners[y * cols + x]!++;
            expect(Math.max(0, ...owners)).toBeLessThanOrEqual(1);
          }
  });

  it('shows tabs when panes hide behind one another', () => {
    expect(layout(80, 24, want()).tabs).toEqual([1, 'diff']);
    expect(layout(160, 48, want()).tabs).toEqual([]);
  });

  it('centres overlays', () => {
    expect(layout(80, 24, want({ overlays: [{ cols: 40, rows: 10, place: 'centre' }] })).overlays.map(show)).toEqual(['20,5 40x10']);
    expect(layout(30, 10, want({ overlays: [{ cols: 40, rows: 30, place: 'bottom' }] })).overlays.map(show)).toEqual(['0,1 30x8']);
  });

  it('tests a cell', () => {
    expect(contains({ x: 2, y: 2, cols: 2, rows: 1 }, 3, 2)).toBe(true);
    expect(contains({ x: 2, y: 2, cols: 2, rows: 1 }, 4, 2)).toBe(false);
  });
});
