// The bytes that lead to a cell's looks, remembered: making them anew for every change of colour costs more than all else about a row.
import { looksOf, looksPrefix } from './vt-row.ts';

/** Looks remembered; must be a power of two. A gradient of true colours has some hundreds, which shall not get into each other's way. */
const SLOTS = 4096;
/** Back to default looks. */
export const PLAIN: Buffer = Buffer.from('\x1b[m');

/** Shared by the screens of a process: the same words look the same in each, and what one has printed the next often prints too. */
export class Looks {
  readonly #fgs = new Uint32Array(SLOTS);
  readonly #bgs = new Uint32Array(SLOTS);
  readonly #exts = new Int32Array(SLOTS);
  readonly #bytes: (Buffer | undefined)[] = new Array(SLOTS);

  /** SGR from any looks to those of a cell with these words of the parser; `ext` is 0 for a cell without extended attributes. */
  bytes(fg: number, bg: number, ext: number): Buffer {
    if (fg === 0 && bg === 0) return PLAIN;
    const slot = hashWords(fg, bg, ext) & (SLOTS - 1);
    const known = this.#bytes[slot];
    if (known && this.#fgs[slot] === fg && this.#bgs[slot] === bg && this.#exts[slot] === ext) return known;
    const looks = Buffer.from(looksPrefix(looksOf(fg, bg, ext)));
    this.#fgs[slot] = fg;
    this.#bgs[slot] = bg;
    this.#exts[slot] = ext;
    this.#bytes[slot] = looks;
    return looks;
  }
}

/** A number in which every bit of the words counts: flags stand in the upper ones. */
export function hashWords(fg: number, bg: number, ext: number): number {
  const mixed = Math.imul(fg, 0x9e3779b1) ^ Math.imul(bg, 0x85ebca6b) ^ Math.imul(ext, 0xc2b2ae35);
  return mixed ^ (mixed >>> 15) ^ (fg >>> 24) ^ (bg >>> 22);
}
