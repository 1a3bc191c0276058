// herd review: export, import, push, pull: a review as a document, and as the review of a pull request.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FileDiff } from '../../model/review/changeset.ts';
import type { Comment } from '../../model/review/comment.ts';
import { exportMarkdown, exportReview, patchWithNotes } from '../../model/review/export.ts';
import { exportedSource, type Incoming, readPullComments, readReview } from '../../model/review/import.ts';
import { pullReview } from '../../model/review/pull-request.ts';
import { Failure, usage } from '../failure.ts';
import { type Github, github, type PullRequest } from '../github.ts';
import { textOrInput } from '../standard-input.ts';
import { idNumber, scopeOf } from '../values.ts';
import type { Call, Link, RunVerb } from '../verb.ts';

export const exportAs: RunVerb = async (call) => {
  const format = (call.options.format as string | undefined) ?? (call.json ? 'json' : 'md');
  if (format !== 'md' && format !== 'json' && format !== 'patch') throw usage(`--format is md, json or patch, not "${format}".`);
  const link = await call.link();
  const workspace = call.workspace(call.words[0]);
  const scope = scopeOf(call.options.scope as string | undefined);
  const comments = (await link.request('comment.list', { workspace })).comments.map(({ excerpt: _excerpt, ...comment }) => comment);
  if (format === 'patch') {
    const { patch } = await link.request('changeset.patch', { workspace, scope, binary: true });
    return call.out.text(patchWithNotes(patch, comments));
  }
  const { changeset } = await link.request('changeset.get', { workspace, scope });
  if (format === 'json') call.out.json(exportReview(changeset, comments));
  else call.out.text(exportMarkdown(changeset, comments));
};

export const importFrom: RunVerb = async (call) => {
  const [file, word] = call.words;
  const text = file === '-' ? await textOrInput('-') : read(resolve(call.cwd, file!));
  const incoming = readReview(text);
  if (typeof incoming === 'string') throw new Failure('not-a-review', `${file === '-' ? 'The input' : file} cannot be taken: ${incoming}.`);
  await take(call, await call.link(), call.workspace(word), incoming);
};

export const pull: RunVerb = async (call) => {
  const link = await call.link();
  const workspace = call.workspace(call.words[0]);
  const gh = github((await link.request('workspace.get', { workspace })).workspace.path, call.env);
  const request = await gh.pull(pullNumber(call));
  const incoming = readPullComments(await gh.reviewComments(request));
  if (typeof incoming === 'string') throw new Failure('not-a-review', `Pull request ${request.number} cannot be taken: ${incoming}.`);
  const resolved = await gh.resolvedThreads(request).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    call.out.note(`Which threads are resolved is not known: ${error.message}`);
    return [];
  });
  await take(call, link, workspace, incoming, new Set(resolved.map((id) => `github:${id}`)));
};

export const push: RunVerb = async (call) => {
  const link = await call.link();
  const workspace = call.workspace(call.words[0]);
  const { comments } = await link.request('comment.list', { workspace, state: 'open' });
  // What stands there is not posted again.
  const own = comments.filter(({ author, source }) => author === 'user' && !source?.startsWith('github:'));
  if (own.length === 0) throw new Failure('nothing-to-send', 'There are no open comments to post.');
  const gh = github((await link.request('workspace.get', { workspace })).workspace.path, call.env);
  const request = await gh.pull(pullNumber(call));
  const placed = await placedAt(link, workspace, request.head, own);
  const { review, onLines } = pullReview(placed, await diffsOf(link, workspace, placed));
  if (call.options['dry-run'] === true) return call.out.json(review);
  const posted = await post(gh, request, { review, onLines }, placed);
  await markPosted(link, gh, request, posted, own);
  const { url } = posted;
  const inText = own.length - posted.onLines.length;
  if (call.json) call.out.json({ pull: request.number, url, onLines: posted.onLines.length, inText });
  else call.out.text(`${posted.onLines.length} comments on lines, ${inText} in the text of the review${url ? `: ${url}` : ''}`);
};

function pullNumber(call: Call): number | null {
  const given = call.options.pr as string | undefined;
  return given === undefined ? null : idNumber(given, 'pull request');
}

/** Comments where they stand in the commit that the pull request shows: the worktree may hold more than was pushed. */
async function placedAt(link: Link, workspace: string | number, head: string, comments: readonly Comment[]): Promise<Comment[]> {
  // Not known here: the lines of the worktree are the best there is.
  const read = await link.request('changeset.get', { workspace, scope: { commit: head } }).catch(() => null);
  return comments.map((comment) => {
    const there = comment.anchor.side === 'new' ? read?.places?.[comment.id] : undefined;
    if (there === undefined) return comment;
    return { ...comment, place: there ?? { ...comment.place, placement: 'gone' } };
  });
}

