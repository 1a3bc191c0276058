// The list of changed files: flat or as a tree, filtered by name. Plans its lines; the stream follows its cursor.
import type { ChangedFile } from '../../model/review/changeset.ts';
import { jump } from './move.ts';
import { type DiffView, type FileListState, filesOf, type ListLine, listCols } from './view.ts';

/** The lines of the list, top to bottom. */
export function listLines(view: DiffView): readonly ListLine[] {
  const { list, flat, memo } = view;
  if (!list) return [];
  const from = [filesOf(view), list.filter, flat];
  if (!memo.list?.from.every((value, i) => value === from[i])) memo.list = { from, lines: planLines(filesOf(view), list.filter, flat) };
  return memo.list.lines;
}

function planLines(files: readonly ChangedFile[], filter: string, flat: boolean): ListLine[] {
  const shown = files.map((file, index) => ({ file, index })).filter(({ file }) => matches(file, filter));
  if (flat) return shown.map(({ file, index }) => ({ path: file.path, name: file.path, depth: 0, file: index }));
  return treeLines(shown);
}

/** All letters of the filter in order, without regard to case. */
function matches(file: ChangedFile, filter: string): boolean {
  let at = 0;
  const path = `${file.oldPath ?? ''} ${file.path}`.toLowerCase();
  for (const char of filter.toLowerCase()) {
    at = path.indexOf(char, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** Files in the stream's order, each new folder in front of its first file; folders that hold nothing but one folder share its line. */
function treeLines(files: { file: ChangedFile; index: number }[]): ListLine[] {
  const placed = files.map(({ file, index }) => ({ path: file.path, index, steps: stepsOf(file.path) }));
  const held = new Map<string, Set<string>>();
  for (const { steps } of placed) {
    let folder = '';
    for (const step of steps) {
      const within = held.get(folder);
      if (within) within.add(step);
      else held.set(folder, new Set([step]));
      folder += step;
    }
  }
  const lines: ListLine[] = [];
  let open: ListLine[] = [];
  for (const { path, index, steps } of placed) {
    open = open.filter((folder) => path.startsWith(folder.path));
    let folder = open.at(-1)?.path ?? '';
    let name = '';
    for (const step of steps.slice(folder === '' ? 0 : stepsOf(folder).length, -1)) {
      folder += step;
      name += step;
      const [only, more] = held.get(folder)!;
      if (more === undefined && only!.endsWith('/') && `${folder}${only}` !== path) continue;
      const line = { path: folder, name, depth: open.length, file: null };
      lines.push(line);
      open.push(line);
      name = '';
    }
    lines.push({ path, name: steps.at(-1)!, depth: open.length, file: index });
  }
  return lines;
}

/** The folders of a path, each with its slash, and its last name: a repository inside this one ends with a slash too. */
function stepsOf(path: string): string[] {
  return path.match(/[^/]*\/|[^/]+$/g) ?? [path];
}

/** Opens the list on the cursor's file, or closes it. */
export function toggleList(view: DiffView): DiffView {
  const at = filesOf(view)[view.cursor.file]?.path ?? null;
  return { ...view, list: view.list ? null : { at, filter: '' } };
}

/** Between tree and flat list; opens the list when it is closed. */
export function toggleFlat(view: DiffView): DiffView {
  return view.list ? { ...view, flat: !view.flat } : { ...toggleList(view), flat: true };
}

/** Index of the list's cursor among its lines. */
export function listAt(view: DiffView, lines: readonly ListLine[]): number {
  return Math.max(
    0,
    lines.findIndex((line) => line.path === view.list?.at),
  );
}

/** Moves the list's cursor by files; the stream goes along. */
export function moveList(view: DiffView, by: number): DiffView {
  const lines = listLines(view);
  const step = Math.sign(by);
  let at = listAt(view, lines);
  let best = at;
  for (let left = Math.abs(by); left > 0; ) {
    at += step;
    const line = lines[at];
    if (!line) break;
    if (line.file === null) continue;
    best = at;
    left--;
  }
  return pickLine(view, lines[best]);
}

/** Puts list and stream on a line's file. */
function pickLine(view: DiffView, line: ListLine | undefined): DiffView {
  if (!line || !view.list || line.file === null) return view;
  const there = jump(view, line.file, 0);
  return { ...there, top: { file: line.file, row: 0, sub: 0 }, list: { ...view.list, at: line.path } };
}

/** A click on a line; a list that lies over the stream closes to show the file. */
export function openLine(view: DiffView, line: ListLine): DiffView {
  const picked = pickLine(view, line);
  return line.file !== null && listCols(view) === 0 ? { ...picked, list: null } : picked;
}

export function setList(view: DiffView, change: Partial<FileListState>): DiffView {
  if (!view.list) return view;
  const next = { ...view, list: { ...view.list, ...change } };
  const lines = listLines(next);
  if (lines.some((line) => line.path === next.list.at && line.file !== null)) return next;
  return (
    pickLine(
      next,
      lines.find((line) => line.file !== null),
    ) ?? next
  );
}
