// The life of a comment: what may be done to it in which state. Pure; ids and time come from the caller, a refusal is a value, and
// an intent that changes nothing gives the same object back.
import type { Place } from './anchor.ts';
import type { Anchor, Comment, CommentState } from './comment.ts';
import { splitSuggestion } from './suggestion.ts';

export type CommentIntent =
  | { do: 'edit'; body: string; suggestion?: string | null }
  | { do: 'reply'; id: number; author: 'user' | 'agent'; body: string }
  /** Waits in the prompt queue. */
  | { do: 'queue' }
  /** The prompt that held it was dropped or refused. */
  | { do: 'unqueue' }
  /** A prompt with it was accepted. */
  | { do: 'sent'; round: number }
  /** The agent says it has dealt with it; `reply` is what it did. */
  | { do: 'addressed'; reply?: { id: number; body: string } }
  | { do: 'resolve' }
  | { do: 'reopen' }
  | { do: 'place'; place: Place }
  /** It was posted: it stands there as well from now on. */
  | { do: 'source'; source: string };

export interface Refusal {
  /** kebab-case. */
  code: 'empty' | 'too-long' | 'sent' | 'resolved' | 'not-resolved' | 'note';
  message: string;
  hint?: string;
}

export type CommentOutcome = { comment: Comment } | { refused: Refusal };

/** Characters of a comment or reply at most: more belongs into a file. */
export const BODY_LIMIT = 65_536;

/** Makes a comment, a draft of the user's or a note of the agent's. A suggestion block in its words is its suggestion. */
export function addComment(
  told: { id: number; workspace: number; author: 'user' | 'agent'; anchor: Anchor; body: string; suggestion?: string; source?: string },
  at: number,
): CommentOutcome {
  const given = told.suggestion === undefined ? { ...told, ...splitSuggestion(cleanBody(told.body)) } : told;
  const text = checkBody(given.body);
  if ('refused' in text && !given.suggestion) return text;
  const { path, range } = given.anchor;
  const { id, workspace, author, anchor } = given;
  const place: Place = { placement: 'exact', path, range };
  const body = 'refused' in text ? '' : text.body;
  const comment: Comment = {
    id,
    workspace,
    author,
    anchor,
    place,
    body,
    state: 'draft',
    rounds: [],
    replies: [],
    created: at,
    updated: at,
  };
  if (given.suggestion !== undefined) comment.suggestion = cleanBody(given.suggestion);
  if (given.source !== undefined) comment.source = given.source;
  return { comment };
}

/** Applies an intent at `at` (ms). */
export function applyIntent(comment: Comment, intent: CommentIntent, at: number): CommentOutcome {
  switch (intent.do) {
    case 'edit':
      return edit(comment, intent, at);
    case 'reply':
      return reply(comment, intent, at);
    case 'queue':
      return comment.author === 'agent' ? { refused: NOTE } : move(comment, ['draft'], 'queued', at);
    case 'unqueue':
      return move(comment, ['queued'], 'draft', at);
    case 'sent':
      return sent(comment, intent.round, at);
    case 'addressed':
      return addressed(comment, intent.reply, at);
    case 'resolve':
      return move(comment, ['draft', 'queued', 'sent', 'addressed'], 'resolved', at);
    case 'reopen':
      return reopen(comment, at);
    case 'source':
      return { comment: comment.source === intent.source ? comment : { ...comment, source: intent.source } };
    case 'place':
      return { comment: samePlace(comment.place, intent.place) ? comment : { ...comment, place: intent.place } };
  }
}

const NOTE: Refusal = {
  code: 'note',
  message: 'An agent’s own note is not sent to an agent.',
  hint: 'Reply to it, or write a comment beside it.',
};

