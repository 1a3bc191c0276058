// Changesets for tests of the diff pane, made from short descriptions, and grids as text.
import { CELL_WORDS, CLUSTER, CODE_MASK, type Grid, WIDTH_SHIFT } from '../../src/model/cell.ts';
import type { ChangedFile, Changeset, DiffLine, FileDiff, Hunk } from '../../src/model/review/changeset.ts';
import type { Comment } from '../../src/model/review/comment.ts';
import { applyDiff } from '../../src/tui/diff/intents.ts';
import { createDiffView, type DiffView } from '../../src/tui/diff/view.ts';

/** A hunk from its head (old and new start) and lines that begin with ' ', '-' or '+'. */
export function hunkOf(oldStart: number, newStart: number, text: string, section = ''): Hunk {
  let [old, now] = [oldStart, newStart];
  const lines = text.split('\n').map((line): DiffLine => {
    const kind = line[0] === '+' ? 'added' : line[0] === '-' ? 'removed' : 'context';
    return { kind, old: kind === 'added' ? null : old++, new: kind === 'removed' ? null : now++, text: line.slice(1) };
  });
  return { oldStart, oldLines: old - oldStart, newStart, newLines: now - newStart, section, lines };
}

export function fileOf(path: string, more: Partial<ChangedFile> = {}): ChangedFile {
  const stages = { committed: false, staged: false, unstaged: true };
  return { path, status: 'modified', added: 1, removed: 1, ...stages, fingerprint: `${path} 1`, ...more };
}

export function diffOf(file: ChangedFile, hunks: Hunk[], more: Partial<FileDiff> = {}): FileDiff {
  return { file, hunks, notes: [], truncated: false, generation: 1, ...more };
}

export function changesetOf(files: ChangedFile[], more: Partial<Changeset> = {}): Changeset {
  const base = { name: 'main', commit: 'abc', recorded: 'abc', moved: false };
  return { scope: 'base', base, branch: 'b', head: 'h', files, added: 1, removed: 1, generation: 1, at: 0, ...more };
}

export function commentOn(id: number, path: string, line: number, body: string, more: Partial<Comment> = {}): Comment {
  const range = { start: line, end: line };
  return {
    id,
    workspace: 1,
    author: 'user',
    anchor: { path, side: 'new', range, lines: ['x'], before: [], after: [], baseCommit: null },
    place: { placement: 'exact', path, range },
    body,
    state: 'draft',
    rounds: [],
    replies: [],
    created: 0,
    updated: 0,
    ...more,
  };
}

/** Lines that a hunk adds, numbered from `from`. */
export const addedLines = (n: number, from = 1) => Array.from({ length: n }, (_, i) => `+line ${from + i}`).join('\n');

/** A file of `hunks` hunks, each a context line and `lines` added ones. */
export function bigFile(path: string, hunks: number, lines = 4): [ChangedFile, FileDiff] {
  const file = fileOf(path, { added: hunks * lines, removed: 0 });
  const list = Array.from({ length: hunks }, (_, i) =>
    hunkOf(100 * i + 10, 100 * i + 10 + i * lines, ` ctx ${path} ${i}\n${addedLines(lines, 100 * i)}`),
  );
  return [file, diffOf(file, list)];
}

/** A pane that has taken these files, and their lines where given. */
export function viewOf(files: [ChangedFile, FileDiff | null][], rows = 12, cols = 60): DiffView {
  let view = applyDiff(createDiffView(cols, rows), { do: 'take-changeset', changeset: changesetOf(files.map(([f]) => f)), viewed: {} });
  for (const [file, diff] of files) if (diff) view = applyDiff(view, { do: 'take-file', path: file.path, diff });
  return view;
}

/** The rows of a grid as text, trailing blanks cut. */
export function gridText(grid: Grid): string[] {
  return Array.from({ length: grid.rows }, (_, y) => {
    let text = '';
    for (let x = 0; x < grid.cols; x++) {
      const word = grid.cells[(y * grid.cols + x) * CELL_WORDS]!;
      if (((word >> WIDTH_SHIFT) & 3) === 0) continue;
      text += word & CLUSTER ? grid.tables.clusters[word & CODE_MASK] : String.fromCodePoint(word & CODE_MASK || 32);
    }
    return text.trimEnd();
  });
}
