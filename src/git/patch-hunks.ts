// A patch of one file as its hunks, each with its bytes: taken apart and put together again without decoding. Pure.

/** A hunk of a patch; `lines` counts those of its body but for git's remarks. */
export interface PatchHunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** Text behind the second @@, as git's bytes in latin-1. */
  section: string;
  lines: number;
  body: Buffer;
}

const HEAD = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s;
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
    const match = HEAD.exec(patch.toString('latin1', at, begin - 1));
    if (!match) return { hunks, whole: false };
    const hunk = {
      ...{ oldStart: Number(match[1]), oldLines: Number(match[2] ?? 1) },
      ...{ newStart: Number(match[3]), newLines: Number(match[4] ?? 1), section: match[5]! },
    };
    let [old, now, lines] = [hunk.oldLines, hunk.newLines, 0];
    for (at = begin; at < patch.length && (old > 0 || now > 0 || patch[at] === REMARK); at = lineEnd(at)) {
      if (patch[at] === REMARK) continue;
      lines++;
      if (patch[at] !== PLUS) old--;
      if (patch[at] !== MINUS) now--;
    }
    if (old !== 0 || now !== 0) return { hunks, whole: false };
    hunks.push({ ...hunk, lines, body: patch.subarray(begin, at) });
  }
  return { hunks, whole: patch.length === 0 || hunks.length > 0 };
}

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
