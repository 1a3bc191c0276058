// The one error of this room: a stable code, one sentence for people, a hint. Git's own words are kept in `detail`, cleaned, never shown raw.

import { counted } from '../model/counted.ts';
import { KnownError } from '../model/known-error.ts';

export type GitErrorCode =
  | 'git-missing'
  | 'git-too-old'
  | 'not-a-repository'
  | 'unsafe-owner'
  | 'no-commit'
  | 'unknown-revision'
  | 'bad-name'
  | 'branch-in-use'
  | 'ref-conflict'
  | 'case-conflict'
  | 'path-exists'
  | 'not-prepared'
  | 'root-unwritable'
  | 'would-lose'
  | 'is-main-worktree'
  | 'not-a-worktree'
  | 'locked'
  | 'not-found'
  | 'moved-on'
  | 'in-conflict'
  | 'busy'
  | 'does-not-apply'
  | 'not-text'
  | 'nothing-staged'
  | 'hook-refused'
  | 'timed-out'
  | 'output-too-large'
  | 'cancelled'
  | 'git-failed';

export class GitError extends KnownError<GitErrorCode> {
  /** Counts, places, and under `said` what git printed (see `cleanOutput`). */
  declare readonly detail: Record<string, unknown>;

  constructor(code: GitErrorCode, message: string, hint?: string, detail: Record<string, unknown> = {}) {
    super(code, message, hint, detail);
    this.name = 'GitError';
  }
}

/** Text from git made safe to keep and show: no control or bidi characters but newline, at most `max` characters. */
export function cleanText(text: string, max = 2000): string {
  return text.replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, ' ').slice(0, max);
}

/** Characters kept of what a command printed, half of them of its end: there linters sum up. */
const OUTPUT_KEPT = 16_000;

/**
 * What a command printed, made safe to keep and show: escape sequences go, of a line that was written over only the last writing stays, tabs
 * are blanks.
 */
export function cleanOutput(text: string): string {
  const bare = text
    .replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])/g, '')
    .replace(/\r+\n/g, '\n')
    .replace(/[^\n]*\r(?=[^\n])/g, '')
    .replace(/\t/g, '    ');
  if (bare.length <= OUTPUT_KEPT) return cleanText(bare, OUTPUT_KEPT);
  const [begin, end] = [bare.slice(0, OUTPUT_KEPT / 2), bare.slice(-OUTPUT_KEPT / 2)];
  const left = bare.split('\n').length - begin.split('\n').length - end.split('\n').length + 2;
  return cleanText(`${begin}\n… ${counted(Math.max(1, left), 'line')} left out …\n${end}`, 2 * OUTPUT_KEPT);
}

/** What git printed of the failure itself: the first line that it calls one, else the first that is no warning or hint. Fits into a sentence. */
export function firstClause(said: string): string {
  const lines = said.split('\n').filter((l) => l.trim() !== '');
  const line = lines.find((l) => /^(fatal|error):/i.test(l)) ?? lines.find((l) => !/^(warning|hint):/i.test(l)) ?? lines[0] ?? '';
  return cleanText(line.replace(/^(fatal|error|warning):\s*/i, ''), 200).trim();
}

/** Turns a failed call's stderr into the error a person can act on. */
export function errorFromStderr(action: string, said: string, code: number | null): GitError {
  const detail = { said: cleanOutput(said), exit: code };
  const owner = /detected dubious ownership in repository at '([^\n]*)'/.exec(said);
  if (owner) {
    const path = cleanText(owner[1] ?? '', 300);
    return new GitError(
      'unsafe-owner',
      `git does not trust ${path}: the folder belongs to another user.`,
      `If you trust it: git config --global --add safe.directory '${path}'`,
      detail,
    );
  }
  if (/not a git repository/i.test(said)) {
    return new GitError('not-a-repository', 'This folder is not in a git repository.', 'Go into a repository, or run: git init', detail);
  }
  if (/unknown revision|bad revision|Needed a single revision|not a valid object name|bad object/i.test(said)) {
    return new GitError('unknown-revision', `git does not know the revision: ${firstClause(said)}.`, undefined, detail);
  }
  const lock = /Unable to create '([^\n]*\.lock)': File exists/.exec(said)?.[1];
  if (lock) {
    const hint = `Try again; if no git runs any more: rm '${cleanText(lock, 300)}'`;
    return new GitError('busy', `${action} failed: another git is at work here.`, hint, detail);
  }
  const clause = firstClause(said).replace(/\.+$/, '');
  return new GitError('git-failed', `${action} failed${clause ? `: ${clause}` : ` (exit ${code})`}.`, undefined, detail);
}
