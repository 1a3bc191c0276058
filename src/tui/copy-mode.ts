// Copy mode: a cursor of one's own in a terminal's text, with selection and search. The cursor's place is text, not screen; the view is
// scrolled so that it is seen. Pure steps here; the server is asked only for text and for hits.
import type { Grid } from '../model/cell.ts';
import { counted } from '../model/counted.ts';
import { cellOf, pointAt } from '../model/text-rows.ts';
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

/** A cell beyond every line's end, the largest that a request may name. */
const LINE_END = 1_000_000;

/** More rows than were printed since the last frame. */
const ALL_ROWS = 1_000_000;

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

/** Where a motion leads: a cell of the view, once it has been scrolled by so many rows (negative: up). */
export interface CopyStep {
  x: number;
  y: number;
  scroll: number;
}

/** The step of a motion from the cursor's place. Words are looked for in the cursor's row; up and down lead to column `goal`. */
export function moveCopy(cursor: TextPoint, motion: Motion, { grid, facts }: CopyScreen, goal: number | null = null): CopyStep {
  const { x, y } = cellOf(facts, cursor, grid.rows) ?? { x: 0, y: cursor.line < facts.top.line ? 0 : grid.rows - 1 };
  const rows: Partial<Record<Motion, number>> = {
    up: -1,
    down: 1,
    'half-up': -(grid.rows >> 1),
    'half-down': grid.rows >> 1,
    'page-back': 1 - grid.rows,
    'page-down': grid.rows - 1,
  };
  const by = rows[motion];
  if (by === undefined) return { x: columnFor(x, y, motion, grid), y, scroll: 0 };
  const to = Math.max(0, Math.min(grid.rows - 1, y + by));
  return { x: goal ?? x, y: to, scroll: y + by - to };
}

/** The column of the character at or before `x` in a row; that of its last one when the row ends before. */
function onText(grid: Grid, x: number, y: number): number {
  const { text, columns } = rowText(grid, y);
  const end = text.trimEnd().length - 1;
  return (
    columns[
      Math.min(
        end,
        columns.findLastIndex((column) => column <= x),
      )
    ] ?? 0
  );
}

