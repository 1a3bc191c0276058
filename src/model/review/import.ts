// Reviews from outside as comments to be made: a document that herd exported, or review comments of a pull request. What comes in is
// hostile; what is wrong with it is said in one clause. Pure.
import type { SeenLines } from './anchor.ts';
import type { Side } from './comment.ts';
import { BODY_LIMIT, cleanBody } from './comment-life.ts';
import { splitSuggestion } from './suggestion.ts';
import { CONTEXT_LINES } from './text-places.ts';

/** A comment to be made, with replies below it. */
export interface Incoming {
  path: string | null;
  side: Side;
  range: { start: number; end: number } | null;
  /** The text it is about, by which its place is found; absent where none came with it. */
  seen?: SeenLines;
  body: string;
  suggestion?: string;
  /** Where it came from, so that it is not brought in twice: "github:123", or `exportedSource`. */
  source: string;
  replies: { author: 'user' | 'agent'; body: string }[];
}

/** The source of a comment that another herd, or this one, has exported: where it was made. */
export function exportedSource({ id, created, source }: { id: number; created: number; source?: string }): string {
  return source ?? `herd:${id}@${created}`;
}

/** Comments of one document at most. */
const COMMENTS = 5_000;
/** Lines of one comment's code at most, and characters of one of them. */
const CODE = { lines: 10_000, chars: 65_536 };

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
  const { id, author, state, body, suggestion, anchor, place, created, replies, source } = record(entry);
  if (author === 'agent' || state === 'resolved') return 'skip';
  if (typeof id !== 'number' || !isText(body)) return null;
  if (suggestion !== undefined && !isText(suggestion)) return null;
  const { side } = record(anchor);
  const at = readAnchor(record(anchor), record(place));
  if (!at || (side !== 'old' && side !== 'new')) return null;
  const answers = (Array.isArray(replies) ? replies : []).map((reply) => record(reply)).filter((reply) => isText(reply.body));
  const before = typeof source === 'string' && /^(herd|github):[\w@-]{1,100}$/.test(source) ? { source } : {};
  return {
    ...at,
    side,
    body: cleanBody(body),
    ...(suggestion === undefined ? {} : { suggestion: cleanBody(suggestion) }),
    source: exportedSource({ id, created: typeof created === 'number' ? created : 0, ...before }),
    replies: answers.map((reply) => ({ author: reply.author === 'agent' ? 'agent' : 'user', body: cleanBody(reply.body as string) })),
  };
}

/** Where it stood when it was exported, and the code that it is about; null when that is no place. */
function readAnchor(anchor: Record<string, unknown>, place: Record<string, unknown>): Pick<Incoming, 'path' | 'range' | 'seen'> | null {
  const made = readPlace(anchor.path ?? null, anchor.range ?? null);
  if (!made) return null;
  const at = (anchor.path ?? null) === null ? null : readPlace(place.path ?? null, place.range ?? null);
  const path = at?.path ?? made.path;
  const range = (made.range && at?.range) ?? made.range;
  const { lines, before, after } = anchor;
  if (!range || !isCode(lines) || lines.length === 0) return { path, range };
  const around = (given: unknown) => (isCode(given) && given.length <= CONTEXT_LINES ? given : []);
  return { path, range, seen: { lines, before: around(before), after: around(after) } };
}

