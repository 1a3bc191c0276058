// comment.*: comments and their way to the agent.
import { existsSync } from 'node:fs';
import type { Comment } from '../../model/review/comment.ts';
import { composePrompt, PROMPT_LIMIT } from '../../model/review/prompt.ts';
import { Refusal } from '../refusal.ts';
import { fileReview, withTemplate, writeReview } from '../review-file.ts';
import type { Session } from '../session.ts';
import type { OpenWorkspace } from '../state/workspaces.ts';
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
  'comment.remove': async (session, { comment }) => {
    await session.comments.remove(comment);
    return {};
  },
  'comment.preview': (session, { workspace, comments }) => {
    const from = session.workspaces.get(workspace);
    const composed = composePrompt(choose(session, from, comments), { round: nextRound(session, from) });
    return { text: withTemplate(session.config, composed.text), comments: composed.comments };
  },
  'comment.write': async (session, { workspace: ref, text }) => {
    const { row, review } = session.workspaces.get(ref);
    if (!review) throw new Refusal('no-repository', `Workspace ${row.name} has no git worktree to write to.`);
    return { path: await writeReview(session.git, row.path, text, await session.store.nextId('round')) };
  },
  'comment.send': async (session, { workspace: ref, comments, text, queue, later, to }) => {
    const workspace = session.workspaces.get(ref);
    const chosen = choose(session, workspace, comments);
    if (chosen.length === 0) throw new Refusal('nothing-to-send', 'There are no comments to send.', 'Write one first, or reopen one.');
    const round = nextRound(session, workspace);
    const composed = composePrompt(chosen, { round });
    const whole = text ?? withTemplate(session.config, composed.text);
    const receipt = await session.prompts.send({
      workspace: to === undefined ? workspace : session.workspaces.get(to),
      text: whole.length > PROMPT_LIMIT ? await fileReview(session.git, workspace.row.path, whole, composed.comments, round) : whole,
      queue,
      later,
      force: false,
      comments: { ids: composed.comments, round },
    });
    return { receipt, comments: composed.comments };
  },
};

/** Those named, else all drafts of the user's. */
function choose(session: Session, workspace: OpenWorkspace, ids: number[] | undefined): Comment[] {
  if (ids) return ids.map((id) => session.comments.get(id));
  return session.comments.of(workspace.row.id).filter((comment) => comment.author === 'user' && comment.state === 'draft');
}

/** Rounds are counted per workspace, by what was sent or waits: looking at a prompt, or one that was refused, takes no number. */
function nextRound(session: Session, { row }: OpenWorkspace): number {
  const comments = session.comments.of(row.id);
  const sent = comments.flatMap((comment) => comment.rounds);
  return 1 + Math.max(0, session.prompts.lastRound(row.id, new Set(comments.map(({ id }) => id))), ...sent);
}