/** GitHub refuses a review whole when one of its lines is not shown there: all of it goes into the text then. */
async function post(gh: Github, request: PullRequest, { review, onLines }: ReturnType<typeof pullReview>, comments: readonly Comment[]) {
  try {
    return { ...(await gh.postReview(request, review)), onLines };
  } catch (error) {
    if (!(error instanceof Failure && error.message.includes('HTTP 422')) || onLines.length === 0) throw error;
    return { ...(await gh.postReview(request, pullReview(comments, () => null).review)), onLines: [] };
  }
}

/** What was posted is known from now on: neither posted nor brought in again. */
async function markPosted(
  link: Link,
  gh: Github,
  request: PullRequest,
  { id, onLines }: { id: number | null; onLines: readonly { comment: number; path: string; body: string }[] },
  comments: readonly Comment[],
): Promise<void> {
  const left = id === null || onLines.length === 0 ? [] : await gh.commentsOf(request, id).catch(() => []);
  for (const { id: comment } of comments) {
    const line = onLines.find((one) => one.comment === comment);
    const at = left.findIndex(({ path, body }) => line?.path === path && line.body.trim() === body.trim());
    const [there] = at < 0 ? [] : left.splice(at, 1);
    await link.request('comment.source', { comment, source: there ? `github:${there.id}` : `github:review-${id ?? request.number}` });
  }
}

async function diffsOf(link: Link, workspace: string | number, comments: readonly Comment[]): Promise<(path: string) => FileDiff | null> {
  const diffs = new Map<string, FileDiff | null>();
  for (const { place } of comments) {
    if (place.path === null || diffs.has(place.path)) continue;
    const read = await link.request('changeset.file', { workspace, path: place.path, load: true }).catch(() => null);
    diffs.set(place.path, read?.diff ?? null);
  }
  return (path) => diffs.get(path) ?? null;
}

/**
 * Makes comments of what came in, but for threads that are `resolved` where they come from. What is there already gets the replies that are
 * new; what is on code that is not here is listed as gone.
 */
async function take(
  call: Call,
  link: Link,
  workspace: string | number,
  incoming: readonly Incoming[],
  resolved: ReadonlySet<string> = new Set(),
): Promise<void> {
  const { comments } = await link.request('comment.list', { workspace });
  const known = new Map(comments.map((comment) => [exportedSource(comment), comment]));
  const tally = { added: [] as number[], known: 0, resolved: 0, replies: 0, gone: [] as number[], lost: [] as Lost[] };
  for (const one of incoming) {
    const before = known.get(one.source);
    if (!before && resolved.has(one.source)) {
      tally.resolved++;
      continue;
    }
    try {
      const comment = before ?? (await add(link, workspace, one));
      tally.replies += await addReplies(link, comment, one.replies);
      if (before) tally.known++;
      else tally.added.push(comment.id);
      if (!before && comment.place.placement === 'gone') tally.gone.push(comment.id);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      tally.lost.push({ source: one.source, path: one.path, why: error.message });
    }
  }
  if (call.json) return call.out.json(tally);
  const gone = tally.gone.length > 0 ? ` (${tally.gone.length} of them on code that is not here)` : '';
  const parts = [`${tally.added.length} added${gone}`, `${tally.known} known already`];
  if (tally.resolved > 0) parts.push(`${tally.resolved} resolved there left out`);
  if (tally.replies > 0) parts.push(`${tally.replies} ${tally.replies === 1 ? 'reply' : 'replies'}`);
  if (tally.lost.length > 0) parts.push(`${tally.lost.length} refused`);
  call.out.text(parts.join(', '));
  for (const { path, why } of tally.lost) call.out.note(`${path ?? 'the whole change'}: ${why}`);
}

interface Lost {
  source: string;
  path: string | null;
  why: string;
}

async function add(link: Link, workspace: string | number, one: Incoming): Promise<Comment> {
  const { path, side, range, seen, body, suggestion, source } = one;
  const target = { path, side, range, seen, foreign: true };
  return (await link.request('comment.add', { workspace, target, body, author: 'user', suggestion, source })).comment;
}

/** Adds the replies that a comment does not have yet; how many. */
async function addReplies(link: Link, { id, replies }: Comment, incoming: Incoming['replies']): Promise<number> {
  const there = replies.map(({ body }) => body);
  let added = 0;
  for (const { author, body } of incoming) {
    const at = there.indexOf(body.trim());
    if (at >= 0) there.splice(at, 1);
    else if (body.trim() !== '') {
      await link.request('comment.reply', { comment: id, body, author });
      added++;
    }
  }
  return added;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Failure('cannot-read', `Cannot read ${path}: ${(error as NodeJS.ErrnoException).code}.`);
  }
}
