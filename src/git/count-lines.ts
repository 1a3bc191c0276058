// Counts the lines of changes: git is asked only for those that it has not counted yet between the same two contents. A refresh after one
// write to a thousand changed files costs the counting of one.

import { hash } from 'node:crypto';
import { type Comparison, DIFF_FLAGS, diffArgs } from './comparison.ts';
import type { Content, Contents } from './contents.ts';
import { addCounts, type RawChange } from './raw-diff.ts';

/** Files counted by name; of more the whole change is counted, which takes no long command line. */
const BY_NAME = 200;
/** Counts kept beyond twice what was asked for; then all are forgotten, which costs one slower scan. */
const SPARE = 5000;

/** Sets `added` and `removed` on the changes. `present`: the files as they lie there; `white`: git's flags for whitespace. */
export async function countLines(
  c: Comparison,
  changes: readonly RawChange[],
  contents: Contents,
  present: ReadonlyMap<string, Content>,
  white: readonly string[],
): Promise<void> {
  const { counts } = contents;
  if (counts.size > 2 * changes.length + SPARE) counts.clear();
  const nowOf = (r: RawChange, content: Content | undefined) => (c.now.kind === 'worktree' ? content?.fingerprint : r.newOid);
  // Attributes decide what counts as binary: those of the old side, and every file of them that is another now.
  const isRules = (path: string) => path.endsWith('.gitattributes');
  const ruled = changes.filter(({ path }) => isRules(path)).map((r) => [r.path, nowOf(r, present.get(r.path))]);
  for (const [path, { fingerprint }] of present) if (isRules(path)) ruled.push([path, fingerprint]);
  const rules = hash('sha256', JSON.stringify([c.old, ruled]), 'base64');
  const keyOf = (r: RawChange, now = nowOf(r, present.get(r.path))) =>
    JSON.stringify([white, rules, r.oldOid, r.oldPath, r.oldMode, r.newMode, now]);
  // A submodule and a conflict have no content that a count could be kept for.
  const fleeting = (r: RawChange) => r.letter === 'U' || r.oldMode === '160000' || r.newMode === '160000';
  const fresh = changes.filter((r) => fleeting(r) || !counts.has(keyOf(r)));
  const all = new Set(fresh);
  for (const r of changes) if (!all.has(r)) Object.assign(r, counts.get(keyOf(r)));
  if (fresh.length === 0) return;
  const names = fresh.length > BY_NAME ? [] : fresh.flatMap((r) => (r.oldPath === undefined ? [r.path] : [r.oldPath, r.path]));
  const run = ['diff', '--numstat', '-z', ...DIFF_FLAGS, ...white, ...diffArgs(c), '--', ...names];
  const only = fresh.length === 1 && white.length === 0 ? fresh[0]! : null;
  const { patches, lastPatch } = contents;
  const counted = only?.letter === 'M' ? ((await patches.count(c, only.path)) ?? (await lastPatch.count(c, only.path))) : null;
  if (only && counted) Object.assign(only, counted);
  else addCounts(fresh, (await c.look.run(run, { action: 'Counting lines', wide: true })).stdout);
  for (const r of fresh) {
    // Written on meanwhile: the count may be of either content.
    const same = c.now.kind !== 'worktree' || contents.read(r.path).fingerprint === present.get(r.path)?.fingerprint;
    if (same && !fleeting(r)) counts.set(keyOf(r), { added: r.added, removed: r.removed });
  }
}
