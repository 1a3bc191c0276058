// Changesets for tests of the diff pane, made from short descriptions, and grids as text.
import { CELL_WORDS, CLUSTER, CODE_MASK, type Grid, WIDTH_SHIFT } from '../../src/model/cell.ts';
import type { ChangedFile, Changeset, DiffLine, FileDiff, Hunk } from '../../src/model/review/changeset.ts';
import type { Comment } from '../../src/model/review/comment.ts';

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
