// A comment's words and its proposed code as one text, the way code hosts write it: the code in a fence called "suggestion". Pure.
import type { Comment } from './comment.ts';

const BLOCK = /^(`{3,})suggestion[^\S\n]*\n([\s\S]*?)^\1`*[^\S\n]*$\n?/m;

/** Parts a text: what is said, and the code of its first suggestion block; further blocks stay in the words. */
export function splitSuggestion(text: string): { body: string; suggestion?: string } {
  const block = BLOCK.exec(text);
  if (!block) return { body: text.trim() };
  const body = `${text.slice(0, block.index)}${text.slice(block.index + block[0].length)}`.trim();
  return { body, suggestion: block[2]!.replace(/\n$/, '') };
}

/** The text that `splitSuggestion` parts into this comment. */
export function joinSuggestion({ body, suggestion }: Pick<Comment, 'body' | 'suggestion'>): string {
  if (suggestion === undefined) return body;
  return `${body}${body === '' ? '' : '\n\n'}${suggestionBlock(suggestion)}`;
}

/** A block with `code`; its fence is longer than any in it. */
export function suggestionBlock(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}suggestion\n${code === '' ? '' : `${code}\n`}${fence}`;
}
