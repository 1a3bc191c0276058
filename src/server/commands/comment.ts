// comment.*: comments and their way to the agent.
import { existsSync } from 'node:fs';
import type { Comment } from '../../model/review/comment.ts';
import { composePrompt, PROMPT_LIMIT } from '../../model/review/prompt.ts';
import { Refusal } from '../refusal.ts';
import { fileReview, withTemplate, writeReview } from '../review-file.ts';
import type { Session } from '../session.ts';
import type { Family } from './handler.ts';

export const commentHandlers: Family<'comment'> = {
  'comment.add': async (session, { workspace: ref, target, body, author, suggestion, source }) => {
    const workspace = session.workspaces.get(ref);
    const comment = await session.comments.add(workspace.row.id, target, { body, author, suggestion, source }, workspace.review);
    session.log.add('comment', workspace.row.id, `comment ${comment.id} on ${comment.anchor.path ?? 'the whole change'}`);
    return { comment };
  },
  'comment.list': (session, { workspace, state, closed }) => {
    const open = () => (workspace === undefined ? session.comments.all() : session.comments.of(session.workspaces.get(workspace).row.id));
    const waiting = session.comments.waiting();
    const all = closed ? waiting : open();
    const wanted = all.filter(
      (comment) => state === undefined || (state === 'open' ? comment.state !== 'resolved' : comment.state === state),
    );
    return {
      comments: wanted.map((comment) => ({
        ...comment,
        excerpt: session.comments.excerpt(comment),
        ...(comment.left === undefined ? {} : { gone: !existsSync(comment.left) }),
      })),
      waiting: waiting.length,
    };
  },
  'comment.edit': async (session, { comment, body, suggestion }) => ({
    comment: await session.comments.apply(comment, { do: 'edit', body, suggestion }),
  }),
  'comment.reply': async (session, { comment, body, author }) => {
    session.comments.get(comment);
    return { comment: await session.comments.apply(comment, { do: 'reply', id: await session.comments.nextReplyId(), author, body }) };
  },
  'comment.mark': async (session, { comment: id, state, body }) => {
    const before = session.comments.get(id);
    const reply = body === undefined ? undefined : { id: await session.comments.nextReplyId(), body };
    const comment = await session.comments.apply(
      id,
      state === 'addressed' ? { do: 'addressed', reply } : { do: state === 'resolved' ? 'resolve' : 'reopen' },
    );
    if (comment !== before) session.log.add('comment', comment.workspace, `comment ${id} ${state}`);
    return { comment };
  },
  'comment.source': async (session, { comment, source }) => ({ comment: await session.comments.apply(comment, { do: 'source', source }) }),
  'comment.remove': async (session, { comment }) => {
    await session.comments.remove(comment);
    return {};
  },
  'comment.preview': (session, { workspace, comments }) => {
    const { row } = session.workspaces.get(workspace);
    const composed = composePrompt(choose(session, row.id, comments), { round: nextRound(session, row.id) });
    return { text: withTemplate(session.config, composed.text), comments: composed.comments };
  },
  'comment.write': async (session, { workspace: ref, text }) => {
    const { row, review } = session.workspaces.get(ref);
    if (!review) throw new Refusal('no-repository', `Workspace ${row.name} has no git worktree to write to.`);
    return { path: await writeReview(session.git, row.path, text, `review-text-${await session.store.nextId('round')}`) };
  },
  'comment.send': async (session, { workspace: ref, comments, text, queue, later, to }) => {
    const { row } = session.workspaces.get(ref);
    const target = session.workspaces.get(to ?? ref);
    const chosen = choose(session, row.id, comments);
    if (chosen.length === 0) throw new Refusal('nothing-to-send', 'There are no comments to send.', 'Write one first, or reopen one.');
    const round = nextRound(session, row.id);
    const composed = composePrompt(chosen, { round });
    const whole = text ?? withTemplate(session.config, composed.text);
    const receipt = await session.sendings.during(chosen, round, async () =>
      session.prompts.send({
        workspace: target,
        text: whole.length > PROMPT_LIMIT ? await fileReview(session.git, row.path, whole, composed.comments, round) : whole,
        queue,
        later,
        force: false,
        comments: { ids: composed.comments, round },
      }),
    );
    return { receipt, comments: composed.comments };
  },
};

/** Those named, each once, which must all be there to be sent; else all that are. */
function choose({ comments, sendings }: Session, workspace: number, ids: number[] | undefined): Comment[] {
  if (!ids) return comments.of(workspace).filter((comment) => sendings.refusal(comment, workspace) === null);
  return [...new Set(ids)].map((id) => {
    const comment = comments.get(id);
    const refusal = sendings.refusal(comment, workspace);
    if (refusal) throw refusal;
    return comment;
  });
}

function nextRound({ comments, sendings }: Session, workspace: number): number {
  return sendings.nextRound(workspace, comments.of(workspace));
}
