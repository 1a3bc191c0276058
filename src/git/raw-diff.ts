// Reads `git diff --raw -z` and `git diff --numstat -z`. Pure.

import { splitZero } from './status.ts';

export interface RawChange {
  path: string;
  oldPath?: string;
  /** A, M, D, R, C, T, U. */
  letter: string;
  similarity?: number;
  oldMode: string;
  newMode: string;
  /** Null: not there, or (new side) in the working tree and not hashed by git. */
  oldOid: string | null;
  newOid: string | null;
}

/** Lines of a change; null for binary. */
export interface Counted {
  added: number | null;
  removed: number | null;
}

/** Counts by what is the same for all of a reading, and by path. */
export type CountCache = Map<string, ReadonlyMap<string, Count>>;

/** What count-lines.ts finds of a change. */
export interface Count {
  /** Undefined where git names no lines. */
  lines: Counted | undefined;
  /** What they were counted between. */
  change: RawChange;
  now: string | null | undefined;
  /** They hold as long as both stay. */
  lasts: boolean;
}

const oid = (text: string): string | null => (/^0+$/.test(text) ? null : text);

/** One entry per path, in git's order; an unmerged path's second record (working tree) is folded into its first. */
export function parseRawDiff(bytes: Buffer): RawChange[] {
  const records = splitZero(bytes);
  const byPath = new Map<string, RawChange>();
  let i = 0;
  while (i < records.length && records[i]!.startsWith(':')) {
    const [oldMode = '', newMode = '', oldOid = '', newOid = '', code = ''] = records[i]!.slice(1).split(' ');
    const letter = code[0] ?? 'M';
    const two = letter === 'R' || letter === 'C';
    const first = records[i + 1] ?? '';
    const path = two ? (records[i + 2] ?? '') : first;
    i += two ? 3 : 2;
    const known = byPath.get(path);
    if (known?.letter === 'U' || letter === 'U') {
      byPath.set(path, { ...(known ?? { path, oldMode, newMode, oldOid: oid(oldOid), newOid: oid(newOid) }), letter: 'U' });
      continue;
    }
    const change: RawChange = { path, letter, oldMode, newMode, oldOid: oid(oldOid), newOid: oid(newOid) };
    if (two) {
      change.oldPath = first;
      change.similarity = Number(code.slice(1));
    }
    byPath.set(path, change);
  }
  return [...byPath.values()];
}

/** By path: "3\t1\tpath", or "3\t1\t" followed by old and new path for renames; "-" for binary. */
export function parseCounts(numstat: Buffer): Map<string, Counted> {
  const counts = new Map<string, Counted>();
  const records = splitZero(numstat);
  for (let i = 0; i < records.length; i += 1) {
    const match = /^(-|\d+)\t(-|\d+)\t(.*)$/s.exec(records[i]!);
    if (!match) continue;
    let path = match[3]!;
    if (path === '') {
      path = records[i + 2] ?? '';
      i += 2;
    }
    const before = counts.get(path);
    const count = (text: string, more: number | null | undefined) => (text === '-' ? null : Number(text) + (more ?? 0));
    counts.set(path, { added: count(match[1]!, before?.added), removed: count(match[2]!, before?.removed) });
  }
  return counts;
}
