// UTF-16 text, which git calls binary: decoded by its byte order mark and compared here, line by line. For reading only, never written back.

import { structuredPatch } from 'diff';
import type { Hunk } from '../model/review/changeset.ts';
import { hunksOfLines } from './added-file.ts';

/** ms our own line diff may take before the file stays a placeholder. */
const DIFF_TIME = 500;

/** 'UTF-16LE' or 'UTF-16BE' by the mark; null without one. */
export function utf16Name(bytes: Buffer): 'UTF-16LE' | 'UTF-16BE' | null {
  if (bytes.length < 2 || bytes.length % 2 !== 0) return null;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'UTF-16LE';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'UTF-16BE';
  return null;
}

function decode(bytes: Buffer): string | null {
  if (bytes.length === 0) return '';
  const name = utf16Name(bytes);
  if (name === null) return null;
  const little = name === 'UTF-16LE' ? bytes : Buffer.from(bytes).swap16();
  return little.toString('utf16le', 2);
}

/** Null when a side is neither empty nor UTF-16, or the comparison takes too long. */
export function utf16Hunks(old: Buffer, now: Buffer, context: number): { hunks: Hunk[]; name: string } | null {
  const [a, b] = [decode(old), decode(now)];
  const name = utf16Name(now) ?? utf16Name(old);
  if (a === null || b === null || name === null) return null;
  const patch = structuredPatch('a', 'b', a, b, undefined, undefined, { context, timeout: DIFF_TIME });
  return patch ? { hunks: hunksOfLines(patch.hunks), name } : null;
}
