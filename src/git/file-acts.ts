// Acts on a whole file, for what no hunk shows as well: modes, renames, binary and empty files, submodules, conflicts that are resolved.
// Refused when the file is not what the person saw; what is thrown away is in a ref first (undo.ts).

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangedFile } from '../model/review/changeset.ts';
import { readFile } from './added-file.ts';
import type { FileRequest } from './api.ts';
import { type Comparison, DIFF_FLAGS, diffArgs } from './comparison.ts';
import { Contents } from './contents.ts';
import { entryAt } from './entry.ts';
import { cleanText, GitError } from './git-error.ts';
import { applyPatch, movedOn, readIndex } from './hunks.ts';
import { EXACT, exactly } from './pathspec.ts';
import type { Look, Runner } from './run.ts';
import { withUndo } from './undo.ts';
import { userGit } from './user-git.ts';
import { refuseReplaced } from './within.ts';

/** Bytes of a file looked through for conflict marks, and of the patch that takes one back. */
const READ_LIMIT = 64 * 1024 * 1024;

/**
 * Stages, unstages or discards what `c` shows of a file. Rejects with 'moved-on', 'in-conflict', 'not-text' (a name that is no UTF-8),
 * 'does-not-apply', 'busy'. `undoRef` is set for discard.
 */
export async function applyFile(
  runner: Runner,
  worktree: string,
  c: Comparison,
  file: ChangedFile,
  { action, fingerprint }: Pick<FileRequest, 'action' | 'fingerprint'>,
  now: () => number,
): Promise<{ undoRef: string | null }> {
  const look = await runner.look(worktree);
  const name = cleanText(file.path, 200);
  if (file.path.includes('\ufffd')) throw new GitError('not-text', `The name of ${name} is not UTF-8.`, 'Use git in a terminal.');
  const index = await readIndex(look, file.path);
  // A side that is not there has no object.
  const present = [new Contents(worktree).read(file.path).fingerprint, index ?? '000000:none'];
  if (!file.submodule && index !== 'conflict' && !present.includes(fingerprint)) throw movedOn(file.path);
  if (index === 'conflict') refuseUnresolved(worktree, file.path, action);
  refuseInner(file, action);
  if (action === 'discard') return { undoRef: await discard(look, worktree, c, file, now) };
  const paths = await pathsOf(look, file, action);
  // Only what is gone may have a folder in its place; of what is there nothing lies below.
  const names = file.status === 'deleted' ? exactly(...paths) : paths.map((path) => `:(literal)${path}`);
  if (action === 'stage') await userGit(runner, worktree, ['add', '--all', '--', ...names], `Staging ${name}`);
  else {
    if (file.status === 'deleted') await refuseStagedBelow(look, file.path);
    await userGit(runner, worktree, ['reset', '--quiet', '--', ...names], `Unstaging ${name}`);
  }
  return { undoRef: null };
}

/** What is in another repository is that repository's; of a submodule only its commit is this one's. */
function refuseInner({ path, submodule }: ChangedFile, action: FileRequest['action']): void {
  const name = cleanText(path, 200);
  if (path.endsWith('/')) throw new GitError('does-not-apply', `${name} is a repository of its own.`, 'To keep it here: git submodule add');
  if (submodule && (action === 'discard' || submodule.old === submodule.new))
    throw new GitError('does-not-apply', `The changes are inside of ${name}.`, 'Go into it: commit or discard them there.');
}

/** To stage a file in conflict says that it is resolved: not while its marks are in it. */
function refuseUnresolved(worktree: string, path: string, action: FileRequest['action']): void {
  const name = cleanText(path, 200);
  if (action !== 'stage') throw new GitError('in-conflict', `${name} is in conflict.`, 'Resolve it, then stage it.');
  const full = join(worktree, path);
  if (!entryAt(full)?.isFile()) return;
  const text = readFile(full, READ_LIMIT).bytes.toString('latin1');
  if (/^<{7}( |\r?$)/m.test(text) && /^>{7}( |\r?$)/m.test(text))
    throw new GitError('in-conflict', `${name} still has conflict marks.`, 'Resolve it, then stage it.');
}

/** The file's path, and the one it had where git still has it: in the index, or to unstage in HEAD. */
async function pathsOf(look: Look, { path, oldPath, status }: ChangedFile, action: 'stage' | 'unstage'): Promise<string[]> {
  if (oldPath === undefined || status !== 'renamed' || entryAt(join(look.cwd, oldPath))) return [path];
  if (action === 'stage') return (await readIndex(look, oldPath)) === null ? [path] : [oldPath, path];
  const inHead = await look.run(['cat-file', '-e', `HEAD:${oldPath}`], { codes: [0, 1, 128] });
  return inHead.code === 0 ? [oldPath, path] : [path];
}

/** To bring a file back into the index would take what is staged in a folder of its name out of it. */
async function refuseStagedBelow(look: Look, path: string): Promise<void> {
  if ((await look.run(['ls-files', '-z', '--', `${path}/`])).stdout.length === 0) return;
  const said = `What is in the folder ${cleanText(path, 200)} is staged.`;
  throw new GitError('does-not-apply', said, 'Unstage that first.');
}

async function discard(look: Look, worktree: string, c: Comparison, file: ChangedFile, now: () => number): Promise<string> {
  const { path, oldPath } = file;
  refuseReplaced(worktree, path);
  const patch = file.status === 'untracked' ? null : await patchOf(c, file);
  if (patch) await applyPatch(look, { path, patch }, ['--reverse', '--check']);
  return withUndo(look, worktree, oldPath === undefined ? [path] : [oldPath, path], now, async () => {
    if (patch) await applyPatch(look, { path, patch }, ['--reverse']);
    if (!patch || (file.loose && oldPath !== undefined)) await rm(join(worktree, path), { force: true });
  });
}

/** What made the file of its old side; of a rename that git does not know of, what removed the old name. */
async function patchOf(c: Comparison, { path, oldPath, loose }: ChangedFile): Promise<Buffer> {
  const back = loose === true && oldPath === undefined;
  const names = oldPath === undefined ? [path] : loose ? [oldPath] : [oldPath, path];
  const what = back ? [`${c.old}:${path}`, '--', path] : [...diffArgs(c), '--', ...exactly(...names)];
  const action = `Reading ${cleanText(path, 100)}`;
  return (await c.look.run(['diff', '-p', '--binary', ...DIFF_FLAGS, ...what], { env: back ? {} : EXACT, limit: READ_LIMIT, action }))
    .stdout;
}
