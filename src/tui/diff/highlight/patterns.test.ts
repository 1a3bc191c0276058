// Grammars with translated and late patterns give the tokens that shiki's own engine gives, for every language that herd colours.
import { createHighlighterCore, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { expect, test } from 'vitest';
import { createRandom } from '../../../../test/support/random.ts';
import { LANGUAGES, type Language, loadGrammars } from './languages.ts';
import { createPatterns, translate, translationsOf } from './patterns.ts';
import { SCOPE_THEME } from './scope-theme.ts';

type Engine = ReturnType<typeof createJavaScriptRegexEngine>;

async function highlighterOf(language: Language, engine: Engine): Promise<HighlighterCore> {
  return createHighlighterCore({ themes: [SCOPE_THEME], langs: [...(await loadGrammars(language))], engine });
}

/** Lines of what the grammar's own patterns are about: their words and signs in any order, some beside text that is not ASCII. */
function linesFor(grammar: object, seed: number): string[] {
  const random = createRandom(seed);
  const pick = <T>(from: readonly T[]): T => from[random(from.length)]!;
  const patterns = Object.keys(translationsOf(grammar));
  const words = [...new Set(patterns.flatMap((pattern) => pattern.match(/[a-z]{2,}|[^\\\sa-z]/gi) ?? []))];
  const others = ['name', 'x1', '0x1f', '12.5', '"', "'", '(', ')', '{', '}', ';', '=', '/', '*', '#', 'Näme', '日本', '😀'];
  const word = () => pick(random(5) < 3 ? words : others) + pick(['', ' ', ' ']);
  const line = () => Array.from({ length: 1 + random(14) }, word);
  return Array.from({ length: 25 }, () => line().join(''));
}

test.each(Object.keys(LANGUAGES) as Language[])('%s', async (language) => {
  const grammars = await loadGrammars(language);
  const patterns = createPatterns();
  for (const grammar of grammars) patterns.add(JSON.parse(JSON.stringify(translationsOf(grammar))));
  const own = await highlighterOf(
    language,
    createJavaScriptRegexEngine({ forgiving: true, cache: null, regexConstructor: patterns.regExpOf }),
  );
  const shiki = await highlighterOf(language, createJavaScriptRegexEngine({ forgiving: true }));
  const lang = grammars.at(-1)!.name;
  const options = { lang, theme: 'herd', includeExplanation: 'scopeName', tokenizeTimeLimit: 0 } as const;
  const text = linesFor(grammars.at(-1)!, language.length).join('\n');
  expect(own.codeToTokensBase(text, options)).toEqual(shiki.codeToTokensBase(text, options));
  own.dispose();
  shiki.dispose();
});

test('what JavaScript cannot do is no translation, and never matches', () => {
  const impossible = '(?<=a+b*)\\g<missing>';
  expect(translate(impossible)).toBeNull();
  expect(createPatterns().regExpOf(impossible).exec('aab')).toBeNull();
});
