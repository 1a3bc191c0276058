// What is compared with what for a scope: an old commit or tree against the working tree, the index or a commit. Decided once per reading;
// every later git call of the reading uses the same commits, so a ref that moves meanwhile cannot mix two states.

import { dropOldest } from '../model/drop-oldest.ts';
import type { Changeset, Scope } from '../model/review/changeset.ts';
import type { ChangesQuery } from './api.ts';
import { GitError } from './git-error.ts';
import { commitOf, commitsOf, defaultBase, standingAmong } from './repository.ts';
import type { Look } from './run.ts';

export interface Comparison {
  scope: Scope;
  /** Commit or tree; the empty tree on an unborn branch and for a root commit. */
  old: string;
  now: { kind: 'worktree' } | { kind: 'index' } | { kind: 'commit'; commit: string };
  /** Untracked files belong to it, from status. */
  untracked: boolean;
  base: Changeset['base'];
  branch: string | null;
  head: string | null;
  /** Git processes of this reading run in this view (private index and objects for snapshots). */
  look: Look;
}

/** Lines around a change, as git's default. */
export const CONTEXT = 3;

/** Flags of every diff: nothing configured may change its form, no program of the repository runs, only HEAD of a submodule is looked at. */
export const DIFF_FLAGS: readonly string[] = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-relative',
  '--ignore-submodules=dirty',
  '--submodule=short',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--find-renames=50%',
  '-l1500',
];

/** Flags of a diff for which whitespace does not count, if it does not. */
export function whitespaceFlags(ignore: boolean | undefined): readonly string[] {
  return ignore ? ['--ignore-all-space', '--ignore-blank-lines'] : [];
}

const EMPTY_TREE = {
  40: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  64: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
} as const;

/** Merge bases kept: one for where the branch stands, and some for where it stood. */
const MERGE_BASES = 16;

/** Where commits part, by their ids: that never changes. */
export type MergeBases = Map<string, string>;

/** Rejects with 'no-commit', 'unknown-revision'. `snapshotView` gives the view for scope turn and look; `known` is kept from one to the next. */
export async function compare(
  look: Look,
  q: ChangesQuery,
  known: MergeBases,
  snapshotView: (dir: string) => Promise<Look>,
): Promise<Comparison> {
  const recorded = q.scope === 'base' ? (q.base ?? null) : null;
  const { branch, head, commits } = await standingAmong(look, recorded ? [recorded.name, recorded.commit] : []);
  const common = { scope: q.scope, branch, head, look, untracked: false, base: null };
  const empty = async () => EMPTY_TREE[(await look.text(['rev-parse', '--show-object-format'])) === 'sha256' ? 64 : 40];
  if (isSince(q.scope)) return { ...common, ...(await since(q, snapshotView)) };
  if (typeof q.scope === 'object') {
    const commit = await commitOf(look, q.scope.commit);
    if (commit === null) throw new GitError('unknown-revision', `There is no commit ${q.scope.commit} any more.`);
    const old = (await commitOf(look, `${commit}^1`)) ?? (await empty());
    return { ...common, old, now: { kind: 'commit', commit } };
  }
  switch (q.scope) {
    case 'staged':
      return { ...common, old: head ?? (await empty()), now: { kind: 'index' } };
    case 'uncommitted':
      return { ...common, old: head ?? (await empty()), now: { kind: 'worktree' }, untracked: true };
    case 'base': {
      const base = head === null ? null : await readBase(look, known, head, branch, recorded && { ...recorded, commits });
      return { ...common, old: base?.commit ?? head ?? (await empty()), now: { kind: 'worktree' }, untracked: true, base };
    }
  }
}

/** Scopes that start at a picture of the worktree. */
export function isSince(scope: Scope): scope is 'turn' | 'look' | { round: number } {
  return scope === 'turn' || scope === 'look' || (typeof scope === 'object' && 'round' in scope);
}

async function since(q: ChangesQuery, snapshotView: (dir: string) => Promise<Look>): Promise<Pick<Comparison, 'old' | 'now' | 'look'>> {
  const name = typeof q.scope === 'object' ? 'round' : q.scope;
  const missing =
    name === 'turn' ? 'No turn has started yet.' : name === 'look' ? 'Nobody has looked yet.' : 'There is no picture of that round.';
  if (!q.snapshot) throw new GitError('not-found', missing);
  const look = await snapshotView(q.snapshot.dir);
  if ((await commitOf(look, q.snapshot.commit)) === null) throw new GitError('not-found', `The picture from the last ${name} is gone.`);
  return { old: q.snapshot.commit, now: { kind: 'index' }, look };
}

/**
 * Where the branch left its base. Both where the base stands now and where it was recorded count, the nearest to HEAD wins: a base that
 * went on brings no foreign work in, and a base that was rewritten does not make its old commits look like the agent's.
 */
async function readBase(
  look: Look,
  known: MergeBases,
  head: string,
  branch: string | null,
  recorded: { name: string; commit: string; commits: (string | null)[] } | null,
): Promise<Changeset['base']> {
  const chosen = recorded ?? (await defaultBase(look));
  if (!chosen) return null;
  const [present = null, then = null] = recorded?.commits ?? (await commitsOf(look, [chosen.name, chosen.commit]));
  // Work on the base branch itself: only where it stood when recorded says what is new.
  if (chosen.name === branch && then !== null) return { name: chosen.name, commit: then, recorded: chosen.commit, moved: false };
  const ends = [...new Set([present, then])].filter((c): c is string => c !== null);
  if (ends.length === 0) throw new GitError('unknown-revision', `The base ${chosen.name} is gone.`, 'Choose another base.');
  // No common history: the recorded commit itself is the old side.
  const commit = (await mergeBase(look, known, [head, ...ends])) ?? then ?? present!;
  return { name: chosen.name, commit, recorded: chosen.commit, moved: present !== then, ...(present === null ? { gone: true } : {}) };
}

async function mergeBase(look: Look, known: MergeBases, commits: readonly string[]): Promise<string | null> {
  const key = commits.join(' ');
  const before = known.get(key);
  if (before !== undefined) return before;
  const r = await look.run(['merge-base', ...commits], { codes: [0, 1] });
  if (r.code !== 0) return null;
  const found = r.stdout.toString().trim().split('\n')[0]!;
  known.set(key, found);
  dropOldest(known, MERGE_BASES);
  return found;
}

/** The lines of a modified file of the worktree, whatever they are now. */
export function fileKey(c: Comparison, path: string): string {
  return `${c.old} ${path}`;
}

/** Arguments of `git diff` for the comparison, after the output options. */
export function diffArgs(c: Comparison): string[] {
  if (c.now.kind === 'commit') return [c.old, c.now.commit];
  return c.now.kind === 'index' ? ['--cached', c.old] : [c.old];
}
