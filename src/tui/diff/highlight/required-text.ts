// What a text must contain for a grammar's pattern to match it, read off the pattern. Knows nothing of grammars and makes no RegExp.

/** One of these strings is in every text with a match: in the match or in what the pattern looks at before and behind it. */
export type OneOf = readonly string[];

/** Longer lists are not kept: to look for each of them would cost what the pattern costs. */
const CHOICES = 24;
/** Conditions kept of a pattern: few lines that have its word do not have its bracket. */
const CONDITIONS = 3;

/**
 * Conditions that all hold for every text in which `pattern` (Oniguruma's syntax, as in TextMate grammars) matches anywhere. None where
 * nothing can be told, as of patterns that ignore case.
 */
export function requiredText(pattern: string): OneOf[] {
  const reader: Reader = { pattern, at: 0 };
  try {
    const conditions = alternatives(reader);
    return reader.at === pattern.length ? best(conditions) : [];
  } catch (error) {
    if (error === UNKNOWN) return [];
    throw error;
  }
}

interface Reader {
  readonly pattern: string;
  at: number;
}

/** One element of a pattern: a character, or what else it is worth. */
type Item = { char: string } | { conditions: OneOf[] };

/** Thrown at what would change the meaning of all that follows. */
const UNKNOWN = Symbol('unknown');
const NOTHING: Item = { conditions: [] };

function best(conditions: readonly OneOf[]): OneOf[] {
  return conditions.toSorted((a, b) => rarity(b) - rarity(a)).slice(0, CONDITIONS);
}

/** By the shortest of the strings, then by how few they are. */
function rarity(one: OneOf): number {
  return Math.min(...one.map((text) => text.length)) - one.length / (2 * CHOICES);
}

/** Up to the end, or to the bracket that closes the group. */
function alternatives(reader: Reader): OneOf[] {
  const branches = [sequence(reader)];
  while (taken(reader, '|')) branches.push(sequence(reader));
  if (branches.length === 1) return branches[0]!;
  const choices = branches.map((branch) => best(branch)[0]);
  const union = choices.includes(undefined) ? [] : [...new Set(choices.flatMap((one) => one!))];
  return union.length > 0 && union.length <= CHOICES ? [union] : [];
}

function sequence(reader: Reader): OneOf[] {
  const conditions: OneOf[] = [];
  let run = '';
  const endRun = () => {
    if (run !== '') conditions.push([run]);
    run = '';
  };
  while (reader.at < reader.pattern.length && !'|)'.includes(reader.pattern[reader.at]!)) {
    const item = next(reader);
    const times = repeats(reader);
    if (item === null) continue;
    if ('char' in item) {
      if (times !== 'perhaps') run += item.char;
      if (times !== 'once') endRun();
    } else {
      endRun();
      if (times !== 'perhaps') conditions.push(...item.conditions);
    }
  }
  endRun();
  return conditions;
}

/** null: a place between characters, which parts no run. */
function next(reader: Reader): Item | null {
  const char = String.fromCodePoint(reader.pattern.codePointAt(reader.at)!);
  reader.at += char.length;
  switch (char) {
    case '\\':
      return escaped(reader);
    case '[':
      return characterClass(reader);
    case '(':
      return group(reader);
    case '.':
      return NOTHING;
    case '^':
    case '$':
      return null;
    default:
      return { char };
  }
}

function repeats(reader: Reader): 'once' | 'more' | 'perhaps' {
  // Signs behind the first say how greedy it is; only behind an exact number `?` makes all of it optional.
  const [signs] = matched(reader, /(?:[*+?]|\{(?:\d+(?:,\d*)?|,\d+)\})+/y) ?? [];
  if (!signs) return 'once';
  return /^\+[?+]?$|^\{0*[1-9]\d*(?:,\d*\}\??|\})$/.test(signs) ? 'more' : 'perhaps';
}

const CONTROLS: Readonly<Record<string, string>> = { a: '\x07', e: '\x1b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function escaped(reader: Reader): Item | null {
  if (matched(reader, /[bBAzZGKyY]/y)) return null;
  if (matched(reader, /[dDwWsShHRXNO]|[pP]\{[^}]*\}|[kg](?:<[^>]*>|'[^']*')|[1-9]\d*/y)) return NOTHING;
  const [, braced, ascii, four] = matched(reader, /x\{([\da-fA-F]{1,4})\}|x([0-7][\da-fA-F])|u([\da-fA-F]{4})/y) ?? [];
  const code = braced ?? ascii ?? four;
  if (code) return { char: String.fromCharCode(Number.parseInt(code, 16)) };
  const [char] = matched(reader, /[aefnrtv]|[^\w\s]/uy) ?? [];
  if (!char) throw UNKNOWN;
  return { char: CONTROLS[char] ?? char };
}

/** Behind `[`. A few characters, each for itself, are a condition; ranges and other classes are not. */
function characterClass(reader: Reader): Item {
  const negated = taken(reader, '^');
  const chars = new Set<string>();
  let plain = !negated;
  if (taken(reader, ']')) chars.add(']');
  for (let depth = 1; depth > 0; ) {
    // A bracket that closes is text where a class begins, also in one within.
    const [text] = matched(reader, /\\.|&&|\[\^?\]?|./suy) ?? [];
    if (text === undefined) throw UNKNOWN;
    if (text.startsWith('[')) depth++;
    else if (text === ']') depth--;
    if (depth === 0) break;
    const own = /^\\[^\w\s]$/u.test(text) ? text.slice(1) : text;
    const range = text === '-' && chars.size > 0 && reader.pattern[reader.at] !== ']';
    const digits = range && [...chars].at(-1) === '0' ? matched(reader, /[1-9]/y) : null;
    if (digits) {
      for (let digit = 1; digit <= Number(digits[0]); digit++) chars.add(String(digit));
      continue;
    }
    plain &&= depth === 1 && !range && text !== ']' && [...own].length === 1;
    chars.add(own);
  }
  return plain && chars.size <= CHOICES ? { conditions: [[...chars]] } : NOTHING;
}

/** Behind `(`. */
function group(reader: Reader): Item | null {
  if (matched(reader, /\?#(?:\\.|[^)\\])*\)/sy)) return null;
  const absent = matched(reader, /\?<?!/y);
  // Of flags those that only change what `.`, `^` and `$` are.
  if (!absent && !matched(reader, /\?(?:<?=|[:>]|<\w+>|'\w+'|m?(?:-[imx]+)?:)|(?![?*])/y)) throw UNKNOWN;
  const conditions = alternatives(reader);
  if (!taken(reader, ')')) throw UNKNOWN;
  return absent ? null : { conditions };
}

function taken(reader: Reader, char: string): boolean {
  if (reader.pattern[reader.at] !== char) return false;
  reader.at++;
  return true;
}

/** Goes on behind what `expression` (sticky) matches here. */
function matched(reader: Reader, expression: RegExp): RegExpExecArray | null {
  expression.lastIndex = reader.at;
  const match = expression.exec(reader.pattern);
  if (match) reader.at = expression.lastIndex;
  return match;
}
