// The highlighting thread: takes stretches of lines, answers with colour spans. Holds grammars and the states at the ends of
// stretches, so that the next one goes on where the last ended; holds no text.
import { parentPort } from 'node:worker_threads';
import { createHighlighterCore, type GrammarState, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { compileRegExpsAtOnce } from '../../../config/engine.ts';
import { dropOldest } from '../../../model/drop-oldest.ts';
import { type Language, loadGrammars } from './languages.ts';
import { createPatterns } from './patterns.ts';
import { colorIndex, SCOPE_THEME } from './scope-theme.ts';

export interface Stretch {
  id: number;
  language: Language;
  lines: string[];
  /** Name of this stretch's end state, and of the one it goes on from. */
  key: string;
  after: string | null;
}

/** Lines of this language will come: its grammar is made ready meanwhile. */
export interface Coming {
  coming: Language;
}

/** Said before a stretch is coloured: thread and grammar are loaded, what takes long from here on is the text. */
export interface StretchBegun {
  begun: number;
}

export interface StretchColors {
  id: number;
  /** Line, from, to, colour index, and so on; null: it could not be coloured. */
  spans: Uint32Array | null;
}

/** Characters from which a line stays plain: grammars are slow on minified code. */
const LINE_LIMIT = 1_000;
/** ms for one line; the first of a language also pays for its patterns, which on a busy machine takes longer than shiki's half a second. */
const LINE_PATIENCE = 3_000;
/** End states kept. */
const STATES = 2_000;

interface Tokenizer {
  /** Loads a grammar, and has the engine make what the beginning of any text takes: the most of what a first stretch costs. */
  prepare(language: Language): Promise<void>;
  tokenize(stretch: Stretch): Promise<Uint32Array>;
}

function createTokenizer(begin: (stretch: Stretch) => void): Tokenizer {
  const states = new Map<string, GrammarState>();
  const names = new Map<Language, Promise<string>>();
  const patterns = createPatterns();
  // `cache`: `patterns` keeps its own.
  const engine = createJavaScriptRegexEngine({ forgiving: true, cache: null, regexConstructor: patterns.regExpOf });
  let core: Promise<HighlighterCore> | null = null;

  async function load(highlighter: HighlighterCore, language: Language): Promise<string> {
    const grammars = await loadGrammars(language);
    for (const { translations, ...grammar } of grammars) {
      if (translations) patterns.add(translations);
      await highlighter.loadLanguage(grammar);
    }
    return grammars.at(-1)!.name;
  }

  async function ready(language: Language): Promise<{ highlighter: HighlighterCore; lang: string }> {
    core ??= createHighlighterCore({ themes: [SCOPE_THEME], langs: [], engine });
    const highlighter = await core;
    const name = names.get(language) ?? load(highlighter, language);
    names.set(language, name);
    return { highlighter, lang: await name };
  }

  async function prepare(language: Language): Promise<void> {
    const { highlighter, lang } = await ready(language);
    highlighter.codeToTokensBase('a', { lang, theme: 'herd' });
  }

  async function tokenize(stretch: Stretch): Promise<Uint32Array> {
    const { language, lines, key, after } = stretch;
    const { highlighter, lang } = await ready(language);
    const grammarState = after === null ? undefined : states.get(after);
    const limits = { tokenizeMaxLineLength: LINE_LIMIT, tokenizeTimeLimit: LINE_PATIENCE };
    const options = { lang, theme: 'herd', ...limits, ...(grammarState ? { grammarState } : {}) };
    begin(stretch);
    const tokens = highlighter.codeToTokensBase(lines.join('\n'), options);
    const end = highlighter.getLastGrammarState(tokens);
    if (end) states.set(key, end);
    dropOldest(states, STATES);
    return flatten(tokens);
  }

  return { prepare, tokenize };
}

function flatten(lines: readonly { content: string; color?: string }[][]): Uint32Array {
  const spans: number[] = [];
  lines.forEach((tokens, line) => {
    let at = 0;
    for (const { content, color } of tokens) {
      const index = colorIndex(color);
      if (index >= 0 && content.trim() !== '') spans.push(line, at, at + content.length, index);
      at += content.length;
    }
  });
  return Uint32Array.from(spans);
}

if (parentPort) {
  const port = parentPort;
  compileRegExpsAtOnce();
  const { prepare, tokenize } = createTokenizer(({ id }) => port.postMessage({ begun: id } satisfies StretchBegun));
  let line = Promise.resolve();
  port.on('message', (stretch: Stretch | Coming) => {
    line = line.then(async () => {
      if ('coming' in stretch) return prepare(stretch.coming).catch(() => {});
      const spans = await tokenize(stretch).catch(() => null);
      port.postMessage({ id: stretch.id, spans } satisfies StretchColors);
    });
  });
}
