// A review as a document: Markdown for people, JSON for programs. Holds text only; nothing is read or written here.
import { counted } from '../counted.ts';
import type { Changeset } from './changeset.ts';
import type { Comment } from './comment.ts';
import { cleanBody } from './comment-life.ts';
import { quoteName } from './hunk-patch.ts';
import { whereOf } from './prompt.ts';
import { joinSuggestion } from './suggestion.ts';

/** Grows, never changes. */
export interface ReviewDocument {
  version: 1;
  branch: string | null;
  head: string | null;
  base: { name: string; commit: string } | null;
  files: number;
  added: number;
  removed: number;
  comments: Comment[];
}

/** The review as JSON data. */
export function exportReview(changeset: Changeset, comments: readonly Comment[]): ReviewDocument {
  const { branch, head, base, files, added, removed } = changeset;
  const from = base && { name: base.name, commit: base.commit };
  return { version: 1, branch, head, base: from, files: files.length, added, removed, comments: [...comments] };
}

/** The review as Markdown: a head line, then each comment with its code, its thread and its state. */
export function exportMarkdown(changeset: Changeset, comments: readonly Comment[]): string {
  const { branch, base, files, added, removed } = changeset;
  const count = counted(files.length, 'file');
  const since = base ? ` since ${base.name} (${base.commit.slice(0, 8)})` : '';
  const parts = [`# Review of ${branch ?? changeset.head ?? 'the working tree'}`, `${count}, +${added} −${removed}${since}`];
  for (const comment of comments) parts.push(commentMarkdown(comment));
  return `${parts.join('\n\n')}\n`;
}

/** Comments alone, for the clipboard. */
export function commentsMarkdown(comments: readonly Comment[]): string {
  return `${comments.map(commentMarkdown).join('\n\n')}\n`;
}

function commentMarkdown(comment: Comment): string {
  const rounds = comment.rounds.length ? `, round ${comment.rounds.at(-1)}` : '';
  const placement = comment.place.placement === 'exact' ? '' : `, ${comment.place.placement}`;
  const who = comment.author === 'agent' ? 'note of the agent' : comment.state;
  const parts = [`## ${comment.id}. ${whereOf(comment)} (${who}${rounds}${placement})`];
  if (comment.anchor.lines.length > 0) parts.push(indented(comment.anchor.lines));
  if (comment.body) parts.push(comment.body);
  if (comment.suggestion !== undefined) parts.push('Suggested:', indented(comment.suggestion.split('\n')));
  for (const reply of comment.replies) parts.push(`**${reply.author === 'agent' ? 'Agent' : 'Reviewer'}:** ${reply.body}`);
  return parts.join('\n\n');
}

/** An indented code block: no fence that the code could close. */
function indented(lines: readonly string[]): string {
  return lines.map((line) => `    ${cleanBody(line)}`.trimEnd()).join('\n');
}

/** The patch with the comments of each file above it, where `git apply` reads over them. */
export function patchWithNotes(patch: string, comments: readonly Comment[]): string {
  const left = new Set(comments);
  const take = (test: (comment: Comment) => boolean) => {
    const found = [...left].filter(test);
    for (const comment of found) left.delete(comment);
    return found.map(noteLines).join('');
  };
  const parts = patch.split(/^(?=diff --git )/m).map((part) => {
    const head = part.slice(0, part.search(/^@@ /m) + 1 || part.length);
    return `${take(({ place }) => place.path !== null && head.includes(quoteName(`b/${place.path}`)))}${part}`;
  });
  return `${take(({ place }) => place.path === null)}${parts.join('')}${take(() => true)}`;
}

function noteLines(comment: Comment): string {
  const said = [joinSuggestion(comment), ...comment.replies.map(({ author, body }) => `${author}: ${body}`)].join('\n');
  const lines = [`${comment.id}. ${whereOf(comment)} (${comment.state})`, ...said.split('\n').map((line) => `  ${line}`)];
  return `${lines.map((line) => `# ${line}`.trimEnd()).join('\n')}\n`;
}