function edit(comment: Comment, intent: { body: string; suggestion?: string | null }, at: number): CommentOutcome {
  if (comment.author === 'user' && comment.state !== 'draft' && comment.state !== 'queued') {
    return {
      refused: { code: 'sent', message: `Comment ${comment.id} was sent already: its text stays.`, hint: 'Reply to it, or reopen it.' },
    };
  }
  const split = intent.suggestion === undefined ? splitSuggestion(cleanBody(intent.body)) : intent;
  const text = checkBody(split.body);
  const given = split.suggestion === undefined ? comment.suggestion : (split.suggestion ?? undefined);
  const suggestion = given === undefined ? undefined : cleanBody(given);
  if ('refused' in text && (suggestion === undefined || text.refused.code !== 'empty')) return text;
  const body = 'refused' in text ? '' : text.body;
  if (body === comment.body && suggestion === comment.suggestion) return { comment };
  const { suggestion: _before, ...rest } = comment;
  return { comment: { ...rest, body, ...(suggestion === undefined ? {} : { suggestion }), updated: at } };
}

/** A user's reply wants an answer: what was sent, addressed or resolved becomes a draft for the next round. */
function reply(comment: Comment, intent: { id: number; author: 'user' | 'agent'; body: string }, at: number): CommentOutcome {
  const text = checkBody(intent.body);
  if ('refused' in text) return text;
  const replies = [...comment.replies, { id: intent.id, author: intent.author, body: text.body, at }];
  const again = intent.author === 'user' && comment.author === 'user' && comment.state !== 'queued';
  return { comment: { ...comment, replies, state: again ? 'draft' : comment.state, updated: at } };
}

function sent(comment: Comment, round: number, at: number): CommentOutcome {
  if (comment.author === 'agent') return { refused: NOTE };
  if (comment.rounds.includes(round)) return { comment };
  if (comment.state === 'resolved') return { refused: resolvedAlready(comment) };
  return { comment: { ...comment, state: 'sent', rounds: [...comment.rounds, round], updated: at } };
}

function addressed(comment: Comment, answer: { id: number; body: string } | undefined, at: number): CommentOutcome {
  if (comment.state === 'resolved') return { refused: resolvedAlready(comment) };
  const text = answer === undefined ? null : checkBody(answer.body);
  if (text && 'refused' in text) return text;
  if (comment.state === 'addressed' && !answer) return { comment };
  const replies = text && answer ? [...comment.replies, { id: answer.id, author: 'agent' as const, body: text.body, at }] : comment.replies;
  return { comment: { ...comment, replies, state: 'addressed', updated: at } };
}

function reopen(comment: Comment, at: number): CommentOutcome {
  if (comment.state === 'resolved' || comment.state === 'addressed' || comment.state === 'sent')
    return { comment: { ...comment, state: 'draft', updated: at } };
  return { refused: { code: 'not-resolved', message: `Comment ${comment.id} is open: it is ${comment.state}.` } };
}

function move(comment: Comment, from: CommentState[], to: CommentState, at: number): CommentOutcome {
  if (comment.state === to) return { comment };
  if (from.includes(comment.state)) return { comment: { ...comment, state: to, updated: at } };
  if (comment.state === 'resolved') return { refused: resolvedAlready(comment) };
  return { refused: { code: 'sent', message: `Comment ${comment.id} is ${comment.state} already.`, hint: 'Reopen it to send it again.' } };
}

function resolvedAlready(comment: Comment): Refusal {
  return { code: 'resolved', message: `Comment ${comment.id} is resolved.`, hint: 'Reopen it first.' };
}

function samePlace(a: Place, b: Place): boolean {
  const sameRange = a.range?.start === b.range?.start && a.range?.end === b.range?.end;
  return a.placement === b.placement && a.path === b.path && sameRange && a.behind === b.behind;
}

function checkBody(given: string): { body: string } | { refused: Refusal } {
  const body = cleanBody(given).trim();
  if (body === '') return { refused: { code: 'empty', message: 'A comment needs some text.' } };
  if (body.length <= BODY_LIMIT) return { body };
  return { refused: { code: 'too-long', message: `A comment has at most ${BODY_LIMIT} characters, this one has ${body.length}.` } };
}

/** Line ends as "\n", no control characters but tabs: bodies go to terminals and into agents' prompts. */
export function cleanBody(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}
