// A patch of one file as its hunks, each with its bytes: taken apart and put together again without decoding. Pure.

import type { HunkHead } from '../model/review/changeset.ts';

/** A hunk of a patch, its section as git's bytes in latin-1; `lines` counts those of its body but for git's remarks. */
export interface PatchHunk extends HunkHead {
  lines: number;
  body: Buffer;
}

const HEAD = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s;

/** What a hunk's first line says; null for a line that is none. */
export function readHunkHead(line: string): HunkHead | null {
  const match = HEAD.exec(line);
  if (!match) return null;
  const [, oldStart, oldLines = 1, newStart, newLines = 1, section] = match;
  return {
    ...{ oldStart: Number(oldStart), oldLines: Number(oldLines) },
    ...{ newStart: Number(newStart), newLines: Number(newLines), section: section! },
  };
}

const LF = 10;
const [PLUS, MINUS, REMARK] = [0x2b, 0x2d, 0x5c];

/** What stands before the hunks is left out. `whole` is false for what is no patch of one text file, or ends in its middle. */
export function splitPatch(patch: Buffer): { hunks: PatchHunk[]; whole: boolean } {
  const hunks: PatchHunk[] = [];
  let at = 0;
  const lineEnd = (from: number) => {
    const end = patch.indexOf(LF, from);
    return end < 0 ? patch.length : end + 1;
  };
  while (at < patch.length && patch[at] !== 0x40) at = lineEnd(at);
  while (at < patch.length) {
    const begin = lineEnd(at);
    const head = readHunkHead(patch.toString('latin1', at, begin - 1));
    if (!head) return { hunks, whole: false };
    let [old, now, lines] = [head.oldLines, head.newLines, 0];
    for (at = begin; at < patch.length && (old > 0 || now > 0 || patch[at] === REMARK); at = lineEnd(at)) {
      if (patch[at] === REMARK) continue;
      lines++;
      if (patch[at] !== PLUS) old--;
      if (patch[at] !== MINUS) now--;
    }
    if (old !== 0 || now !== 0) return { hunks, whole: false };
    hunks.push({ ...head, lines, body: patch.subarray(begin, at) });
  }
  return { hunks, whole: patch.length === 0 || hunks.length > 0 };
}

/** Hunks as the body of a patch, without a file's head. */
export function joinPatch(hunks: readonly PatchHunk[]): Buffer {
  return Buffer.concat(
    hunks.flatMap(({ oldStart, oldLines, newStart, newLines, section, body }) => [
      Buffer.from(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@${section && ` ${section}`}\n`, 'latin1'),
      body,
    ]),
  );
}

/** The old side of a hunk's lines, with their ends as they were. */
export function oldText({ body }: PatchHunk): Buffer {
  const parts: Buffer[] = [];
  let isOld = false;
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf(LF, at);
    const next = end < 0 ? body.length : end + 1;
    // git's remark: the line before it has no end.
    if (body[at] === REMARK) {
      if (isOld) parts.push(parts.pop()!.subarray(0, -1));
    } else {
      isOld = body[at] !== PLUS;
      // An empty line may stand without its sign.
      if (isOld) parts.push(body.subarray(body[at] === LF ? at : at + 1, next));
    }
    at = next;
  }
  return Buffer.concat(parts);
}

/** Lines that hunks add and remove. */
export function changedLines(hunks: readonly PatchHunk[]): { added: number; removed: number } {
  let [added, removed] = [0, 0];
  for (const { oldLines, newLines, lines } of hunks) {
    added += lines - oldLines;
    removed += lines - newLines;
  }
  return { added, removed };
}