function columnFor(col: number, y: number, motion: Motion, grid: Grid): number {
  if (motion === 'left') return Math.max(0, col - 1);
  if (motion === 'right') return Math.min(grid.cols - 1, col + 1);
  const { text, columns } = rowText(grid, y);
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

const MOTIONS: Record<Motion, 'within' | 'vertical'> = {
  ...{ left: 'within', right: 'within', 'line-start': 'within', 'line-end': 'within' },
  ...{ 'word-left': 'within', 'word-right': 'within', 'word-end': 'within' },
  ...{ up: 'vertical', down: 'vertical', 'half-down': 'vertical', 'half-up': 'vertical', 'page-down': 'vertical', 'page-back': 'vertical' },
};
const SHAPES: Record<string, CopyMode['shape']> = { select: 'characters', 'select-lines': 'lines', 'select-block': 'block' };

export interface CopyHostOptions {
  context(): CommandContext;
  screen(terminal: number): CopyScreen | null;
}

export function createCopyHost(o: CopyHostOptions): CopyPort {
  const mode = () => o.context().store.getState().copy;
  const set = (next: Partial<CopyMode>) =>
    change(o.context(), (state) => (state.copy ? { ...state, copy: { ...state.copy, ...next } } : state));

  /** Puts the cursor somewhere; when that is out of sight the view is scrolled there, with some of what stands above. */
  async function go(cursor: TextPoint): Promise<void> {
    const copy = mode();
    const screen = copy && o.screen(copy.terminal);
    if (!copy || !screen) return;
    set({ cursor, goal: null });
    if (cellOf(screen.facts, cursor, screen.grid.rows)) return;
    await o.context().request('view.scroll', { view: copy.terminal, to: { line: cursor.line, col: 0 }, by: -(screen.grid.rows >> 2) });
  }

  /**
   * Scrolls as a motion says; what is in view then has come before the reply. Only rectangles reach past the ends of lines, and what is
   * beside a short line is not forgotten on the way over it.
   */
  async function take({ x, y, scroll }: CopyStep, isVertical: boolean): Promise<void> {
    const copy = mode();
    if (!copy) return;
    if (scroll !== 0) await o.context().request('view.scroll', { view: copy.terminal, by: scroll });
    const screen = o.screen(copy.terminal);
    if (!screen) return;
    const col = copy.anchor && copy.shape === 'block' ? x : onText(screen.grid, x, y);
    set({ cursor: pointAt(screen.facts, col, y), goal: isVertical ? x : null });
  }

  async function jump(to: 'start' | 'end'): Promise<void> {
    const copy = mode();
    if (!copy) return;
    const { first = 0, last = 0 } = o.screen(copy.terminal)?.facts ?? {};
    // Down from the last line known: lines may have come since.
    const place = to === 'start' ? { to: { line: first, col: 0 } } : { to: { line: last, col: 0 }, by: ALL_ROWS };
    await o.context().request('view.scroll', { view: copy.terminal, ...place });
    const screen = o.screen(copy.terminal);
    if (screen) set({ cursor: pointAt(screen.facts, 0, to === 'start' ? 0 : screen.grid.rows - 1), goal: null });
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
    // Asked for before the view is let go: the text is what they see. What is typed next is for the program.
    const asked = selectedText(context, selection);
    leave();
    const text = await asked;
    context.copyText(text, copiedText(text));
  }

  async function find(pattern: string, back: boolean): Promise<void> {
    const copy = mode();
    if (!copy || pattern === '') return;
    const { terminal } = copy;
    const { hits, total } = await o
      .context()
      .request('terminal.search', { terminal, pattern, regex: isExpression(pattern), limit: HIT_LIMIT });
    const { cursor } = copy;
    const after = hits.findIndex((hit) => hit.line > cursor.line || (hit.line === cursor.line && hit.col >= cursor.col));
    const at = back ? (after < 0 ? hits.length - 1 : (after - 1 + hits.length) % Math.max(1, hits.length)) : Math.max(0, after);
    set({ search: { pattern, back, hits, total, at } });
    const hit = hits[at];
    if (hit) await go({ line: hit.line, col: hit.col });
    else say(o.context(), `nothing found for ${pattern}`);
  }

  async function step(by: 1 | -1): Promise<void> {
    const search = mode()?.search;
    if (!search || search.hits.length === 0) return say(o.context(), 'search first: /');
    const at = (search.at + (search.back ? -by : by) + search.hits.length) % search.hits.length;
    set({ search: { ...search, at } });
    const { line, col } = search.hits[at]!;
    await go({ line, col });
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
    swap: async () => {
      const copy = mode();
      if (!copy?.anchor) return;
      set({ anchor: copy.cursor });
      await go(copy.anchor);
    },
    yank,
    next: () => step(1),
    previous: () => step(-1),
  };
  /** What needs no place: the next key is no longer copy mode's. */
  const atOnce: Record<string, () => void> = {
    find: () => ask(false),
    'find-back': () => ask(true),
    leave: () => (mode()?.anchor ? set({ anchor: null }) : leave()),
  };

  function press(name: string): void | Promise<void> {
    const copy = mode();
    const screen = copy && o.screen(copy.terminal);
    if (!copy || !screen) return;
    const motion = MOTIONS[name as Motion];
    if (motion) return take(moveCopy(copy.cursor, name as Motion, screen, copy.goal), motion === 'vertical');
    const shape = SHAPES[name];
    if (shape) return set(copy.anchor && copy.shape === shape ? { anchor: null } : { anchor: copy.anchor ?? copy.cursor, shape });
    return acts[name]?.();
  }

  let last: Promise<void> | null = null;
  /** A step may wait for the server: keys that were pressed meanwhile begin where it ends. */
  function inOrder(act: () => void | Promise<void>): void {
    const begun = last ? last.then(act) : act();
    if (!(begun instanceof Promise)) return;
    const ended = begun
      .catch((error) => sayError(o.context(), error))
      .finally(() => {
        if (last === ended) last = null;
      });
    last = ended;
  }

  /** The terminal has come to be shown just now: its screen is there before the reply. */
  async function show(terminal: number): Promise<void> {
    try {
      await o.context().request('view.scroll', { view: terminal, by: 0 });
      const screen = o.screen(terminal);
      if (screen) set({ cursor: cursorPlace(screen) });
    } catch (error) {
      change(o.context(), (state) => ({ ...state, copy: null }));
      throw error;
    }
  }

  return {
    enter(terminal, at) {
      const screen = o.screen(terminal);
      const cursor = screen ? cursorPlace(screen) : { line: 0, col: 0 };
      change(o.context(), (state) => ({
        ...focusPane(state, terminal),
        copy: { terminal, cursor, goal: null, anchor: null, shape: 'characters', search: null },
      }));
      if (!screen) inOrder(() => show(terminal));
      if (at === 'page-up') inOrder(() => press('page-back'));
    },
    run(command: CommandId) {
      const name = command.slice('copy.'.length);
      const now = atOnce[name];
      if (now) now();
      else inOrder(() => press(name));
    },
    find: (pattern, back) => inOrder(() => find(pattern, back)),
  };
}

/** As in vi and less a pattern is a regular expression; what cannot be one, like `foo(`, is looked for as it is. */
function isExpression(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Where the program's cursor stands in the text. */
function cursorPlace({ facts }: CopyScreen): TextPoint {
  return pointAt(facts, facts.cursor.x, facts.cursor.y);
}

/** The text of a selection, from the server: it knows which rows are one line. */
export async function selectedText({ request }: CommandContext, selection: Selection): Promise<string> {
  const { anchor, head, terminal, shape } = selection;
  const forward = anchor.line < head.line || (anchor.line === head.line && anchor.col <= head.col);
  let [from, to] = forward ? [anchor, head] : [head, anchor];
  if (shape === 'lines')
    [from, to] = [
      { line: from.line, col: 0 },
      { line: to.line, col: LINE_END },
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

/** What is said once `text` has been copied. */
export function copiedText(text: string): string {
  const lines = text.split('\n').length;
  return lines === 1 ? `copied ${counted(text.length, 'character')}` : `copied ${lines} lines`;
}
