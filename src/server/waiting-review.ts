// A review that waits in the queue says what its comments say: it is composed anew when one of them changes, moves, is resolved or removed,
// in its file too, where it is too long to paste. A text that a person has edited is theirs and stays.
import type { Comment } from '../model/review/comment.ts';
import { composePrompt, PROMPT_LIMIT } from '../model/review/prompt.ts';
import type { Prompts } from './state/prompts.ts';

export interface WaitingReviews {
  prompts: Pick<Prompts, 'waitingWith' | 'rewrite' | 'drop'>;
  /** A comment as it is now; undefined when it is gone. */
  comment(id: number): Comment | undefined;
  /** A composed text as it is sent. */
  finish(text: string): string;
  /** The file of a text too long to paste, and the prompt that points to it; null when there is none. */
  filed(workspace: number, comments: readonly number[], round: number): Promise<{ text: string; prompt: string } | null>;
  /** Puts a text there; the prompt that points to it. */
  file(workspace: number, text: string, comments: readonly number[], round: number): Promise<string>;
}

/** `after` null: the comment is gone. */
export async function followComment(reviews: WaitingReviews, before: Comment, after: Comment | null): Promise<void> {
  const { prompts, comment, finish, filed, file } = reviews;
  for (const { id, text, comments, round: counted } of prompts.waitingWith(before.id)) {
    const round = counted ?? 1;
    const compose = (of: Comment[]) => finish(composePrompt(of, { round }).text);
    // In the order that they have in it: a review is grouped by file as its files are first named.
    const withOwn = (own: Comment | null) => comments.flatMap((one) => (one === before.id ? (own ?? []) : (comment(one) ?? [])));
    const said = compose(withOwn(before));
    if (said.length <= PROMPT_LIMIT ? text !== said : !isFiled(await filed(before.workspace, comments, round), said, text)) continue;
    const left = withOwn(after?.state === 'resolved' ? null : after);
    const ids = left.map((one) => one.id);
    const next = compose(left);
    if (left.length === 0) await prompts.drop(id);
    else if (next.length > PROMPT_LIMIT) await prompts.rewrite(id, await file(before.workspace, next, ids, round), ids);
    else if (next !== text) await prompts.rewrite(id, next, ids);
  }
}

function isFiled(there: Awaited<ReturnType<WaitingReviews['filed']>>, said: string, prompt: string): boolean {
  return there !== null && there.text === said && there.prompt === prompt;
}
