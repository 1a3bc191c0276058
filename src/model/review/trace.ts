// What a file looked like when a comment was made, small enough to be kept with it: what the lines around it say, as a number each. By it
// the lines that are still there are known, and so what stands now where the others stood. Pure.
import { mapLines } from './line-map.ts';
import { PRINTS, printOf, squeeze } from './reflow.ts';

/** Lines are told by blocks of so many: a comment's own, one before and one behind it. Comments in one block have one trace. */
const BLOCK = 500;
/** Characters of one line's number in base 36. */
const WIDTH = (PRINTS - 1).toString(36).length;

/** "FROM END PRINTS": the file's line that is told first, "end" where the last one told is the file's last, and a number for each line. */
export type Trace = string;

/** The trace of a 1-based inclusive range of `lines`. */
export function makeTrace(lines: readonly string[], range: { start: number; end: number }): Trace {
  const from = Math.max(0, Math.floor((range.start - 1) / BLOCK) - 1) * BLOCK + 1;
  const to = Math.min(lines.length, (Math.floor((range.end - 1) / BLOCK) + 2) * BLOCK);
  const prints = lines.slice(from - 1, to).map((line) => printOf(squeeze(line)).toString(36).padStart(WIDTH, '0'));
  return `${from} ${to === lines.length ? 'end' : 'on'} ${prints.join('')}`;
}

/** What became of the lines of a trace. */
export interface Traced {
  /** 0-based index in the present file of each line told; -1: it is not there any more. */
  map: Int32Array;
  /** 1-based line of the old file that the first of them was. */
  from: number;
  /** All lines of the old file are told. */
  whole: boolean;
  /** A line of the present file is none of those told. */
  isNew(at: number): boolean;
}

/** `prints` are those of the present file's lines. */
export function follow(trace: Trace, prints: readonly number[]): Traced {
  const [from, end, told = ''] = trace.split(' ');
  const then = Array.from({ length: told.length / WIDTH }, (_, i) => Number.parseInt(told.slice(i * WIDTH, (i + 1) * WIDTH), 36));
  const map = mapLines(then, prints, { first: from === '1', last: end === 'end' });
  const taken = new Set(map);
  return { map, from: Number(from), whole: from === '1' && end === 'end', isNew: (at) => !taken.has(at) };
}
