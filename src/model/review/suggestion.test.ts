// Suggestion blocks: what is parted comes together again.
import { expect, test } from 'vitest';
import { joinSuggestion, splitSuggestion } from './suggestion.ts';

const CASES: [name: string, text: string, body: string, suggestion: string | undefined][] = [
  ['words only', 'why?', 'why?', undefined],
  ['a block only', '```suggestion\nconst a = 1;\n```', '', 'const a = 1;'],
  ['words and a block', 'like this:\n\n```suggestion\nif (x) {\n  y();\n}\n```', 'like this:', 'if (x) {\n  y();\n}'],
  ['an empty block deletes the lines', 'drop it\n\n```suggestion\n```', 'drop it', ''],
  ['a longer fence around a fence', '````suggestion\n```sh\nls\n```\n````', '', '```sh\nls\n```'],
  ['another fence is words', '```ts\nx\n```', '```ts\nx\n```', undefined],
  ['a fence that is not closed is words', '```suggestion\nx', '```suggestion\nx', undefined],
];

for (const [name, text, body, suggestion] of CASES) {
  test(name, () => {
    const split = splitSuggestion(text);
    expect(split).toEqual(suggestion === undefined ? { body } : { body, suggestion });
    expect(splitSuggestion(joinSuggestion(split))).toEqual(split);
  });
}
