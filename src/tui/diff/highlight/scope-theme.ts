// Grammar scopes to herd's colour names, as a theme whose "colours" are numbers: one answer serves dark and light themes alike.
import type { ThemeRegistrationRaw } from 'shiki/core';
import { SYNTAX_COLORS } from '../draw-code.ts';

type SyntaxColor = (typeof SYNTAX_COLORS)[number];

/** Later rows win over earlier ones of the same depth, as in every TextMate theme. */
const SCOPES: readonly (readonly [SyntaxColor | null, readonly string[]])[] = [
  ['comment', ['comment', 'punctuation.definition.comment']],
  ['string', ['string', 'punctuation.definition.string', 'markup.inline.raw', 'markup.fenced_code']],
  ['literal', ['constant', 'constant.numeric', 'constant.language', 'string.regexp', 'constant.character.escape', 'variable.language']],
  ['keyword', ['keyword', 'storage', 'storage.type', 'storage.modifier', 'keyword.control', 'markup.heading', 'markup.bold']],
  // Plain: half of all tokens are punctuation, and a colour of their own would be noise to the eye and to a slow link.
  [null, ['keyword.operator', 'punctuation', 'meta.brace', 'punctuation.separator', 'punctuation.terminator']],
  ['keyword', ['keyword.operator.new', 'keyword.operator.expression', 'keyword.operator.logical.python', 'keyword.operator.word']],
  ['function', ['entity.name.function', 'support.function', 'meta.function-call.generic', 'variable.function']],
  ['type', ['entity.name.type', 'entity.name.class', 'support.type', 'support.class', 'entity.other.inherited-class', 'storage.type.java']],
  [
    'property',
    [
      'support.type.property-name',
      'entity.other.attribute-name',
      'variable.other.property',
      'meta.object-literal.key',
      'variable.other.object.property',
    ],
  ],
  ['tag', ['entity.name.tag', 'punctuation.definition.tag', 'markup.deleted', 'entity.name.section']],
];

/** Colour n + 1 stands for SYNTAX_COLORS[n]; 0 for plain text. */
export const SCOPE_THEME: ThemeRegistrationRaw = {
  name: 'herd',
  type: 'dark',
  fg: '#000000',
  bg: '#ffffff',
  settings: [
    { settings: { foreground: '#000000', background: '#ffffff' } },
    ...SCOPES.map(([name, scope]) => ({ scope: [...scope], settings: { foreground: numberOf(name) } })),
  ],
};

function numberOf(name: SyntaxColor | null): string {
  return `#${(name === null ? 0 : SYNTAX_COLORS.indexOf(name) + 1).toString(16).padStart(6, '0')}`;
}

/** Index into SYNTAX_COLORS of a token's colour; -1 for plain text. */
export function colorIndex(color: string | undefined): number {
  return color ? Number.parseInt(color.slice(1), 16) - 1 : -1;
}
