// The shapes of how people left their panes and diffs, as requests and the file of layouts have them.
import type { PaneArrangement, PaneTree } from '../model/panes.ts';
import type { Scope } from '../model/review/changeset.ts';
import { type DiffArrangement, KNOWN_BY, MAX_FOLDS } from '../model/review/diff-arrangement.ts';
import { either, flag, id, integer, line, Misfit, object, oneOf, orNull, type Shape, text } from './schema.ts';

/** Deepest nesting of splits: far more than fit on a screen. */
const MAX_DEPTH = 32;

const pane: Shape<number | 'diff'> = (value) => (value === 'diff' ? 'diff' : id(value));

function paneTree(depth: number): Shape<PaneTree> {
  return (value) => {
    if (depth > MAX_DEPTH) throw new Misfit(`nested at most ${MAX_DEPTH} deep`);
    if (typeof value === 'object' && value !== null && 'pane' in value) return object({ pane })(value);
    const inner = paneTree(depth + 1);
    return object<Extract<PaneTree, { split: string }>>({ split: oneOf('beside', 'stacked'), ratio: share, first: inner, second: inner })(
      value,
    ) as PaneTree;
  };
}

const share: Shape<number> = (value) => {
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) throw new Misfit('a share from 0 to 1');
  return value;
};

export const arrangementShape: Shape<PaneArrangement> = object({ tree: paneTree(0), focus: pane, zoom: flag });

export const scopeShape: Shape<Scope> = either(
  oneOf('base', 'uncommitted', 'staged', 'turn', 'look'),
  either(object({ commit: text(256) }), object({ round: line })),
);

/** Rows between a line and one that is known by it: as many as cards have, and some. */
const off = integer(-100_000, 100_000);
const knownLine = object({ number: line, text: text(KNOWN_BY), off });

const folds: Shape<Record<string, boolean>> = (value) => {
  if (typeof value !== 'object' || value === null) throw new Misfit('an object');
  const entries = Object.entries(value);
  if (entries.length > MAX_FOLDS) throw new Misfit(`at most ${MAX_FOLDS} folds`);
  return Object.fromEntries(entries.map(([path, folded]) => [text()(path), flag(folded)]));
};

export const diffArrangementShape: Shape<DiffArrangement> = object({
  scope: scopeShape,
  layout: oneOf('auto', 'split', 'stack'),
  ...{ wrap: flag, ignoreWhitespace: flag, list: orNull(object({ at: orNull(text()) })), flat: flag, folds },
  at: orNull(object({ path: text(), row: integer(0, 10_000), side: oneOf('old', 'new'), line: orNull(knownLine) })),
});
