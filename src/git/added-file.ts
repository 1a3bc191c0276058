// A file that git does not know yet, as a diff: all its lines added, made here without a git process. Never follows a link.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { DiffLine, Hunk } from '../model/review/changeset.ts';
import { type ParsedPatch, parsePatch } from './patch-parse.ts';

/** Reads at most `limit` bytes of a regular file; `cut` when there was more. */
export function readFile(full: string, limit: number): { bytes: Buffer; cut: boolean } {
  const fd = openSync(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    // As large as it is said to be, and one byte more to see its end; a file that grows meanwhile is read on.
    let bytes = Buffer.allocUnsafe(Math.min(fstatSync(fd).size, limit) + 1);
    for (let size = 0; ; ) {
      const n = readSync(fd, bytes, size, bytes.length - size, null);
      size += n;
      if (n === 0) return { bytes: bytes.subarray(0, size), cut: false };
      if (size > limit) return { bytes: bytes.subarray(0, limit), cut: true };
      if (size === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(Math.min(size, limit + 1 - size))]);
    }
  } finally {
    closeSync(fd);
  }
}

/** The bytes as git would print a new file's patch body, parsed by the same parser: same rules for line ends, encodings and caps. */
export function addedDiff(bytes: Buffer, maxLines: number): ParsedPatch {
  if (bytes.length === 0) return { hunks: [], binary: false, invalidUtf8: false, bom: { old: false, new: false }, truncated: false };
  return parsePatch(addedPatchBody(bytes), maxLines);
}

/** "@@ -0,0 +1,n @@" and every line with a plus. */
export function addedPatchBody(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  const plus = Buffer.from('+');
  let at = 0;
  let lines = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(10, at);
    const stop = end < 0 ? bytes.length : end + 1;
    parts.push(plus, bytes.subarray(at, stop));
    at = stop;
    lines += 1;
  }
  if (bytes.at(-1) !== 10) parts.push(Buffer.from('\n\\ No newline at end of file\n'));
  return Buffer.concat([Buffer.from(`@@ -0,0 +1${lines === 1 ? '' : `,${lines}`} @@\n`), ...parts]);
}

/** Hunks of plain texts by our own line diff, for what git calls binary (UTF-16). */
export function hunksOfLines(
  hunks: readonly { oldStart: number; oldLines: number; newStart: number; newLines: number; lines: string[] }[],
): Hunk[] {
  return hunks.map((h) => {
    let old = h.oldStart;
    let now = h.newStart;
    const lines: DiffLine[] = [];
    for (const raw of h.lines) {
      const text = raw.slice(1);
      const crlf = text.endsWith('\r');
      const rest = { text: crlf ? text.slice(0, -1) : text, ...(crlf ? { eol: 'crlf' as const } : {}) };
      if (raw[0] === '\\') {
        const last = lines.at(-1);
        if (last) last.noNewline = true;
      } else if (raw[0] === '+') lines.push({ kind: 'added', old: null, new: now++, ...rest });
      else if (raw[0] === '-') lines.push({ kind: 'removed', old: old++, new: null, ...rest });
      else lines.push({ kind: 'context', old: old++, new: now++, ...rest });
    }
    return { oldStart: h.oldStart, oldLines: h.oldLines, newStart: h.newStart, newLines: h.newLines, section: '', lines };
  });
}
