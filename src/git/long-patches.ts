// Patches of long files after a write: only the lines around what was written are compared again, by git itself, and put in the place of the
// hunks that were there. Bytes throughout; whatever does not fit (other line ends, attributes, a file that changes meanwhile) is left to the
// whole comparison.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dropOldest } from '../model/drop-oldest.ts';
import { readFile } from './added-file.ts';
import { CONTEXT, type Comparison, DIFF_FLAGS, diffArgs, fileKey } from './comparison.ts';
import { LongLines } from './long-lines.ts';
import { MOVED_LIMIT } from './moved.ts';
import { changedLines, joinPatch, oldText, type PatchHunk, splitPatch } from './patch-hunks.ts';
import { type ParsedPatch, parsePatch } from './patch-parse.ts';
import { withScratch } from './scratch.ts';
import { splitZero } from './status.ts';

/** Bytes of a file from which git's own comparison takes longer than ours. */
const LEAST = 1024 * 1024;
/** Bytes of a file that is kept; and of its patch, which it cannot reach with an old side of the same size. */
const MOST = 16 * 1024 * 1024;
const PATCH_LIMIT = 64 * 1024 * 1024;
/** Patches kept: the default scope is read whatever scope is looked at. */
const KEPT = 2;
/** ms that they are kept after they were needed last. */
const KEPT_FOR = 5 * 60_000;
/** Lines between what was written and a hunk beyond which the hunk stays as it is: git joins hunks that are nearer. */
const APART = 8;
/** Attributes that make git compare other than the bytes that lie there, or name hunks in its own way. */
const ATTRIBUTES = ['diff', 'text', 'eol', 'ident', 'filter', 'working-tree-encoding', 'crlf'];

interface Content {
  kind: string;
  size: number;
  binary: boolean;
  /** Another one once it was written. */
  fingerprint: string;
}

interface Long {
  /** The old side, and which file. */
  key: string;
  fingerprint: string;
  content: Buffer;
  hunks: PatchHunk[];
}

/** The patches of the long files of a worktree that were compared last. */
export class LongPatches {
  readonly #lines = new LongLines();
  readonly #contentOf: (path: string) => Content;
  /** By key, the newest at the end. */
  readonly #kept = new Map<string, Long>();
  #timer: NodeJS.Timeout | null = null;

  /** `contentOf`: what a file of the worktree is now. */
  constructor(contentOf: (path: string) => Content) {
    this.#contentOf = contentOf;
  }

  /** The file's change from the old side to the worktree, at most so much of it; null when git has to be asked for it. */
  async parsed(c: Comparison, path: string, most: { lines: number; bytes: number }): Promise<ParsedPatch | null> {
    const long = await this.#at(c, path);
    if (!long) return null;
    const { added, removed } = changedLines(long.hunks);
    if (added + removed > MOVED_LIMIT) return this.#lines.parse(long.hunks, most);
    const patch = joinPatch(long.hunks);
    const parsed = parsePatch(patch.subarray(0, most.bytes), most.lines);
    return patch.length > most.bytes ? { ...parsed, truncated: true } : parsed;
  }

  /** Lines added and removed, likewise. */
  async count(c: Comparison, path: string): Promise<{ added: number; removed: number } | null> {
    const long = await this.#at(c, path);
    return long && changedLines(long.hunks);
  }

  async #at(c: Comparison, path: string): Promise<Long | null> {
    const { kind, size, binary } = this.#contentOf(path);
    if (c.now.kind !== 'worktree' || kind !== 'file' || binary || size < LEAST || size > MOST) return null;
    return (await this.#update(c, path)) ?? (await this.#first(c, path));
  }

  /** Compares the whole file and keeps what came of it; null when that cannot be kept. */
  async #first(c: Comparison, path: string): Promise<Long | null> {
    const { fingerprint } = this.#contentOf(path);
    const content = this.#read(c, path, fingerprint);
    const attributes = content && (await c.look.run(['check-attr', '-z', ...ATTRIBUTES, '--', path]));
    if (!content || splitZero(attributes!.stdout).some((word, i) => i % 3 === 2 && word !== 'unspecified')) return null;
    const args = ['diff', '-p', `--unified=${CONTEXT}`, ...DIFF_FLAGS, ...diffArgs(c), '--', path];
    const r = await c.look.run(args, { limit: PATCH_LIMIT, overflow: 'cut', action: 'Counting lines' });
    const { hunks, whole } = splitPatch(r.stdout);
    if (r.cut || !whole || hunks.length === 0 || this.#contentOf(path).fingerprint !== fingerprint) return null;
    return this.#keep({ key: fileKey(c, path), fingerprint, content, hunks });
  }

  /** What is kept, brought up to what lies there now; null when nothing fits. */
  async #update(c: Comparison, path: string): Promise<Long | null> {
    const long = this.#kept.get(fileKey(c, path));
    if (!long) return null;
    const { fingerprint } = this.#contentOf(path);
    if (fingerprint === long.fingerprint) return this.#keep(long);
    const content = this.#read(c, path, fingerprint);
    const hunks = content && (await rewritten(c, long, content));
    if (content && hunks) return this.#keep({ ...long, fingerprint, content, hunks });
    this.#kept.delete(long.key);
    return null;
  }

  /** The file's bytes while it is what it was said to be. */
  #read(c: Comparison, path: string, fingerprint: string): Buffer | null {
    try {
      const { bytes, cut } = readFile(join(c.look.cwd, path), MOST);
      return cut || bytes.includes(CR) || this.#contentOf(path).fingerprint !== fingerprint ? null : bytes;
    } catch {
      return null;
    }
  }

  #keep(long: Long): Long {
    this.#kept.delete(long.key);
    this.#kept.set(long.key, long);
    dropOldest(this.#kept, KEPT);
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#kept.clear(), KEPT_FOR).unref();
    return long;
  }
}

