// A review too long to paste: written into the worktree's private git directory, where no changeset shows it, with a short prompt that
// points to it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../git/api.ts';
import { pointerPrompt } from '../model/review/prompt.ts';

/** Writes `text` for the worktree at `path`; the prompt to send in its place. Rejects with GitError or the file system's error. */
export async function fileReview(
  git: Pick<Git, 'findRepository'>,
  path: string,
  text: string,
  comments: readonly number[],
  round: number,
): Promise<string> {
  const { gitDir } = await git.findRepository(path);
  const folder = join(gitDir, 'herd');
  await mkdir(folder, { recursive: true });
  const file = join(folder, `review-${round}.md`);
  await writeFile(file, `${text}\n`);
  return pointerPrompt(file, comments, round);
}
