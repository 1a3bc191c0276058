// Help as rows of text: every key by group, in as many columns as fit, filtered by a query.
import { type HelpGroup, helpGroups, type Keymap } from '../input/keymap.ts';
import type { Rect } from '../layout.ts';
import { innerRect } from '../overlay-geometry.ts';
import { fitLine, type Line } from '../spans.ts';

/** A column of keys and titles needs about this many cells. */
const COLUMN = 48;
const KEYS = 20;

/** Greatest scroll position of the help for a query, in rows. */
export function helpEnd(keymap: Keymap, query: string, rect: Rect): number {
  const inner = innerRect(rect);
  const rows = Math.max(0, inner.rows - 2);
  return Math.max(0, helpLines(keymap, query, inner.cols, rows).length - rows);
}

/** All lines of help: groups flow down the columns when everything fits so, else they stand below one another in each. */
export function helpLines(keymap: Keymap, query: string, cols: number, rows: number): Line[] {
  const blocks = matching(helpGroups(keymap), query).map((group) => groupLines(group));
  const total = blocks.reduce((sum, block) => sum + block.length, 0);
  const columns = Math.max(1, Math.floor(cols / COLUMN));
  const target = Math.max(columns > 1 ? Math.ceil(total / columns) : total, Math.min(rows, total));
  const stacks: Line[][] = [[]];
  for (const block of blocks) {
    const last = stacks.at(-1)!;
    if (last.length > 0 && last.length + block.length > target && stacks.length < columns) stacks.push([...block]);
    else last.push(...block);
  }
  const width = Math.floor(cols / stacks.length);
  const height = Math.max(0, ...stacks.map((stack) => stack.length));
  return Array.from({ length: height }, (_, row) => stacks.flatMap((stack) => [...fitLine(stack[row] ?? [], width)]));
}

function matching(groups: HelpGroup[], query: string): HelpGroup[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  return groups
    .map(({ group, rows }) => ({ group, rows: rows.filter((row) => fits(`${group} ${row.title} ${row.keys}`)) }))
    .filter(({ rows }) => rows.length > 0);
}

function groupLines({ group, rows }: HelpGroup): Line[] {
  const head: Line = [{ text: group, bold: true }];
  return [
    head,
    ...rows.map(
      ({ keys, title }): Line => [...fitLine([{ text: keys, color: 'key' }], KEYS), { text: ` ${title}`, color: 'barText' }, { text: ' ' }],
    ),
    [],
  ];
}
