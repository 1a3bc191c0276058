// What is remembered of diffs that were sent: a hash per block of lines, never the lines. By it a later reading is told to whoever holds an
// earlier one as what changed between them. The hashes are cryptographic: a hostile file must not pass for the one that was seen.

import { hash } from 'node:crypto';
import type { DiffLine, DiffPiece, FileDiff, Hunk } from '../model/review/changeset.ts';

/** Lines of a block: from the first number on it ends at a line chosen by its text, so that blocks find each other again behind an insertion. */
const BLOCK = { least: 16, most: 256 };
/** Of lines that may end a block, one in so many does. */
const ONE_IN = 16;
/** Blocks kept, of all outlines together: some 4 MB. */
const BLOCKS_KEPT = 20_000;

/** Of one hunk: what is found out once. */
interface HunkBlock {
  hash: string;
  /** Index in its hunk of its first line. */
  from: number;
  lines: number;
  /** Lines of each side before it in its hunk. */
  old: number;
  new: number;
}

/** What is remembered: `at` counts lines over all hunks, `old` and `new` are the numbers that its first line has or would have. */
interface Kept {
  hash: string;
  at: number;
  lines: number;
  old: number;
  new: number;
}

interface Block extends Kept {
  hunk: Hunk;
  from: number;
}

/** Outlines of the diffs read last. */
export class Outlines {
  readonly #kept = new Map<string, Kept[]>();
  /** Of hunks, whose lines never change once they are told. */
  readonly #blocks = new WeakMap<Hunk, HunkBlock[]>();
  readonly #known = new WeakMap<readonly Hunk[], { revision: string; blocks: Block[] }>();

  /** The name of the lines of a diff: equal for equal lines at equal places. From now on it can be told what changed since. */
  revision({ hunks }: FileDiff): string {
    const { revision, blocks } = this.#outline(hunks);
    this.#kept.delete(revision);
    this.#kept.set(
      revision,
      blocks.map(({ hash, at, lines, old, new: now }) => ({ hash, at, lines, old, new: now })),
    );
    let total = 0;
    for (const [name, { length }] of [...this.#kept].reverse()) {
      total += length;
      if (total > BLOCKS_KEPT && name !== revision) this.#kept.delete(name);
    }
    return revision;
  }

  /** The diff for one who holds `revision`, in at most `rows` new lines and `chars` characters; null when that cannot be told. */
  since(revision: string, { hunks }: FileDiff, limit: { rows: number; chars: number }): DiffPiece[] | null {
    const held = this.#kept.get(revision);
    return held ? compare(held, this.#outline(hunks).blocks, limit) : null;
  }

  #outline(hunks: readonly Hunk[]): { revision: string; blocks: Block[] } {
    const known = this.#known.get(hunks);
    if (known) return known;
    const blocks = blocksOf(hunks, this.#blocks);
    const names = blocks.map((block) => `${block.hash} ${block.old} ${block.new}`).join('\n');
    const made = { revision: hash('sha256', names, 'base64url'), blocks };
    this.#known.set(hunks, made);
    return made;
  }
}

function blocksOf(hunks: readonly Hunk[], known: WeakMap<Hunk, HunkBlock[]>): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const own = known.get(hunk) ?? blocksIn(hunk);
    known.set(hunk, own);
    for (const { hash, from, lines, old, new: now } of own)
      blocks.push({ hash, at: at + from, lines, old: hunk.oldStart + old, new: hunk.newStart + now, hunk, from });
    at += hunk.lines.length;
  }
  return blocks;
}

function blocksIn(hunk: Hunk): HunkBlock[] {
  const blocks: HunkBlock[] = [];
  let [old, now] = [0, 0];
  // A hunk without lines has a block too: its head.
  for (let from = 0; from === 0 || from < hunk.lines.length; ) {
    const start = { from, old, new: now };
    let text = from === 0 ? `@${hunk.oldLines} ${hunk.newLines} ${hunk.section}\n` : '';
    let to = from;
    for (let ends = false; to < hunk.lines.length && !ends; to++) {
      const line = hunk.lines[to]!;
      text += lineText(line);
      if (line.old !== null) old++;
      if (line.new !== null) now++;
      ends = to - from + 1 >= BLOCK.most || (to - from + 1 >= BLOCK.least && mayEnd(line.text));
    }
    blocks.push({ ...start, lines: to - from, hash: hash('sha256', text, 'base64') });
    if (to === from) break;
    from = to;
  }
  return blocks;
}

const END = { crlf: 1, cr: 2 };

/** All that a line says but its numbers. No text has a line end in it. */
function lineText({ kind, text, eol, noNewline, moved }: DiffLine): string {
  const marks = (eol ? END[eol] : 0) + (noNewline ? 4 : 0) + (moved ? 8 : 0);
  return `${kind[0]}${marks} ${text}\n`;
}

function mayEnd(text: string): boolean {
  let sum = text.length;
  for (let i = 0; i < text.length && i < 64; i++) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) | 0;
  return (sum >>> 4) % ONE_IN === 0;
}

function compare(held: readonly Kept[], now: readonly Block[], limit: { rows: number; chars: number }): DiffPiece[] | null {
  const find = finder(held);
  const pieces: DiffPiece[] = [];
  let { rows, chars } = limit;
  let before = -1;
  let run: { keep: [number, number]; old: number; new: number } | null = null;
  for (const block of now) {
    const found = block.lines === 0 ? null : find(block.hash, before + 1);
    const from = found === null ? null : held[found]!;
    if (!from) {
      const lines = block.hunk.lines.slice(block.from, block.from + block.lines);
      rows -= lines.length;
      // A line's own fields, and a head's, are some hundred characters.
      chars -= lines.reduce((sum, { text }) => sum + text.length + 100, 100 + block.hunk.section.length);
      const { lines: _lines, ...head } = block.hunk;
      pieces.push(block.from === 0 ? { head, lines } : { lines });
      run = null;
    } else {
      const [old, fresh] = [block.old - from.old, block.new - from.new];
      if (run && found === before + 1 && run.old === old && run.new === fresh) run.keep[1] += block.lines;
      else {
        chars -= 60;
        run = { keep: [from.at, from.at + block.lines], old, new: fresh };
        pieces.push(run);
      }
      before = found!;
    }
    if (rows < 0 || chars < 0) return null;
  }
  return pieces;
}

/** Finds a block that was held by its hash, each once: at `next` where it is there, else anywhere. */
function finder(held: readonly Kept[]): (hash: string, next: number) => number | null {
  const places = new Map<string, number[]>();
  for (let i = held.length - 1; i >= 0; i--) {
    const same = places.get(held[i]!.hash);
    if (same) same.push(i);
    else places.set(held[i]!.hash, [i]);
  }
  const used = new Set<number>();
  return (hash, next) => {
    let found: number | undefined = next;
    if (held[next]?.hash !== hash || used.has(next)) {
      const rest = places.get(hash);
      do found = rest?.pop();
      while (found !== undefined && used.has(found));
    }
    if (found === undefined) return null;
    used.add(found);
    return found;
  };
}
