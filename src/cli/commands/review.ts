// herd review: export, import, push, pull: a review as a document, and as the review of a pull request.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FileDiff } from '../../model/review/changeset.ts';
import type { Comment } from '../../model/review/comment.ts';
import { exportMarkdown, exportReview, patchWithNotes } from '../../model/review/export.ts';
import { type Incoming, readPullComments, readReview } from '../../model/review/import.ts';
import { pullReview } from '../../model/review/pull-request.ts';
import { Failure, usage } from '../failure.ts';
import { github } from '../github.ts';
import { plain } from '../output.ts';
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
    return call.out.text(process.stdout.isTTY ? plain(patchWithNotes(patch, comments)) : patchWithNotes(patch, comments));
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
  const number = await pullNumber(call, gh);
  const incoming = readPullComments(await gh.reviewComments(number));
  if (typeof incoming === 'string') throw new Failure('not-a-review', `Pull request ${number} cannot be taken: ${incoming}.`);
  await take(call, link, workspace, incoming);
};

export const push: RunVerb = async (call) => {
  const link = await call.link();
  const workspace = call.workspace(call.words[0]);
  const { comments } = await link.request('comment.list', { workspace, state: 'open' });
  // What came from there is not sent back.
  const own = comments.filter(({ author, source }) => author === 'user' && !source?.startsWith('github:'));
  if (own.length === 0) throw new Failure('nothing-to-send', 'There are no open comments to post.');
  const gh = github((await link.request('workspace.get', { workspace })).workspace.path, call.env);
  const number = await pullNumber(call, gh);
  const review = pullReview(own, await diffsOf(link, workspace, own));
  if (call.options['dry-run'] === true) return call.out.json(review);
  const url = await gh.postReview(number, review);
  const inText = own.length - review.comments.length;
  if (call.json) call.out.json({ pull: number, url, onLines: review.comments.length, inText });
  else call.out.text(`${review.comments.length} comments on lines, ${inText} in the text of the review${url ? `: ${url}` : ''}`);
};

function pullNumber(call: Call, gh: { pullOfBranch(): Promise<number> }): Promise<number> {
  const given = call.options.pr as string | undefined;
  return given === undefined ? gh.pullOfBranch() : Promise.resolve(idNumber(given, 'pull request'));
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

/** Makes comments of what came in; those that are there already, or whose place is not, are left out and counted. */
async function take(call: Call, link: Link, workspace: string | number, incoming: readonly Incoming[]): Promise<void> {
  const known = new Set((await link.request('comment.list', { workspace })).comments.map(({ source }) => source));
  const added: number[] = [];
  const lost: { source: string; path: string | null; why: string }[] = [];
  for (const one of incoming) {
    if (known.has(one.source)) continue;
    const { path, side, range, body, suggestion, source, replies } = one;
    try {
      const { comment } = await link.request('comment.add', {
        workspace,
        target: { path, side, range },
        body,
        author: 'user',
        suggestion,
        source,
      });
      for (const reply of replies) await link.request('comment.reply', { comment: comment.id, body: reply, author: 'user' });
      added.push(comment.id);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      lost.push({ source, path, why: error.message });
    }
  }
  if (call.json) return call.out.json({ added, known: incoming.length - added.length - lost.length, lost });
  call.out.text(
    `${added.length} added, ${incoming.length - added.length - lost.length} known already, ${lost.length} without a place here`,
  );
  for (const { path, why } of lost) call.out.note(plain(`${path ?? 'the whole change'}: ${why}`));
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Failure('cannot-read', `Cannot read ${path}: ${(error as NodeJS.ErrnoException).code}.`);
  }
}
