// What an agent may write into the file mailbox: replies, marks and notes, as JSON. Hostile until it has passed here.
import { BODY_LIMIT } from './comment-life.ts';

export type Letter =
  | { do: 'reply' | 'addressed'; comment: number; text: string | null }
  | { do: 'note'; file: string | null; range: { start: number; end: number } | null; text: string };

/** Letters in one file at most. */
const LETTERS = 50;

/** The letters of a file, or why there are none: one clause. */
export function readLetters(json: string): Letter[] | string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return 'it is not JSON';
  }
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0 || list.length > LETTERS) return `it holds ${list.length} entries, 1 to ${LETTERS} are taken`;
  const letters: Letter[] = [];
  for (const entry of list) {
    const letter = readLetter(entry);
    if (typeof letter === 'string') return letter;
    letters.push(letter);
  }
  return letters;
}

function readLetter(entry: unknown): Letter | string {
  if (typeof entry !== 'object' || entry === null) return 'an entry is no object';
  const { do: what, comment, text, file, line, end } = entry as Record<string, unknown>;
  if (text !== undefined && (typeof text !== 'string' || text.length > BODY_LIMIT))
    return `"text" must be a string of at most ${BODY_LIMIT} characters`;
  if (what === 'reply' || what === 'addressed') {
    if (!isCount(comment)) return '"comment" must be the number of a comment';
    if (what === 'reply' && !text) return 'a reply needs "text"';
    return { do: what, comment, text: text ?? null };
  }
  if (what !== 'note') return '"do" must be "reply", "addressed" or "note"';
  if (!text) return 'a note needs "text"';
  if (file !== undefined && (typeof file !== 'string' || !isInside(file))) return '"file" must be a path in the worktree';
  if (line === undefined) return { do: 'note', file: file ?? null, range: null, text };
  const last = end ?? line;
  if (!isCount(line) || !isCount(last) || last < line || file === undefined) return '"line" and "end" must be lines of "file"';
  return { do: 'note', file, range: { start: line, end: last }, text };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value < 2 ** 31;
}

/** Relative, and not out of the worktree. */
function isInside(path: string): boolean {
  return path !== '' && path.length < 4096 && !path.startsWith('/') && !path.includes('\0') && !path.split('/').includes('..');
}
