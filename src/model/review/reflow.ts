// Code that was only formatted anew: put further in, broken into other lines, with other quotes, commas or brackets. Compares what is left
// of two texts without all that. Pure.

/** What formatters change: white space, quotes, and the signs that they add or leave out. */
const FORM = /[\s;,()'"`]+/g;

/** The characters of a text that a formatter leaves alone. */
export function squeeze(text: string): string {
  return text.replace(FORM, '');
}

/** How many prints there are: in a file of a thousand lines one in sixty thousand is another's as well. */
export const PRINTS = 36 ** 5;

/** What a line says apart from its form, as a number below PRINTS: FNV-1a over its UTF-16 units. */
export function printOf(squeezed: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < squeezed.length; i++) hash = Math.imul(hash ^ squeezed.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % PRINTS;
}

/** A file without its form, and where its lines are in that. */
export interface SqueezedFile {
  lines: string[];
  text: string;
  /** The print of each line. */
  prints: number[];
  /** Index at which each line begins; one more than there are lines. */
  starts: Int32Array;
}

/** Lines outside of `from` to `to` (0-based, `to` excluded) count as empty. */
export function squeezeFile(lines: readonly string[], from = 0, to = lines.length): SqueezedFile {
  const starts = new Int32Array(lines.length + 1);
  const squeezed = lines.map((line, i) => (i >= from && i < to ? squeeze(line) : ''));
  squeezed.forEach((line, i) => {
    starts[i + 1] = starts[i]! + line.length;
  });
  return { lines: squeezed, text: squeezed.join(''), prints: squeezed.map(printOf), starts };
}

export interface Reflowed {
  /** Lines that hold it, 1-based, inclusive. */
  range: { start: number; end: number };
  /** Share of the text around it that still stands around it, 0 to 1; 0 when there was none. */
  context: number;
  /** It begins and ends with a line. */
  whole: boolean;
}

/** Every place of `lines` in a file, whatever their form. */
export function findReflowed(anchor: { lines: string[]; before: string[]; after: string[] }, file: SqueezedFile): Reflowed[] {
  const [wanted, before, after] = [anchor.lines, anchor.before, anchor.after].map((lines) => squeeze(lines.join('')));
  if (!wanted) return [];
  const around = before!.length + after!.length;
  const found: Reflowed[] = [];
  for (let at = file.text.indexOf(wanted); at >= 0; at = file.text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const same = sameEnd(before!, file.text, at) + sameStart(after!, file.text, end);
    const [first, last] = [lineAt(file.starts, at), lineAt(file.starts, end - 1)];
    found.push({
      range: { start: first + 1, end: last + 1 },
      context: around === 0 ? 0 : same / around,
      whole: file.starts[first] === at && file.starts[last + 1] === end,
    });
  }
  return found;
}

/** Characters that `before` and what stands in front of `at` end with alike. */
function sameEnd(before: string, text: string, at: number): number {
  let count = 0;
  while (count < before.length && count < at && before[before.length - 1 - count] === text[at - 1 - count]) count++;
  return count;
}

function sameStart(after: string, text: string, at: number): number {
  let count = 0;
  while (count < after.length && after[count] === text[at + count]) count++;
  return count;
}

/** The line that the character at `index` stands in, 0-based: the last that begins at or before it and is not empty. */
function lineAt(starts: Int32Array, index: number): number {
  let low = 0;
  let high = starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}
