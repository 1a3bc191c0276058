// Copy mode: a cursor of one's own in a terminal's text, with selection and search. The cursor's place is text, not screen; the view is
// scrolled so that it is seen. Pure steps here; the server is asked only for text and for hits.
import type { Grid } from '../model/cell.ts';
import type { TextPoint } from '../wire/requests.ts';
import type { ViewFacts } from '../wire/screen-diff.ts';
import { type CommandContext, type CopyPort, change, say, sayError } from './commands/context.ts';
import { createEditor } from './editor.ts';
import type { CommandId } from './input/keymap-table.ts';
import { rowText, type Selection } from './selection.ts';
import { openOverlay } from './store/overlay-stack.ts';
import { focusPane } from './store/panes.ts';
import type { CopyMode } from './store/state.ts';

/** Hits asked for at once: more than anyone steps through. */
const HIT_LIMIT = 2000;

/** What is on the screen of a terminal's view. */
export interface CopyScreen {
  grid: Grid;
  facts: ViewFacts;
}

type Motion =
  | 'left'
  | 'down'
  | 'up'
  | 'right'
  | 'line-start'
  | 'line-end'
  | 'word-left'
  | 'word-right'
  | 'word-end'
  | 'half-down'
  | 'half-up'
  | 'page-down'
  | 'page-back';

/** The cursor after a motion. Words are looked for in what is on the screen. */
export function moveCopy(cursor: TextPoint, motion: Motion, { grid, facts }: CopyScreen): TextPoint {
  const { line, col } = cursor;
  const last = facts.top.line + grid.rows - 1 + facts.newLines + (facts.atTail ? 0 : grid.rows);
  const toLine = (to: number): TextPoint => ({
    line: Math.max(0, Math.min(to, facts.atTail ? facts.top.line + grid.rows - 1 : last)),
    col,
  });
  switch (motion) {
    case 'left':
      return { line, col: Math.max(0, col - 1) };
    case 'right':
      return { line, col: Math.min(grid.cols - 1, col + 1) };
    case 'up':
      return toLine(line - 1);
    case 'down':
      return toLine(line + 1);
    case 'half-up':
      return toLine(line - (grid.rows >> 1));
    case 'half-down':
      return toLine(line + (grid.rows >> 1));
    case 'page-back':
      return toLine(line - grid.rows + 1);
    case 'page-down':
      return toLine(line + grid.rows - 1);
    default:
      return { line, col: columnFor(cursor, motion, grid, facts) };
  }
}

function columnFor({ line, col }: TextPoint, motion: Motion, grid: Grid, facts: ViewFacts): number {
  const { text, columns } = rowText(grid, Math.max(0, Math.min(grid.rows - 1, line - facts.top.line)));
  const length = text.trimEnd().length;
  const at = Math.max(
    0,
    columns.findLastIndex((column) => column <= col),
  );
  const column = (index: number) => columns[Math.max(0, Math.min(columns.length - 1, index))] ?? 0;
  if (motion === 'line-start') return 0;
  if (motion === 'line-end') return column(length - 1);
  const starts = [...text.matchAll(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]+/gu)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length - 1,
  }));
  if (motion === 'word-right') return column(starts.find(({ from }) => from > at)?.from ?? length - 1);
  if (motion === 'word-end') return column(starts.find(({ to }) => to > at)?.to ?? length - 1);
  return column(starts.findLast(({ from }) => from < at)?.from ?? 0);
}

/** The selection that copy mode shows; the cursor's cell alone is none. */
export function copySelection({ terminal, anchor, cursor, shape }: CopyMode): Selection | null {
  return anchor ? { terminal, anchor, head: cursor, shape } : null;
}

const MOTIONS = new Set<string>(
  'left down up right line-start line-end word-left word-right word-end half-down half-up page-down page-back'.split(' '),
);
const SHAPES: Record<string, CopyMode['shape']> = { select: 'characters', 'select-lines': 'lines', 'select-block': 'block' };

export interface CopyHostOptions {
  context(): CommandContext;
  screen(terminal: number): CopyScreen | null;
}