/** Review comments as `gh api --paginate …/pulls/N/comments` prints them: one array, or one a page. Threads stay together. */
export function readPullComments(json: string): Incoming[] | string {
  const value = parsePages(json);
  if (!Array.isArray(value)) return 'that is no list of review comments';
  const threads = new Map<number, Incoming>();
  for (const entry of value.slice(0, COMMENTS)) {
    const { id, path, side, body, user, in_reply_to_id, diff_hunk } = record(entry);
    if (typeof id !== 'number' || typeof path !== 'string' || !isText(body)) return 'one of its comments has no id, path or body';
    const { login } = record(user);
    const who = typeof login === 'string' ? `${login.slice(0, 100)}: ` : '';
    const thread = typeof in_reply_to_id === 'number' ? threads.get(in_reply_to_id) : undefined;
    if (thread) {
      thread.replies.push({ author: 'user', body: `${who}${cleanBody(body)}` });
      continue;
    }
    const place = readPlace(path, rangeOnPull(record(entry)));
    if (!place) return `one of its comments stands at no place in the worktree: ${path.slice(0, 200)}`;
    const { body: said, suggestion } = splitSuggestion(cleanBody(body));
    const at = side === 'LEFT' ? 'old' : 'new';
    const seen = place.range && isText(diff_hunk) ? seenInHunk(diff_hunk, at, place.range) : null;
    threads.set(id, {
      ...place,
      side: at,
      ...(seen ? { seen } : {}),
      body: `${who}${said}`.trim(),
      ...(suggestion === undefined ? {} : { suggestion }),
      source: `github:${id}`,
      replies: [],
    });
  }
  return [...threads.values()];
}

/** Lines of a comment; of one on code that the pull request no longer has those that it had, to be found by its hunk; null on a file. */
function rangeOnPull(entry: Record<string, unknown>): { start: number; end: number } | null {
  const isOutdated = typeof entry.line !== 'number';
  const end = isOutdated ? entry.original_line : entry.line;
  const start = isOutdated ? entry.original_start_line : entry.start_line;
  // A file's comment has a line too, in some answers.
  if (entry.subject_type === 'file' || typeof end !== 'number' || (isOutdated && !isText(entry.diff_hunk))) return null;
  // A range that begins on the other side counts its lines otherwise there.
  const isOneSided = entry.start_side === undefined || entry.start_side === null || entry.start_side === entry.side;
  return { start: typeof start === 'number' && isOneSided ? start : end, end };
}

/** The lines of a comment in its hunk, which GitHub cuts off behind them; null where the hunk begins later. */
function seenInHunk(hunk: string, side: Side, { start, end }: { start: number; end: number }): SeenLines | null {
  const other = side === 'new' ? '-' : '+';
  const lines = hunk
    .split('\n')
    .filter((line) => !line.startsWith('@@') && !line.startsWith('\\') && !line.startsWith(other))
    .map((line) => line.slice(1));
  const count = end - start + 1;
  if (lines.length < count) return null;
  return { lines: lines.slice(-count), before: lines.slice(0, -count).slice(-CONTEXT_LINES), after: [] };
}

/** JSON arrays one behind the other as one, as gh prints pages; what looks alike inside of strings stays. Empty when it is none. */
export function readPages(json: string): unknown[] {
  const value = parsePages(json);
  return Array.isArray(value) ? value : [];
}

function parsePages(json: string): unknown {
  return parse(json.trim().replace(/"[^"\\]*(?:\\.[^"\\]*)*"|\]\s*\[/g, (found) => (found.startsWith(']') ? ',' : found)));
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** The object that a text is as JSON; an empty one for any other text. */
export function readObject(json: string): Record<string, unknown> {
  return record(parse(json));
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= BODY_LIMIT;
}

function isCode(value: unknown): value is string[] {
  return Array.isArray(value) && value.length <= CODE.lines && value.every((line) => typeof line === 'string' && line.length <= CODE.chars);
}

function readPlace(path: unknown, range: unknown): Pick<Incoming, 'path' | 'range'> | null {
  if (path === null) return { path: null, range: null };
  if (typeof path !== 'string' || path === '' || path.startsWith('/') || path.includes('\0') || path.split('/').includes('..')) return null;
  if (range === null) return { path, range: null };
  const { start, end } = record(range);
  const whole = (n: unknown): n is number => typeof n === 'number' && Number.isInteger(n) && n >= 1 && n < 2 ** 31;
  return whole(start) && whole(end) && end >= start ? { path, range: { start, end } } : null;
}
