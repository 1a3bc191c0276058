// What a dialog asks, from the rows around its options: its text, its kind, and an identity that changes when its words do.
import type { Question } from '../model/agent.ts';

/** Rows above the first option that may belong to the question. */
export const ABOVE = 24;
/** Characters of a question's text; what a list can show. */
const TEXT_MAX = 400;

/** Rows told besides the sentence that asks. */
const REST_ROWS = 6;
/** Rows told where no sentence asks: a heading and what it is about. */
const HEAD_ROWS = 4;
/** Columns at the right that a box and its padding take. */
const SIDES = 3;

/** A border that is not inside another box. */
const OUTER = /^\s*[─━═▀▄╭╰┌└╻╹][─━═▀▄╮╯┐┘ ]{7,}/u;
/** A side or corner of a box at the left. */
const GUTTER = /^\s*[│┃║╭╰┌└├]/u;
/** An item of a transcript: what stands above it is not about the dialog. */
const ITEM = /^\s{0,2}[●◆⏺✦•◇❯›>*]\W?\s/u;
export const YES = /\b(yes|allow|approve|accept|proceed|run|trust|continue|ok|confirm|open)\b/iu;
export const NO = /\b(no|deny|reject|decline|cancel|don.t|exit|back|quit|skip)\b/iu;

interface Row {
  text: string;
  /** As it stands, with its indentation. */
  row: string;
  y: number;
}

/** What stands on a screen: rows as they are and without a box's sides. */
export interface Around {
  raw: string[];
  row(y: number): string;
  cols: number;
}

/** The first row that belongs to it, and the question; `first`: row of the first option. */
export function askedAbove({ raw, row, cols }: Around, first: number, options: Question['options']): { from: number; question: Question } {
  const block: Row[] = [];
  let from = first;
  let blanks = 0;
  // Whether its first row is known: what stands above it is not in its box.
  let whole = false;
  const inside = GUTTER.test(raw[first]!);
  for (let y = first - 1; y >= Math.max(0, first - ABOVE); y--) {
    const text = row(y).trim();
    whole = block.length > 0 && (OUTER.test(raw[y]!) || (inside && !GUTTER.test(raw[y]!)));
    if (whole) break;
    blanks = text === '' ? blanks + 1 : 0;
    if (blanks >= 3 && block.length > 0) break;
    if (text === '' || /^[\u2801-\u28ff─━═╌▀▄╭╰┌└]/u.test(text)) continue;
    block.unshift({ text: clean(text), row: row(y), y });
    from = y;
  }
  if (block.length === 0) block.push({ text: clean(row(first).trim()), row: '', y: first });
  const words = block.map(({ text }) => text);
  const item = block.findLastIndex(({ row }, i) => i < block.length - 1 && ITEM.test(row));
  const text = questionOf(block.slice(item + 1), cols, whole);
  return {
    from,
    question: { id: identity([...words, ...options.map((o) => o.label)]), kind: kindOf(words.join(' '), options), text, options },
  };
}

/** The sentence that asks first, then what it is about: what follows it, then what stands above it, the nearest paragraph first. */
function questionOf(block: Row[], cols: number, whole: boolean): string {
  const at = block.findLastIndex(({ text }) => /\?\s*([[(].{0,40}[\])])?\W{0,3}$/u.test(text));
  const words = block.map(({ text }) => text.replace(/^[│┃◆]\s*|\s*[│┃]$/gu, ''));
  if (at < 0) return (whole ? words.slice(0, HEAD_ROWS) : words.slice(-HEAD_ROWS)).join(' · ').slice(0, TEXT_MAX);
  let start = at;
  while (start > 0 && goesOn(block[start - 1]!, block[start]!, cols)) start--;
  const above = paragraphs(block.slice(0, start)).reverse().flat();
  const rest = [...words.slice(at + 1), ...above.map((row) => words[block.indexOf(row)]!)].slice(0, REST_ROWS);
  return [words.slice(start, at + 1).join(' '), ...rest].join(' · ').slice(0, TEXT_MAX);
}

/** Rows that stand next to each other: a command of several lines reads as it will run. */
function paragraphs(rows: Row[]): Row[][] {
  const out: Row[][] = [];
  for (const row of rows) {
    const last = out.at(-1);
    if (last && last.at(-1)!.y === row.y - 1) last.push(row);
    else out.push([row]);
  }
  return out;
}

/** A narrow pane wraps a sentence: the row below begins in its middle, or with a word that had no room. */
function goesOn(above: Row, below: Row, cols: number): boolean {
  const room = cols - SIDES - above.row.trimEnd().length;
  return (
    above.y === below.y - 1 && (/^\p{Ll}/u.test(below.text) || (/[^.?!:;…]$/u.test(above.text) && below.text.split(' ')[0]!.length >= room))
  );
}

function kindOf(text: string, options: Question['options']): Question['kind'] {
  const labels = options.map((o) => o.label);
  if (/\btrust(ed|ing)?\b/iu.test(text) && /\b(folder|directory|project|workspace|files)\b/iu.test(text)) return 'trust';
  if (/\b(log ?in|sign ?in|api key|authenticat\w*|credential)\b/iu.test(`${text} ${labels.join(' ')}`)) return 'auth';
  if (labels.some((l) => /\b(yes|allow|approve)\b/iu.test(l)) && labels.some((l) => NO.test(l))) return 'permission';
  return /\?/u.test(text) ? 'question' : 'menu';
}

/** Letters, digits and marks; no control characters, no runs of blanks. */
export function clean(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** FNV-1a over the dialog's words; counters ("12s") are left out, as they change while it waits. */
function identity(parts: string[]): string {
  let hash = 0x811c9dc5;
  const text = parts.join('\n').replace(/\b\d+[smh]\b/gu, '');
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
