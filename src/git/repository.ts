// Which repository a folder belongs to, as git says: never by looking for a `.git` directory (bare layouts, worktrees, submodules).

import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { BaseChoice, Repository, WorktreeFacts } from './api.ts';
import { GitError } from './git-error.ts';
import type { Look, Runner } from './run.ts';

/** From any folder. Rejects with 'not-a-repository', 'unsafe-owner', 'not-found'. */
export async function findRepository(runner: Runner, path: string): Promise<Repository> {
  return (await enterRepository(runner, path)).repository;
}

/** The repository and a hardened view from `path`: in its worktree, or in the bare repository. */
export async function enterRepository(runner: Runner, path: string): Promise<{ repository: Repository; look: Look }> {
  const folder = await realFolder(path);
  const look = await lookInto(runner, folder);
  const ask = async (...what: string[]) => look.text(['rev-parse', ...what], { action: 'Finding the repository' });
  const facts = (await ask('--is-inside-work-tree', '--absolute-git-dir', '--git-common-dir')).split('\n');
  // A path with a newline in it: asked for one by one.
  const [inTree, gitDir = '', common = ''] =
    facts.length === 3 ? facts : [facts[0], await ask('--absolute-git-dir'), await ask('--git-common-dir')];
  const commonDir = await realpath(resolve(folder, common));
  const worktree = inTree === 'true' ? await look.text(['rev-parse', '--show-toplevel']) : null;
  const main = await mainFolder(look, commonDir);
  const repository = { commonDir, gitDir: await realpath(gitDir), worktree, main, bare: worktree === null, ...(await standing(look)) };
  return { repository, look };
}

/** A hardened view that stays valid when one of the worktrees goes: from the main folder. */
export function mainLook(runner: Runner, repository: Repository): Promise<Look> {
  return repository.main === repository.commonDir ? runner.look(repository.main, repository.commonDir) : runner.look(repository.main);
}

/** A bare repository, or the inside of a `.git` directory, must be named to git; the guard against planted ones stays for all else. */
async function lookInto(runner: Runner, folder: string): Promise<Look> {
  const look = await runner.look(folder);
  const tried = await look.run(['rev-parse', '--git-dir'], { codes: [0, 128] });
  const bare = /cannot use bare repository '(.*)' \(safe/s.exec(tried.stderr)?.[1];
  return tried.code === 0 || bare === undefined ? look : runner.look(folder, resolve(folder, bare));
}

async function realFolder(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null);
  if (real === null) throw new GitError('not-found', `The folder ${path} does not exist.`);
  return (await stat(real)).isDirectory() ? real : dirname(real);
}

/** Main worktree's folder; in a bare layout the folder around `.bare` or `.git`, or the bare repository itself. */
async function mainFolder(look: Look, commonDir: string): Promise<string> {
  if (basename(commonDir) === '.git' || basename(commonDir).startsWith('.')) return dirname(commonDir);
  const bare = await look.text(['--git-dir', commonDir, 'config', '--type=bool', '--default=false', '--get', 'core.bare'], {
    codes: [0, 1, 128],
  });
  if (bare === 'true') return commonDir;
  // A separate git directory, or a submodule's: the worktree is named in its config.
  const tree = await look.text(['--git-dir', commonDir, 'config', '--get', 'core.worktree'], { codes: [0, 1, 128] });
  return tree === '' ? commonDir : resolve(commonDir, tree);
}

/** Branch and commit of HEAD; a branch named like a marker stays a branch, detached is null. */
export async function standing(look: Look): Promise<{ branch: string | null; head: string | null }> {
  const { branch, head } = await standingAmong(look, []);
  return { branch, head };
}

interface Standing {
  branch: string | null;
  head: string | null;
  commits: (string | null)[];
}

/** The same, and the commits of other revisions by the way. */
export async function standingAmong(look: Look, revisions: readonly string[]): Promise<Standing> {
  const plain = await plainStanding(look, revisions);
  if (plain) return plain;
  const asked = commitsOf(look, ['HEAD', ...revisions]);
  const [ref, [head = null, ...commits]] = await Promise.all([look.run(['symbolic-ref', '-q', 'HEAD'], { codes: [0, 1] }), asked]);
  const name = ref.stdout.toString().trimEnd();
  return { branch: ref.code === 0 ? shortName(name) : null, head, commits };
}

