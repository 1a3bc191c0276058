// The git room on a test's repository, and what a test asks of it again and again.
import { join } from 'node:path';
import type { Git } from '../../src/git/api.ts';
import { createGit } from '../../src/git/git.ts';
import type { GitError } from '../../src/git/git-error.ts';
import type { Fixture } from './repository.ts';

/** Its clock stands still; `extra` is added to the environment. */
export function openGit(f: Fixture, extra: Record<string, string> = {}): Git {
  return createGit({ snapshotDir: join(f.root, 'snapshots'), env: { ...f.env, ...extra }, now: () => Date.UTC(2026, 0, 1) });
}

/** Why it was refused; rejects when it was not. */
export function refusal(asked: Promise<unknown>): Promise<GitError> {
  return asked.then(
    () => Promise.reject(new Error('was not refused')),
    (error) => error as GitError,
  );
}

/** Names of all branches, sorted. */
export function branchesOf(f: Fixture): string[] {
  return f.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/').split('\n').sort();
}