const LF = 10;
const CR = 13;

/** The hunks for `now`, which was written over what is kept; null when most of it has to be compared. */
async function rewritten(c: Comparison, { content, hunks }: Long, now: Buffer): Promise<PatchHunk[] | null> {
  const { start, end, grown } = difference(content, now);
  const first = countLines(content, 0, start);
  const last = first + countLines(content, start, end);
  const added = countLines(now, start, end + grown) - (last - first);
  // The nearest hunks on either side that nothing written can touch: they are compared too, so that what lies between them is all there is.
  const before = hunks.findLastIndex((hunk) => endOf(hunk) + APART < first);
  const behind = hunks.findIndex((hunk) => beginOf(hunk) > last + APART);
  const [above, below] = [hunks[before], hunks[behind]];
  const from = above ? { line: beginOf(above), at: backLines(content, start, first - beginOf(above)) } : { line: 0, at: 0 };
  const to = below ? onLines(content, end, endOf(below) - last) : content.length;
  if (to - from.at > content.length / 2) return null;
  const within = hunks.slice(Math.max(0, before), behind < 0 ? hunks.length : behind + 1);
  const old = oldSide(content.subarray(from.at, to), from.line, within);
  const patch = await compareBytes(c, old, now.subarray(from.at, to + grown));
  const made = splitPatch(patch);
  if (!made.whole) return null;
  const oldFrom = above ? above.oldStart - (above.oldLines === 0 ? 0 : 1) : 0;
  return [
    ...hunks.slice(0, Math.max(0, before)),
    ...made.hunks.map((hunk) => ({
      ...hunk,
      oldStart: hunk.oldStart + oldFrom,
      newStart: hunk.newStart + from.line,
      // git names a hunk by a line above it, which may be above what was compared.
      section: hunk.section || (above?.section ?? ''),
    })),
    ...(behind < 0 ? [] : hunks.slice(behind + 1)).map((hunk) => ({ ...hunk, newStart: hunk.newStart + added })),
  ];
}

/** First line of the new side that a hunk covers, 0-based, and the one behind it. */
function beginOf({ newStart, newLines }: PatchHunk): number {
  return newLines === 0 ? newStart : newStart - 1;
}

function endOf(hunk: PatchHunk): number {
  return beginOf(hunk) + hunk.newLines;
}

/** Bytes [start, end) of `a` were replaced by [start, end + grown) of `b`: whole lines. */
function difference(a: Buffer, b: Buffer): { start: number; end: number; grown: number } {
  const most = Math.min(a.length, b.length);
  const grown = b.length - a.length;
  let start = 0;
  for (let step = STEP; step >= 1; step = step >> 4)
    while (start + step <= most && a.compare(b, start, start + step, start, start + step) === 0) start += step;
  start = start === 0 ? 0 : a.lastIndexOf(LF, start - 1) + 1;
  let end = a.length;
  for (let step = STEP; step >= 1; step = step >> 4) {
    for (let at = end - step; at >= start && at + grown >= start; at -= step) {
      if (a.compare(b, at + grown, at + grown + step, at, at + step) !== 0) break;
      end = at;
    }
  }
  // Behind a line end on both sides; the first common byte may stand in the middle of a line.
  const line = end > 0 && a[end - 1] === LF && b[end + grown - 1] === LF ? end : a.indexOf(LF, end) + 1 || a.length;
  return { start, end: Math.max(start, line), grown };
}

/** Bytes compared at a time at first. */
const STEP = 64 * 1024;

/** Lines that begin in [from, to); a last one without an end counts. */
function countLines(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; count++) {
    const end = bytes.indexOf(LF, at);
    at = end < 0 ? to : end + 1;
  }
  return count;
}

/** Where the line begins that is `count` lines above the one that begins at `at`. */
function backLines(bytes: Buffer, at: number, count: number): number {
  let place = at;
  for (let i = 0; i < count && place > 0; i++) place = place < 2 ? 0 : bytes.lastIndexOf(LF, place - 2) + 1;
  return place;
}

function onLines(bytes: Buffer, at: number, count: number): number {
  let place = at;
  for (let i = 0; i < count && place < bytes.length; i++) place = bytes.indexOf(LF, place) + 1 || bytes.length;
  return place;
}

/** What stood there before all changes: `now` begins at line `line` (0-based) of the new side, `hunks` lie in it. */
function oldSide(now: Buffer, line: number, hunks: readonly PatchHunk[]): Buffer {
  const parts: Buffer[] = [];
  let [at, reached] = [0, line];
  for (const hunk of hunks) {
    const gap = onLines(now, at, beginOf(hunk) - reached);
    parts.push(now.subarray(at, gap), oldText(hunk));
    at = onLines(now, gap, hunk.newLines);
    reached = endOf(hunk);
  }
  return Buffer.concat([...parts, now.subarray(at)]);
}

/** git's patch between two texts. */
async function compareBytes(c: Comparison, old: Buffer, now: Buffer): Promise<Buffer> {
  return withScratch(async (folder) => {
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    await Promise.all([writeFile(a, old), writeFile(b, now)]);
    return (await c.look.run(['diff', '--no-index', '-p', `--unified=${CONTEXT}`, ...DIFF_FLAGS, '--', a, b], { codes: [0, 1] })).stdout;
  });
}
