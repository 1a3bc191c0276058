// The chrome as text, at the sizes people have.
import { describe, expect, it } from 'vitest';
import { NOW, sampleState } from '../../../test/support/sample-session.ts';
import { Chrome } from '../chrome.ts';
import { gridText } from '../grid-text.ts';
import { createKeymap } from '../input/keymap.ts';
import { layoutOf } from '../present.ts';
import { lineCells } from '../spans.ts';
import { focusPane } from '../store/panes.ts';
import type { ClientState } from '../store/state.ts';
import { createTheme } from '../theme.ts';
import type { Block } from './block.ts';
import { screenBlocks } from './screen.ts';

const { keymap } = createKeymap();
const theme = createTheme({ dark: true, colors: 'true' });
const head = { name: 'since main · 3 files +48 −12', brief: 'since main +48 −12', facts: [{ text: '1/3 viewed' }], keys: 'diff' as const };

const blocksOf = (state: ClientState): Block[] => screenBlocks({ state, layout: layoutOf(state), keymap, diff: head });

function draw(state: ClientState): string[] {
  const chrome = new Chrome();
  chrome.draw(state.cols, state.rows, blocksOf(state), theme);
  return gridText(chrome.grid).split('\n');
}

describe('screen', () => {
  it('is full at 160x48', () => {
    const rows = draw(sampleState(160, 48));
    expect(rows.slice(0, 8)).toEqual([
      expect.stringMatching(/^ herd · default {4}▲ 2 {2}◔ 1 {2}◷ 1 {2}● 1 {2}◐ 1 {2}○ 1 +shop {2}api-v2 {2}base main 4f2a91c$/),
      expect.stringMatching(/^ shop {21}┬─ codex · api-v2 ─+ ◐ working 4m ─┬─ since main · 3 files \+48 −12 ─+ 1\/3 viewed ─$/),
      expect.stringMatching(/^ ▲ fix-login {9}2m 1 │ +│$/),
      expect.stringMatching(/^ {3}Run npm test\? {2}\+48 −12 │/),
      expect.stringMatching(/^▌◐ api-v2 {12}4m 2 │/),
      expect.stringMatching(/^▌ {2}migrate v1 calls {2}\+210 │/),
      expect.stringMatching(/^ ● docs {14}9m 3 │/),
      expect.stringMatching(/^ {3}Rewrote the qu… \+20 −4 │/),
    ]);
    expect(rows.slice(45, 47).map((row) => row.slice(0, 26))).toEqual([' ⚠ api-v2 and docs both   ', '   edit src/routes.ts     ']);
    expect(rows[47]).toMatch(/^ ▲ fix-login {2}Run npm test\? +ctrl\+b {2}y yes {2}r no {2}a go there$/);
  });

  it('has a rail and tabs at 80x24', () => {
    const rows = draw(sampleState(80, 24));
    expect(rows[1]).toMatch(/^ ▲1 ┬─ codex · api-v2 │ diff \+210 ─+ ◐ working 4m ─$/);
    expect(rows.slice(2, 9).map((row) => row.slice(0, 5).trimEnd())).toEqual([
      '▌◐2 │',
      ' ●3 │',
      ' ○4 │',
      ' ▲5 │',
      ' ◔6 │',
      ' ◷7 │',
      ' ✕8 │',
    ]);
  });

  it.each([
    [80, /^ ▲1 ┬─ codex · api-v2 │ since main · 3 files \+48 −12 ─+ 1\/3 viewed ─$/],
    [64, /^ ▲1 ┬─ codex · api-v2 │ since main \+48 −12 ─+ 1\/3 viewed ─$/],
  ])('says the scope of a diff among tabs where it fits, at %i columns', (cols, title) => {
    const state = sampleState(cols, 24);
    expect(draw(focusPane(state, 'diff'))[1]).toMatch(title);
  });

  it('is the attention list at 50x20', () => {
    expect(draw(sampleState(50, 20)).slice(0, 9)).toEqual([
      ' herd ▲2 ◔1 ◷1 ●1 ◐1 ○1',
      ' ▲ fix-login                         +48 −12   2m',
      '   Run npm test?',
      '   [y] yes  [N] no',
      ' ▲ rss                                        <1m',
      '   Which format should the feed export?',
      '   [1] JSON  [2] CSV',
      ' ◔ tags  no sign of life 9m            +3 −1   9m',
      ' ● docs  Rewrote the quick start and… +20 −4   9m',
    ]);
  });

  it('is one line below 20x5', () => expect(draw(sampleState(19, 4)).filter((row) => row !== '')).toEqual(['herd needs 20x5']));

  it('says that the server is away and keeps the states', () => {
    const rows = draw({ ...sampleState(120, 30), link: { state: 'down', since: NOW } });
    expect(rows.at(-1)).toMatch(/^ server unreachable since \d\d:\d\d · showing what was last known$/);
    expect(rows[2]).toContain('fix-login');
  });

  it('offers no keys of a list that is empty', () => expect(draw(sampleState(50, 20, [])).at(-1)).not.toContain('mark'));

  it('shows how to begin', () => {
    const kind = { kind: 'pi', title: 'Pi', command: 'pi', path: null };
    const standing = { main: '/home/me/shop', branch: 'main', worktrees: 3 };
    expect(draw({ ...sampleState(80, 24, []), standing }).join('\n')).toMatch(
      /shop · main · 3 worktrees: no workspace yet[\s\S]*worktree of shop/,
    );
    const rows = draw({ ...sampleState(80, 24, []), installed: [kind] }).join('\n');
    expect(rows).toContain('No workspace yet');
    expect(rows).toMatch(/ctrl\+b n +start an agent in a new worktree/);
    expect(rows).toMatch(/looked for pi\./);
    expect(rows).toContain('herd demo');
  });

  it('never draws a row wider or a screen taller than it is', () => {
    for (const [cols, rows] of [
      [20, 5],
      [33, 9],
      [59, 12],
      [60, 12],
      [109, 30],
      [110, 30],
      [200, 60],
    ] as const)
      for (const { rect, lines } of blocksOf(sampleState(cols, rows))) {
        expect(rect.x + rect.cols).toBeLessThanOrEqual(cols);
        expect(rect.y + rect.rows).toBeLessThanOrEqual(rows);
        expect(lines.length).toBeLessThanOrEqual(rect.rows);
        for (const line of lines) expect(lineCells(line)).toBeLessThanOrEqual(rect.cols);
      }
  });
});