export function createCopyHost(o: CopyHostOptions): CopyPort {
  const mode = () => o.context().store.getState().copy;
  const set = (next: Partial<CopyMode>) =>
    change(o.context(), (state) => (state.copy ? { ...state, copy: { ...state.copy, ...next } } : state));

  /** Puts the cursor somewhere and scrolls as little as need be for it to be seen. */
  function go(cursor: TextPoint): void {
    const copy = mode();
    const screen = copy && o.screen(copy.terminal);
    if (!copy || !screen) return;
    set({ cursor });
    const { top } = screen.facts;
    const bottom = top.line + screen.grid.rows - 1;
    const by = cursor.line < top.line ? cursor.line - top.line : Math.max(0, cursor.line - bottom);
    if (by !== 0)
      o.context()
        .request('view.scroll', { view: copy.terminal, by })
        .catch((error) => sayError(o.context(), error));
  }

  async function jump(to: 'start' | 'end'): Promise<void> {
    const copy = mode();
    if (!copy) return;
    await o.context().request('view.scroll', { view: copy.terminal, to: to === 'start' ? { line: 0, col: 0 } : null });
    const screen = o.screen(copy.terminal);
    if (screen) set({ cursor: to === 'start' ? { line: 0, col: 0 } : { line: screen.facts.top.line + screen.grid.rows - 1, col: 0 } });
  }

  function leave(): void {
    const copy = mode();
    if (!copy) return;
    change(o.context(), (state) => ({ ...state, copy: null }));
    o.context()
      .request('view.scroll', { view: copy.terminal, to: null })
      .catch((error) => sayError(o.context(), error));
  }

  async function yank(): Promise<void> {
    const copy = mode();
    if (!copy) return;
    const context = o.context();
    const selection = copySelection(copy) ?? { terminal: copy.terminal, anchor: copy.cursor, head: copy.cursor, shape: 'lines' as const };
    const text = await selectedText(context, selection, o.screen(copy.terminal)?.grid.cols ?? 0);
    context.copyText(text);
    leave();
    say(context, copiedText(text), 'good');
  }

  async function find(pattern: string, back: boolean): Promise<void> {
    const copy = mode();
    if (!copy || pattern === '') return;
    const caseSensitive = /\p{Lu}/u.test(pattern);
    const { hits, total } = await o
      .context()
      .request('terminal.search', { terminal: copy.terminal, pattern, caseSensitive, limit: HIT_LIMIT });
    const { cursor } = copy;
    const after = hits.findIndex((hit) => hit.line > cursor.line || (hit.line === cursor.line && hit.col >= cursor.col));
    const at = back ? (after < 0 ? hits.length - 1 : (after - 1 + hits.length) % Math.max(1, hits.length)) : Math.max(0, after);
    set({ search: { pattern, back, hits, total, at } });
    const hit = hits[at];
    if (hit) go({ line: hit.line, col: hit.col });
    else say(o.context(), `nothing found for ${pattern}`);
  }

  function step(by: 1 | -1): void {
    const search = mode()?.search;
    if (!search || search.hits.length === 0) return say(o.context(), 'search first: /');
    const at = (search.at + (search.back ? -by : by) + search.hits.length) % search.hits.length;
    set({ search: { ...search, at } });
    go(search.hits[at]!);
  }

  function ask(back: boolean): void {
    const editor = createEditor('', { singleLine: true });
    change(o.context(), (state) =>
      openOverlay(state, { kind: 'input', purpose: { for: 'copy-search', back }, label: back ? '?' : '/', editor }),
    );
  }

  const acts: Record<string, () => void | Promise<void>> = {
    top: () => jump('start'),
    bottom: () => jump('end'),
    swap: () => {
      const copy = mode();
      if (copy?.anchor) {
        set({ anchor: copy.cursor });
        go(copy.anchor);
      }
    },
    yank,
    find: () => ask(false),
    'find-back': () => ask(true),
    next: () => step(1),
    previous: () => step(-1),
    leave: () => (mode()?.anchor ? set({ anchor: null }) : leave()),
  };

  return {
    enter(terminal, at) {
      const screen = o.screen(terminal);
      if (!screen) return;
      const { cursor, top } = { ...screen.facts };
      const place = { line: top.line + cursor.y, col: cursor.x };
      change(o.context(), (state) => ({
        ...focusPane(state, terminal),
        copy: { terminal, cursor: place, anchor: null, shape: 'characters', search: null },
      }));
      if (at === 'page-up') go(moveCopy(place, 'page-back', screen));
    },
    run(command: CommandId) {
      const name = command.slice('copy.'.length);
      const copy = mode();
      const screen = copy && o.screen(copy.terminal);
      if (!copy || !screen) return;
      if (MOTIONS.has(name)) return go(moveCopy(copy.cursor, name as Motion, screen));
      const shape = SHAPES[name];
      if (shape) return set(copy.anchor && copy.shape === shape ? { anchor: null } : { anchor: copy.anchor ?? copy.cursor, shape });
      const result = acts[name]?.();
      if (result instanceof Promise) result.catch((error) => sayError(o.context(), error));
    },
    find,
  };
}

/** The text of a selection, from the server: it knows which rows are one line. */
export async function selectedText({ request }: CommandContext, selection: Selection, cols: number): Promise<string> {
  const { anchor, head, terminal, shape } = selection;
  const forward = anchor.line < head.line || (anchor.line === head.line && anchor.col <= head.col);
  let [from, to] = forward ? [anchor, head] : [head, anchor];
  if (shape === 'lines')
    [from, to] = [
      { line: from.line, col: 0 },
      { line: to.line, col: Math.max(0, cols - 1) },
    ];
  if (shape === 'block')
    [from, to] = [
      { line: from.line, col: Math.min(from.col, to.col) },
      { line: to.line, col: Math.max(from.col, to.col) },
    ];
  const { text } = await request('terminal.text', {
    terminal,
    from,
    to,
    ...(shape === 'block' ? { rectangle: true } : {}),
  });
  return text;
}

export function copiedText(text: string): string {
  const lines = text.split('\n').length;
  return lines === 1 ? `copied ${text.length} ${text.length === 1 ? 'character' : 'characters'}` : `copied ${lines} lines`;
}
