// Comments on their way into a prompt, and which rounds they take: from the choice until their prompt is stored nobody else can send them
// or be given their round.
import type { Comment } from '../../model/review/comment.ts';
import { Refusal } from '../refusal.ts';
import type { Prompts } from './prompts.ts';

export class Sendings {
  /** Round by comment. */
  readonly #claims = new Map<number, number>();
  readonly #prompts: Pick<Prompts, 'lastRound' | 'carries'>;

  constructor(prompts: Pick<Prompts, 'lastRound' | 'carries'>) {
    this.#prompts = prompts;
  }

  /** Why this comment of a workspace cannot be sent now; null when it can. */
  refusal({ id, workspace, author, state }: Comment, from: number): Refusal | null {
    if (workspace !== from)
      return new Refusal('not-found', `Comment ${id} is one of another workspace.`, 'Name its workspace: comment send WS');
    if (author === 'agent')
      return new Refusal('note', `Comment ${id} is an agent’s own note: it is not sent.`, 'Write a comment beside it.');
    if (state === 'queued' || this.#claims.has(id) || this.#prompts.carries(id))
      return new Refusal('queued', `Comment ${id} is on its way already.`, 'herd queue shows what waits.');
    if (state !== 'draft') return new Refusal('sent', `Comment ${id} is ${state} already.`, 'Reopen it to send it again.');
    return null;
  }

  /** Rounds are counted per workspace, by what was sent or waits: looking at a prompt, or one that was refused, takes no number. */
  nextRound(workspace: number, comments: readonly Comment[]): number {
    const ids = new Set(comments.map(({ id }) => id));
    const claimed = [...ids].flatMap((id) => this.#claims.get(id) ?? []);
    return 1 + Math.max(this.#prompts.lastRound(workspace, ids), ...claimed, ...comments.flatMap(({ rounds }) => rounds));
  }

  /** Runs while `comments` are claimed for `round`. */
  async during<T>(comments: readonly Comment[], round: number, run: () => Promise<T>): Promise<T> {
    for (const { id } of comments) this.#claims.set(id, round);
    try {
      return await run();
    } finally {
      for (const { id } of comments) this.#claims.delete(id);
    }
  }
}
