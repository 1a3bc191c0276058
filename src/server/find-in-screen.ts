// Text of a terminal between two places, and where a pattern occurs in it. Rows are the screen's own; history counts as far as it draws.

import type { Screen } from '../terminal/screen.ts';
import type { Params, Result, TextPoint } from '../wire/requests.ts';
import { rowTexts } from './read-screen.ts';
import { Refusal } from './refusal.ts';

/** Hits given unless another limit is asked for. */
const HITS = 1000;

/** Rows joined by line ends; of the first and last only the part inside. With `rectangle` the same columns of every row. */
export function textBetween(screen: Screen, from: TextPoint, to: TextPoint, rectangle: boolean): string {
  const { first, rows } = rowTexts(screen);
  const lines = [];
  for (let line = Math.max(first, from.line); line <= to.line && line < first + rows.length; line++) {
    const row = [...rows[line - first]!];
    const start = rectangle || line === from.line ? from.col : 0;
    const end = rectangle || line === to.line ? to.col + 1 : row.length;
    lines.push(row.slice(start, end).join('').trimEnd());
  }
  return lines.join('\n');
}

/** Throws Refusal for a pattern that is no regular expression. */
export function searchScreen(screen: Screen, query: Omit<Params<'terminal.search'>, 'terminal'>): Result<'terminal.search'> {
  const { first, rows } = rowTexts(screen);
  const pattern = compile(query);
  const hits: Result<'terminal.search'>['hits'] = [];
  let total = 0;
  for (const [y, row] of rows.entries()) {
    for (const match of row.matchAll(pattern)) {
      if (match[0] === '') continue;
      total++;
      if (hits.length < (query.limit ?? HITS))
        hits.push({ line: first + y, col: [...row.slice(0, match.index)].length, length: [...match[0]].length });
    }
  }
  return { hits, total };
}

function compile({ pattern, regex, caseSensitive }: Omit<Params<'terminal.search'>, 'terminal'>): RegExp {
  try {
    return new RegExp(regex ? pattern : pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), caseSensitive ? 'gu' : 'giu');
  } catch {
    throw new Refusal('bad-pattern', `"${pattern}" is not a regular expression.`);
  }
}
