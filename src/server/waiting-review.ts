// A review that waits in the queue says what its comments say: it is composed anew when one of them changes, moves, is resolved or removed.
// A text that a person has edited in the queue is theirs and stays.
import type { Comment } from '../model/review/comment.ts';
import { composePrompt, PROMPT_LIMIT } from '../model/review/prompt.ts';
import type { Prompts } from './state/prompts.ts';

export interface WaitingReviews {
  prompts: Pick<Prompts, 'waitingWith' | 'rewrite' | 'drop'>;
  /** A comment as it is now; undefined when it is gone. */
  comment(id: number): Comment | undefined;
  /** A composed text as it is sent. */
  finish(text: string): string;
}

/** `after` null: the comment is gone. */
export async function followComment({ prompts, comment, finish }: WaitingReviews, before: Comment, after: Comment | null): Promise<void> {
  for (const { id, text, comments, round } of prompts.waitingWith(before.id)) {
    const compose = (of: Comment[]) => finish(composePrompt(of, { round: round ?? 1 }).text);
    const others = comments.flatMap((other) => (other === before.id ? [] : (comment(other) ?? [])));
    if (text !== compose([...others, before])) continue;
    const left = after && after.state !== 'resolved' ? [...others, after] : others;
    const next = compose(left);
    if (left.length === 0) await prompts.drop(id);
    // One that has grown too long to paste waits as it is: the comments themselves are with the agent by `herd comment list`.
    else if (next !== text && next.length <= PROMPT_LIMIT)
      await prompts.rewrite(
        id,
        next,
        left.map((c) => c.id),
      );
  }
}
