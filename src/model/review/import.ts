// Reviews from outside as comments to be made: a document that herd exported, or review comments of a pull request. What comes in is
// hostile; what is wrong with it is said in one clause. Pure.
import type { Side } from './comment.ts';
import { BODY_LIMIT, cleanBody } from './comment-life.ts';
import { splitSuggestion } from './suggestion.ts';

/** A comment to be made, with replies below it. */
export interface Incoming {
  path: string | null;
  side: Side;
  range: { start: number; end: number } | null;
  body: string;
  suggestion?: string;
  /** Where it came from, so that it is not brought in twice: "github:123", "herd:4@2025-…". */
  source: string;
  replies: string[];
}

/** Comments of one document at most. */
const COMMENTS = 5_000;

/** The user's open comments of an exported review. */
export function readReview(json: string): Incoming[] | string {
  const value = parse(json);
  if (typeof value !== 'object' || value === null || !Array.isArray((value as { comments?: unknown }).comments))
    return 'it is no exported review: "comments" is missing';
  const { comments } = value as { comments: unknown[] };
  if (comments.length > COMMENTS) return `it holds more than ${COMMENTS} comments`;
  const found: Incoming[] = [];
  for (const [i, entry] of comments.entries()) {
    const read = readComment(entry);
    if (read === null) return `comment ${i + 1} has no place, text or number that can be read`;
    if (read !== 'skip') found.push(read);
  }
  return found;
}

function readComment(entry: unknown): Incoming | 'skip' | null {
  const { id, author, state, body, suggestion, anchor, created, replies } = record(entry);
  const { path = null, side, range = null } = record(anchor);
  if (author === 'agent' || state === 'resolved') return 'skip';
  if (typeof id !== 'number' || !isText(body) || (side !== 'old' && side !== 'new')) return null;
  if (suggestion !== undefined && !isText(suggestion)) return null;
  const place = readPlace(path, range);
  if (!place) return null;
  const answers = (Array.isArray(replies) ? replies : []).map((reply) => record(reply)).filter((reply) => isText(reply.body));
  return {
    ...place,
    side,
    body: cleanBody(body),
    ...(suggestion === undefined ? {} : { suggestion: cleanBody(suggestion) }),
    source: `herd:${id}@${typeof created === 'number' ? created : 0}`,
    replies: answers.map((reply) => `${reply.author === 'agent' ? 'agent: ' : ''}${cleanBody(reply.body as string)}`),
  };
}

/** Review comments as `gh api …/pulls/N/comments` prints them (one array, or several one after the other). Threads stay together. */
export function readPullComments(json: string): Incoming[] | string {
  const value = parse(json.trim().replace(/\]\s*\[/g, ','));
  if (!Array.isArray(value)) return 'that is no list of review comments';
  const threads = new Map<number, Incoming>();
  for (const entry of value.slice(0, COMMENTS)) {
    const { id, path, line, start_line, side, body, user, in_reply_to_id } = record(entry);
    if (typeof id !== 'number' || typeof path !== 'string' || !isText(body)) return 'one of its comments has no id, path or body';
    const { login } = record(user);
    const who = typeof login === 'string' ? `${login.slice(0, 100)}: ` : '';
    const thread = typeof in_reply_to_id === 'number' ? threads.get(in_reply_to_id) : undefined;
    if (thread) {
      thread.replies.push(`${who}${cleanBody(body)}`);
      continue;
    }
    // A comment on code that the pull request no longer has stands on the file.
    const range = typeof line === 'number' ? { start: typeof start_line === 'number' ? start_line : line, end: line } : null;
    const place = readPlace(path, range);
    if (!place) return `one of its comments stands at no place in the worktree: ${path.slice(0, 200)}`;
    const { body: said, suggestion } = splitSuggestion(cleanBody(body));
    threads.set(id, {
      ...place,
      side: side === 'LEFT' ? 'old' : 'new',
      body: `${who}${said}`.trim(),
      ...(suggestion === undefined ? {} : { suggestion }),
      source: `github:${id}`,
      replies: [],
    });
  }
  return [...threads.values()];
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= BODY_LIMIT;
}

function readPlace(path: unknown, range: unknown): Pick<Incoming, 'path' | 'range'> | null {
  if (path === null) return { path: null, range: null };
  if (typeof path !== 'string' || path === '' || path.startsWith('/') || path.includes('\0') || path.split('/').includes('..')) return null;
  if (range === null) return { path, range: null };
  const { start, end } = record(range);
  const whole = (n: unknown): n is number => typeof n === 'number' && Number.isInteger(n) && n >= 1 && n < 2 ** 31;
  return whole(start) && whole(end) && end >= start ? { path, range: { start, end } } : null;
}
