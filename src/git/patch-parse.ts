// From git's patch bytes to hunks. Pure. Lines are counted by the hunk header, never guessed from their looks, so content that looks like a
// diff stays content. Line ends are told apart here (LF, CRLF, lone CR, none), text is decoded here and nowhere else.

import type { DiffLine, Hunk } from '../model/review/changeset.ts';
import { readHunkHead } from './patch-hunks.ts';

export interface ParsedPatch {
  hunks: Hunk[];
  binary: boolean;
  /** Some line is no UTF-8 and shows replacement characters. */
  invalidUtf8: boolean;
  /** A byte order mark stood at the start of a side and was taken off. */
  bom: { old: boolean; new: boolean };
  /** Stopped at `maxLines`; the last hunk may be short. */
  truncated: boolean;
}

const LF = 10;
const CR = 13;
/** git prints only so much of a section; a hostile line is cut. */
const SECTION_LIMIT = 200;

/** Patch of one file (or of a type change: two sections, deletion and creation). Reads at most `maxLines` lines of hunks. */
export function parsePatch(patch: Buffer, maxLines = Number.POSITIVE_INFINITY): ParsedPatch {
  const out: ParsedPatch = { hunks: [], binary: false, invalidUtf8: false, bom: { old: false, new: false }, truncated: false };
  let at = 0;
  let total = 0;
  while (at < patch.length) {
    const end = lineEnd(patch, at);
    const first = patch[at];
    if (first === 0x40 /* @ */) {
      const head = readHunkHead(patch.toString('utf8', at, end).replace(/\r?$/, ''));
      at = end + 1;
      if (!head) continue;
      const hunk: Hunk = { ...head, section: head.section.slice(0, SECTION_LIMIT), lines: [] };
      at = readLines(patch, at, hunk, out, maxLines - total);
      total += hunk.lines.length;
      out.hunks.push(hunk);
      if (out.truncated) return out;
      continue;
    }
    if (first === 0x42 /* B */ && /^Binary files .* differ$|^GIT binary patch$/s.test(patch.toString('latin1', at, end))) out.binary = true;
    at = end + 1;
  }
  return out;
}

function lineEnd(patch: Buffer, from: number): number {
  const end = patch.indexOf(LF, from);
  return end < 0 ? patch.length : end;
}

/** Reads a hunk's lines until both counts are used up; returns where the next thing starts. */
function readLines(patch: Buffer, from: number, hunk: Hunk, out: ParsedPatch, room: number): number {
  let at = from;
  let old = hunk.oldStart;
  let now = hunk.newStart;
  let oldLeft = hunk.oldLines;
  let newLeft = hunk.newLines;
  while (at < patch.length) {
    const mark = patch[at];
    const end = lineEnd(patch, at);
    if (mark === 0x5c /* backslash: no newline at end of file */) {
      const last = hunk.lines.at(-1);
      if (last) noFinalNewline(last);
      at = end + 1;
      continue;
    }
    if (oldLeft <= 0 && newLeft <= 0) return at;
    if (hunk.lines.length >= room) {
      out.truncated = true;
      return at;
    }
    const text = decodeLine(patch, at + 1, end, out);
    if (mark === 0x2b /* + */) {
      hunk.lines.push({ kind: 'added', old: null, new: now, ...text });
      now += 1;
      newLeft -= 1;
    } else if (mark === 0x2d /* - */) {
      hunk.lines.push({ kind: 'removed', old, new: null, ...text });
      old += 1;
      oldLeft -= 1;
    } else if (mark === 0x20 || mark === LF) {
      hunk.lines.push({ kind: 'context', old, new: now, ...text });
      old += 1;
      now += 1;
      oldLeft -= 1;
      newLeft -= 1;
    } else return at;
    const line = hunk.lines.at(-1)!;
    if (line.text.charCodeAt(0) === 0xfeff && (line.old === 1 || line.new === 1)) {
      line.text = line.text.slice(1);
      if (line.old === 1) out.bom.old = true;
      if (line.new === 1) out.bom.new = true;
    }
    at = end + 1;
  }
  if (oldLeft > 0 || newLeft > 0) out.truncated = true;
  return at;
}

function decodeLine(patch: Buffer, from: number, end: number, out: ParsedPatch): { text: string; eol?: 'crlf' } {
  const crlf = end > from && patch[end - 1] === CR;
  const text = patch.toString('utf8', Math.min(from, end), crlf ? end - 1 : end);
  if (!out.invalidUtf8 && text.includes('\ufffd') && !isUtf8Slice(patch, from, end)) out.invalidUtf8 = true;
  return crlf ? { text, eol: 'crlf' } : { text };
}

/** U+FFFD in the text may be real; only bytes tell. */
function isUtf8Slice(patch: Buffer, from: number, end: number): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(patch.subarray(from, end));
    return true;
  } catch {
    return false;
  }
}

/** The last line had no "\n": a CR before it was a lone CR, not half of CRLF. */
function noFinalNewline(line: DiffLine): void {
  line.noNewline = true;
  if (line.eol === 'crlf') line.eol = 'cr';
}
