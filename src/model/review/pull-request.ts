// Comments as the review of a pull request on GitHub: on their lines where the pull request shows them, else in the review's own text,
// which is the only other place the service takes them. Pure.
import { counted } from '../counted.ts';
import type { FileDiff } from './changeset.ts';
import type { Comment, Side } from './comment.ts';
import { whereOf } from './prompt.ts';
import { joinSuggestion } from './suggestion.ts';

/** The body of POST /repos/{owner}/{repo}/pulls/{number}/reviews. */
export interface PullReview {
  event: 'COMMENT';
  body: string;
  comments: PullComment[];
}

interface PullComment {
  path: string;
  body: string;
  line: number;
  side: 'LEFT' | 'RIGHT';
  start_line?: number;
  start_side?: 'LEFT' | 'RIGHT';
}

const SIDES = { old: 'LEFT', new: 'RIGHT' } as const;

/**
 * `diffOf` gives the file's diff as the pull request has it; null when the file is not in it. `onLines`: which comments stand on lines, and
 * with which words; the others are in the review's text.
 */
export function pullReview(
  comments: readonly Comment[],
  diffOf: (path: string) => FileDiff | null,
): { review: PullReview; onLines: { comment: number; path: string; body: string }[] } {
  const placed: PullComment[] = [];
  const onLines: { comment: number; path: string; body: string }[] = [];
  const rest: string[] = [];
  for (const comment of comments) {
    const { path, range } = comment.place;
    const { side } = comment.anchor;
    const diff = path === null || range === null || comment.place.placement === 'gone' ? null : diffOf(path);
    if (diff && range && isShown(diff, side, range)) {
      const first = range.start < range.end ? { start_line: range.start, start_side: SIDES[side] } : {};
      onLines.push({ comment: comment.id, path: path!, body: joinSuggestion(comment) });
      placed.push({ path: path!, body: joinSuggestion(comment), line: range.end, side: SIDES[side], ...first });
    } else rest.push(`**${whereOf(comment)}**\n\n${joinSuggestion(comment)}`);
  }
  // The service wants some text beside the comments.
  const body = rest.length > 0 ? rest.join('\n\n---\n\n') : `${counted(placed.length, 'comment')}.`;
  return { review: { event: 'COMMENT', body, comments: placed }, onLines };
}

/** All lines stand in one hunk: the service refuses a comment that reaches out of it. */
function isShown({ hunks }: FileDiff, side: Side, { start, end }: { start: number; end: number }): boolean {
  return hunks.some((hunk) => {
    const [from, count] = side === 'old' ? [hunk.oldStart, hunk.oldLines] : [hunk.newStart, hunk.newLines];
    return start >= from && end < from + count;
  });
}
