// The list of workspaces by repository as rows of text: two lines each while there is room, else one; a rail of glyphs and numbers when
// narrow. Views draw these rows and clicks look them up, so that a click finds what was drawn.
import type { Workspace } from '../../model/workspace.ts';
import { ageText, diffSizeSpans, glyphSpan, lookFor, rowText } from '../agent-look.ts';
import type { Rect } from '../layout.ts';
import { cutText, fitLine, type Line, lineCells, plain, type Span, spread, textCells } from '../spans.ts';
import { groupByRepository, lookOf, overlaps } from '../store/attention.ts';
import type { ClientState } from '../store/state.ts';

export interface SidebarRow {
  line: Line;
  /** Workspace this row belongs to, and whether it is the line with the question. */
  workspace: number | null;
  detail: boolean;
}

export interface SidebarProps {
  workspaces: readonly Workspace[];
  shown: number | null;
  /** Row with the list's cursor; null when the list has no keys. */
  at: number | null;
  /** Marked for a prompt to several. */
  marked: readonly number[];
  overlaps: readonly { names: string[]; path: string; more: number }[];
  now: number;
}

/** Overlaps worth a place in the sidebar. */
const OVERLAPS_SHOWN = 2;

/** What the sidebar shows; the mouse asks the same. */
export function sidebarProps(state: ClientState): SidebarProps {
  return {
    workspaces: state.workspaces,
    shown: state.shown,
    at: state.zone === 'list' ? state.listAt : null,
    marked: state.marked,
    overlaps: overlaps(state, OVERLAPS_SHOWN),
    now: state.now,
  };
}

/** The rows as drawn in a rectangle, top first. */
export function sidebarRows(props: SidebarProps, { cols, rows }: { cols: number; rows: number }): SidebarRow[] {
  const notes = overlapRows(props.overlaps, cols);
  const heads = groupByRepository(props.workspaces).length;
  const need = props.workspaces.length * 2 + heads + notes.length;
  const list = listRows(props, cols, need <= rows, need + heads <= rows);
  const keep = Math.max(0, rows - notes.length);
  const shown = scrollTo(list, props.at ?? props.shown, list.length + notes.length <= rows ? rows : keep);
  if (notes.length === 0 || shown.length + notes.length > rows) return shown;
  const gap = Array.from({ length: rows - shown.length - notes.length }, () => blankRow(cols));
  return [...shown, ...gap, ...notes];
}

function listRows(props: SidebarProps, cols: number, roomy: boolean, airy: boolean): SidebarRow[] {
  const out: SidebarRow[] = [];
  for (const group of groupByRepository(props.workspaces)) {
    if (airy && out.length > 0) out.push(blankRow(cols));
    out.push({ line: fitLine([{ text: ` ${plain(group.name)}`, color: 'muted', bold: true }], cols), workspace: null, detail: false });
    for (const workspace of group.workspaces) out.push(...workspaceRows(workspace, props, cols, roomy));
  }
  return out;
}

/** Ground of a row: the shown one is selected, one that asks is tinted. */
function groundOf(workspace: Workspace, props: SidebarProps): Omit<Span, 'text'> {
  if (workspace.id === (props.at ?? props.shown)) return { ground: 'selected' };
  return lookOf(workspace.agent) === 'blocked' ? { ground: 'accentGround' } : {};
}

/** The edge of a row: shown, or marked for a prompt. */
function markOf({ id }: Workspace, props: SidebarProps): Span {
  if (props.marked.includes(id)) return { text: '✓', color: 'accent' };
  return id === props.shown ? { text: '▌', color: 'borderFocus' } : { text: ' ' };
}

