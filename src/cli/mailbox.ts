// Comments by files, for an agent whose sandbox does not let it reach the server: read from the worktree's private git directory, answers
// left there for the server to take. See server/mailbox.ts.
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PathError } from '../config/paths.ts';
import { GIT_LINK_MAX, linkedGitDir } from '../model/git-link.ts';
import type { Comment } from '../model/review/comment.ts';
import { Failure } from './failure.ts';
import type { Call, Link } from './verb.ts';

/** Failures of the link that mean "not from in here": the server may well live. */
const OUT_OF_REACH = ['connection-failed', 'disconnected', 'no-token', 'no-start', 'silent'];

/** The mailbox of the worktree that `cwd` is in; null when there is none. */
export function findMailbox(cwd: string): string | null {
  for (let at = resolve(cwd); ; at = dirname(at)) {
    const git = gitDir(join(at, '.git'), at);
    if (git !== null) return existsSync(join(git, 'herd', 'comments.json')) ? join(git, 'herd') : null;
    if (dirname(at) === at) return null;
  }
}

function gitDir(path: string, worktree: string): string | null {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts?.isDirectory()) return path;
  const named = facts?.isFile() && facts.size <= GIT_LINK_MAX ? linkedGitDir(readFileSync(path, 'utf8')) : null;
  return named === null ? null : resolve(worktree, named);
}

/** What the server wrote last. */
export function readMailbox(folder: string): (Comment & { excerpt: string[] })[] {
  const path = join(folder, 'comments.json');
  try {
    const { comments } = JSON.parse(readFileSync(path, 'utf8')) as { comments: (Comment & { excerpt: string[] })[] };
    if (Array.isArray(comments)) return comments;
  } catch {
    // Said below.
  }
  throw new Failure('cannot-read', `The server cannot be reached, and ${path} is not what it wrote.`);
}

/** A letter as `readLetters` takes it. */
type Left =
  | { do: 'reply' | 'addressed'; comment: number; text?: string }
  | { do: 'note'; file?: string; line?: number; end?: number; text: string };

/** Leaves a letter; the server takes it within a moment. */
export function leaveLetter(folder: string, letter: Left): string {
  const name = `${Date.now()}-${process.getBuiltinModule('node:crypto').randomBytes(4).toString('hex')}`;
  const made = join(folder, 'inbox', `.${name}.tmp`);
  const path = join(folder, 'inbox', `${name}.json`);
  try {
    writeFileSync(made, `${JSON.stringify(letter)}\n`);
    renameSync(made, path);
  } catch (cause) {
    throw new Failure('cannot-write', `The server cannot be reached, and ${folder} cannot be written.`, { cause });
  }
  return path;
}

/**
 * A link to the server; in a pane whose program cannot reach it, the mailbox of the worktree. A server that is merely down is started as for
 * every verb: where that is possible the program sits in no sandbox.
 */
export async function linkOrMailbox(call: Call): Promise<{ link: Link } | { folder: string }> {
  try {
    return { link: await call.link() };
  } catch (error) {
    const folder = call.env.HERD_WORKSPACE !== undefined && isOutOfReach(error) ? findMailbox(call.cwd) : null;
    if (folder === null) throw error;
    return { folder };
  }
}

function isOutOfReach(error: unknown): boolean {
  return error instanceof PathError || (error instanceof Failure && OUT_OF_REACH.includes(error.code));
}
