// Every verb as data: how it is written, what it takes, which file runs it. Help, completion of mistakes and the skills' command
// lists are made from these tables; a verb's file is loaded only when it runs.
import type { Verb } from './verb.ts';
import { BATCH_VERBS } from './verbs/batch.ts';
import { REVIEW_VERBS } from './verbs/review.ts';
import { SESSION_VERBS } from './verbs/session.ts';
import { WORKSPACE_VERBS } from './verbs/workspace.ts';

/** As help shows them. */
export const FAMILIES: readonly (readonly [title: string, verbs: Record<string, Verb>])[] = [
  ['Workspaces and their agents', WORKSPACE_VERBS],
  ['Review', REVIEW_VERBS],
  ['Batches', BATCH_VERBS],
  ['The session, and herd itself', SESSION_VERBS],
];

/** By name as typed; a name of two words is tried before one of one. '' is `herd` without a verb. */
export const VERBS: Record<string, Verb> = Object.assign({}, ...FAMILIES.map(([, verbs]) => verbs));

/** The verb that `argv` begins with, and how many words name it. */
export function findVerb(argv: string[]): { name: string; length: number } | null {
  const [first, second] = argv;
  if (first === undefined || first.startsWith('-')) return { name: '', length: 0 };
  if (second !== undefined && `${first} ${second}` in VERBS) return { name: `${first} ${second}`, length: 2 };
  return first in VERBS ? { name: first, length: 1 } : null;
}
