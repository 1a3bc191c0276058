// Text of a terminal between two places, and where a pattern occurs in it: history, live rows and the earlier screens of full-screen
// programs. Works a piece at a time so that nobody waits; a pattern that would take for ever is refused after one piece.
import { setImmediate as othersTurn } from 'node:timers/promises';
import { createContext, Script } from 'node:vm';
import { EARLIER_SCREENS } from '../model/text-rows.ts';
import { CUT } from '../terminal/history.ts';
import { cellAt, cellSlice, plainText } from '../terminal/plain-text.ts';
import type { Screen } from '../terminal/screen.ts';
import type { Params, Result, TextPoint } from '../wire/requests.ts';
import { Refusal } from './refusal.ts';

type Query = Omit<Params<'terminal.search'>, 'terminal'>;
type Hits = Result<'terminal.search'>['hits'];

/** Text to read: a screen's, or what a person sees of it. */
export type TerminalText = Pick<Screen, 'lineRanges' | 'scanLines'>;

/** Hits given unless another limit is asked for. */
const HITS = 1000;
/** Lines searched in one go, some milliseconds; and what one go may take at most, ms, before the pattern is refused. */
const PIECE = 400;
const PIECE_TIME = 100;
/** ms after which others get their turn. */
const TURN = 8;
/** ms after which a search ends with what it has. */
const SEARCH_TIME = 10_000;
/** Longest text given in one reply, UTF-16 units: in JSON it stays below the largest frame. */
export const TEXT_MAX = 3 * 1024 * 1024;

/** Lines joined by line ends, one that was cut as one; of the first and last only the part inside. With `rectangle` the same cells of each. */
export async function textBetween(screen: TerminalText, from: TextPoint, to: TextPoint, rectangle: boolean): Promise<string> {
  const end = from.line < EARLIER_SCREENS ? Math.min(to.line, EARLIER_SCREENS - 1) : to.line;
  let text = '';
  for await (const { line, packed } of linesFrom(screen, from.line, end)) {
    const plain = plainText(packed);
    const start = rectangle || line === from.line ? from.col : 0;
    const stop = rectangle || line === end ? to.col + 1 : Number.POSITIVE_INFINITY;
    const part = start > 0 || stop < plain.length ? cellSlice(plain, start, stop) : plain;
    text = text === '' && line === from.line ? part : `${packed.startsWith(CUT) ? text : `${text.trimEnd()}\n`}${part}`;
    if (text.length > TEXT_MAX)
      throw new Refusal('too-long', 'That is more text than can be copied at once.', 'Open the history in an editor.');
  }
  return text.replace(/[ \t]+$/gm, '');
}

/** Lines [from, to] one by one, numbered. */
export async function* linesFrom(screen: TerminalText, from: number, to: number): AsyncGenerator<{ line: number; packed: string }> {
  for await (const { first, lines } of screen.scanLines(from)) {
    for (const [i, packed] of lines.entries()) {
      if (first + i > to) return;
      yield { line: first + i, packed };
    }
  }
}

/**
 * The newest hits in reading order, those on earlier screens last, and how many there are in all. Without `caseSensitive` capitals count
 * when the pattern has some. Throws Refusal for what is no regular expression, or one that takes too long.
 */
export async function searchScreen(screen: TerminalText, query: Query): Promise<Result<'terminal.search'>> {
  const limit = query.limit ?? HITS;
  const find = finder(query);
  const hits: Hits = [];
  let total = 0;
  const until = performance.now() + SEARCH_TIME;
  let turn = performance.now();
  const { text, screens } = screen.lineRanges();
  for (const [from, to] of [text, screens]) {
    if (to <= from) continue;
    for await (const { first, lines } of screen.scanLines(from)) {
      for (let at = 0; at < lines.length; at += PIECE) {
        const piece = lines.slice(at, at + PIECE).map(plainText);
        for (const [i, index, length] of find(piece)) {
          total++;
          const line = piece[i]!;
          const col = cellAt(line, index);
          hits.push({ line: first + at + i, col, length: cellAt(line, index + length) - col });
        }
        if (hits.length > limit * 2) hits.splice(0, hits.length - limit);
        if (performance.now() - turn < TURN) continue;
        if (performance.now() > until) return { hits: hits.slice(-limit), total, complete: false };
        await othersTurn();
        turn = performance.now();
      }
    }
  }
  return { hits: hits.slice(-limit), total };
}

/** Line, UTF-16 unit and length of each hit. */
type Find = (lines: string[]) => [line: number, index: number, length: number][];

function finder({ pattern, regex, caseSensitive }: Query): Find {
  const sensitive = caseSensitive ?? /\p{Lu}/u.test(regex ? pattern.replace(/\\./g, '') : pattern);
  const flags = sensitive ? 'gu' : 'giu';
  const source = regex ? pattern : pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  try {
    new RegExp(source, flags);
  } catch {
    throw new Refusal('bad-pattern', `"${pattern}" is not a regular expression.`);
  }
  return regex ? guarded(source, flags) : plainly(new RegExp(source, flags));
}

/** For a literal text, which cannot take long. */
function plainly(pattern: RegExp): Find {
  return (lines) =>
    lines.flatMap((line, i) => [...line.matchAll(pattern)].map((hit) => [i, hit.index, hit[0].length] as [number, number, number]));
}

const SEARCH = new Script(`
  found = [];
  for (let i = 0; i < lines.length; i++) for (const hit of lines[i].matchAll(pattern)) if (hit[0] !== '') found.push([i, hit.index, hit[0].length]);
`);
const COMPILE = new Script('pattern = new RegExp(source, flags)');

/** For a pattern of a person's: run where it can be stopped in the middle of a line. */
function guarded(source: string, flags: string): Find {
  const room = createContext({ source, flags, pattern: null, lines: [] as string[], found: [] as [number, number, number][] });
  COMPILE.runInContext(room);
  return (lines) => {
    room.lines = lines;
    try {
      SEARCH.runInContext(room, { timeout: PIECE_TIME });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw new Refusal('slow-pattern', 'This pattern takes too long on this text.', 'Repeat less inside of what is repeated.');
    }
    return room.found;
  };
}
