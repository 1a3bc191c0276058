// Comments as one message to an agent: grouped by file, each with its place, the code it is about and how to answer. The first line
// is words, so that no agent takes the message for a command.

import type { Comment } from './comment.ts';
import { cleanBody } from './comment-life.ts';

/** Characters of a prompt that all known agents take as one paste. */
export const PROMPT_LIMIT = 32_000;
/** Lines quoted of one anchor: the first and the last of a longer one. */
const QUOTED = { first: 10, last: 4 };
/** Characters quoted of one line. */
const QUOTED_WIDTH = 240;

export interface ComposedPrompt {
  text: string;
  /** Comments it carries, in its order. */
  comments: number[];
  /** It exceeds `limit`: write it to a file and send `pointerPrompt` instead. */
  tooLong: boolean;
}

/** Composes the prompt of one round. Empty when there are no comments. */
export function composePrompt(comments: readonly Comment[], options: { round: number; limit?: number }): ComposedPrompt {
  const ordered = inFileOrder(comments.filter((comment) => comment.author === 'user'));
  if (ordered.length === 0) return { text: '', comments: [], tooLong: false };
  const parts = [headline(ordered.length, options.round)];
  let file: string | null | undefined;
  for (const comment of ordered) {
    if (comment.place.path !== file) {
      file = comment.place.path;
      parts.push(`## ${file === null ? 'The whole change' : oneLine(file)}`);
    }
    parts.push(section(comment));
  }
  parts.push(instructions(ordered[0]!.id));
  const text = parts.join('\n\n');
  return { text, comments: ordered.map((comment) => comment.id), tooLong: text.length > (options.limit ?? PROMPT_LIMIT) };
}

/** The message that stands for a prompt too long to paste: `path` is the file that holds it. */
export function pointerPrompt(path: string, comments: readonly number[], round: number): string {
  return [
    headline(comments.length, round),
    `They are too long for one message. Read them all in this file, then work through them:\n${path}`,
    instructions(comments[0] ?? 1),
  ].join('\n\n');
}

function headline(count: number, round: number): string {
  const what = count === 1 ? 'one comment' : `${count} comments`;
  return `Review of your changes, round ${round}: ${what}. Please deal with ${count === 1 ? 'it' : 'each of them'}.`;
}

function instructions(example: number): string {
  return [
    'For each comment, when you have dealt with it, run:',
    `    herd comment addressed ${example} "what you did, in one line"`,
    'with its number. To ask or to object, run:',
    `    herd comment reply ${example} "your question"`,
    '`herd comment list` shows all comments with their code. Leave resolving them to the reviewer.',
  ].join('\n');
}

function section(comment: Comment): string {
  const parts = [`### Comment ${comment.id} · ${whereOf(comment)}`];
  // A blank line behind the quotation: without it Markdown takes the words for a part of it.
  if (comment.anchor.lines.length > 0) parts.push(`${quoteReason(comment)}${quote(comment.anchor.lines)}\n`);
  if (comment.body) parts.push(comment.body);
  if (comment.suggestion !== undefined) parts.push(`Suggested replacement:\n${fenced(comment.suggestion)}`);
  for (const reply of comment.replies) parts.push(`${reply.author === 'user' ? 'Reviewer' : 'You'}: ${reply.body}`);
  return parts.join('\n');
}

/** "src/a.ts:42-44 (old side)". */
export function whereOf({ anchor, place }: Comment): string {
  if (place.path === null) return 'the whole change';
  const range = place.range ?? anchor.range;
  const lines = range === null ? '' : range.start === range.end ? `:${range.start}` : `:${range.start}-${range.end}`;
  const commit = anchor.commit === undefined || place.range ? '' : ` (in commit ${anchor.commit.slice(0, 12)})`;
  return `${oneLine(place.path)}${lines}${anchor.side === 'old' ? ' (old side: the code before your change)' : ''}${commit}`;
}

function quoteReason({ place }: Comment): string {
  switch (place.placement) {
    case 'changed':
      return 'The code has changed since; the comment was about:\n';
    case 'gone': {
      const stood =
        place.behind === undefined
          ? ''
          : place.behind === 0
            ? ' (it was at the top of the file)'
            : ` (it was behind what is line ${place.behind} now)`;
      return `This code is no longer there${stood}; the comment was about:\n`;
    }
    default:
      return '';
  }
}

function quote(lines: readonly string[]): string {
  const shown = lines.length <= QUOTED.first + QUOTED.last + 1 ? lines : lines.slice(0, QUOTED.first);
  const rest = shown === lines ? [] : [`… ${lines.length - QUOTED.first - QUOTED.last} more lines …`, ...lines.slice(-QUOTED.last)];
  return [...shown, ...rest].map((line) => `> ${cut(cleanBody(line))}`.trimEnd()).join('\n');
}

function cut(line: string): string {
  return line.length <= QUOTED_WIDTH ? line : `${line.slice(0, QUOTED_WIDTH)}…`;
}

/** A fence longer than any run of backticks inside. */
function fenced(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${code}\n${fence}`;
}

function oneLine(path: string): string {
  return path.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
}

/** By file in order of first mention, the whole change first; by line within a file. */
function inFileOrder(comments: readonly Comment[]): Comment[] {
  const files = [null, ...comments.map((comment) => comment.place.path)];
  const line = ({ place, anchor }: Comment) => (place.range ?? anchor.range)?.start ?? 0;
  return [...comments].sort((a, b) => files.indexOf(a.place.path) - files.indexOf(b.place.path) || line(a) - line(b) || a.id - b.id);
}