const shortName = (ref: string) => ref.replace(/^refs\/heads\//, '');

/** The same in one process, where there is nothing to it: a commit at HEAD, and revisions that are commits and nothing but names. */
async function plainStanding(look: Look, revisions: readonly string[]): Promise<Standing | null> {
  if (!revisions.every((revision) => /^\w[\w/.-]*$/.test(revision) && !revision.includes('..'))) return null;
  const names = ['HEAD', ...revisions].map((revision) => `${revision}^{commit}`);
  const r = await look.run(['rev-parse', '-q', ...names, '--symbolic-full-name', 'HEAD'], { codes: [0, 1, 128] });
  const words = r.stdout.toString().trimEnd().split('\n');
  const ref = words.pop()!;
  if (r.code !== 0 || words.length !== names.length || !words.every((word) => /^[0-9a-f]{40,64}$/.test(word))) return null;
  const [head, ...commits] = words;
  return { branch: ref === 'HEAD' ? null : shortName(ref), head: head!, commits };
}

/** Full commit id of a revision, null when git knows none. */
export async function commitOf(look: Look, revision: string): Promise<string | null> {
  return (await commitsOf(look, [revision]))[0] ?? null;
}

/** The same for several, in one process. Revisions go in by stdin: never taken for an option. */
export async function commitsOf(look: Look, revisions: readonly string[]): Promise<(string | null)[]> {
  const askable = revisions.map((r) => r !== '' && !/[\0\n]/.test(r));
  const input = revisions.filter((_, i) => askable[i]).map((r) => `${r}^{commit}\n`);
  if (input.length === 0) return revisions.map(() => null);
  const r = await look.run(['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input: input.join('') });
  const lines = r.stdout.toString().split('\n');
  let at = 0;
  return askable.map((asked) => (asked ? (/^([0-9a-f]{40,64}) commit$/.exec(lines[at++] ?? '')?.[1] ?? null) : null));
}

/** The commit that `name` stands for, with why it is the base. Rejects with 'unknown-revision'. */
export async function resolveBase(look: Look, name: string, why = 'as you chose'): Promise<BaseChoice> {
  const commit = await commitOf(look, name);
  if (commit === null) throw new GitError('unknown-revision', `There is no branch, tag or commit ${name}.`, 'See: git branch -a');
  return { name, commit, why };
}

/** For a new branch: where the asking folder stands. Null on an unborn branch. */
export async function startingPoint(look: Look): Promise<BaseChoice | null> {
  const { branch, head } = await standing(look);
  if (head === null) return null;
  return branch === null
    ? { name: head.slice(0, 12), commit: head, why: 'the commit you are on' }
    : { name: branch, commit: head, why: 'the branch you are on' };
}

/** For a worktree whose base nobody recorded: the remote's default branch, main, master, else its upstream, else where it stands. */
export async function defaultBase(look: Look): Promise<BaseChoice | null> {
  const { branch, head } = await standing(look);
  if (head === null) return null;
  const remote = await look.run(['symbolic-ref', '-q', 'refs/remotes/origin/HEAD'], { codes: [0, 1, 128] });
  const remoteDefault = remote.code === 0 ? remote.stdout.toString().trim().replace('refs/remotes/', '') : null;
  const local = remoteDefault?.replace(/^[^/]*\//, '');
  const trunks = [...new Set([local, 'main', 'master', 'trunk'])].filter((n): n is string => n !== undefined);
  if (branch === null || !trunks.includes(branch)) {
    const names = remoteDefault === null ? trunks : [...trunks, remoteDefault];
    const refs = names.map((n) => (n === remoteDefault ? `refs/remotes/${n}` : `refs/heads/${n}`));
    const commits = await commitsOf(look, refs);
    const found = names.findIndex((_, i) => commits[i] !== null);
    if (found >= 0) return { name: names[found]!, commit: commits[found]!, why: 'the default branch' };
  }
  const upstream =
    branch === null ? null : await look.run(['rev-parse', '-q', '--abbrev-ref', '--verify', '@{upstream}'], { codes: [0, 1, 128] });
  if (upstream?.code === 0) {
    const name = upstream.stdout.toString().trim();
    const commit = await commitOf(look, name);
    if (commit !== null) return { name, commit, why: 'the upstream branch' };
  }
  return { name: branch ?? head.slice(0, 12), commit: head, why: 'where the worktree stands' };
}

/** Looks at worktrees while one is half registered, and ms between them: another git writes its files one after the other. */
const LIST_TRIES = 20;
const LIST_PAUSE = 50;

/** All worktrees, the main one (or the bare repository) first. */
export async function listWorktrees(look: Look): Promise<WorktreeFacts[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await readWorktrees(look);
    } catch (error) {
      const half = /failed to read .*worktrees.*(?:commondir|gitdir|HEAD)/.test(String((error as GitError).detail?.said));
      if (!half || tries === LIST_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, LIST_PAUSE));
    }
  }
}

async function readWorktrees(look: Look): Promise<WorktreeFacts[]> {
  // `-z` came with git 2.36; before, only a path with a newline in it would read wrong.
  const zero = await look.run(['worktree', 'list', '--porcelain', '-z'], { codes: [0, 129] });
  if (zero.code === 0) return parseWorktrees(zero.stdout.toString(), '\0');
  return parseWorktrees((await look.run(['worktree', 'list', '--porcelain'])).stdout.toString(), '\n');
}

/** Parses `git worktree list --porcelain`: records of `key value` lines, an empty line ends each. Pure. */
export function parseWorktrees(text: string, end: '\0' | '\n'): WorktreeFacts[] {
  const records = text.split(end + end).filter((r) => r !== '' && r !== end);
  return records.map((record, i) => {
    const fields = new Map<string, string>();
    for (const line of record.split(end)) {
      const space = line.indexOf(' ');
      if (line !== '') fields.set(space < 0 ? line : line.slice(0, space), space < 0 ? '' : line.slice(space + 1));
    }
    const head = fields.get('HEAD') ?? null;
    return {
      path: fields.get('worktree') ?? '',
      branch: fields.get('branch')?.replace(/^refs\/heads\//, '') ?? null,
      head: head === null || /^0+$/.test(head) ? null : head,
      main: i === 0,
      bare: fields.has('bare'),
      locked: fields.get('locked') ?? null,
      prunable: fields.get('prunable') ?? null,
    };
  });
}
