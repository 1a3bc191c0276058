// Grammar patterns as regular expressions. A line tries most of a grammar's hundreds of patterns and matches few; to translate and compile
// them was most of what a language cost when it was first met. So the build translates them, and those whose text no line has had are
// never compiled.
import { EmulatedRegExp } from 'oniguruma-to-es';
import { defaultJavaScriptRegexConstructor } from 'shiki/engine/javascript';
import { type OneOf, requiredText } from './required-text.ts';

/** A pattern in JavaScript's syntax, as JSON: `options` for what JavaScript has no syntax for, `needs` as of `requiredText`. */
export interface Translation {
  source: string;
  flags: string;
  options?: EmulatedRegExp['rawOptions'];
  needs: OneOf[];
}

/** By the pattern in Oniguruma's syntax. */
export type Translations = Readonly<Record<string, Translation>>;

/** null: JavaScript cannot do what the pattern asks for. */
export function translate(pattern: string): Translation | null {
  try {
    const made = defaultJavaScriptRegexConstructor(pattern);
    const { source, flags } = made;
    const options = made instanceof EmulatedRegExp ? made.rawOptions : undefined;
    return { source, flags, options, needs: requiredText(pattern) };
  } catch {
    return null;
  }
}

/** Of all patterns of a grammar, which is JSON. */
export function translationsOf(grammar: object): Translations {
  const found: Record<string, Translation> = {};
  for (const [key, value] of Object.entries(grammar) as [string, unknown][]) {
    if (typeof value === 'object' && value !== null) Object.assign(found, translationsOf(value));
    if (typeof value !== 'string' || !['match', 'begin', 'end', 'while'].includes(key)) continue;
    for (const form of formsOf(value)) {
      const translation = translate(form);
      if (translation) found[form] = translation;
    }
  }
  return found;
}

/** A pattern as the tokenizer asks for it: where it is not at the beginning of the text, or of its search, it puts U+FFFF for the anchor. */
function formsOf(pattern: string): Set<string> {
  const without = (anchors: string) => pattern.replace(/\\(.)/gs, (pair, char: string) => (anchors.includes(char) ? '\\\uFFFF' : pair));
  return new Set([pattern, without('A'), without('G'), without('AG')]);
}

export interface Patterns {
  add(translations: Translations): void;
  /** The regular expression of a pattern, one object for each. One that JavaScript cannot do never matches. */
  regExpOf(pattern: string): RegExp;
}

/** The patterns of grammars as regular expressions, each made when a line first needs it. */
export function createPatterns(): Patterns {
  const translated = new Map<string, Translation>();
  const known = new Map<string, RegExp>();
  return {
    add(translations) {
      for (const [pattern, translation] of Object.entries(translations)) translated.set(pattern, translation);
    },
    regExpOf(pattern) {
      const made = known.get(pattern) ?? new LateRegExp(pattern, translated.get(pattern) ?? null);
      known.set(pattern, made);
      return made;
    },
  };
}

/** Compiled when a text has what it needs. */
class LateRegExp extends RegExp {
  /** Where it begins to search is up to the scanner, which asks for these. */
  override readonly sticky: boolean;
  readonly rawOptions: Translation['options'];
  readonly #pattern: string;
  readonly #needs: readonly OneOf[];
  readonly #translation: Translation | null;
  /** Undefined until a text has what it needs; null: JavaScript cannot do it. */
  #made: RegExp | null | undefined;

  constructor(pattern: string, known: Translation | null) {
    super('', 'dg');
    const translation = known ?? (pattern.includes('\\G') ? translate(pattern) : null);
    this.sticky = translation?.flags.includes('y') ?? false;
    this.rawOptions = translation?.options;
    this.#pattern = pattern;
    this.#translation = translation;
    this.#needs = translation?.needs ?? requiredText(pattern);
  }

  override exec(text: string): RegExpExecArray | null {
    for (const one of this.#needs) if (!one.some((part) => text.includes(part))) return null;
    if (this.#made === undefined) this.#made = compile(this.#translation ?? translate(this.#pattern));
    if (!this.#made) return null;
    this.#made.lastIndex = this.lastIndex;
    return this.#made.exec(text);
  }
}

function compile(translation: Translation | null): RegExp | null {
  if (!translation) return null;
  const { source, flags, options } = translation;
  return options ? new EmulatedRegExp(source, flags, options) : new RegExp(source, flags);
}
