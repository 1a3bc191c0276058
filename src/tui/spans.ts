// Lines of coloured text of an exact width in cells: what every view is made of. Text from outside passes `plain` here, so no control
// character and no cluster of disputed width gets into the chrome.
import { clean } from '../model/clean.ts';
import { clusters, width } from '../model/width.ts';
import type { ColorName } from './theme.ts';

export interface Span {
  text: string;
  color?: ColorName;
  ground?: ColorName;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
}

export type Line = readonly Span[];

/** Stands for a cluster that terminals disagree about: chrome must align everywhere. */
const DOUBTFUL = '▫';

/** A name or sentence from outside as one safe line. */
export function plain(text: string): string {
  return clean(text);
}

/** Clusters of a text with their cells; those of several code points that are not base and marks become one narrow sign. */
function* cellsOf(text: string): Generator<[cluster: string, cells: number]> {
  if (/^[ -~]*$/.test(text)) {
    for (const char of text) yield [char, 1];
    return;
  }
  for (const cluster of clusters(text)) {
    if (isDoubtful(cluster.text)) yield [DOUBTFUL, 1];
    else if (cluster.width > 0) yield [cluster.text, cluster.width];
  }
}

/** Joined emoji, flags, variation selectors: 1, 2 or more cells, depending on whom one asks. */
function isDoubtful(cluster: string): boolean {
  return /[\u200d\ufe0e\ufe0f\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}]/u.test(cluster);
}

/** Cells of one cluster as the chrome shows it; for editors, whose caret must stand where the text does. */
export function clusterCells(cluster: string): number {
  return isDoubtful(cluster) ? 1 : width(cluster);
}

/** Cells of a text as the chrome shows it. */
export function textCells(text: string): number {
  let cells = 0;
  for (const [, taken] of cellsOf(text)) cells += taken;
  return cells;
}

/** Cells that a line takes. */
export function lineCells(line: Line): number {
  return line.reduce((cells, { text }) => cells + textCells(text), 0);
}

/** The text cut to `cols` cells, with … where something is missing. */
export function cutText(text: string, cols: number): string {
  if (cols <= 0) return '';
  let out = '';
  let used = 0;
  let lastFit = '';
  for (const [cluster, taken] of cellsOf(text)) {
    if (used + taken > cols) return `${lastFit}…`;
    if (used + taken <= cols - 1) lastFit = out + cluster;
    out += cluster;
    used += taken;
  }
  return out;
}

/** The line at exactly `cols` cells: cut with …, or filled with blanks that carry `fill`'s ground. */
export function fitLine(line: Line, cols: number, fill: Omit<Span, 'text'> = {}): Line {
  const out: Span[] = [];
  let left = cols;
  for (const span of line) {
    if (left <= 0) break;
    const text = cutText(span.text, left);
    out.push({ ...fill, ...span, text });
    left -= textCells(text);
  }
  if (left > 0) out.push({ ...fill, text: ' '.repeat(left) });
  return out;
}

/** `left` and `right` at the ends of `cols` cells; the right one stays whole while there is room for a bit of the left one. */
export function spread(left: Line, right: Line, cols: number, fill: Omit<Span, 'text'> = {}): Line {
  const rightCells = lineCells(right);
  if (rightCells + 4 > cols) return fitLine(left, cols, fill);
  return [...fitLine(left, cols - rightCells, fill), ...right.map((span) => ({ ...fill, ...span }))];
}

/** Words in lines of at most `cols` cells; longer words are cut. */
export function wrapText(text: string, cols: number): string[] {
  const out: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      const joined = line === '' ? word : `${line} ${word}`;
      if (textCells(joined) <= cols) line = joined;
      else {
        if (line !== '') out.push(line);
        line = cutText(word, cols);
      }
    }
    out.push(line);
  }
  return out;
}

/** Pieces of at most `cols` cells, broken wherever they are full: nothing is left out. */
export function breakText(text: string, cols: number): string[] {
  const out = [''];
  let used = 0;
  for (const [cluster, taken] of cellsOf(text)) {
    if (used + taken > cols && used > 0) {
      out.push('');
      used = 0;
    }
    out[out.length - 1] += cluster;
    used += taken;
  }
  return out;
}
