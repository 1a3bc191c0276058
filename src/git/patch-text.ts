// Patches as text: taken apart into hunks and put together again with some of their lines only. Pure; one character is one byte (latin1), so
// that bytes which are no UTF-8 stay what they are.

import { readHunkHead } from './patch-hunks.ts';

interface Range {
  start: number;
  /** Lines; 0: a place between lines, behind `start`. */
  count: number;
}

export interface TextHunk {
  old: Range;
  now: Range;
  /** Lines with their mark ' ', '-' or '+', and their end; with "\ No newline at end of file" behind them where that is said of them. */
  lines: string[];
}

export interface PatchText {
  /** What stands above the first hunk. */
  head: string;
  hunks: TextHunk[];
}

/** Lines, counted from 0: [from, to). With from = to a place between two of them. */
export type Lines = [from: number, to: number];

/** The patch of one file, bytes as latin1. A hunk whose head is none is left out. */
export function parsePatchText(patch: string): PatchText {
  const [head = '', ...bodies] = patch.split(/(?<=\n)(?=@@ -)/);
  return { head, hunks: bodies.flatMap((body) => parseHunk(body) ?? []) };
}

function parseHunk(body: string): TextHunk | null {
  const [first = ''] = body.split('\n', 1);
  const head = readHunkHead(first);
  if (!head) return null;
  const lines = body.slice(first.length + 1).match(/[ +-][^\n]*\n(\\[^\n]*\n?)?/g) ?? [];
  return { old: { start: head.oldStart, count: head.oldLines }, now: { start: head.newStart, count: head.newLines }, lines };
}

/** The lines of a side. */
export function linesOf({ start, count }: Range): Lines {
  return count === 0 ? [start, start] : [start - 1, start - 1 + count];
}

/** They share a line, or a place between lines lies in or at the edge of the other. */
export function meet([aFrom, aTo]: Lines, [bFrom, bTo]: Lines): boolean {
  return aFrom < aTo && bFrom < bTo ? aFrom < bTo && bFrom < aTo : aFrom <= bTo && bFrom <= aTo;
}

/** A changed line's place on the new side: its own when it was added, where it stood when it was removed. */
export interface ChangedLine {
  /** Its place among the lines of the hunk. */
  index: number;
  mark: '+' | '-';
  text: string;
  now: Lines;
}

/** The lines that a hunk adds and removes, each with its place in the hunk and where on the new side it stands. */
export function changedLines({ now, lines }: TextHunk): ChangedLine[] {
  const out: ChangedLine[] = [];
  let at = linesOf(now)[0];
  lines.forEach((line, index) => {
    const mark = line[0];
    const to = mark === '-' ? at : at + 1;
    if (mark === '+' || mark === '-') out.push({ index, mark, text: line.slice(1), now: [at, to] });
    at = to;
  });
  return out;
}

/**
 * The hunk with the changes that `keep` takes only. Of the others those that would be there without it stay as context: removed lines, or with
 * `reverse` (for a patch that is taken back) added ones. Each removed line stands beside the added one of its place.
 */
export function chooseLines(hunk: TextHunk, keep: (index: number) => boolean, reverse: boolean): TextHunk {
  const stays = reverse ? '+' : '-';
  const lines = inPairs(hunk.lines).flatMap((index) => {
    const line = hunk.lines[index]!;
    if (line[0] === ' ' || keep(index)) return [line];
    return line[0] === stays ? [` ${line.slice(1)}`] : [];
  });
  return { ...hunk, lines };
}

/** Indexes of the lines; in each run of changes the first removed and the first added line, the second ones, and so on. */
function inPairs(lines: readonly string[]): number[] {
  const out: number[] = [];
  for (let at = 0; at < lines.length; ) {
    const from = at;
    while (lines[at]?.[0] === '-') at++;
    const middle = at;
    while (lines[at]?.[0] === '+') at++;
    if (at === from) out.push(at++);
    else
      for (let i = 0; i < Math.max(middle - from, at - middle); i++) {
        if (from + i < middle) out.push(from + i);
        if (middle + i < at) out.push(middle + i);
      }
  }
  return out;
}

/**
 * The text of a patch. Its side that is in the file already (the old one; with `reverse` the new one) stands where the hunks say, the other is
 * moved by the hunks before it: git looks for lines where that side would have them.
 */
export function printPatch({ head, hunks }: PatchText, reverse: boolean): string {
  let shift = 0;
  const bodies = hunks.map(({ old, now, lines }) => {
    const oldCount = lines.filter((line) => line[0] !== '+').length;
    const nowCount = lines.filter((line) => line[0] !== '-').length;
    const lead = reverse ? linesOf(now)[0] : linesOf(old)[0];
    const range = (before: number, count: number) => `${count === 0 ? before : before + 1},${count}`;
    const [from, to] = reverse ? [lead - shift, lead] : [lead, lead + shift];
    shift += nowCount - oldCount;
    return `@@ -${range(from, oldCount)} +${range(to, nowCount)} @@\n${lines.join('')}`;
  });
  return head + bodies.join('');
}
