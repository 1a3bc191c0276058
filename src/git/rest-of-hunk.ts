// What of a hunk is still to be staged, or is staged, when the rest of it already is, is not, or was committed. Hunks are told by the lines
// of the file in the worktree that they touch; git says what differs there. Reads only; bytes are kept as they are.

import type { Look } from './run.ts';

interface Range {
  start: number;
  /** Lines; 0: a place between lines, behind `start`. */
  count: number;
}

interface Piece {
  old: Range;
  now: Range;
  text: string;
}

/**
 * A patch without context (`git apply --unidiff-zero`) of what differs between index and worktree (stage) or HEAD and index (unstage) where
 * `patch` has its lines of the worktree; null where nothing does.
 */
export async function restOfHunk(look: Look, path: string, patch: string, action: 'stage' | 'unstage'): Promise<Buffer | null> {
  const touched = rangesOf(patch).map(({ now }) => now);
  const unstaged = await piecesOf(look, path, []);
  if (action === 'stage') return join(unstaged, ({ now }) => touched.some((range) => meet(range, now)));
  const staged = await piecesOf(look, path, ['--cached']);
  const inIndex = touched.map((range) => mapRange(range, unstaged.pieces));
  return join(staged, ({ now }) => inIndex.some((range) => meet(range, now)));
}

interface Pieces {
  head: string;
  pieces: Piece[];
}

async function piecesOf(look: Look, path: string, more: string[]): Promise<Pieces> {
  const flags = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--ignore-submodules', '-U0'];
  const { stdout } = await look.run(['diff', ...more, ...flags, '--', path], { env: { GIT_LITERAL_PATHSPECS: '1' } });
  const [head = '', ...bodies] = stdout.toString('latin1').split(/^(?=@@ )/m);
  return { head, pieces: bodies.flatMap((text) => rangesOf(text).map((ranges) => ({ ...ranges, text }))) };
}

function rangesOf(patch: string): { old: Range; now: Range }[] {
  const range = (start: string, count = '1') => ({ start: Number(start), count: Number(count) });
  return [...patch.matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm)].map(([, a, b, c, d]) => ({
    old: range(a!, b),
    now: range(c!, d),
  }));
}

function join({ head, pieces }: Pieces, wanted: (piece: Piece) => boolean): Buffer | null {
  const chosen = pieces.filter(wanted);
  return chosen.length === 0 ? null : Buffer.from(head + chosen.map(({ text }) => text).join(''), 'latin1');
}

/** They share a line, or a place between lines lies in or at the edge of the other. */
function meet(a: Range, b: Range): boolean {
  const [aFrom, aTo] = bounds(a);
  const [bFrom, bTo] = bounds(b);
  return a.count > 0 && b.count > 0 ? aFrom < bTo && bFrom < aTo : aFrom <= bTo && bFrom <= aTo;
}

/** Half open, lines counted from 0. */
function bounds({ start, count }: Range): [number, number] {
  return count === 0 ? [start, start] : [start - 1, start - 1 + count];
}

/** Lines of the worktree as lines of the index; a piece that they meet counts whole. */
function mapRange(range: Range, pieces: readonly Piece[]): Range {
  let [from, to] = bounds(range);
  let [fromBy, toBy] = [0, 0];
  for (const { old, now } of pieces) {
    const [start, end] = bounds(now);
    const by = old.count - now.count;
    if (end <= from) fromBy += by;
    else if (start < from) from = start;
    if (end <= to) toBy += by;
    else if (start < to) {
      toBy += by;
      to = end;
    }
  }
  return { start: from + fromBy + 1, count: Math.max(1, to + toBy - from - fromBy) };
}
