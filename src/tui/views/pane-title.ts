// The line above a pane: its name, what matters about it, and where panes hide behind one another all names as tabs.
import type { Rect } from '../layout.ts';
import { cutText, fitLine, type Line, lineCells, type Span, textCells } from '../spans.ts';
import type { Block } from './block.ts';

export interface PaneTitleProps {
  name: string;
  /** Said at the right end, most wanted last. */
  facts: Line;
  focused: boolean;
  /** Names of all panes when only one is shown, and which that is. */
  tabs: readonly { name: string; shown: boolean }[];
  zoomed: boolean;
}

export function paneTitleBar({ rect, ...props }: PaneTitleProps & { rect: Rect }): Block {
  return { rect, lines: [paneTitleLine(props, rect.cols)] };
}

export function paneTitleLine({ name, facts, focused, tabs, zoomed }: PaneTitleProps, cols: number): Line {
  const rule = focused ? 'borderFocus' : 'border';
  const left = namesOf({ name, focused, tabs, zoomed }, rule);
  const right = factsOf(facts, rule);
  const room = cols - lineCells(left) - lineCells(right);
  if (room >= 1) return [...left, { text: '─'.repeat(room), color: rule }, ...right];
  const short =
    tabs.length > 0 ? left : [left[0]!, nameSpan(cutText(name, Math.max(6, cols - lineCells(right) - 4)), focused), { text: ' ' }];
  const rest = cols - lineCells(short) - lineCells(right);
  if (rest >= 0) return [...short, { text: '─'.repeat(rest), color: rule }, ...right];
  const bare = cols - lineCells(left);
  return bare >= 0 ? [...left, { text: '─'.repeat(bare), color: rule }] : fitLine(left, cols);
}

/** Cells of a title with everything in it. */
export function titleCells(title: PaneTitleProps): number {
  return lineCells(namesOf(title, 'border')) + lineCells(factsOf(title.facts, 'border'));
}

function namesOf({ name, focused, tabs, zoomed }: Omit<PaneTitleProps, 'facts'>, rule: 'border' | 'borderFocus'): Span[] {
  const names = tabs.length > 0 ? tabSpans(tabs, rule) : [nameSpan(name, focused)];
  return [
    { text: '─ ', color: rule },
    ...names,
    ...(zoomed ? [{ text: ' zoomed', color: 'muted' } as const] : []),
    { text: ' ', color: rule },
  ];
}

function factsOf(facts: Line, rule: 'border' | 'borderFocus'): Line {
  return facts.length > 0 ? [{ text: ' ' }, ...facts, { text: ' ' }, { text: '─', color: rule }] : [];
}

/** Which name of a title stands at a column, by its place among the tabs (0: the only one); null for the rule around them. */
export function nameAt({ name, tabs }: PaneTitleProps, x: number): number | null {
  let left = 2;
  for (const [index, text] of (tabs.length > 0 ? tabs.map((tab) => tab.name) : [name]).entries()) {
    const cells = textCells(text);
    if (x >= left && x < left + cells) return index;
    left += cells + 3;
  }
  return null;
}

function nameSpan(name: string, focused: boolean): Span {
  return focused ? { text: name, bold: true } : { text: name, color: 'muted' };
}

function tabSpans(tabs: PaneTitleProps['tabs'], rule: 'border' | 'borderFocus'): Span[] {
  return tabs.flatMap(({ name, shown }, index) => [
    ...(index > 0 ? [{ text: ' │ ', color: rule } as Span] : []),
    shown ? { text: name, bold: true } : ({ text: name, color: 'muted' } as Span),
  ]);
}
