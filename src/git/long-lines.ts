// The lines of a long patch: a hunk that has been parsed before is not parsed again, and where it stands as it stood it is the same object.
// For patches past the limit for moved lines only: nothing is marked in their lines afterwards.

import type { Hunk } from '../model/review/changeset.ts';
import { shiftLines } from '../model/review/diff-pieces.ts';
import { joinPatch, type PatchHunk } from './patch-hunks.ts';
import { type ParsedPatch, parsePatch } from './patch-parse.ts';

interface Parsed {
  hunk: Hunk;
  invalidUtf8: boolean;
  bom: ParsedPatch['bom'];
}

export class LongLines {
  /** By the bytes of their bodies, which live as long as the patch. */
  readonly #known = new WeakMap<Buffer, Parsed>();

  /** As `parsePatch` of them all would say, of at most so many lines and bytes. */
  parse(hunks: readonly PatchHunk[], most: { lines: number; bytes: number }): ParsedPatch {
    const out: ParsedPatch = { hunks: [], binary: false, invalidUtf8: false, bom: { old: false, new: false }, truncated: false };
    let { lines, bytes } = most;
    for (const patch of hunks) {
      const { hunk, invalidUtf8, bom } = this.#parsed(patch);
      bytes -= patch.body.length;
      if (bytes < 0 || hunk.lines.length > lines) {
        out.truncated = true;
        if (bytes >= 0) out.hunks.push({ ...hunk, lines: hunk.lines.slice(0, lines) });
        return out;
      }
      lines -= hunk.lines.length;
      out.hunks.push(hunk);
      out.invalidUtf8 ||= invalidUtf8;
      out.bom.old ||= bom.old;
      out.bom.new ||= bom.new;
    }
    return out;
  }

  #parsed(patch: PatchHunk): Parsed {
    const known = this.#known.get(patch.body);
    const now = known && placed(known, patch);
    const parsed = now ?? parsedAnew(patch);
    this.#known.set(patch.body, parsed);
    return parsed;
  }
}

function parsedAnew(patch: PatchHunk): Parsed {
  const { hunks, invalidUtf8, bom } = parsePatch(joinPatch([patch]));
  return { hunk: hunks[0]!, invalidUtf8, bom };
}

/** The same lines where they stand now; null at the beginning of a file, where a mark may be no text. */
function placed(known: Parsed, { oldStart, newStart }: PatchHunk): Parsed | null {
  const { hunk } = known;
  const by = { old: oldStart - hunk.oldStart, new: newStart - hunk.newStart };
  if (by.old === 0 && by.new === 0) return known;
  if (Math.min(oldStart, newStart, hunk.oldStart, hunk.newStart) <= 1) return null;
  return { ...known, hunk: { ...hunk, oldStart, newStart, lines: shiftLines(hunk.lines, by) } };
}
