// Acts on a hunk through git: staged, unstaged or thrown away as a whole or not at all. Refused when the file is not what the person saw;
// what is thrown away is in a ref first, and undo puts it back as long as nobody wrote the file since.

import { lstatSync, readlinkSync } from 'node:fs';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readFile } from './added-file.ts';
import type { HunkRequest } from './api.ts';
import { Contents } from './contents.ts';
import { sideBytes } from './file-diff.ts';
import { cleanText, GitError } from './git-error.ts';
import { restOfHunk } from './rest-of-hunk.ts';
import type { Look, Runner } from './run.ts';
import { HERD_AUTHOR, withOwnIndex } from './scratch.ts';
import { splitZero } from './status.ts';
import { userGit } from './user-git.ts';

/** Bytes of a patch taken from a client. */
const PATCH_LIMIT = 16 * 1024 * 1024;

/** Rejects with 'moved-on', 'does-not-apply', 'not-text'. `undoRef` is set for discard. */
export async function applyHunk(runner: Runner, worktree: string, r: HunkRequest, now: () => number): Promise<{ undoRef: string | null }> {
  if (Buffer.byteLength(r.patch) > PATCH_LIMIT) throw new GitError('output-too-large', 'The patch is too large.');
  const look = await runner.look(worktree);
  checkPatchPath(r);
  const present = new Contents(worktree).read(r.path);
  const staged = await indexFingerprint(look, r.path);
  if (r.fingerprint !== present.fingerprint && r.fingerprint !== staged) {
    throw new GitError('moved-on', `${cleanText(r.path, 200)} has changed since you saw it.`, 'Look at the new diff and try again.');
  }
  if (r.patch.includes('\ufffd')) await refuseNonText(look, r.path);
  if (r.action !== 'discard') {
    await applyToIndex(look, r, r.action);
    return { undoRef: null };
  }
  await apply(look, r, ['--reverse', '--check']);
  const undoRef = `refs/herd/undo/${new Date(now()).toISOString().replace(/[:.]/g, '-')}`;
  const saved = await saveFile(look, r.path, undoRef, 'before');
  await apply(look, r, ['--reverse']);
  await look.run(['update-ref', undoRef, await noteAfter(look, r.path, saved, new Contents(worktree).read(r.path).fingerprint)]);
  return { undoRef };
}

/** Stages or unstages a hunk; one that is staged or committed in part as far as it is not. */
async function applyToIndex(look: Look, r: HunkRequest, action: 'stage' | 'unstage'): Promise<void> {
  const how = action === 'stage' ? ['--cached'] : ['--cached', '--reverse'];
  const whole = await apply(look, r, [...how, '--check']).catch((error: GitError) => error);
  if (!(whole instanceof GitError)) return apply(look, r, how);
  // Its lines must stand in the worktree as they were seen.
  await apply(look, r, ['--reverse', '--check']);
  const patch = await restOfHunk(look, r.path, r.patch, action);
  if (!patch) throw new GitError('does-not-apply', `Nothing of this hunk is ${action === 'stage' ? 'left to stage' : 'staged'}.`);
  await apply(look, { path: r.path, patch }, [...how, '--unidiff-zero']);
}

async function apply(look: Look, { path, patch }: { path: string; patch: string | Buffer }, how: string[]): Promise<void> {
  const { code, stderr } = await look.run(['apply', '--whitespace=nowarn', ...how, '-'], { input: patch, codes: [0, 1, 128] });
  if (code === 0) return;
  const said = { said: cleanText(stderr) };
  throw new GitError('does-not-apply', `The hunk does not fit ${cleanText(path, 200)} any more.`, 'Refresh, then try again.', said);
}

/** The patch may touch the named file only. */
function checkPatchPath(r: HunkRequest): void {
  const targets = r.patch.split('\n').filter((l) => l.startsWith('diff --git ')).length;
  const heads = /^(?:diff --git [^\n]*\n(?:(?!---|@@)[^\n]*\n)*)?--- [^\n]*\n\+\+\+ [^\n]*\n@@ /.test(r.patch);
  if (targets > 1 || !heads) throw new GitError('does-not-apply', 'That is no patch of a single file.');
}

async function indexFingerprint(look: Look, path: string): Promise<string | null> {
  const r = await look.run(['ls-files', '-z', '--stage', '--', path]);
  const match = /^(\d+) ([0-9a-f]+) 0\t/.exec(splitZero(r.stdout)[0] ?? '');
  return match ? `${match[1]}:${match[2]}` : null;
}

