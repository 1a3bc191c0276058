// A review too long to paste: written into the worktree's private git directory, where no changeset shows it, with a short prompt that
// points to it.
import { join } from 'node:path';
import type { Config } from '../config/settings.ts';
import type { Git } from '../git/api.ts';
import { pointerPrompt } from '../model/review/prompt.ts';
import { privateFolder, readPrivate, writePrivate } from './private-folder.ts';

/** A composed review as it is sent: below the person's own words for every review. */
export function withTemplate(config: Pick<Config, 'review.template'>, text: string): string {
  const template = config['review.template'];
  return template ? `${template}\n\n${text}` : text;
}

/** Writes `text` as `name`.md for the worktree at `path`; the file. Rejects with GitError or the file system's error. */
export async function writeReview(git: Pick<Git, 'findRepository'>, path: string, text: string, name: string): Promise<string> {
  const { gitDir } = await git.findRepository(path);
  return writePrivate(await privateFolder(gitDir), `${name}.md`, `${text}\n`);
}

/** Bytes of such a file that are read again. */
const FILE_LIMIT = 16 * 1024 * 1024;

/** What lies in a review's file, and the prompt that points to it; null when there is none. Rejects as `writeReview`. */
export async function readReview(
  git: Pick<Git, 'findRepository'>,
  path: string,
  comments: readonly number[],
  round: number,
): Promise<{ text: string; prompt: string } | null> {
  const { gitDir } = await git.findRepository(path);
  const file = join(await privateFolder(gitDir), `review-${round}.md`);
  const text = await readPrivate(file, FILE_LIMIT);
  return text === null ? null : { text: text.slice(0, -1), prompt: pointerPrompt(file, comments, round) };
}

/** The same, with the prompt to send in its place. */
export async function fileReview(
  git: Pick<Git, 'findRepository'>,
  path: string,
  text: string,
  comments: readonly number[],
  round: number,
): Promise<string> {
  return pointerPrompt(await writeReview(git, path, text, `review-${round}`), comments, round);
}
