// Text of files as columns of cells: tabs to stops, wide and joined characters whole, and everything that would act on a terminal or
// hide from a reader (controls, direction marks, zero-width characters) as a visible symbol. Positions are UTF-16 indexes.
import { clusters, width as columns } from '../../model/width.ts';

/** One thing to draw: `text` in `width` columns, standing for source[index, end). */
export interface Glyph {
  text: string;
  width: number;
  index: number;
  end: number;
  /** Stands for a character that cannot be shown itself. */
  symbol: boolean;
}

/** Only printable ASCII: one index, one column. */
const PLAIN = /^[\x20-\x7e]*$/;
const ACTS_OR_HIDES = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\p{Cs}/u;
/** A cluster of more code units than this is drawn cut: no honest character is that long. */
const CLUSTER_LIMIT = 64;

/** Only printable ASCII: each unit is a glyph of one column. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** The glyphs of `text` in order. `tab` is the distance of tab stops; `column` where the text starts (tab stops count from 0). */
export function* glyphsOf(text: string, tab: number, column = 0): Generator<Glyph> {
  let at = column;
  let index = 0;
  for (const cluster of clusters(text)) {
    const glyph = glyphOf(cluster.text, cluster.width, index, tab, at);
    at += glyph.width;
    index += cluster.text.length;
    yield glyph;
  }
}

function glyphOf(segment: string, width: number, index: number, tab: number, column: number): Glyph {
  const end = index + segment.length;
  if (segment === '\t') {
    const stop = tab - (column % tab);
    return { text: ' '.repeat(stop), width: stop, index, end, symbol: false };
  }
  if (ACTS_OR_HIDES.test(segment)) {
    const text = [...segment].map(symbolOf).join('');
    return { text, width: columns(text), index, end, symbol: true };
  }
  const text = segment.length > CLUSTER_LIMIT ? cutCluster(segment) : segment;
  return { text, width, index, end, symbol: false };
}

/** The start of a cluster, not half a surrogate pair. */
function cutCluster(cluster: string): string {
  return cluster.slice(0, CLUSTER_LIMIT).replace(/[\ud800-\udbff]$/, '');
}

/** ^[ for controls, <202e> for what hides; a character that is neither stands for itself. */
function symbolOf(char: string): string {
  const code = char.codePointAt(0)!;
  if (code < 32) return `^${String.fromCharCode(code + 64)}`;
  if (code === 127) return '^?';
  return ACTS_OR_HIDES.test(char) ? `<${code.toString(16).padStart(4, '0')}>` : char;
}

/** Columns that `text` takes. */
export function textWidth(text: string, tab: number): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const glyph of glyphsOf(text, tab)) width += glyph.width;
  return width;
}

/** Indexes at which the rows of `text` begin when it is broken at `width` columns; the first is 0. */
export function wrapStarts(text: string, width: number, tab: number): number[] {
  const room = Math.max(1, width);
  if (PLAIN.test(text)) return Array.from({ length: Math.max(1, Math.ceil(text.length / room)) }, (_, i) => i * room);
  const starts = [0];
  let used = 0;
  for (const glyph of glyphsOf(text, tab)) {
    if (used + glyph.width > room && glyph.index > starts.at(-1)!) {
      starts.push(glyph.index);
      used = 0;
    }
    used += glyph.width;
  }
  return starts;
}

/** `text` broken at words where it can be, into rows of at most `width` columns; keeps its own line breaks. */
export function wrapWords(text: string, width: number): string[] {
  const rows: string[] = [];
  for (const line of text.split('\n')) {
    let rest = line;
    while (textWidth(rest, 4) > width) {
      const cut = wrapStarts(rest, width, 4)[1]!;
      const blank = rest.lastIndexOf(' ', cut);
      const at = blank > cut / 2 ? blank : cut;
      rows.push(rest.slice(0, at).trimEnd());
      rest = rest.slice(at).trimStart();
    }
    rows.push(rest);
  }
  return rows;
}

/** `text` cut to `width` columns, with … where something was cut: at the end, or in front for paths. */
export function fitText(text: string, width: number, cut: 'end' | 'front' = 'end'): string {
  if (textWidth(text, 4) <= width) return text;
  if (width < 1) return '';
  const glyphs = [...glyphsOf(text, 4)];
  if (cut === 'front') glyphs.reverse();
  let used = 1;
  let kept = 0;
  while (kept < glyphs.length && used + glyphs[kept]!.width <= width) used += glyphs[kept++]!.width;
  const parts = glyphs.slice(0, kept).map((glyph) => glyph.text);
  return cut === 'front' ? `…${parts.reverse().join('')}` : `${parts.join('')}…`;
}