async function refuseNonText(look: Look, path: string): Promise<void> {
  const bytes = await sideBytes({ look, now: { kind: 'worktree' }, old: 'HEAD' } as Parameters<typeof sideBytes>[0], { path }, 'new');
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes ?? Buffer.alloc(0));
  } catch {
    throw new GitError('not-text', `${cleanText(path, 200)} is not UTF-8: herd does not write parts of it.`, 'Use git in a terminal.');
  }
}

/** A commit whose tree is that one file as it lies there; returns its id. */
async function saveFile(look: Look, path: string, ref: string, message: string): Promise<string> {
  const full = join(look.cwd, path);
  const stat = lstatSync(full, { throwIfNoEntry: false });
  return withOwnIndex(look, async (view) => {
    if (stat) {
      const bytes = stat.isSymbolicLink() ? readlinkSync(full, { encoding: 'buffer' }) : readFile(full, 256 * 1024 * 1024).bytes;
      const blob = await view.text(['hash-object', '-w', '--no-filters', '--stdin'], { input: bytes });
      const mode = stat.isSymbolicLink() ? '120000' : stat.mode & 0o100 ? '100755' : '100644';
      await view.run(['update-index', '--add', '-z', '--index-info'], { input: `${mode} ${blob}\t${path}\0` });
    }
    const commit = await view.text(['commit-tree', await view.text(['write-tree']), '-m', message]);
    await look.run(['update-ref', ref, commit], { action: 'Saving the file' });
    return commit;
  });
}

/** The same tree, with the path and the fingerprint after the act in its message: what undo must find. */
async function noteAfter(look: Look, path: string, saved: string, after: string): Promise<string> {
  return look.text(['commit-tree', `${saved}^{tree}`, '-F', '-'], {
    input: `herd: discarded part of a file\n\n${JSON.stringify({ path, after })}\n`,
    env: HERD_AUTHOR,
  });
}

/** Puts back what a discard took. Rejects with 'not-found', 'moved-on'. */
export async function undo(runner: Runner, worktree: string, ref: string): Promise<void> {
  const look = await runner.look(worktree);
  if (!/^refs\/herd\/undo\/[\w-]+$/.test(ref)) throw new GitError('not-found', 'There is nothing to undo under that name.');
  const body = await look.run(['cat-file', 'commit', ref], { codes: [0, 128] });
  const line = body.stdout.toString().trimEnd().split('\n').at(-1) ?? '';
  const note = body.code === 0 ? parseNote(line) : null;
  if (!note) throw new GitError('not-found', 'There is nothing to undo any more.');
  if (new Contents(worktree).read(note.path).fingerprint !== note.after) {
    throw new GitError(
      'moved-on',
      `${cleanText(note.path, 200)} has changed since: undo would overwrite that.`,
      `The old text is in ${ref}.`,
    );
  }
  const entry = (await look.run(['ls-tree', '-r', '-z', ref])).stdout.toString();
  const match = /^(\d+) blob ([0-9a-f]+)\t/.exec(entry);
  const full = join(worktree, note.path);
  await rm(full, { force: true });
  if (match) {
    const bytes = (await look.run(['cat-file', 'blob', match[2]!])).stdout;
    await mkdir(dirname(full), { recursive: true });
    if (match[1] === '120000') await symlink(bytes.toString(), full);
    else {
      await writeFile(full, bytes);
      if (match[1] === '100755') await chmod(full, 0o755);
    }
  }
  await look.run(['update-ref', '-d', ref]);
}

function parseNote(line: string): { path: string; after: string } | null {
  try {
    const note: unknown = JSON.parse(line);
    const { path, after } = note as { path?: unknown; after?: unknown };
    const safe = typeof path === 'string' && typeof after === 'string' && !path.startsWith('/') && !path.split('/').includes('..');
    return safe ? { path, after } : null;
  } catch {
    return null;
  }
}

/** Commits what is staged, with the user's hooks and identity. Rejects with 'nothing-staged', 'hook-refused'. */
export async function commit(runner: Runner, worktree: string, message: string, amend: boolean): Promise<{ commit: string }> {
  if (message.trim() === '' && !amend) throw new GitError('bad-name', 'A commit needs a message.');
  const look = await runner.look(worktree);
  const staged = await look.run(['diff', '--cached', '--quiet', '--no-ext-diff', '--ignore-submodules=dirty'], { codes: [0, 1] });
  if (staged.code === 0 && !amend) throw new GitError('nothing-staged', 'Nothing is staged.', 'Stage hunks or files first.');
  const words = message.trim() === '' ? ['--no-edit'] : [`--message=${message}`];
  await userGit(runner, worktree, ['commit', '--quiet', ...(amend ? ['--amend'] : []), ...words], 'Committing');
  return { commit: await (await runner.look(worktree)).text(['rev-parse', 'HEAD']) };
}
