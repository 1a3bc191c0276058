// What SGR does to the looks in force, learned from the parser itself and remembered: floods say the same few sequences over and over.
import { hashWords } from './looks.ts';

/** The looks that the next character gets: words of the parser's cells; `ext` is that of the extended attributes, in force or not. */
export interface Pen {
  fg: number;
  bg: number;
  ext: number;
}

/** Sequences remembered, each with the pen it met; must be a power of two. */
const SLOTS = 4096;
/** Longest sequence remembered, bytes: all but the oddest. */
export const MAX_SGR = 31;

export class Pens {
  /** Has the parser apply a sequence to a pen. */
  readonly #apply: (pen: Pen, sequence: Uint8Array) => Pen;
  readonly #sequences = new Uint8Array(SLOTS * (MAX_SGR + 1));
  /** Before and after each, three words a pen. */
  readonly #before = new Int32Array(SLOTS * 3);
  readonly #after = new Int32Array(SLOTS * 3);

  constructor(apply: (pen: Pen, sequence: Uint8Array) => Pen) {
    this.#apply = apply;
  }

  /** Changes `pen` by the SGR sequence bytes[from, to), of at most MAX_SGR bytes; `hash` is any hash of those. */
  change(pen: Pen, bytes: Uint8Array, from: number, to: number, hash: number): void {
    const slot = (hash ^ (hash >>> 13) ^ hashWords(pen.fg, pen.bg, pen.ext)) & (SLOTS - 1);
    const at = slot * 3;
    const before = this.#before;
    const after = this.#after;
    const known =
      before[at] === (pen.fg | 0) &&
      before[at + 1] === (pen.bg | 0) &&
      before[at + 2] === (pen.ext | 0) &&
      this.#holds(slot, bytes, from, to);
    if (!known) this.#learn(slot, pen, bytes.subarray(from, to));
    pen.fg = after[at]! >>> 0;
    pen.bg = after[at + 1]! >>> 0;
    pen.ext = after[at + 2]!;
  }

  #holds(slot: number, bytes: Uint8Array, from: number, to: number): boolean {
    const sequences = this.#sequences;
    let at = slot * (MAX_SGR + 1);
    if (sequences[at++] !== to - from) return false;
    for (let i = from; i < to; i++) if (sequences[at++] !== bytes[i]) return false;
    return true;
  }

  #learn(slot: number, pen: Pen, sequence: Uint8Array): void {
    this.#before.set([pen.fg, pen.bg, pen.ext], slot * 3);
    const { fg, bg, ext } = this.#apply(pen, sequence);
    this.#after.set([fg, bg, ext], slot * 3);
    this.#sequences[slot * (MAX_SGR + 1)] = sequence.length;
    this.#sequences.set(sequence, slot * (MAX_SGR + 1) + 1);
  }
}
