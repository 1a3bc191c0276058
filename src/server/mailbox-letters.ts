// What the letters of a worktree's mailbox may do: reply under and mark the comments of that workspace, and leave notes.
import type { Comment } from '../model/review/comment.ts';
import { cleanBody } from '../model/review/comment-life.ts';
import type { Letter } from '../model/review/letter.ts';
import { Mailboxes } from './mailbox.ts';
import { Refusal } from './refusal.ts';
import type { Session } from './session.ts';

/** The session's mailboxes. `session` is asked for late: it is still being put together. */
export function createMailboxes(session: () => Session): Mailboxes {
  return new Mailboxes({
    gitDir: async (id) => {
      const workspace = session().workspaces.find(id);
      if (!workspace?.review) return null;
      return (await session().git.findRepository(workspace.row.path)).gitDir;
    },
    comments: (id) => {
      const { comments } = session();
      return comments.of(id).map((comment) => ({ ...comment, excerpt: comments.excerpt(comment) }));
    },
    take: (id, letter) => take(session(), id, letter),
    now: () => session().now(),
    log: (text, id) => session().log.add('mailbox', id, text),
  });
}

/** A server that died before it removed a letter takes it again: what it says is there already, and is not said twice. */
async function take(session: Session, id: number, letter: Letter): Promise<void> {
  const { comments, log } = session;
  const text = letter.text === null ? null : cleanBody(letter.text).trim();
  if (letter.do === 'note') {
    const { file: path, range } = letter;
    const same = ({ author, body, anchor }: Comment) =>
      author === 'agent' && body === text && anchor.path === path && sameRange(anchor.range, range);
    if (comments.of(id).some(same)) return;
    const { review } = session.workspaces.get(id);
    const note = await comments.add(id, { path, side: 'new', range }, { body: letter.text, author: 'agent' }, review);
    return void log.add('comment', id, `note ${note.id} by the mailbox`);
  }
  const comment = comments.get(letter.comment);
  if (comment.workspace !== id) throw new Refusal('not-found', `There is no comment ${letter.comment} here.`);
  const last = comment.replies.at(-1);
  const reply =
    text === null || (last?.author === 'agent' && last.body === text) ? undefined : { id: await comments.nextReplyId(), body: text };
  if (letter.do === 'addressed') await comments.apply(comment.id, { do: 'addressed', reply });
  else if (reply) await comments.apply(comment.id, { do: 'reply', author: 'agent', ...reply });
  log.add('comment', id, `comment ${comment.id}: ${letter.do} by the mailbox`);
}

function sameRange(a: Comment['anchor']['range'], b: Comment['anchor']['range']): boolean {
  return a?.start === b?.start && a?.end === b?.end;
}