function workspaceRows(workspace: Workspace, props: SidebarProps, cols: number, roomy: boolean): SidebarRow[] {
  const fill = groundOf(workspace, props);
  const number = props.workspaces.indexOf(workspace) + 1;
  const look = lookFor(workspace.agent);
  const mark = markOf(workspace, props);
  const name: Span = { text: ` ${plain(workspace.name)}`, bold: look.bold || workspace.id === props.shown };
  if (look.word === 'idle' || look.word === 'exited') name.color = 'muted';
  const left = [mark, glyphSpan(workspace.agent), name];
  const right: Span[] = [
    { text: ` ${ageText(workspace.agent.since, props.now)}`, color: 'muted' },
    { text: number <= 9 ? ` ${number}` : '  ', color: 'faint' },
    { text: ' ' },
  ];
  const first: SidebarRow = { line: spread(left, right, cols, fill), workspace: workspace.id, detail: false };
  if (!roomy) return [first];
  return [first, { line: detailLine(workspace, props.now, cols, mark, fill), workspace: workspace.id, detail: true }];
}

function detailLine(workspace: Workspace, now: number, cols: number, mark: Span, fill: Omit<Span, 'text'>): Line {
  const blocked = lookOf(workspace.agent) === 'blocked';
  const size = diffSizeSpans(workspace.diff);
  const trouble = workspace.trouble ?? workspace.terminals.find((terminal) => terminal.trouble)?.trouble;
  const text = trouble ? plain(trouble) : rowText(workspace, now);
  const room = cols - 4 - lineCells(size);
  const span: Span = { text: `  ${cutText(text, Math.max(8, room))}`, color: trouble ? 'warning' : blocked ? 'accent' : 'muted' };
  return spread([mark, span], size.length > 0 ? [{ text: ' ' }, ...size, { text: ' ' }] : [], cols, fill);
}

function overlapRows(overlaps: SidebarProps['overlaps'], cols: number): SidebarRow[] {
  return overlaps.flatMap(({ names, path, more }) => {
    const who = names.length === 2 ? `${names[0]} and ${names[1]} both` : `${names[0]}, ${names[1]} and ${names.length - 2} more`;
    const tail = more > 0 ? ` +${more}` : '';
    const lines: Line[] = [
      [
        { text: ' ⚠ ', color: 'warning' },
        { text: plain(who), color: 'muted' },
      ],
      [{ text: `   edit ${endOf(plain(path), cols - 9 - tail.length)}${tail}`, color: 'muted' }],
    ];
    return lines.map((line) => ({ line: fitLine(line, cols), workspace: null, detail: false }));
  });
}

/** The end of a path that is too long: the file's name is what tells. */
function endOf(path: string, cols: number): string {
  if (textCells(path) <= cols) return path;
  let cut = path;
  while (cut !== '' && textCells(cut) > cols - 1) cut = cut.slice(1);
  return `…${cut}`;
}

/** The list of workspaces where there is no room for names: mark, glyph and number, scrolled to the one at the cursor. */
export function railRows(props: SidebarProps, { cols, rows }: { cols: number; rows: number }): SidebarRow[] {
  const list = props.workspaces.map((workspace, index) => {
    const fill = groundOf(workspace, props);
    const mark = markOf(workspace, props);
    const line = fitLine(
      [mark, glyphSpan(workspace.agent), { text: `${index + 1}`, color: workspace.id === props.shown ? 'barText' : 'muted' }],
      cols,
      fill,
    );
    return { line, workspace: workspace.id, detail: false };
  });
  return scrollTo(list, props.at ?? props.shown, rows);
}

/** A window of `rows` rows that holds the workspace. */
function scrollTo(list: SidebarRow[], workspace: number | null, rows: number): SidebarRow[] {
  if (list.length <= rows) return list;
  const last = list.findLastIndex((row) => row.workspace === workspace);
  const top = Math.max(0, Math.min(last - Math.floor(rows / 2), list.length - rows));
  return list.slice(top, top + rows);
}

function blankRow(cols: number): SidebarRow {
  return { line: fitLine([], cols), workspace: null, detail: false };
}

/** The workspace under row `y` (from the sidebar's top), and whether the row shows its question. */
export function sidebarHit(props: SidebarProps, rect: Rect, rail: boolean, y: number): { workspace: number; detail: boolean } | null {
  const row = (rail ? railRows(props, rect) : sidebarRows(props, rect))[y];
  return row && row.workspace !== null ? { workspace: row.workspace, detail: row.detail } : null;
}
